//! `make bench`: how the page's worker, as shipped, compares with `TextDecoder` and `JSON.parse` on the same files in the
//! same browser, and how long 200 real runs take to a grouped table beside `JSON.parse` alone. Ratios, never seconds: seconds
//! belong to a machine. Writes docs/benchmarks.json and docs/benchmarks.md.
//!
//! `node scripts/bench.mjs [--rounds 9] [--sizes 1,8,64] [--keep]`; `--keep` leaves docs/ as it is.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';

import { CORPUS, launch, ROOT, DIST } from '../tests/e2e/harness.mjs';
import { paired, ratio } from './bench/stats.mjs';
import { writeSession } from './generate.mjs';
import { serve } from './serve.mjs';

function option(name, fallback) {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
}

const rounds = Number(option('rounds', '9'));
const sizes = option('sizes', '1,8,64').split(',').map(Number);
if (!(rounds >= 1) || sizes.some((size) => !(size > 0))) {
  console.error('usage: node scripts/bench.mjs [--rounds N] [--sizes 1,8,64] [--keep]');
  process.exit(2);
}

/** What is measured, with the most that it may be; the words are those of the table. */
const BOUNDS = {
  analysis: { what: 'bytes to finished analysis', peer: 'TextDecoder + JSON.parse per line, in a worker', most: 1.0 },
  table: { what: '200 runs to a table, analysed and grouped', peer: 'JSON.parse of the file alone, in a worker', most: 4.0 },
  table_again: { what: 'the same in a worker that has read it three times before', peer: 'JSON.parse of the file alone, in a worker', most: 4.0 },
  growth: { what: 'growth of the analysis from the smaller to the larger file', peer: 'the smaller file', most: null },
};

const folder = mkdtempSync(join(tmpdir(), 'skillscope-bench-'));
const site = await serve({ dir: DIST, base: '/bench/' });
const browser = await launch();
const results = [];
try {
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(`${site.url}robots.txt`);
  await page.addScriptTag({ content: readFileSync(join(ROOT, 'scripts/bench/in-page.js'), 'utf8') });
  await page.evaluate(() => {
    const input = document.createElement('input');
    input.type = 'file';
    input.id = 'file';
    document.body.append(input);
  });
  const times = new Map();
  for (const size of sizes) {
    const name = `session-${size}.jsonl`;
    const path = join(folder, name);
    const totals = await writeSession(path, { bytes: size * 1048576, seed: 7 });
    await page.setInputFiles('#file', path);
    await page.evaluate((name) => { bench.files[name] = document.querySelector('#file').files[0]; }, name);
    const ours = async () => {
      const { took, documents } = await page.evaluate((name) => bench.ours(name), name);
      const run = documents[0]?.runs[0];
      // Equal where they can be: the generator counted while it wrote.
      if (run?.calls !== totals.calls || run?.results !== totals.results) {
        throw new Error(`${name}: ${run?.calls} calls, ${run?.results} results; written were ${totals.calls} and ${totals.results}`);
      }
      return took;
    };
    const peer = async () => {
      const { took, values } = await page.evaluate((name) => bench.peer(name), name);
      if (!(values > 0)) throw new Error(`${name}: the peer read nothing`);
      return took;
    };
    const pairs = await paired(rounds, ours, peer);
    times.set(size, pairs.map(([took]) => took));
    results.push({ case: 'analysis', input: `Claude Code session, ${size} MB`, bytes: statSync(path).size, ...ratio(pairs) });
    console.log(line(results.at(-1)));
    rmSync(path);
  }
  for (const [index, large] of sizes.entries()) {
    const small = sizes[index - 1];
    if (!small) continue;
    const pairs = times.get(large).map((took, round) => [took, times.get(small)[round]]);
    results.push({ case: 'growth', input: `${small} MB to ${large} MB, ${large / small} times the bytes`, ...ratio(pairs) });
    console.log(line(results.at(-1)));
  }
  // Real runs, where they are: a file of 200 with rewards.
  const real = join(CORPUS, 'tau-bench', 'gpt-4o-airline.json');
  if (existsSync(real)) {
    await page.setInputFiles('#file', real);
    await page.evaluate(() => { bench.files.runs = document.querySelector('#file').files[0]; });
    const ours = (before) => async () => {
      const { took, many } = await page.evaluate((n) => bench.ours('runs', true, n), before);
      if (many.runs !== 200 || many.groups !== many.topologies || !(many.rows > 0)) throw new Error(`the table: ${JSON.stringify(many)}`);
      return took;
    };
    const peer = async () => {
      const { took, values } = await page.evaluate(() => bench.parse('runs'));
      if (values !== 200) throw new Error(`the peer read ${values} runs`);
      return took;
    };
    for (const [kind, before] of [['table', 0], ['table_again', 3]]) {
      const pairs = await paired(rounds, ours(before), peer);
      results.push({ case: kind, input: 'tau-bench, 200 airline runs', bytes: statSync(real).size, ...ratio(pairs) });
      console.log(line(results.at(-1)));
    }
  } else {
    console.log(`NOTE: ${real} is not there, so the table of 200 runs is not measured (SKILLSCOPE_CORPUS names another folder).`);
  }
} finally {
  const version = browser.version();
  await browser.close();
  await site.close();
  rmSync(folder, { recursive: true, force: true });
  if (results.length > 0 && !process.argv.includes('--keep')) save(version);
}

function line({ case: kind, input, median, low, high, pairs }) {
  const { what, most } = BOUNDS[kind];
  const interval = low === null ? '' : ` (${low.toFixed(2)} to ${high.toFixed(2)})`;
  return `${what}, ${input}: ${median.toFixed(2)}${interval}, ${pairs} pairs${most === null ? '' : `, at most ${most} wanted: ${median <= most ? 'held' : 'NOT held'}`}`;
}

function save(chromium) {
  const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  const machine = {
    date: new Date().toISOString().slice(0, 10),
    commit: git('rev-parse', '--short', 'HEAD'),
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    chromium,
    node: process.version,
  };
  writeFileSync(join(ROOT, 'docs/benchmarks.json'), `${JSON.stringify({ machine, rounds, results }, null, 2)}\n`);
  const cell = (value) => (value === null ? '–' : value.toFixed(2));
  const rows = results.map(({ case: kind, input, median, low, high, ours, peer }) => {
    const { what, peer: than, most } = BOUNDS[kind];
    const state = most === null ? '–' : `${median <= most ? 'yes' : 'no'}, at most ${most}`;
    return `| ${what} | ${input} | ${than} | ${cell(median)} | ${cell(low)} to ${cell(high)} | ${state} | ${Math.round(ours)} | ${Math.round(peer)} |`;
  });
  writeFileSync(join(ROOT, 'docs/benchmarks.md'), [
    '# Benchmarks',
    '',
    '<!-- Written by `make bench`; do not edit. -->',
    '',
    'Ratio = time of the page\'s worker, as shipped, over the time of the peer, on the same file in the same browser, in',
    'random order; the median over all pairs, with the interval that covers the true median in 9 of 10 cases.',
    '',
    `${machine.date}, commit ${machine.commit}, ${machine.processor}, ${machine.cores} cores, ${machine.memory_gb} GB, Chromium ${chromium}.`,
    '',
    '| what | input | peer | ratio | interval | held | ours, ms | peer, ms |',
    '|---|---|---|---:|---|---|---:|---:|',
    ...rows,
    '',
  ].join('\n'));
}
