//! The weights of the built page, as a reader's browser pays for them: gzip, level 9, as static hosts send it.
//! Raising a budget is a decision, not a repair. Where the page is still heavier than its goal, the test holds what has
//! been reached, so that it can only get lighter, and says how far the goal is.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { BUDGETS, KB, weight } from '../../scripts/bench/weights.mjs';
import { DIST } from './harness.mjs';

describe('budgets', () => {
  for (const { what, goal, most, files } of BUDGETS) {
    const name = most > goal ? `${what}: no heavier than ${most} KB gzip (its goal of ${goal} KB is NOT reached)` : `${what}: at most ${goal} KB gzip`;
    test(name, (t) => {
      const size = weight(DIST, files) / KB;
      t.diagnostic(`${what}: ${size.toFixed(1)} KB, goal ${goal} KB`);
      assert.ok(size <= most, `${what} weighs ${size.toFixed(1)} KB gzip, the limit is ${most} KB`);
      assert.ok(most <= goal || size > goal, `${what} weighs ${size.toFixed(1)} KB: the goal of ${goal} KB is reached, make it the limit`);
    });
  }
});
