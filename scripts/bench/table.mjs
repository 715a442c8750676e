//! What was measured, as a line for the terminal, as JSON and as a table for people.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

import { ROOT } from '../../tests/e2e/harness.mjs';

const PEERS = ['diff', '@jest/diff-sequences', 'fast-myers-diff', 'ajv', 'ajv-formats', 'mermaid'];

/** A figure with as many digits as mean something. */
export function figure(value) {
  if (value === null || value === undefined) return '–';
  return Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}

const milliseconds = (value) => (value === undefined ? '–' : value < 10 ? value.toFixed(2) : String(Math.round(value)));
const state = ({ held }) => (held === null ? '–' : held ? 'yes' : '**no**');

/** One row in words. */
export function line(row) {
  const { what, input, unit, bound, held, median, low, high } = row;
  if (row.missing) return `NOTE: ${what}, ${input}: not measured: ${row.missing}`;
  const range = low === null || low === undefined ? '' : ` (${figure(low)} to ${figure(high)})`;
  const sides = row.ours_ms === undefined ? '' : row.peer_ms === undefined ? `, ${milliseconds(row.ours_ms)} ms here` : `, ours ${milliseconds(row.ours_ms)} ms, peer ${milliseconds(row.peer_ms)} ms`;
  const told = bound === null ? '' : `; at most ${figure(bound)}: ${held ? 'held' : 'NOT held'}`;
  return `${what}, ${input}: ${figure(median)}${unit === 'ratio' ? '' : ` ${unit}`}${range}${sides}${told}`;
}

/** The machine and every version that a figure may depend on. */
export function machine(stage) {
  const git = (...args) => {
    try {
      return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      return 'unknown';
    }
  };
  const peers = Object.fromEntries(PEERS.map((name) => [name, JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')).version]));
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: git('rev-parse', '--short', 'HEAD'),
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    chromium: stage.browser.version(),
    node: process.version,
    cross_origin_isolated: stage.isolated,
    peers,
  };
}

/** The whole as Markdown. */
export function markdown({ machine, rounds, rows }) {
  const cells = (row) => {
    const range = row.low === null || row.low === undefined ? '–' : `${figure(row.low)} to ${figure(row.high)}`;
    const value = row.missing ? 'not measured' : `${figure(row.median)}${row.unit === 'ratio' ? '' : ` ${row.unit}`}`;
    return [row.what, row.input, row.peer, row.bound === null ? '–' : figure(row.bound), value, range, state(row), milliseconds(row.ours_ms), milliseconds(row.peer_ms), row.missing ? String(row.samples ?? 0) : String(row.samples ?? 1)];
  };
  const promised = rows.filter(({ held }) => held !== null);
  const notes = rows.filter(({ note, missing }) => note || missing).map(({ what, input, note, missing }) => `* ${what}, ${input}: ${missing ? `not measured: ${missing}` : note}.`);
  const peers = Object.entries(machine.peers).map(([name, version]) => `${name} ${version}`).join(', ');
  return [
    '# Benchmarks',
    '',
    '<!-- Written by `make bench`; do not edit. -->',
    '',
    'A ratio is the time of the page or its worker, as shipped, over the time of the peer, on the same input in the same browser,',
    'in random order after both were warmed alike; the median over all pairs, with the interval that covers the true median in 9 of',
    '10 cases (with fewer than five pairs there is none). A time “at 200 MB/s” is what was measured times the speed at which',
    '`JSON.parse` ran in the same page just then, over 200 MB/s. MB are 1,048,576 bytes, but for that speed.',
    '',
    `${machine.date}, commit ${machine.commit}, ${machine.processor}, ${machine.cores} cores, ${machine.memory_gb} GB, Chromium ${machine.chromium}, Node.js ${machine.node}, ${peers}${machine.python ? `, ${machine.python}` : ''}. Rounds: ${rounds}.`,
    '',
    `Of ${promised.length} rows with a bound, ${promised.filter(({ held }) => held).length} hold it.`,
    '',
    '| what | input | peer | at most | measured | interval | held | ours, ms | peer, ms | samples |',
    '|---|---|---|---:|---:|---|---|---:|---:|---:|',
    ...rows.map((row) => `| ${cells(row).join(' | ')} |`),
    '',
    ...(notes.length ? ['## Notes', '', ...notes, ''] : []),
  ].join('\n');
}

/** Writes docs/benchmarks.json and docs/benchmarks.md. */
export function save(result) {
  writeFileSync(join(ROOT, 'docs/benchmarks.json'), `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(join(ROOT, 'docs/benchmarks.md'), markdown(result));
}
