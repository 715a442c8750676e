//! Bytes to finished analysis in the worker as shipped, beside `TextDecoder` and `JSON.parse` of the same bytes in a worker.
//! Every round has two fresh workers; each first reads two files of a megabyte of the same kind, so that both programs are
//! compiled as in a page that was used (the cold rows leave that out). What was read is held against what was written.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { CORPUS } from '../../../tests/e2e/harness.mjs';
import { missing } from '../bounds.mjs';
import { assertCounts } from '../files.mjs';
import { paired, ratio } from '../stats.mjs';

/** Pairs of one file, and the milliseconds of ours in order. */
async function measured(stage, file, { warm, rounds, table = false }) {
  await stage.give(file, ...warm);
  const ours = async () => {
    const told = await stage.ours([file], { warm, table });
    assertCounts(file, told);
    if (table && (told.many.runs !== told.runs || told.many.groups !== told.many.topologies || !(told.many.rows > 0))) throw new Error(`the table: ${JSON.stringify(told.many)}`);
    return told.took;
  };
  const peer = async () => (await stage.peer([file], { warm })).took;
  return paired(rounds, ours, peer);
}

/** Sessions of all sizes; the bound is that of 64 MB. Growth is asked of fresh pairs, so that both ends saw the same machine. */
export async function* analysis(stage, { sizes }) {
  const warm = await stage.files.warmers('claude-code');
  for (const size of sizes) {
    const file = await stage.files.get('claude-code', size);
    const rounds = size > 64 ? stage.fewer(1 / 3) : stage.rounds;
    const bound = size === 64 ? undefined : null;
    yield { case: 'analysis', input: file.label, bound, bytes: file.bytes, ...ratio(await measured(stage, file, { warm, rounds })) };
  }
}

export async function* cold(stage, { sizes }) {
  for (const size of sizes.filter((size) => size <= 64)) {
    const file = await stage.files.get('claude-code', size);
    yield { case: 'cold', input: file.label, bytes: file.bytes, ...ratio(await measured(stage, file, { warm: [], rounds: stage.rounds })) };
  }
}

export async function* growth(stage, { sizes }) {
  const warm = await stage.files.warmers('claude-code');
  const large = Math.max(...sizes);
  const small = sizes.includes(64) ? 64 : Math.min(...sizes);
  if (!(large > small)) return yield missing('growth', 'Claude Code session', 'two sizes are needed, and one was asked for');
  const [few, many] = [await stage.files.get('claude-code', small), await stage.files.get('claude-code', large)];
  await stage.give(few, many, ...warm);
  const of = (file) => async () => {
    const told = await stage.ours([file], { warm });
    assertCounts(file, told);
    return told.took;
  };
  const pairs = await paired(stage.fewer(1 / 2), of(many), of(few));
  const times = many.bytes / few.bytes;
  // The bound is given for four times the bytes.
  const bound = large === 4 * small ? undefined : null;
  yield { case: 'growth', input: `Claude Code session, ${small} MB to ${large} MB, ${times.toFixed(2)} times the bytes`, bound, ...ratio(pairs) };
}

export async function* formats(stage, { small }) {
  for (const kind of ['swe-agent', 'otlp', 'atif']) {
    const warm = await stage.files.warmers(kind);
    for (const size of small ? [1] : [8, 64]) {
      const file = await stage.files.get(kind, size);
      const rounds = size > 8 ? stage.fewer(1 / 2) : stage.rounds;
      yield { case: 'formats', input: file.label, bytes: file.bytes, ...ratio(await measured(stage, file, { warm, rounds })) };
    }
  }
}

export async function* runs(stage, { small }) {
  const warm = await stage.files.warmers('runs');
  for (const count of small ? [200] : [200, 5000]) {
    const file = await stage.files.get('runs', count);
    yield { case: 'runs', input: file.label, bytes: file.bytes, ...ratio(await measured(stage, file, { warm, table: true, rounds: stage.rounds })) };
  }
  const real = join(CORPUS, 'tau-bench', 'gpt-4o-airline.json');
  const input = 'tau-bench, 200 airline runs';
  if (!existsSync(real)) return yield missing('table', input, `there is no folder of real files at ${CORPUS}`);
  const file = { ...stage.files.real(real, 'gpt-4o-airline.json', false), format: 'tau-bench', totals: { runs: 200 } };
  yield { case: 'table', input, bytes: file.bytes, ...ratio(await measured(stage, file, { warm, table: true, rounds: stage.rounds })) };
}

function below(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? below(join(folder, entry.name)) : [join(folder, entry.name)])).sort();
}

/** How the peer can read a text: `true` line by line, `false` as one value, `null` not at all. */
function reading(text) {
  const parses = (part) => {
    try {
      JSON.parse(part);
      return true;
    } catch {
      return false;
    }
  };
  const lines = text.split('\n').filter((line) => line.trim());
  if (lines.length > 1 && lines.every((line) => parses(line))) return true;
  return parses(text) ? false : null;
}

export async function* corpus(stage) {
  const input = 'files of real agents';
  if (!existsSync(CORPUS)) return yield missing('corpus', input, `there is no folder of real files at ${CORPUS}`);
  // Runs alone: documents of skills are checked, which is another question, and has its own rows.
  const files = below(CORPUS).filter((path) => statSync(path).size > 0 && !path.startsWith(join(CORPUS, 'skills'))).flatMap((path, index) => {
    const lines = reading(readFileSync(path, 'utf8'));
    // A name of its own: files of one session would be joined.
    return lines === null ? [] : [stage.files.real(path, `${index}-${path.split('/').at(-1)}`, lines)];
  });
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  await stage.give(...files);
  const ours = async () => {
    const told = await stage.ours(files, { warm: files, single: true });
    if (!(told.runs > 0)) throw new Error('no run was found in the corpus');
    return told.took;
  };
  const peer = async () => (await stage.peer(files, { warm: files })).took;
  const pairs = await paired(stage.fewer(1 / 3), ours, peer);
  yield { case: 'corpus', input: `${files.length} files, ${(bytes / 1048576).toFixed(1)} MB`, bytes, note: 'both sides have read the same files once before', ...ratio(pairs) };
}
