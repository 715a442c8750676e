//! The harness itself, on a small page made here: that it hands over files byte for byte, and that each thing it
//! watches for is really seen. A watch that never barks would make every other test worthless.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { axe, choose, drop, paste, setUp } from './harness.mjs';

const PAGE = `<!doctype html><html lang="en" data-idle="true"><title>Harness</title><link rel="icon" href="data:,">
<main><h1>Harness</h1><label>Files <input id="files" type="file" multiple></label><div id="spot"></div></main>
<script>
  window.seen = [];
  window.got = [];
  const take = async (files) => {
    document.documentElement.dataset.idle = 'false';
    for (const file of files) {
      const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
      window.got.push([file.name, file.size, [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')]);
    }
    document.documentElement.dataset.idle = 'true';
  };
  for (const name of ['dragenter', 'dragover', 'drop']) addEventListener(name, (event) => {
    event.preventDefault();
    window.seen.push(name + ':' + [...event.dataTransfer.types].join());
    if (name === 'drop') take(event.dataTransfer.files);
  });
  addEventListener('paste', (event) => window.seen.push(event.clipboardData.getData('text/plain')));
  document.querySelector('#files').addEventListener('change', (event) => take(event.target.files));
</script></html>`;

describe('the harness', () => {
  const folder = mkdtempSync(join(tmpdir(), 'skillscope-harness-'));
  let stage;
  before(async () => {
    writeFileSync(join(folder, 'index.html'), PAGE);
    stage = await setUp({ dir: folder });
  });
  after(async () => {
    await stage?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const sha = (bytes) => createHash('sha256').update(bytes).digest('hex');

  test('drops several files, byte for byte, also large and empty ones', async () => {
    const { page, close } = await stage.open();
    const large = Buffer.alloc(2_500_000, 'ab\u0000\u00ff');
    const path = join(folder, 'from-disk.jsonl');
    writeFileSync(path, '{"é":1}\r\n');
    await drop(page, [path, { name: 'large.bin', buffer: large }, { name: 'empty.json', text: '' }]);
    assert.deepEqual(await page.evaluate(() => window.got), [
      ['from-disk.jsonl', 10, sha('{"é":1}\r\n')],
      ['large.bin', large.length, sha(large)],
      ['empty.json', 0, sha('')],
    ]);
    assert.deepEqual(await page.evaluate(() => window.seen), ['dragenter:Files', 'dragover:Files', 'drop:Files']);
    await close();
  });

  test('can hold files over the page without letting go', async () => {
    const { page, close } = await stage.open();
    await drop(page, [{ name: 'a.json', text: '[]' }], { release: false });
    assert.deepEqual(await page.evaluate(() => window.seen), ['dragenter:Files', 'dragover:Files']);
    await close();
  });

  test('chooses files by the picker and pastes text', async () => {
    const { page, close } = await stage.open();
    await choose(page, [{ name: 'b.json', mimeType: 'application/json', buffer: Buffer.from('{}') }]);
    await paste(page, '{"pasted":true}');
    assert.deepEqual(await page.evaluate(() => window.got), [['b.json', 2, sha('{}')]]);
    assert.deepEqual(await page.evaluate(() => window.seen), ['{"pasted":true}']);
    await close();
  });

  for (const [what, act, pattern] of [
    ['a console error', () => console.error('oh'), /console error: oh/],
    ['a console warning', () => console.warn('hm'), /console warning: hm/],
    ['an uncaught error', () => new Promise((done) => setTimeout(() => { setTimeout(done); throw new Error('thrown'); })), /uncaught: [^]*thrown/],
    ['an unhandled rejection', () => new Promise((done) => { Promise.reject(new Error('rejected')); setTimeout(done, 50); }), /uncaught: [^]*rejected/],
    ['a request to another origin', () => fetch('http://127.0.0.1:9/').catch(() => {}), /left the page's origin: http:\/\/127\.0\.0\.1:9\//],
    ['a missing file', () => fetch('nothing.json').then(() => {}), /404 for .*nothing\.json/],
  ]) {
    test(`a test fails on ${what}`, async () => {
      const { page, watch, close } = await stage.open();
      await page.evaluate(act);
      await page.waitForTimeout(20);
      assert.match(watch.complaints.join('\n'), pattern);
      await assert.rejects(close, /the page complained/);
    });
  }

  test('a test fails on what axe finds, with rule and place', async () => {
    const { page, close } = await stage.open();
    await axe(page);
    await page.evaluate(() => { document.querySelector('#spot').innerHTML = '<img src="data:,"><p style="color:#bbb;background:#fff">pale</p>'; });
    await assert.rejects(axe(page), (error) => /color-contrast: [^]*\n +p: [^]*image-alt: [^]*\n +img: /.test(error.message));
    await close();
  });
});
