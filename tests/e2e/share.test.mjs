//! Sharing: a page is made of a run with planted secrets, opened from a file with the network off, looked through tab
//! by tab, searched byte by byte, printed, and dropped back. Links: what a server can answer, each in its own words.
//! The secrets are made up.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

import { DIST, ROOT, SIZES, THEMES, axe, choose, drop, idle, setUp, settle } from './harness.mjs';

const TRIALS = join(ROOT, 'public', 'examples', 'tau-bench-two-trials', 'ferry-desk.json');
const SECRETS = ['sk-proj-Q2x5Zm9vYmFyMTIzNDU2Nzg5', 'ada.lovelace@example.org', 'AKIAIOSFODNN7EXAMPL3', 'correct-horse-7battery', 'marigold', 'Zubrowka'];
const TABS = ['Steps', 'Diagram', 'Usage', 'Findings', 'Loops', 'Contract', 'Measures', 'Import'];

/** A run that fails three times at the same call, with secrets in several ways of writing. */
function planted() {
  const [key, mail, aws, word] = SECRETS;
  const call = (n, text) => ({
    kind: 'action', lane: 0, turn: 0, at: { ms: 1_767_225_600_000 + n * 1000 },
    call: { id: `c${n}`, tool: 'bash', args: { form: 'json', raw: JSON.stringify({ command: `curl -u ${mail} https://x.example/?token=${encodeURIComponent(word)}` }) }, status: 'error', observation: { text } },
  });
  const hidden = Buffer.from(`aws_access_key_id = ${aws}\nfrom ${mail}\n`).toString('base64');
  return Buffer.from(`${JSON.stringify({
    format: 'skillscope-run', version: 1, id: 'planted', title: `Mail ${mail} about Zubrowka`, source: { format: 'claude-code', version: '2.1.0' },
    agent: { name: 'Claude Code' }, models: ['m'], lanes: [{ name: '' }], turns: [{ lane: 0, id: 'msg_1', model: 0, usage: { input: 10, output: 5 } }],
    facts: [['cwd', '/home/marigold/work']],
    steps: [
      { kind: 'system', lane: 0, text: `The key is ${key}` },
      { kind: 'person', lane: 0, text: `PASSWORD=${word}\nAsk ZUBROWKA at ${mail}` },
      { kind: 'thought', lane: 0, text: `Maybe ${JSON.stringify(JSON.stringify({ OPENAI_API_KEY: key }))}` },
      call(1, hidden), call(2, hidden), call(3, hidden),
      { kind: 'say', lane: 0, text: `drwx marigold staff, and ${word} again` },
    ],
  })}\n`);
}

function unzip(bytes) {
  try {
    return gunzipSync(bytes).toString('utf8');
  } catch {
    return null;
  }
}

/** What of the secrets is in the bytes, in any case, decoded as far as a curious person would. */
function found(bytes) {
  const texts = [];
  const look = (text, depth) => {
    texts.push(text.toLowerCase());
    if (depth === 0) return;
    const plain = text.replace(/\\u([0-9a-f]{4})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16))).replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
      .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))).replaceAll('\\"', '"').replaceAll('\\\\', '\\');
    if (plain !== text) look(plain, depth - 1);
    // The program's own letters are no base64: they hold signs that end a run.
    for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{16,}/g)) {
      for (let cut = 0; cut < 4; cut += 1) {
        const inner = Buffer.from(run.slice(cut), 'base64');
        const unpacked = inner[0] === 0x1f && inner[1] === 0x8b ? unzip(inner) : null;
        if (unpacked) look(unpacked, depth - 1);
        else if (inner.length > 12) look(inner.toString('latin1'), run.length < 4096 ? depth - 1 : 0);
      }
    }
  };
  look(bytes.toString('utf8'), 4);
  return SECRETS.filter((secret) => texts.some((text) => text.includes(secret.toLowerCase())));
}

/** The link that the panel for sharing copies. */
async function copiedLink(page) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('Shift+S');
  await page.locator('#share[open] .share-parts').waitFor();
  await settle(page);
  await page.getByRole('button', { name: 'Copy a link' }).click();
  await settle(page);
  return page.evaluate(() => navigator.clipboard.readText());
}

describe('sharing a run', () => {
  let stage;
  const folder = mkdtempSync(join(tmpdir(), 'skillscope-share-'));
  before(async () => { stage = await setUp(); });
  after(async () => {
    await stage?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens the panel by keyboard and waits until it knows what it would remove. */
  async function panel(page) {
    await page.keyboard.press('Shift+S');
    await page.locator('#share[open] .share-parts').waitFor();
    await settle(page);
  }

  /** Saves the page that the panel makes; answers its path. */
  async function save(page, name) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#share-save').click()]);
    const path = join(folder, name);
    await download.saveAs(path);
    await settle(page);
    return path;
  }

  /** A shared page in a browser without a network. */
  async function openFile(path, options = {}) {
    const context = await stage.browser.newContext({ offline: true, viewport: options.size ?? SIZES[0], colorScheme: options.theme ?? 'light', locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce', javaScriptEnabled: options.script ?? true });
    const page = await context.newPage();
    const complaints = [];
    page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) complaints.push(message.text()); });
    page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)));
    page.on('request', (request) => {
      if (!/^(blob|data):/.test(request.url()) && request.url().split('#')[0] !== pathToFileURL(path).href) complaints.push(`request ${request.url()}`);
    });
    await page.goto(pathToFileURL(path).href + (options.hash ?? ''));
    if (options.script ?? true) {
      await page.waitForFunction(() => document.documentElement.dataset.page, undefined, { timeout: 60_000 });
      await idle(page);
    }
    return { page, complaints, close: async () => { await context.close(); assert.deepEqual(complaints, []); } };
  }

  const main = (page) => page.locator('#main').innerText();

  test('a page of a run with planted secrets: nothing of them in any byte, every view without a network, the same when dropped back', async () => {
    const { page, close } = await stage.open();
    await choose(page, { name: 'marigold-run.json', mimeType: 'application/json', buffer: planted() });
    await panel(page);
    const text = await page.locator('#share').innerText();
    for (const value of SECRETS.slice(0, 5)) assert.ok(text.includes(value), `the panel does not list ${value}`);
    // A name that no pattern can know.
    await page.locator('.share-names textarea').fill('Zubrowka');
    await page.locator('#share code', { hasText: 'Zubrowka' }).first().waitFor();
    await settle(page);
    const file = await save(page, 'planted.html');
    const said = await page.locator('.share-receipt').innerText();
    assert.match(said, /1 e-mail address, at \d+ places/);
    assert.match(said, /System prompts and injected texts: 1 piece left out/);
    assert.match(said, /Every byte of the finished file was searched again/);
    await page.keyboard.press('Escape');

    assert.deepEqual(found(planted()), SECRETS, 'the search itself misses what is there');
    const bytes = readFileSync(file);
    assert.deepEqual(found(bytes), []);

    // The same tabs, in a file without a network.
    const shared = await openFile(file);
    const seen = {};
    for (const tab of TABS) {
      await shared.page.locator('.tab-link', { hasText: tab }).click();
      await settle(shared.page);
      if (tab === 'Diagram') await shared.page.locator('.diagram svg, .diagram-page svg, #main svg[id^="run-diagram"]').first().waitFor();
      seen[tab] = await main(shared.page);
      assert.ok(seen[tab].includes('[email-1]'), `${tab}: ${seen[tab].slice(0, 200)}`);
    }
    assert.match(seen.Loops, /3/);
    await shared.close();

    await close();

    // Dropped into the site it is the same, tab by tab.
    const back = await stage.open();
    await drop(back.page, [file]);
    for (const tab of TABS.filter((t) => t !== 'Import')) {
      await back.page.locator('.tab-link', { hasText: tab }).click();
      await settle(back.page);
      if (tab === 'Diagram') await back.page.locator('#main svg[id^="run-diagram"]').first().waitFor();
      assert.equal(await main(back.page), seen[tab], tab);
    }
    await back.page.locator('.tab-link', { hasText: 'Import' }).click();
    await settle(back.page);
    assert.match(await main(back.page), /Taken from an analysis page/);
    await back.close();
  });

  test('its essentials are there without JavaScript, and on paper', async () => {
    const { page, close } = await stage.open();
    await choose(page, { name: 'run.json', mimeType: 'application/json', buffer: planted() });
    await panel(page);
    const file = await save(page, 'plain.html');
    await close();
    for (const [size, theme] of [[SIZES[0], 'dark'], [SIZES[1], 'light']]) {
      const plain = await openFile(file, { script: false, size, theme });
      assert.match(await plain.page.locator('h1').innerText(), /Mail \[email-1\]/);
      const text = await plain.page.locator('body').innerText();
      for (const part of ['Steps', 'Findings', 'Loops', 'Receipt', 'bash']) assert.ok(text.includes(part), part);
      assert.equal(await plain.page.locator('tr[id^="run-1-step-"]').count(), 7);
      assert.ok(await plain.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'it scrolls sideways');
      await plain.close();
    }
    const shared = await openFile(file);
    await shared.page.emulateMedia({ media: 'print' });
    assert.ok(await shared.page.locator('#skillscope-report').isVisible());
    assert.ok(!(await shared.page.locator('.app').isVisible()));
    await shared.page.emulateMedia({ media: 'screen' });
    assert.ok(!(await shared.page.locator('#skillscope-report').isVisible()));
    await shared.close();
  });

  test('a comparison opens as one, from the file and dropped back', async () => {
    const { page, close } = await stage.open();
    await choose(page, TRIALS);
    await page.evaluate(() => { location.hash = '#/compare/ferry-desk.json:1/ferry-desk.json:2?same=tool'; });
    await settle(page);
    await panel(page);
    const file = await save(page, 'compare.html');
    await close();
    const shared = await openFile(file);
    assert.equal(await shared.page.evaluate(() => location.hash), '#/compare/ferry-desk.json:1/ferry-desk.json:2?same=tool');
    await shared.page.locator('.compare-card h2').waitFor();
    const seen = await main(shared.page);
    // A page can be shared again, from the file itself.
    await panel(shared.page);
    const again = await save(shared.page, 'again.html');
    assert.ok(readFileSync(again).length > 0.95 * readFileSync(file).length);
    await shared.close();
    const second = await openFile(again);
    assert.equal(await main(second.page), seen);
    await second.close();
    const back = await stage.open();
    await drop(back.page, [file]);
    assert.equal(await main(back.page), seen);
    await back.close();
  });

  test('what the user decides: keep a value, add a part, by keyboard; both themes and sizes with axe', async () => {
    for (const size of SIZES) {
      for (const theme of THEMES) {
        const { page, close } = await stage.open({ ...size, theme });
        await choose(page, { name: 'run.json', mimeType: 'application/json', buffer: planted() });
        if (size.width < 700) await page.getByRole('button', { name: 'Share what is on the screen' }).click();
        else await page.keyboard.press('Shift+S');
        await page.locator('#share[open] .share-parts').waitFor();
        await settle(page);
        await axe(page);
        await close();
      }
    }
    const { page, close } = await stage.open();
    await choose(page, { name: 'run.json', mimeType: 'application/json', buffer: planted() });
    await panel(page);
    const row = page.locator('.share-value', { hasText: 'ada.lovelace@example.org' });
    await row.locator('input').focus();
    await page.keyboard.press('Space');
    const part = page.locator('.share-parts label', { hasText: 'System prompts' });
    await part.locator('input').focus();
    await page.keyboard.press('Space');
    await settle(page);
    const file = await save(page, 'kept.html');
    const bytes = readFileSync(file);
    assert.deepEqual(found(bytes), ['ada.lovelace@example.org', 'Zubrowka']);
    // A link leads to the step that holds the value.
    await row.locator('a').first().click();
    await settle(page);
    assert.match(await page.evaluate(() => location.hash), /^#\/d\/run\.json/);
    assert.equal(await page.locator('#share[open]').count(), 0);
    await close();
  });

  test('the template is small enough', () => {
    const size = readFileSync(join(DIST, 'share-template.html')).length;
    const text = readFileSync(join(DIST, 'share-template.html'), 'utf8');
    // Debug builds are not compressed like releases, and not optimised.
    if (text.includes('data-codec="lzma"')) assert.ok(size < 3 * 1024 * 1024, `${size} bytes`); // MB as the budgets count them
    else console.log(`NOTE: the template was made without xz or of a debug build (${Math.round(size / 1e6)} MB), so its size is not checked.`);
  });
});

describe('links to data', () => {
  let stage, server, origin;
  const run = readFileSync(TRIALS);
  before(async () => {
    stage = await setUp();
    server = createServer((request, response) => {
      const path = new URL(request.url, 'http://x').pathname;
      const open = { 'Access-Control-Allow-Origin': '*' };
      if (path === '/ferry-desk.json') response.writeHead(200, { ...open, 'Content-Type': 'application/json' }).end(run);
      else if (path === '/second.json') response.writeHead(200, open).end(run);
      else if (path === '/closed.json') response.writeHead(200).end(run);
      else if (path === '/private.json') response.writeHead(403, open).end();
      else if (path === '/page') response.writeHead(200, open).end('<!DOCTYPE html><title>x</title>');
      else if (path === '/broken.json') response.writeHead(503, open).end();
      else response.writeHead(404, open).end('nothing');
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    origin = `http://127.0.0.1:${server.address().port}`;
  });
  after(async () => {
    server?.closeAllConnections();
    server?.close();
    await stage?.close();
  });

  // The other server is the point of these tests; Chromium reports what it refuses itself.
  const allow = [/a request left the page's origin/, /^the server answered/, /Failed to load resource/, /CORS policy/, /ERR_/];
  const link = (...paths) => `#/?${paths.map((path) => `url=${encodeURIComponent(path.includes('://') ? path : origin + path)}`).join('&')}`;

  test('a run from a link, and two', async () => {
    const { page, close } = await stage.open({ hash: `${link('/ferry-desk.json')}&view=${encodeURIComponent('#/d/ferry-desk.json/2/loops')}&v=1`, allow });
    await settle(page);
    assert.equal(await page.evaluate(() => location.hash), '#/d/ferry-desk.json/2/loops');
    // The way back: a link to where the data is from, with its hash and this view.
    const copied = await copiedLink(page);
    assert.match(copied, /#\/\?url=http%3A%2F%2F127\.0\.0\.1%3A\d+%2Fferry-desk\.json&sha256=[0-9a-f]{64}&view=%23%2Fd%2Fferry-desk\.json%2F2%2Floops&v=1$/);
    await close();
    const second = await stage.open({ hash: copied.slice(copied.indexOf('#')), allow });
    await settle(second.page);
    assert.equal(await second.page.evaluate(() => location.hash), '#/d/ferry-desk.json/2/loops');
    assert.equal(await second.page.locator('.notice').count(), 0);
    await second.close();
    const two = await stage.open({ hash: link('/ferry-desk.json', '/second.json'), allow });
    await settle(two.page);
    assert.equal(await two.page.locator('.rail .file').count(), 2);
    await two.close();
  });

  test('data that changed is opened, and that is said', async () => {
    const { page, close } = await stage.open({ hash: `${link('/ferry-desk.json')}&sha256=${'0'.repeat(64)}`, allow });
    await settle(page);
    assert.match(await page.locator('.notice').innerText(), /no longer the one that the link was made for/);
    assert.match(await page.evaluate(() => location.hash), /^#\/d\/ferry-desk\.json/);
    await close();
  });

  for (const [path, sentence] of [
    ['/nowhere.json', /has no such file \(answer 404\)/],
    ['/private.json', /asks for a sign-in \(answer 403\)/],
    ['/closed.json', /does not let other sites read its files \(CORS\)/],
    ['/broken.json', /answered 503 and sent no file/],
    ['/page', /sent a web page where a log was expected/],
    ['http://127.0.0.1:9/x.json', /does not answer/],
    ['ftp://x.example/y', /is no address that can be asked/],
  ]) {
    test(`what it says of ${path}`, async () => {
      const { page, close } = await stage.open({ hash: link(path), allow });
      await settle(page);
      assert.match(await page.locator('.link-parts').innerText(), sentence);
      await axe(page);
      await close();
    });
  }

  test('a small run travels in the link itself', async () => {
    const { page, close } = await stage.open();
    await choose(page, { name: 'run.json', mimeType: 'application/json', buffer: planted() });
    await page.evaluate(() => { location.hash = '#/d/run.json/loops'; });
    await settle(page);
    const seen = await page.locator('#main').innerText();
    const copied = await copiedLink(page);
    await close();
    assert.deepEqual(found(Buffer.from(copied)), ['Zubrowka']);
    const other = await stage.open({ hash: copied.slice(copied.indexOf('#')) });
    await settle(other.page);
    assert.equal(await other.page.evaluate(() => location.hash), '#/d/run.json/loops');
    assert.equal((await other.page.locator('#main').innerText()).replace(/\[\w+-\d\]/g, '?').split('\n').length, seen.split('\n').length);
    await other.close();
  });

  test('another window gives a run by postMessage', async () => {
    const { page: first, close } = await stage.open();
    const tool = await first.context().newPage();
    const [page] = await Promise.all([
      first.context().waitForEvent('page'),
      tool.evaluate((address) => {
        window.heard = [];
        addEventListener('message', (event) => window.heard.push(event.data));
        window.child = window.open(address);
      }, stage.url),
    ]);
    await idle(page);
    await tool.evaluate((text) => {
      window.child.postMessage('nonsense', '*');
      window.child.postMessage({ skillscope: 'ping' }, '*');
      window.child.postMessage({ skillscope: 'open', files: [{ name: 'from-a-tool.json', content: text }, { name: 'no content' }] }, '*');
    }, run.toString('utf8'));
    await page.waitForFunction(() => location.hash.length > 2);
    await settle(page);
    const answers = await tool.evaluate(() => window.heard);
    assert.deepEqual(answers, [{ skillscope: 'ready', files: 0 }, { skillscope: 'opened', files: 1 }]);
    assert.match(await page.evaluate(() => location.hash), /^#\/d\/from-a-tool\.json/);
    await close();
  });
});

