//! `make bench`: how the page and its worker, as shipped, compare with their peers in the same browser. Ratios, and times
//! brought to one speed: seconds belong to a machine. Writes docs/benchmarks.json and docs/benchmarks.md. What is measured and
//! what is promised stands in scripts/bench/bounds.mjs, how in scripts/bench/cases/.
//!
//! `node scripts/bench.mjs [--rounds 9] [--only CASE,…] [--sizes 1,8,64,256] [--small] [--keep]`; `--only` names cases,
//! `--small` takes small inputs, `--keep` leaves docs/ as it is, as both others do.

import { parseArgs } from 'node:util';

import { judged, missing } from './bench/bounds.mjs';
import * as alignment from './bench/cases/alignment.mjs';
import * as analysis from './bench/cases/analysis.mjs';
import * as measures from './bench/cases/measures.mjs';
import * as page from './bench/cases/page.mjs';
import * as schema from './bench/cases/schema.mjs';
import * as thread from './bench/cases/thread.mjs';
import * as weights from './bench/cases/weights.mjs';
import { Stage } from './bench/stage.mjs';
import { line, machine, save } from './bench/table.mjs';

/** In the order in which they are told; the case of its rows where one cannot be measured at all. */
const CASES = {
  analysis: analysis.analysis,
  cold: analysis.cold,
  growth: analysis.growth,
  first: page.first,
  views: page.views,
  diagram: page.diagram,
  memory: page.memory,
  thread: thread.thread,
  exact: alignment.exact,
  soft: alignment.soft,
  measures: measures.measures,
  networkx: measures.networkx,
  descriptor: schema.descriptor,
  weights: weights.weights,
  formats: analysis.formats,
  runs: analysis.runs,
  corpus: analysis.corpus,
};

function usage(reason) {
  console.error(`${reason}\nusage: node scripts/bench.mjs [--rounds N] [--only CASE,…] [--sizes 1,8,64,256] [--small] [--keep]\ncases: ${Object.keys(CASES).join(', ')}`);
  process.exit(2);
}

function options() {
  try {
    const { values } = parseArgs({ options: { rounds: { type: 'string', default: '9' }, only: { type: 'string' }, sizes: { type: 'string', default: '1,8,64,256' }, small: { type: 'boolean', default: false }, keep: { type: 'boolean', default: false } } });
    return { rounds: Number(values.rounds), only: values.only?.split(',') ?? Object.keys(CASES), sizes: values.sizes.split(',').map(Number), small: values.small, keep: values.keep || values.only !== undefined || values.small };
  } catch (error) {
    return usage(error.message);
  }
}

const { rounds, only, sizes, small, keep } = options();
if (!Number.isInteger(rounds) || rounds < 1) usage('--rounds is a number from 1.');
if (sizes.some((size) => !(size > 0))) usage('--sizes are megabytes.');
const unknown = only.filter((name) => !(name in CASES));
if (unknown.length > 0) usage(`There is no case “${unknown.join('”, “')}”.`);

const began = Date.now();
let stage = await Stage.set({ rounds });
let python;
const rows = [];
const note = (row) => {
  rows.push(judged(row));
  console.log(line(rows.at(-1)));
  if (row.note) console.log(`  ${row.note}`);
};
let broken = 0;
try {
  for (const name of only) {
    try {
      for await (const row of CASES[name](stage, { sizes, small })) note(row);
      python ??= stage.python;
    } catch (error) {
      // One case that fails says so in its row, and the others are measured all the same.
      broken += 1;
      note(missing(name, 'all inputs', String(error.message ?? error).split('\n')[0]));
      console.error(String(error.stack ?? error).split('\n').filter((text) => !text.startsWith('[pid=')).slice(0, 8).join('\n'));
      // The next case begins with a browser that is whole and asks nobody.
      await stage.close().catch(() => {});
      stage = await Stage.set({ rounds });
    }
  }
  const result = { machine: { ...machine(stage), ...(python ? { python } : {}) }, rounds, rows };
  if (!keep) save(result);
} finally {
  await stage.close();
}
const promised = rows.filter(({ held }) => held !== null);
console.log(`\n${rows.length} rows in ${Math.round((Date.now() - began) / 1000)} s; ${promised.filter(({ held }) => held).length} of ${promised.length} bounds hold${keep ? '; docs/ is left as it was' : ''}.`);
process.exit(broken > 0 ? 1 : 0);
