//! Writes `scripts/first/*.txt`: which functions a first look needs, so that the build leaves the others to the second part of
//! each program (`split.mjs`). Instruments the programs of the last build and looks in a browser. Cost: half a minute.
//! `make first` after changes that move much; `tests/e2e/budgets.test.mjs` says when it is due.
//!
//! A first look is, for the page: it opens, narrow or wide. For the worker: it reads a session of Claude
//! Code and of Codex, a trajectory in ATIF, and a conversation, and answers what the views of a run ask first.

import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import binaryen from 'binaryen';

import { setUp, settle } from '../tests/e2e/harness.mjs';
import { kept } from './parts.mjs';
import { functions, nameless, read } from './split.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const EXAMPLES = join(ROOT, 'public', 'examples');

/** The program with every function telling that it runs; and the functions' names by number. */
function instrumented(bytes) {
  const module = read(bytes);
  const names = functions(module);
  module.addFunctionImport('$hit', 'look', 'hit', binaryen.i32, binaryen.none);
  names.forEach(({ name, imported, results }, at) => {
    if (imported) return;
    const body = binaryen.getFunctionInfo(module.getFunction(name)).body;
    binaryen.Function.setBody(module.getFunction(name), module.block(null, [module.call('$hit', [module.i32.const(at)], binaryen.none), body], results));
  });
  return { bytes: module.emitBinary(), names: names.map(({ name }) => name) };
}

const HIT = 'look: { hit(at) { (globalThis.skillscopeHits ??= new Set()).add(at); } },';

/** A copy of dist/ whose programs tell what runs. */
function instrumentedPage(folder) {
  cpSync(join(ROOT, 'dist'), folder, { recursive: true });
  const names = {};
  for (const [name, pattern] of [['app', /^app-[0-9a-f]+_bg\.wasm$/], ['worker', /^worker_bg\.wasm$/]]) {
    const file = readdirSync(folder).find((each) => pattern.test(each));
    const program = instrumented(readFileSync(kept(name)));
    writeFileSync(join(folder, file), program.bytes);
    const glue = join(folder, file.replace('_bg.wasm', '.js'));
    const text = readFileSync(glue, 'utf8').replaceAll('rest: { fetch: restNow }', `${HIT} rest: { fetch: restNow }`);
    // The program is whole here: there is no second part to be fetched.
    writeFileSync(glue, text.replace('export async function fetchRest(start = true) {', '$& return;'));
    names[name] = program.names;
  }
  // What was changed no longer fits its integrity.
  const page = join(folder, 'index.html');
  writeFileSync(page, readFileSync(page, 'utf8').replace(/ integrity="[^"]*"/g, ''));
  return names;
}

const hits = async (context, into) => {
  for (const at of await context.evaluate(() => [...globalThis.skillscopeHits ?? []])) into.add(at);
};

/** Looks, and notes what ran: `{ app: Set, worker: Set }` of function numbers. */
async function look(dist) {
  const seen = { app: new Set(), worker: new Set() };
  const stage = await setUp({ dir: dist });
  try {
    for (const [width, theme] of [[1440, 'light'], [400, 'dark']]) {
      const { page, close } = await stage.open({ width, theme });
      await page.mouse.move(200, 300);
      await page.keyboard.press('Tab');
      await hits(page, seen.app);
      await close();
    }
    const runs = ['claude-code-commit-loop/3367a61b-133c-4843-a844-3d6409377980.jsonl', 'atif-ring-counts/trajectory.json', 'openai-chat-six-runs', 'codex-slow-query'];
    for (const run of runs) {
      const path = join(EXAMPLES, run);
      const files = /\.jsonl?$/.test(run) ? [path] : readdirSync(path).map((name) => join(path, name));
      const { page, close } = await stage.open();
      await page.locator('input#files').setInputFiles(files);
      await settle(page);
      await page.keyboard.press('j');
      await settle(page);
      const tabs = await page.locator('a.tab-link').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      for (const tab of tabs.filter((href) => /\/(steps|diagram|findings|loops|usage)\b/.test(href ?? ''))) {
        await page.evaluate((href) => { location.hash = href.slice(href.indexOf('#')); }, tab);
        await settle(page);
      }
      for (const worker of page.workers()) await hits(worker, seen.worker);
      await close();
    }
  } finally {
    await stage.close();
  }
  return seen;
}

const dist = mkdtempSync(join(tmpdir(), 'skillscope-first-'));
try {
  const names = instrumentedPage(dist);
  const seen = await look(dist);
  mkdirSync(join(ROOT, 'scripts', 'first'), { recursive: true });
  for (const [program, numbers] of Object.entries(seen)) {
    const lines = [...numbers].map((at) => names[program][at]).filter((name) => !nameless(name)).sort();
    if (lines.length < 100) throw new Error(`only ${lines.length} functions of ${program} were seen to run`);
    writeFileSync(join(ROOT, 'scripts', 'first', `${program}.txt`), `# Functions that run in a first look; written by scripts/first.mjs.\n${lines.join('\n')}\n`);
    console.log(`${program}: ${lines.length} of ${names[program].length} functions`);
  }
} finally {
  rmSync(dist, { recursive: true, force: true });
}
