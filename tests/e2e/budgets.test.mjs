//! The weights of the built page, as a reader's browser pays for them: gzip, level 9, as static hosts send it.
//! Raising a budget is a decision, not a repair. Where the page is still heavier than its goal, the test holds what has
//! been reached, so that it can only get lighter, and says how far the goal is.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { DIST } from './harness.mjs';

const KB = 1024;

/** Sum of the gzip sizes of all files of dist/ whose name matches one of the patterns; each must match something. */
function weight(patterns) {
  const names = readdirSync(DIST);
  let total = 0;
  for (const pattern of patterns) {
    const found = names.filter((name) => pattern.test(name));
    assert.ok(found.length > 0, `nothing in dist/ matches ${pattern}: is the page built?`);
    for (const name of found) total += gzipSync(readFileSync(join(DIST, name)), { level: 9 }).length;
  }
  return total;
}

const BUDGETS = [
  { what: 'the page (HTML, glue and program)', goal: 150, most: 150, files: [/^index\.html$/, /^app-[0-9a-f]+\.js$/, /^app-[0-9a-f]+_bg\.wasm$/] },
  { what: 'the worker (loader, glue and program)', goal: 900, most: 900, files: [/^worker_loader\.js$/, /^worker\.js$/, /^worker_bg\.wasm$/, /^schemas\.js$/] },
  // Fetched behind the first look, while nobody waits (scripts/split.mjs).
  { what: 'the second part of the page', goal: 620, most: 620, files: [/^app-[0-9a-f]+_rest\.wasm$/] },
  // Fetched when a file or a question needs it.
  { what: 'the second part of the worker', goal: 1350, most: 1350, files: [/^worker_rest\.wasm$/] },
  // Loaded when a value is first checked against a schema.
  { what: 'the checker of schemas', goal: 710, most: 710, files: [/^schemas_bg\.wasm$/] },
  { what: 'the style sheets', goal: 25, most: 25, files: [/\.css$/] },
];

describe('budgets', () => {
  for (const { what, goal, most, files } of BUDGETS) {
    const name = most > goal ? `${what}: no heavier than ${most} KB gzip (its goal of ${goal} KB is NOT reached)` : `${what}: at most ${goal} KB gzip`;
    test(name, (t) => {
      const size = weight(files) / KB;
      t.diagnostic(`${what}: ${size.toFixed(1)} KB, goal ${goal} KB`);
      assert.ok(size <= most, `${what} weighs ${size.toFixed(1)} KB gzip, the limit is ${most} KB`);
      assert.ok(most <= goal || size > goal, `${what} weighs ${size.toFixed(1)} KB: the goal of ${goal} KB is reached, make it the limit`);
    });
  }
});
