//! Loops and topology of a long run that is open, beside parsing the bytes of that run; and topology beside the hash that
//! networkx computes natively. Asked by the jobs of the page: `loops_with` looks with every detector anew, `topology`
//! makes every variant of the hash, the directly-follows graphs and what is drawn of them.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { ROOT } from '../../../tests/e2e/harness.mjs';
import { missing } from '../bounds.mjs';
import { assertCounts } from '../files.mjs';
import { median, paired, ratio } from '../stats.mjs';

const NETWORKX = '3.6.1';
const PYTHON_FOLDER = join(ROOT, '.cache', 'python');

const loopJob = { loops_with: { document: 1, run: 0, params: [] } };
const topologyJob = { topology: { document: 1, run: 0 } };

/** Opens a file in a kept worker; answers what was told of it, and asserts it. */
async function opened(stage, file) {
  await stage.give(file);
  const [told] = await stage.keep('ours', [file]);
  assertCounts(file, told);
  if (told.documents[0] !== 1) throw new Error(`the first document is number ${told.documents[0]}`);
  await stage.time('ours', [loopJob, topologyJob], 2);
  return told;
}

export async function* measures(stage, { small }) {
  // A call and its result are one step. The short steps are what is promised: there is little to parse beside them.
  const files = [[await stage.files.get('calls', small ? 5000 : 100_000), small ? null : undefined], [await stage.files.get('claude-code', small ? 8 : 64), null]];
  for (const [file, bound] of files) {
    const told = await opened(stage, file);
    const warm = await stage.files.warmers(file.totals.tools ? 'calls' : 'claude-code');
    await stage.give(...warm);
    const parts = { loops: [], topology: [] };
    const ours = async () => {
      parts.loops.push(await stage.time('ours', [loopJob]));
      parts.topology.push(await stage.time('ours', [topologyJob]));
      return parts.loops.at(-1) + parts.topology.at(-1);
    };
    const peer = async () => (await stage.peer([file], { warm })).took;
    const found = ratio(await paired(stage.rounds, ours, peer));
    const note = `loops ${median(parts.loops).toFixed(1)} ms, topology ${median(parts.topology).toFixed(1)} ms`;
    yield { case: 'measures', input: `${file.label}: ${told.steps.toLocaleString('en-US')} steps`, bound, bytes: file.bytes, note, ...found };
    await stage.drop('ours');
  }
}

/** Python with networkx: the system's own where it has it, otherwise installed below .cache. Null without python3. */
function python() {
  const env = { ...process.env, PYTHONPATH: PYTHON_FOLDER };
  const version = () => {
    const told = spawnSync('python3', ['-c', 'import networkx, platform; print(platform.python_version(), networkx.__version__)'], { env, encoding: 'utf8' });
    return told.status === 0 ? told.stdout.trim().split(' ') : null;
  };
  if (spawnSync('python3', ['--version']).status !== 0) return { why: 'there is no python3' };
  if (!version() && !existsSync(join(PYTHON_FOLDER, 'networkx'))) {
    const installed = spawnSync('python3', ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--target', PYTHON_FOLDER, `networkx==${NETWORKX}`], { encoding: 'utf8' });
    if (installed.status !== 0) return { why: `networkx could not be installed: ${(installed.stderr ?? '').trim().split('\n').at(-1)}` };
  }
  const found = version();
  return found ? { env, version: `Python ${found[0]}, networkx ${found[1]}` } : { why: 'networkx cannot be loaded' };
}

export async function* networkx(stage, { small }) {
  const file = await stage.files.get('calls', small ? 5000 : 100_000);
  const input = `${file.totals.calls.toLocaleString('en-US')} calls`;
  const found = python();
  if (found.why) return yield missing('networkx', input, found.why);
  stage.python = found.version;
  const labels = stage.files.text('labels.json', JSON.stringify(file.totals.tools));
  const child = spawn('python3', [join(ROOT, 'scripts/bench/topology.py'), labels.path], { env: found.env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async () => {
    child.stdin.write('again\n');
    const { value, done } = await lines.next();
    if (done) throw new Error('the Python program ended');
    const { nodes, milliseconds, hash, turned } = JSON.parse(value);
    if (nodes !== file.totals.calls) throw new Error(`networkx saw ${nodes} nodes`);
    if (hash === turned) throw new Error('networkx does not tell the run from itself backwards');
    return milliseconds;
  };
  try {
    await opened(stage, file);
    const pairs = await paired(stage.fewer(1 / 2), () => stage.time('ours', [topologyJob]), ask);
    yield { case: 'networkx', input, note: 'ours: every variant, the directly-follows graphs and their drawing, with the messages; networkx: a path of the calls with their tools as labels, made and hashed in three rounds', ...ratio(pairs) };
  } finally {
    child.kill();
    await stage.drop('ours');
  }
}
