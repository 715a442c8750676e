//! The checker of schemas is a program of its own: it comes when the first value is checked, once, and not before.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { choose, ROOT, settle, setUp } from './harness.mjs';

describe('the checker of schemas', () => {
  const folder = mkdtempSync(join(tmpdir(), 'skillscope-schemas-'));
  let stage;
  before(async () => { stage = await setUp(); });
  after(async () => {
    await stage?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is loaded for a file that has a schema, and says where the file departs from it', async () => {
    const { page, close } = await stage.open();
    const loads = [];
    page.context().on('request', (request) => { if (request.url().includes('schemas_bg.wasm')) loads.push(request.url()); });
    await choose(page, [join(ROOT, 'tests/fixtures/claude-code/parallel.jsonl')]);
    await settle(page);
    assert.deepEqual(loads, [], 'no schema, no checker');

    const run = JSON.parse(readFileSync(join(ROOT, 'tests/fixtures/atif/harbor.json'), 'utf8'));
    run.steps[0].source = 'nobody';
    const file = join(folder, 'broken.json');
    writeFileSync(file, JSON.stringify(run));
    await choose(page, [file]);
    await settle(page);
    await page.evaluate(() => { location.hash = '#/d/broken.json/findings'; });
    await settle(page);
    await page.locator('main .finding').first().waitFor();
    const text = await page.locator('main').innerText();
    assert.match(text, /steps\/0\/source/, text);
    assert.ok(!text.includes('could not be loaded'), text);
    await close();
  });
});
