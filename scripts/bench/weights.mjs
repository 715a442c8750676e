//! What the built page weighs, as a reader's browser pays for it: gzip, level 9, as static hosts send it. The budgets stand
//! here and nowhere else; `tests/e2e/budgets.test.mjs` holds the page to them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export const KB = 1024;

/** Sum of the gzip sizes of all files of `folder` whose name matches one of the patterns; each must match something. */
export function weight(folder, patterns) {
  const names = readdirSync(folder);
  let total = 0;
  for (const pattern of patterns) {
    const found = names.filter((name) => pattern.test(name));
    if (found.length === 0) throw new Error(`nothing in ${folder} matches ${pattern}: is the page built?`);
    for (const name of found) total += gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
  }
  return total;
}

export const BUDGETS = [
  { what: 'the page (HTML, glue and program)', goal: 150, most: 150, files: [/^index\.html$/, /^app-[0-9a-f]+\.js$/, /^app-[0-9a-f]+_bg\.wasm$/] },
  { what: 'the worker (loader, glue and program)', goal: 900, most: 900, files: [/^worker_loader\.js$/, /^worker\.js$/, /^worker_bg\.wasm$/, /^schemas\.js$/] },
  // Fetched behind the first look, while nobody waits (scripts/split.mjs).
  { what: 'the second part of the page', goal: 620, most: 660, files: [/^app-[0-9a-f]+_rest\.wasm$/] },
  // Fetched when a file or a question needs it.
  { what: 'the second part of the worker', goal: 1350, most: 1350, files: [/^worker_rest\.wasm$/] },
  // Loaded when a value is first checked against a schema.
  { what: 'the checker of schemas', goal: 710, most: 710, files: [/^schemas_bg\.wasm$/] },
  { what: 'the style sheets', goal: 25, most: 25, files: [/\.css$/] },
];
