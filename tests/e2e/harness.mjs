//! What every browser test shares: the built page served on a free port below a sub-path, Debian's Chromium with a
//! new profile, and a watch over the page that fails the test on anything the page should never do (a console
//! error or warning, an uncaught error, a request to another origin, a request that failed).
//! Tests wait on `data-idle`, which the page sets to "true" when it has nothing left to do, and on `data-rest`, which is
//! there while the second part of the program is on its way; never on time.
//!
//! What the page offers to tests: `html[data-idle]`, `input#files[type=file][multiple]`, `input#folder[webkitdirectory]`.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

import { serve } from '../../scripts/serve.mjs';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** The built page under test; the variable lets a copy be tested, one that is about to be published for instance. */
export const DIST = resolve(ROOT, process.env.SKILLSCOPE_DIST ?? 'dist');
/** The folder of real files, where there is one; tests that need it say aloud when it is missing. */
export const CORPUS = resolve(ROOT, process.env.SKILLSCOPE_CORPUS ?? '../shared/samples');

/** Both sizes and both themes that every screen must hold in. */
export const SIZES = [{ width: 1440, height: 900 }, { width: 400, height: 860 }];
export const THEMES = ['light', 'dark'];

/** How long anything may take before a test gives up on it. Generous: CI has two cores. */
const PATIENCE = 30_000;

/**
 * Messages that are the browser's, not the page's. Chromium says of a preloaded wasm that its integrity cannot be
 * used (crbug 981419).
 */
const KNOWN_MESSAGES = [/The 'integrity' attribute is currently ignored for preload destinations/, /integrity.*ignored for preload/i];

/** Where Chromium is; one sentence when it is nowhere. */
export function chromiumPath() {
  const candidates = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const found = candidates.find((path) => path && existsSync(path));
  if (!found) throw new Error('There is no Chromium: install it (on Debian: apt-get install chromium), or name one in CHROMIUM.');
  return found;
}

/** A browser with a new profile that talks to nobody but our server. */
export function launch({ args = [], ...options } = {}) {
  return chromium.launch({
    executablePath: chromiumPath(),
    headless: true,
    args: [
      '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--no-default-browser-check',
      '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', ...args,
    ],
    ...options,
  });
}

/** Server and browser for one test file: `const stage = await setUp(); after(() => stage.close())`. */
export async function setUp({ base = '/some/where/', dir = DIST, args, ...server } = {}) {
  if (!existsSync(join(dir, 'index.html'))) throw new Error('The page is not built: run “make build” first.');
  const site = await serve({ dir, base, ...server });
  const browser = await launch({ args });
  return {
    url: site.url,
    site,
    browser,
    /** Opens the page in a fresh context; see `openPage`. */
    open: (options) => openPage(browser, site.url, options),
    close: async () => {
      await browser.close();
      await site.close();
    },
  };
}

/**
 * Opens `url` + `hash`. Answers `{ page, watch, close }`; `close` also asserts that nothing unwanted happened.
 * `allow` are patterns of complaints that this test expects.
 */
export async function openPage(browser, url, { hash = '', width = 1440, height = 900, theme = 'light', language = 'en', allow = [], storage = {}, ready = true, init } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, locale: language === 'zh-Hant' ? 'zh-TW' : 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const watch = observe(page, new URL(url).origin, allow);
  if (Object.keys(storage).length > 0) {
    await page.addInitScript((items) => {
      for (const [key, value] of Object.entries(items)) if (localStorage.getItem(key) === null) localStorage.setItem(key, value);
    }, storage);
  }
  if (init) await page.addInitScript(init);
  await page.goto(url + hash);
  if (ready) await idle(page);
  return {
    page,
    watch,
    close: async () => {
      await context.close();
      watch.assertClean();
    },
  };
}

/** Collects what a page must not do. */
export function observe(page, origin, allow = []) {
  const complaints = [];
  const requests = [];
  const tolerated = [...KNOWN_MESSAGES, ...allow];
  const complain = (text) => {
    if (!tolerated.some((pattern) => pattern.test(text))) complaints.push(text);
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      const at = message.location();
      complain(`console ${message.type()}: ${message.text()}${at?.url ? ` (${at.url}:${at.lineNumber})` : ''}`);
    }
  });
  page.on('pageerror', (error) => complain(`uncaught: ${error.stack ?? error}`));
  page.on('crash', () => complain('the tab crashed'));
  page.on('request', (request) => {
    const target = request.url();
    requests.push(target);
    if (/^(data|blob|about):/.test(target)) return;
    if (new URL(target).origin !== origin) complain(`a request left the page's origin: ${target}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complain(`the server answered ${response.status()} for ${response.url()}`);
  });
  return {
    complaints,
    requests,
    assertClean: () => assert.deepEqual(complaints, [], 'the page complained, or did what it must not do'),
  };
}

/** Waits until the page says that it has nothing left to do, or shows why it cannot start. */
export async function idle(page, { timeout = PATIENCE } = {}) {
  await page.waitForFunction(
    () => (document.documentElement.dataset.idle === 'true' && !document.documentElement.dataset.rest) || document.querySelector('#boot[role="alert"]'),
    undefined,
    { timeout },
  );
  const failure = await page.evaluate(() => document.querySelector('#boot[role="alert"]')?.innerText ?? null);
  assert.equal(failure, null, 'the page shows that it failed');
}

/** Gives files to the page by its picker; takes paths, or `{ name, mimeType, buffer }`. */
export async function choose(page, files) {
  await page.locator('input#files').setInputFiles(files);
  await settle(page);
}

/** Chooses a folder by its picker. */
export async function chooseFolder(page, folder) {
  await page.locator('input#folder').setInputFiles(folder);
  await settle(page);
}

/**
 * After an action: lets the page take notice (two frames), then waits until it is idle. Without the frames a test
 * could see the idleness from before its own action.
 */
export async function settle(page, options) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await idle(page, options);
}

/** A name and bytes of a file: from a path, or as given. */
function fileContents(file) {
  return typeof file === 'string'
    ? { name: basename(file), type: '', bytes: readFileSync(file) }
    : { name: file.name, type: file.mimeType ?? '', bytes: Buffer.from(file.buffer ?? file.text ?? '') };
}

/**
 * Drags files over `target` and drops them, with real `File` objects in a real `DataTransfer`, through the events
 * that a browser sends: dragenter, dragover, drop. `release: false` stops before the drop.
 */
export async function drop(page, files, { target = 'body', release = true } = {}) {
  const transfer = await page.evaluateHandle(() => new DataTransfer());
  for (const { name, type, bytes } of files.map(fileContents)) {
    // In pieces: one message to the browser may not be arbitrarily long.
    const parts = await page.evaluateHandle(() => []);
    for (let from = 0; from < bytes.length || from === 0; from += 1 << 20) {
      const text = bytes.subarray(from, from + (1 << 20)).toString('base64');
      await parts.evaluate((list, part) => list.push(Uint8Array.from(atob(part), (letter) => letter.charCodeAt(0))), text);
    }
    await transfer.evaluate((data, [list, fileName, fileType]) => data.items.add(new File(list, fileName, { type: fileType })), [parts, name, type]);
    await parts.dispose();
  }
  for (const event of release ? ['dragenter', 'dragover', 'drop'] : ['dragenter', 'dragover']) {
    await page.locator(target).first().dispatchEvent(event, { dataTransfer: transfer, bubbles: true, cancelable: true });
  }
  await transfer.dispose();
  if (release) await settle(page);
}

/** Pastes text, as the clipboard would deliver it. */
export async function paste(page, text) {
  await page.evaluate((value) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', value);
    (document.activeElement ?? document.body).dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
  await settle(page);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs axe over the page as it is now; a failure prints each rule with its places. */
export async function axe(page, { disable = [] } = {}) {
  // By the protocol, not by a script tag: the page's policy forbids what the page did not bring.
  if (!(await page.evaluate(() => typeof window.axe === 'object'))) await page.evaluate(AXE);
  const violations = await page.evaluate(async (rules) => {
    const result = await window.axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: false }])),
    });
    return result.violations.map((violation) => ({
      rule: violation.id,
      help: violation.help,
      places: violation.nodes.map((node) => `${node.target.join(' ')}: ${(node.any[0] ?? node.all[0] ?? node.none[0])?.message ?? node.html}`),
    }));
  }, disable);
  const text = violations.map(({ rule, help, places }) => `${rule}: ${help}\n${places.map((place) => `    ${place}`).join('\n')}`);
  assert.equal(violations.length, 0, `axe found:\n${text.join('\n')}`);
}

/** Where the keyboard's focus is, in words a failure message can show. */
export function focused(page) {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return 'body';
    const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40) ?? '';
    return `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ''} “${name}”`;
  });
}

/** True when the corpus is here; says so aloud when not, since the test then checks less. */
export function corpus(what) {
  if (existsSync(CORPUS)) return true;
  console.log(`NOTE: no folder of real files at ${CORPUS}, so ${what} is not checked (SKILLSCOPE_CORPUS names another one).`);
  return false;
}
