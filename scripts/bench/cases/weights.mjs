//! What the page weighs, against its budgets; mermaid, which has none but must not be fetched before a diagram is shown.

import { join } from 'node:path';

import { DIST, idle } from '../../../tests/e2e/harness.mjs';
import { BUDGETS, KB, weight } from '../weights.mjs';

export async function* weights(stage) {
  for (const { what, goal, files } of BUDGETS) yield { case: 'weights', input: what, bound: goal, median: weight(DIST, files) / KB };
  const folder = join(DIST, 'vendor', 'mermaid');
  const drawn = weight(folder, [/\.mjs$/]) + weight(join(folder, 'chunks', 'mermaid.esm.min'), [/\.mjs$/]);
  const { page, watch, close } = await stage.open();
  const { path } = await stage.files.get('claude-code', 1, 101);
  await page.locator('input#files').setInputFiles(path);
  await idle(page, { timeout: 120_000 });
  const early = watch.requests.filter((url) => url.includes('/vendor/mermaid/')).length;
  await close();
  yield { case: 'weights', input: 'mermaid, all of its files', bound: null, median: drawn / KB };
  yield { case: 'weights', input: 'requests for mermaid before a diagram is shown', unit: 'requests', bound: 0, median: early };
}
