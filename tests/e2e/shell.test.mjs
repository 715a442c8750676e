//! The page before anything is dropped: it starts at a sub-path, says nothing bad, calls nobody, obeys its policy,
//! keeps the chosen theme from the first paint, and says why when it cannot start.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, test } from 'node:test';

import { DIST, launch, openPage, setUp } from './harness.mjs';
import { serve } from '../../scripts/serve.mjs';

/** The program has drawn the page, or the boot screen says why not. */
async function started(page) {
  await page.waitForFunction(() => !document.querySelector('#boot') || document.querySelector('#boot[role="alert"]'));
}

describe('the shell', () => {
  let stage;
  before(async () => { stage = await setUp(); });
  after(() => stage?.close());

  test('starts below a sub-path, without complaint, asking only its own server', async () => {
    const { page, watch, close } = await stage.open({ ready: false });
    await started(page);
    assert.equal(await page.locator('#boot').count(), 0, 'the boot placeholder is gone');
    assert.match(await page.title(), /Skillscope/);
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    assert.ok(watch.requests.length > 5, 'requests were seen at all');
    assert.ok(watch.requests.every((url) => url.startsWith(stage.url)), watch.requests.join('\n'));
    assert.ok(!watch.requests.some((url) => url.includes('/vendor/mermaid/')), 'mermaid waits for the first diagram');
    await close();
  });

  test('has a policy that stops eval, foreign scripts, inline scripts, handlers and pictures from elsewhere', async () => {
    const { page } = await stage.open({ ready: false });
    await started(page);
    const blocked = await page.evaluate(async () => {
      const seen = [];
      document.addEventListener('securitypolicyviolation', (event) => seen.push(event.effectiveDirective));
      // From a timer, since what the test tool evaluates itself is exempt from the policy.
      const evaluated = await new Promise((done) => setTimeout(() => {
        try { done(new Function('return 1')()); } catch (error) { done(error.name); }
      }));
      const inline = document.createElement('script');
      inline.textContent = 'window.inlineRan = true';
      document.body.append(inline);
      const handler = document.createElement('button');
      handler.setAttribute('onclick', 'window.handlerRan = true');
      document.body.append(handler);
      handler.click();
      const foreign = document.createElement('script');
      foreign.src = 'http://127.0.0.1:9/x.js';
      document.body.append(foreign);
      const picture = new Image();
      picture.src = 'http://127.0.0.1:9/x.png';
      await new Promise((done) => { picture.onerror = done; });
      await new Promise((done) => setTimeout(done));
      for (const element of [inline, handler, foreign]) element.remove();
      return { evaluated, seen: [...new Set(seen)].sort(), inline: window.inlineRan, handler: window.handlerRan };
    });
    assert.equal(blocked.evaluated, 'EvalError');
    assert.equal(blocked.inline, undefined);
    assert.equal(blocked.handler, undefined);
    for (const directive of ['img-src', 'script-src-attr', 'script-src-elem']) assert.ok(blocked.seen.includes(directive), `${directive} in ${blocked.seen}`);
    await page.context().close();
  });

  test('names its build, and the worker loader carries it to every file of the worker', async () => {
    const html = readFileSync(join(DIST, 'index.html'), 'utf8');
    const build = /<meta name="build" content="([0-9a-f]{12})">/.exec(html)?.[1];
    assert.ok(build, 'index.html names its build');
    const loader = readFileSync(join(DIST, 'worker_loader.js'), 'utf8');
    assert.equal(loader.split(`?v=${build}`).length - 1, 4, loader);
    assert.ok(loader.includes(`skillscopeBuild = '${build}'`));
  });

  test('its worker starts from that loader and says the same build', async () => {
    const { page, close } = await stage.open({ ready: false });
    await started(page);
    const { build, first } = await page.evaluate(() => new Promise((done, fail) => {
      const { content } = document.querySelector('meta[name="build"]');
      const worker = new Worker(new URL(`worker_loader.js?v=${content}`, document.baseURI), { type: 'module' });
      worker.onerror = (event) => fail(new Error(event.message || 'the worker did not start'));
      worker.onmessage = ({ data }) => {
        worker.terminate();
        done({ build: content, first: data });
      };
    }));
    const { outcome } = JSON.parse(first);
    assert.ok(outcome.ready, first);
    assert.equal(outcome.ready.build, build);
    await close();
  });

  for (const theme of ['light', 'dark']) {
    test(`has the chosen theme before the first paint: ${theme}`, async () => {
      const { page, close } = await stage.open({
        ready: false,
        theme: theme === 'light' ? 'dark' : 'light',
        storage: { 'skillscope.theme': theme },
        // Runs before the page's scripts: notes the theme in the moment when the body appears, before any program.
        init: () => new MutationObserver((_, observer) => {
          if (document.body) {
            window.themeAtBody = document.documentElement.dataset.theme;
            observer.disconnect();
          }
        }).observe(document, { childList: true, subtree: true }),
      });
      await started(page);
      assert.equal(await page.evaluate(() => window.themeAtBody), theme);
      await close();
    });
  }

  test('follows the language of the browser until one is chosen', async () => {
    const chinese = await stage.open({ ready: false, language: 'zh-Hant' });
    await started(chinese.page);
    assert.equal(await chinese.page.locator('html').getAttribute('lang'), 'zh-Hant');
    await chinese.close();
    const chosen = await stage.open({ ready: false, language: 'zh-Hant', storage: { 'skillscope.language': 'en' } });
    await started(chosen.page);
    assert.equal(await chosen.page.locator('html').getAttribute('lang'), 'en');
    await chosen.close();
  });

  test('a fault in the program shows what happened, with a report and a way on', async () => {
    const { page, close } = await stage.open({ ready: false });
    await started(page);
    await page.evaluate(() => dispatchEvent(new CustomEvent('skillscope-panic', { detail: 'panicked at src/x.rs:1:2' })));
    const screen = page.locator('#boot[role="alert"]');
    assert.equal(await screen.getAttribute('data-cause'), 'panic');
    assert.match(await screen.innerText(), /Skillscope stopped[\s\S]*Reload[\s\S]*src\/x\.rs:1:2/);
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H1');
    await screen.getByRole('button', { name: 'Reload' }).click();
    await started(page);
    assert.equal(await screen.count(), 0);
    await close();
  });
});

describe('a page that cannot start says why', () => {
  let browser;
  const folders = [];
  before(async () => { browser = await launch(); });
  after(async () => {
    await browser?.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  /** A copy of the built page that a test may damage. */
  function copy() {
    const folder = mkdtempSync(join(tmpdir(), 'skillscope-page-'));
    folders.push(folder);
    cpSync(DIST, folder, { recursive: true });
    return folder;
  }
  const part = (folder, pattern) => join(folder, readdirSync(folder).find((name) => pattern.test(name)));

  /** Opens the page as `options` serve it and answers the cause and text of the boot screen. */
  async function failure({ init, language, page: url, ...options }) {
    const site = url ? null : await serve(options);
    const { page } = await openPage(browser, url ?? site.url, { ready: false, init, language });
    const screen = page.locator('#boot[role="alert"]');
    await screen.waitFor();
    const result = { cause: await screen.getAttribute('data-cause'), text: await screen.innerText() };
    await page.context().close();
    await site?.close();
    return result;
  }

  test('opened as a file', async () => {
    const { cause, text } = await failure({ page: pathToFileURL(join(DIST, 'index.html')).href });
    assert.equal(cause, 'file');
    assert.match(text, /make serve/);
  });

  test('in a browser without WebAssembly', async () => {
    const { cause, text } = await failure({ init: () => { delete window.WebAssembly; } });
    assert.equal(cause, 'off');
    assert.match(text, /Lockdown Mode/);
  });

  test('in a browser without WebAssembly SIMD, in Chinese', async () => {
    const { cause, text } = await failure({ language: 'zh-Hant', init: () => { WebAssembly.validate = () => false; } });
    assert.equal(cause, 'old');
    assert.match(text, /瀏覽器太舊[\s\S]*WebAssembly SIMD/);
  });

  test('scripts served as the wrong type', async () => {
    const { cause, text } = await failure({ types: { '.js': 'text/plain' } });
    assert.equal(cause, 'mime');
    assert.match(text, /app-[0-9a-f]+\.js came as “text\/plain”[\s\S]*text\/javascript/);
  });

  test('the program file missing on the server', async () => {
    const dir = copy();
    rmSync(part(dir, /^app-.*_bg\.wasm$/));
    const { cause, text } = await failure({ dir });
    assert.equal(cause, 'missing');
    assert.match(text, /404 for app-[0-9a-f]+_bg\.wasm/);
  });

  test('the program file damaged on the way', async () => {
    const dir = copy();
    writeFileSync(part(dir, /^app-.*_bg\.wasm$/), 'not wasm');
    const { cause } = await failure({ dir });
    assert.equal(cause, 'damaged');
  });

  test('a server whose own policy forbids WebAssembly', async () => {
    const { cause, text } = await failure({ headers: { 'Content-Security-Policy': "script-src 'self' 'unsafe-inline'" } });
    assert.equal(cause, 'policy');
    assert.match(text, /'wasm-unsafe-eval'/);
  });
});
