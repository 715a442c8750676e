//! Two runs aligned by the worker, beside three libraries that align the same lists in a worker of theirs. The worker does no
//! bare alignment: it is asked for a whole comparison (actions, moves, first divergence, path, rows), with the messages
//! to it and its answer; the libraries get arrays of numbers. The lengths of what is common are asserted equal. Inputs:
//! the kinds of lists of which alignment was first measured, from 200 to 10,000 elements.

import { ofCalls, ofTexts, sequences, texts } from '../../generate/pairs.mjs';
import { interval, median, paired, ratio } from '../stats.mjs';
import { bundled } from '../stage.mjs';

const INPUTS = [
  { input: '200, 10 % edits', n: 200, edits: 0.1 },
  { input: '1,000, 10 % edits', n: 1000, edits: 0.1 },
  { input: '1,000 unrelated, alphabet of 50', n: 1000, alphabet: 50 },
  { input: '5,000, 10 % edits', n: 5000, edits: 0.1 },
  { input: '5,000 unrelated, alphabet of 50', n: 5000, alphabet: 50 },
  { input: '10,000 distinct, 20 % edits', n: 10000, edits: 0.2 },
];

/** A measurement lasts at least this many milliseconds: what is shorter is done several times. */
const LASTS = 20;
/** Calls before anything counts. */
const PRACTICE = 20;

/** Jobs that compare the two documents anew: the worker keeps its last comparison, so each asks with other options than the one before. */
const asking = ([left, right]) => [0.3, 0.31].map((threshold) => ({
  compare: { left: { document: left, run: 0 }, right: { document: right, run: 0 }, options: { same: 'call', threshold } },
}));

/** How often to do what took so long. */
const often = (took) => Math.max(1, Math.ceil(LASTS / Math.max(took, 0.01)));

/** Calls without counting, but no longer than a second. */
async function practise(stage, key, asked) {
  const took = await stage.time(key, asked);
  const times = Math.min(PRACTICE, Math.floor(1000 / Math.max(took, 0.01)));
  return times > 0 ? stage.time(key, asked, times) : took;
}

export async function* exact(stage, { small }) {
  const program = await bundled('align.js');
  for (const { input, n, edits, alphabet } of small ? INPUTS.slice(0, 3) : INPUTS) {
    const lists = sequences({ n, edits, alphabet, seed: n });
    const files = lists.map((list, side) => stage.files.text(`exact-${INPUTS.findIndex((one) => one.input === input)}-${side}.json`, ofCalls(list)));
    await stage.give(...files);
    const opened = await stage.keep('ours', files);
    opened.forEach(({ calls }, side) => {
      if (calls !== lists[side].length) throw new Error(`${input}: ${calls} calls were read of ${lists[side].length}`);
    });
    const jobs = asking(opened.map(({ documents }) => documents[0]));
    const { libraries } = await stage.keepHelper('peer', program, { lists });
    const took = {};
    const common = {};
    for (const library of libraries) {
      took[library] = await practise(stage, 'peer', [{ library }]);
      common[library] = (await stage.last('peer')).common;
    }
    const ourTime = (await practise(stage, 'ours', jobs)) / jobs.length;
    const { compare } = await stage.last('ours');
    const { pairs, left, right } = compare.compare.actions;
    if (left !== lists[0].length || right !== lists[1].length) throw new Error(`${input}: ${left} and ${right} actions were compared`);
    for (const [library, length] of Object.entries(common)) {
      if (length !== pairs) throw new Error(`${input}: ${pairs} are in common, ${library} says ${length}`);
    }
    const fastest = libraries.reduce((best, library) => (took[library] < took[best] ? library : best));
    const ours = async () => (await stage.time('ours', jobs, Math.ceil(often(ourTime) / jobs.length))) / jobs.length;
    const peer = () => stage.time('peer', [{ library: fastest }], often(took[fastest]));
    const found = ratio(await paired(stage.rounds, ours, peer, { practice: false }));
    const others = libraries.filter((library) => library !== fastest).map((library) => `${library} took ${took[library].toFixed(2)} ms`).join(', ');
    yield { case: 'exact', input, peers_ms: took, note: `the fastest was ${fastest}; ${others}. Ours is the whole comparison, with its messages: the kernel alone cannot be asked`, ...found };
    await stage.drop('ours', 'peer');
  }
}

export async function* soft(stage, { small }) {
  const n = small ? 500 : 2000;
  const said = texts({ n, words: 60, seed: 11 });
  const files = said.map((list, side) => stage.files.text(`soft-${side}.json`, ofTexts(list)));
  await stage.give(...files);
  const opened = await stage.keep('ours', files);
  const jobs = asking(opened.map(({ documents }) => documents[0]));
  await practise(stage, 'ours', jobs);
  const { compare } = await stage.last('ours');
  const { left, right, pairs } = compare.compare.thoughts;
  if (left !== n || right !== n || !(pairs > n / 4)) throw new Error(`${left} and ${right} thoughts were compared, ${pairs} are pairs`);
  const values = [];
  const raw = [];
  for (let round = 0; round < stage.rounds; round += 1) {
    values.push(await stage.atReference(stage.tab, async () => {
      raw.push((await stage.time('ours', jobs)) / jobs.length);
      return raw.at(-1);
    }));
  }
  yield { case: 'soft', input: `${n.toLocaleString('en-US')} × ${n.toLocaleString('en-US')} thoughts of 60 words`, bound: small ? null : undefined, ...interval(values), ours_ms: median(raw), note: `${pairs} pairs; the whole comparison, with its messages` };
  await stage.drop('ours');
}
