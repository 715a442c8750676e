//! What the cases share: one browser, an empty tab of the page's origin in which workers are asked, the files, and how
//! often each thing is done.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { build } from 'esbuild';

import { DIST, idle, launch, openPage, ROOT, settle } from '../../tests/e2e/harness.mjs';
import { parsingSpeed, REFERENCE_SPEED } from '../../tests/e2e/memory.mjs';
import { serve } from '../serve.mjs';
import { Files } from './files.mjs';

const BASE = '/bench/';
/** With these a page's clock is exact to 5 microseconds; without, to a tenth of a millisecond. */
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/** For what takes long on a busy machine. */
export const PATIENT = { timeout: 120_000 };

/** Goes to the page's beginning: only from there a file that is chosen is shown at once. */
export async function home(page) {
  await page.evaluate(() => { if (!/^(#\/)?$/.test(location.hash)) location.hash = '#/'; });
  await settle(page, PATIENT);
}

/** Gives a file to the page, and waits until it is shown. */
export async function load(page, file) {
  await home(page);
  await page.locator('input#files').setInputFiles(file.path);
  await page.waitForFunction((name) => decodeURIComponent(location.hash).includes(name), file.name, PATIENT);
  await idle(page, PATIENT);
}

export class Stage {
  static async set({ rounds, dir = DIST }) {
    const stage = new Stage();
    stage.rounds = rounds;
    stage.folder = mkdtempSync(join(tmpdir(), 'skillscope-bench-'));
    stage.files = new Files(stage.folder);
    // Also when it is interrupted: the files are large.
    process.once('exit', () => rmSync(stage.folder, { recursive: true, force: true }));
    stage.given = new Set();
    // The empty tab has an exact clock; the page itself is served as a plain host does.
    stage.exact = await serve({ dir, base: BASE, headers: ISOLATED });
    stage.plain = await serve({ dir, base: BASE });
    stage.browser = await launch();
    const context = await stage.browser.newContext({ bypassCSP: true });
    context.setDefaultTimeout(600_000);
    stage.tab = await context.newPage();
    await stage.tab.goto(`${stage.exact.url}robots.txt`);
    await stage.tab.addScriptTag({ content: readFileSync(join(ROOT, 'scripts/bench/in-page.js'), 'utf8') });
    stage.isolated = await stage.tab.evaluate(() => {
      const input = document.createElement('input');
      input.type = 'file';
      input.id = 'file';
      document.body.append(input);
      return crossOriginIsolated;
    });
    return stage;
  }

  /** Fewer rounds for what takes long, never fewer than three where there are three. */
  fewer(share) {
    return Math.max(Math.min(3, this.rounds), Math.round(this.rounds * share));
  }

  /** Makes files known to the tab, by their names. */
  async give(...files) {
    for (const { name, path } of files) {
      if (this.given.has(name)) continue;
      await this.tab.setInputFiles('#file', path);
      await this.tab.evaluate((name) => { bench.files[name] = document.querySelector('#file').files[0]; }, name);
      this.given.add(name);
    }
  }

  /** What the shipped worker tells of files, with `took` in milliseconds. */
  ours(files, { warm = [], table = false, single = false } = {}) {
    return this.tab.evaluate((asked) => bench.ours(asked), { names: files.map(({ name }) => name), warm: warm.map(({ name }) => name), table, single });
  }

  /** The same of `TextDecoder` and `JSON.parse` in a worker. */
  async peer(files, { warm = [] } = {}) {
    const lines = Object.fromEntries([...files, ...warm].map((file) => [file.name, file.lines]));
    const answer = await this.tab.evaluate((asked) => bench.peer(asked), { names: files.map(({ name }) => name), warm: warm.map(({ name }) => name), lines });
    if (!(answer.values > 0)) throw new Error(`the peer read nothing of ${files.map(({ name }) => name)}`);
    return answer;
  }

  /** Milliseconds of one time of asking a kept worker. */
  time(key, asked, times = 1) {
    return this.tab.evaluate(([key, asked, times]) => bench.time(key, asked, times), [key, asked, times]);
  }

  /** The last answer of a kept worker. */
  last(key) {
    return this.tab.evaluate((key) => bench.last[key], key);
  }

  keep(key, files) {
    return this.tab.evaluate(([key, names]) => bench.keep(key, names), [key, files.map(({ name }) => name)]);
  }

  keepHelper(key, program, first) {
    return this.tab.evaluate(([key, program, first]) => bench.keepHelper(key, program, first), [key, program, first]);
  }

  drop(...keys) {
    return this.tab.evaluate((keys) => keys.forEach((key) => bench.drop(key)), keys);
  }

  /** The page itself in a tab of its own. */
  open(options) {
    return openPage(this.browser, this.plain.url, options);
  }

  /** How many milliseconds `took` would be at the speed at which the bounds are given; the speed is that of `page` before and after. */
  async atReference(page, work) {
    const before = await parsingSpeed(page);
    const took = await work();
    const speed = (before + await parsingSpeed(page)) / 2;
    return took * speed / REFERENCE_SPEED;
  }

  async close() {
    await this.browser?.close();
    await this.exact?.close();
    await this.plain?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A program of a worker, with all that it imports, as one text. */
export async function bundled(entry) {
  const { outputFiles } = await build({ entryPoints: [join(ROOT, 'scripts/bench/peers', entry)], bundle: true, write: false, format: 'iife', platform: 'browser', logLevel: 'error', minify: true, define: { 'import.meta.url': '"blob:"' } });
  return outputFiles[0].text;
}
