//! Valid descriptors from bytes to a verdict and a value: our npm package beside ajv with the published schema, each in a
//! worker of its own, all of them each time. A descriptor holds two JSON Schemas, of which ours asks whether they are any; it
//! remembers the last 64 of them. So there are two rows: a few descriptors whose schemas it has met, and so many that it
//! compiles every one anew, as when a file is first opened.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../../tests/e2e/harness.mjs';
import { descriptors } from '../../generate/descriptors.mjs';
import { missing } from '../bounds.mjs';
import { bundled } from '../stage.mjs';
import { paired, ratio } from '../stats.mjs';

/** Descriptors of a row, and what that means for what is remembered. */
const INPUTS = [[24, 'all met before'], [200, 'each schema in them compiled anew']];

export async function* descriptor(stage) {
  for (const [count, told] of INPUTS) yield* one(stage, count, `${count} descriptors, ${told}`);
}

async function* one(stage, count, input) {
  const wasm = join(ROOT, 'pkg', 'skillscope_wasm_bg.wasm');
  if (!existsSync(wasm)) return yield missing('descriptor', input, 'the npm package is not built (make package)');
  const base = JSON.parse(readFileSync(join(ROOT, 'public/examples/skills-lighthouse/lighthouse/reserve.json'), 'utf8'));
  const schema = JSON.parse(readFileSync(join(ROOT, 'schemas/ssp/skill-descriptor.schema.json'), 'utf8'));
  const texts = descriptors(base, { count: count, seed: 5 }).map((value) => JSON.stringify(value, null, 2));
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const program = await bundled('schema.js');
  const all = (answer, who) => {
    if (answer.valid !== count) throw new Error(`${who} takes ${answer.valid} of ${count}; not ${answer.refused}`);
  };
  all(await stage.keepHelper('peer', program, { way: 'ajv', schema, texts }), 'ajv');
  all(await stage.keepHelper('ours', program, { way: 'package', wasm: readFileSync(wasm).toString('base64'), texts }), 'the package');
  const once = {};
  for (const side of ['ours', 'peer']) {
    await stage.time(side, [{}], 3);
    once[side] = await stage.time(side, [{}], 3);
  }
  const times = (side) => Math.max(1, Math.ceil(50 / once[side]));
  const pairs = await paired(stage.rounds, () => stage.time('ours', [{}], times('ours')), () => stage.time('peer', [{}], times('peer')));
  for (const side of ['ours', 'peer']) all(await stage.last(side), side);
  yield { case: 'descriptor', input: `${input}, ${(bytes / count / 1024).toFixed(1)} KB each`, bytes, note: 'both answer the value as well; ours also makes the checks that no schema can say. The times are those of all of them', ...ratio(pairs) };
  await stage.drop('ours', 'peer');
}
