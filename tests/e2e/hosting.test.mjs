//! The page on Debian's nginx, with the configuration that docs/hosting.md gives: at the root and below a path, a run is
//! dropped, drawn and shared, and no part of it is stopped by the policy.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { gallery } from '../../scripts/gallery.mjs';
import { DIST, ROOT, choose, launch, openPage, settle } from './harness.mjs';

const NGINX = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx'].find((path) => existsSync(path));
const RUN = join(ROOT, 'public', 'examples', 'mini-swe-agent-stuck', 'gantry-units.traj.json');

const freePort = () => new Promise((done) => {
  const server = createServer();
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});

describe('on nginx', { skip: NGINX ? false : 'nginx is not installed (on Debian: apt-get install nginx-light)' }, () => {
  let browser, server, port, folder;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'skillscope-nginx-'));
    // Its workers are another user's processes.
    chmodSync(folder, 0o755);
    cpSync(DIST, join(folder, 'page'), { recursive: true });
    port = await freePort();
    const block = readFileSync(join(ROOT, 'docs', 'hosting.md'), 'utf8').match(/```nginx\n(server \{[\s\S]*?)```/)[1];
    const site = block.replace('listen 8080;', `listen 127.0.0.1:${port};`).replaceAll('/srv/skillscope', join(folder, 'page'));
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
    writeFileSync(join(folder, 'nginx.conf'), `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}\nhttp { access_log off; ${temporary}\n${site}}\n`);
    const args = ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log'), '-p', folder];
    const checked = spawnSync(NGINX, ['-t', ...args], { encoding: 'utf8' });
    assert.equal(checked.status, 0, checked.stderr);
    server = spawn(NGINX, args, { stdio: 'ignore' });
    for (let tries = 0; tries < 100; tries += 1) {
      if (await fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.ok, () => false)) break;
      await new Promise((again) => setTimeout(again, 50));
    }
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    server?.kill();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  for (const path of ['/', '/tools/skillscope/']) {
    test(`at ${path} it works and the policy stops nothing`, async () => {
      const init = () => {
        window.violations = [];
        addEventListener('securitypolicyviolation', (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));
      };
      const { page, close } = await openPage(browser, `http://127.0.0.1:${port}${path}`, { init });
      assert.match(await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content'), /default-src 'none'/);
      await choose(page, RUN);
      await page.locator('.tab-link', { hasText: 'Diagram' }).click();
      await settle(page);
      await page.locator('#main svg[id^="run-diagram"]').first().waitFor();
      await page.locator('.tab-link', { hasText: 'Contract' }).click();
      await settle(page);
      await page.keyboard.press('Shift+S');
      await page.locator('#share[open] .share-parts').waitFor();
      await settle(page);
      const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#share-save').click()]);
      await download.cancel();
      await settle(page);
      assert.match(await page.locator('.share-receipt').innerText(), /Saved gantry-units/);
      assert.deepEqual(await page.evaluate(() => window.violations), []);
      await close();
    });
  }

  test('what the publisher put beside the page is offered and opens', async () => {
    const source = join(folder, 'runs');
    cpSync(join(ROOT, 'public', 'examples', 'atif-ring-counts', 'trajectory.json'), join(source, 'counts.json'));
    cpSync(join(ROOT, 'public', 'examples', 'skills-lighthouse'), join(source, 'skills'), { recursive: true });
    writeFileSync(join(source, 'titles.json'), JSON.stringify({ skills: 'Skills of a library' }));
    const made = gallery(source, join(folder, 'page'));
    assert.deepEqual(made.map((entry) => [entry.id, entry.files.length]), [['counts.json', 1], ['Skills of a library', 6]]);
    const { page, close } = await openPage(browser, `http://127.0.0.1:${port}/tools/skillscope/`);
    await page.getByRole('button', { name: 'Skills of a library' }).click();
    await settle(page);
    assert.match(await page.evaluate(() => location.hash), /^#\/d\//);
    await page.evaluate(() => { location.hash = '#/'; });
    await settle(page);
    await page.getByRole('button', { name: 'counts.json' }).click();
    await settle(page);
    assert.equal(await page.locator('.rail .file').count(), 2);
    await close();
  });

  test('types, compression and caching are as the page needs them', async () => {
    const ask = (name) => fetch(`http://127.0.0.1:${port}/${name}`, { headers: { 'Accept-Encoding': 'gzip' } });
    const type = async (name) => (await ask(name)).headers.get('content-type').split(';')[0];
    assert.equal(await type('worker.js'), 'text/javascript');
    assert.equal(await type('worker_bg.wasm'), 'application/wasm');
    assert.equal(await type('vendor/mermaid/mermaid.esm.min.mjs'), 'text/javascript');
    assert.equal((await ask('worker_bg.wasm')).headers.get('content-encoding'), 'gzip');
    assert.equal((await ask('index.html')).headers.get('cache-control'), 'no-cache');
    assert.equal((await ask('nothing-here')).status, 404);
  });
});
