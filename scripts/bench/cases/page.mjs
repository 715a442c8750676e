//! The page itself with a session of 64 MB: the first step, every view, a page of the diagram, memory. Each round has a page
//! of its own which first opens a session of a megabyte and, for views, each view of it.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

import { idle } from '../../../tests/e2e/harness.mjs';
import { Meter } from '../../../tests/e2e/memory.mjs';
import { firstStep, opening } from '../in-view.mjs';
import { home, load, PATIENT } from '../stage.mjs';
import { interval, median, paired, ratio } from '../stats.mjs';

const PARTS = 100;

/** Every view of a session but the diagram, by what stands behind its name in the address. */
const VIEWS = {
  'steps, folded': '/1?', 'steps, all': '/1?all=1', 'steps, filtered': '/1?all=1&filter=error', 'a raw record': '/1?all=1&step=2001&raw=1',
  'raw text, until its first lines are there': '?raw=1', 'raw text, until all lines are known': '?line=1&raw=1',
  findings: '/1/findings', loops: '/1/loops', usage: '/1/usage', contract: '/1/contract', measures: '/1/measures', 'import report': '/1/import', judge: '/1/judge',
};
/** What is looked for where a view is there before the page has nothing left to do, and which view is left without a bound for it. */
const UNTIL = { 'raw text, until its first lines are there': 'file-history-snapshot' };
const WHOLE = 'raw text, until all lines are known';
/** Where the page waits between two views: it is quick, and has nothing in common with the others. */
const BETWEEN = '/1/import?line=1';

const address = (file, end) => `#/d/${encodeURIComponent(file.name)}${end}`;

async function large(stage, small) {
  const size = small ? 8 : 64;
  return [await stage.files.get('claude-code', size), size === 64];
}

/** Words of the first prompt of a session that look the same in a row of the list. */
async function firstWords({ path }) {
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { type, message } = JSON.parse(line);
    if (type !== 'user') continue;
    // From its beginning, since a row cuts what is long.
    const words = message.content.slice(0, 150).split(/[^a-z ]+/).map((part) => part.trim()).find((part) => part.length >= 12);
    if (!words) throw new Error(`“${message.content}” has no words to look for`);
    return words.slice(0, 24);
  }
  throw new Error(`${path} has no prompt`);
}

export async function* first(stage, { small }) {
  const [file, promised] = await large(stage, small);
  const warm = await stage.files.warmers('claude-code');
  await stage.give(file, ...warm);
  const words = await firstWords(file);
  const ours = async () => {
    const { page, close } = await stage.open();
    for (const before of warm) await load(page, before);
    await home(page);
    await page.evaluate(firstStep, words);
    await page.locator('input#files').setInputFiles(file.path);
    const took = await page.evaluate(() => window.firstStep);
    await idle(page, PATIENT);
    await close();
    return took;
  };
  const peer = async () => (await stage.peer([file], { warm })).took;
  yield { case: 'first', input: file.label, bound: promised ? undefined : null, bytes: file.bytes, note: 'from the choice of the file to the painted frame', ...ratio(await paired(stage.rounds, ours, peer)) };
}

export async function* views(stage, { small }) {
  const [file, promised] = await large(stage, small);
  const bound = promised ? undefined : null;
  const [warm] = await stage.files.warmers('claude-code');
  const took = Object.fromEntries(Object.keys(VIEWS).map((view) => [view, { ms: [], raw: [], nodes: [] }]));
  for (let round = 0; round < stage.rounds; round += 1) {
    const { page, close } = await stage.open();
    await load(page, warm);
    for (const end of [...Object.values(VIEWS), BETWEEN]) await page.evaluate(opening, { hash: address(warm, end) });
    await load(page, file);
    for (const [view, end] of Object.entries(VIEWS)) {
      await page.evaluate(opening, { hash: address(file, BETWEEN) });
      const seen = took[view];
      seen.ms.push(await stage.atReference(page, async () => {
        const text = UNTIL[view] ?? '';
        const { took: milliseconds, nodes, there } = await page.evaluate(opening, { hash: address(file, end), text });
        const wanted = end.split('?')[0].split('/')[2];
        const right = text ? there : end.startsWith('?') || (there.includes(encodeURIComponent(file.name)) && (!wanted || there.includes(`/${wanted}`)));
        if (!right) throw new Error(`${view}: the page shows ${there}`);
        seen.raw.push(milliseconds);
        seen.nodes.push(nodes);
        return milliseconds;
      }));
      await idle(page, PATIENT);
    }
    await close();
  }
  for (const [view, { ms, raw }] of Object.entries(took)) yield { case: 'views', input: `${view}, ${file.label}`, bound: view === WHOLE ? null : bound, ...interval(ms), ours_ms: median(raw) };
  const most = Object.entries(took).map(([view, { nodes }]) => [view, Math.max(...nodes)]).sort((a, b) => b[1] - a[1])[0];
  yield { case: 'nodes', input: `${file.label}; the most have “${most[0]}”`, bound, median: most[1], samples: stage.rounds };
}

export async function* diagram(stage, { small }) {
  const [file, promised] = await large(stage, small);
  const [warm] = await stage.files.warmers('claude-code');
  const loaded = { ms: [], raw: [] };
  const drawn = { ms: [], raw: [] };
  let messages = 0;
  const at = async (page, of, kept) => kept.ms.push(await stage.atReference(page, async () => {
    kept.raw.push((await page.evaluate(opening, { hash: address(of, '/1/diagram') })).took);
    messages = await page.locator('svg [data-et="message"]').count();
    if (!(messages > 10)) throw new Error(`a diagram of ${messages} messages`);
    return kept.raw.at(-1);
  }));
  for (let round = 0; round < stage.rounds; round += 1) {
    const { page, close } = await stage.open();
    await load(page, warm);
    await at(page, warm, loaded);
    await load(page, file);
    await at(page, file, drawn);
    await close();
  }
  yield { case: 'diagram', input: `${messages} messages of ${file.label}`, bound: promised ? undefined : null, ...interval(drawn.ms), ours_ms: median(drawn.raw), ...(messages === PARTS ? {} : { note: `the page has ${messages} messages, not ${PARTS}` }) };
  yield { case: 'mermaid', input: warm.label, ...interval(loaded.ms), ours_ms: median(loaded.raw) };
}

export async function* memory(stage, { small }) {
  const [file, promised] = await large(stage, small);
  const ratios = [];
  const parts = { wasm: [], js: [], buffers: [] };
  for (let round = 0; round < stage.fewer(1 / 2); round += 1) {
    const { page, close } = await stage.open();
    const meter = await Meter.attach(page);
    await meter.tare();
    const peak = await meter.during(() => load(page, file));
    if (!(peak.wasm > 0) || peak.samples < 3) throw new Error('memory was not sampled');
    ratios.push(peak.above / file.bytes);
    for (const part of Object.keys(parts)) parts[part].push(peak[part] / 1048576);
    await close();
  }
  const note = `peaks: wasm ${median(parts.wasm).toFixed(0)} MB, JavaScript ${median(parts.js).toFixed(0)} MB, buffers ${median(parts.buffers).toFixed(0)} MB`;
  yield { case: 'memory', input: file.label, bound: promised ? undefined : null, bytes: file.bytes, note, ...interval(ratios) };
}
