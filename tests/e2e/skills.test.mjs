//! Skills in the page: the protocol's examples as a folder, one descriptor with two faults, the eleven properties, what
//! is served, publishing and checking by address without credentials, a leak that was planted, the contract of a run.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';

import { axe, choose, chooseFolder, focused, ROOT, setUp, settle, SIZES, THEMES } from './harness.mjs';
import { serve } from '../../scripts/serve.mjs';

const EXAMPLES = join(ROOT, 'tests', 'fixtures', 'protocol', 'examples');
const TWO_FAULTS = join(EXAMPLES, 'invalid-12-two-faults.json');
const SHIPPED = join(ROOT, 'public', 'examples');
const PRIVATE = 'example.lighthouse/member_notes';

/** What a check by address may make the browser say: it asks another server, and that one answers 404. */
const OTHER_SERVER = [/left the page's origin: http:\/\/127\.0\.0\.1:/, /answered 404 for http:\/\/127\.0\.0\.1:/, /status of 404/];

const text = (page) => page.locator('#main').innerText();
const heading = (page) => page.locator('h1').innerText();

async function tab(page, name) {
  await page.locator('.tab-link', { hasText: name }).click();
  await settle(page);
}

/** The files of a zip, by path. */
function unzip(bytes) {
  const files = {};
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  let at = bytes.readUInt32LE(end + 16);
  for (let n = bytes.readUInt16LE(end + 10); n > 0; n -= 1) {
    const [method, packed, nameLength, extra, comment, local] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30), bytes.readUInt16LE(at + 32), bytes.readUInt32LE(at + 42)];
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const data = bytes.subarray(from, from + packed);
    files[name] = method === 8 ? inflateRawSync(data) : data;
    at += 46 + nameLength + extra + comment;
  }
  return files;
}

describe('skills', () => {
  const folder = mkdtempSync(join(tmpdir(), 'skillscope-skills-'));
  const lighthouse = join(folder, 'lighthouse');
  let stage;
  before(async () => {
    stage = await setUp();
    mkdirSync(lighthouse);
    const from = join(SHIPPED, 'skills-lighthouse', 'lighthouse');
    for (const name of readdirSync(from)) writeFileSync(join(lighthouse, name), readFileSync(join(from, name)));
  });
  after(async () => {
    await stage?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a descriptor with two faults: both are in the source, the missing field where it belongs', async () => {
    const { page, close } = await stage.open();
    await choose(page, [TWO_FAULTS]);
    assert.equal(await heading(page), '翻譯 Translate');
    assert.match(await page.locator('#rail .file-state').innerText(), /Skill.*2 errors/s);
    assert.match(await page.locator('.verdict').first().innerText(), /Not valid under core.*2 errors.*"provider" is required/s);
    const notes = await page.locator('.source-note').allInnerTexts();
    assert.equal(notes.length, 2, notes.join('\n'));
    assert.match(notes[0], /"provider" is required.*\/provider.*SSP-P1-REQUIRED/s);
    assert.match(notes[1], /"access" is "secret".*\/access.*SSP-P2-ENUM/s);
    // The row of the missing field stands behind the description, line 9.
    const found = page.locator('.source-found').first();
    assert.match(await found.locator('.code-no').innerText(), /\+/);
    assert.match(await found.locator('.source-text').innerText(), /"provider": \{ "name"/);
    assert.equal(await found.evaluate((e) => e.previousElementSibling.id), 'line-9');
    assert.equal(await page.locator('.source-under').innerText(), '"secret"');
    // What holds no finding is folded, says what it is, and opens.
    const fold = page.locator('.source-fold');
    assert.match(await fold.innerText(), /lines without findings.*output/s);
    await fold.click();
    await settle(page);
    assert.equal(await page.locator('.source-line').count(), 52 + 1, 'every line, and the row of the missing field');
    await close();
  });

  test('next finding goes round by key, and inputs are checked as they are typed', async () => {
    const { page, close } = await stage.open();
    await choose(page, [TWO_FAULTS]);
    await page.locator('h1').click();
    await page.keyboard.press('n');
    await settle(page);
    assert.match(await focused(page), /#finding-0/);
    await page.keyboard.press('n');
    await settle(page);
    assert.match(await focused(page), /#finding-1/);
    await page.keyboard.press('n');
    await settle(page);
    assert.match(await focused(page), /#finding-0/);
    await page.locator('#try').fill('{ "text": "Hello", "to": "german" }');
    await settle(page);
    assert.match(await page.locator('#tried').innerText(), /\/to/);
    await page.locator('#try').fill('{ "text": "Hello", "to": "de" }');
    await settle(page);
    assert.match(await page.locator('#tried').innerText(), /fit/);
    await page.locator('#try').fill('{ "text": ');
    await settle(page);
    assert.match(await page.locator('#tried').innerText(), /Not a JSON object/);
    // Strict is a press away, and is kept.
    await page.locator('h1').click();
    await page.keyboard.press('s');
    await settle(page);
    assert.match(await page.locator('.verdict').first().innerText(), /Not valid under strict/);
    await page.reload();
    assert.equal(await page.evaluate(() => localStorage.getItem('skillscope.profile')), 'strict');
    await close();
  });

  test('the protocol\'s own examples as a folder: 29 documents, eleven properties, each finding a press away', async () => {
    const { page, close } = await stage.open();
    await chooseFolder(page, EXAMPLES);
    assert.match(await page.locator('#rail .file-state').innerText(), /29 documents.*23 fail/s);
    await tab(page, 'Conformance');
    assert.equal(await page.locator('tbody th[scope=row]').count(), 11);
    assert.match(await page.locator('.verdict').first().innerText(), /Does not conform/);
    assert.match(await text(page), /never counts as passed/);
    const row = page.locator('tr', { hasText: 'Values of enumerations' });
    await row.locator('button').click();
    await settle(page);
    const details = page.locator('.skill-detail');
    assert.ok((await details.count()) >= 4, await text(page));
    // The eleventh is about the library's types: not run, and so no pass.
    assert.match(await page.locator('tr', { hasText: 'Types and schema agree' }).innerText(), /not run/);
    await details.locator('a', { hasText: 'invalid-12-two-faults.json' }).click();
    await settle(page);
    assert.equal(await heading(page), '翻譯 Translate');
    assert.match(await focused(page), /finding-1/);
    await page.goBack();
    await settle(page);
    await tab(page, 'Findings');
    assert.match(await text(page), /invalid-21-index-private-entry\.json/);
    await tab(page, 'Documents');
    assert.equal(await page.locator('tbody tr').count(), 29);
    await page.keyboard.press('/');
    await page.keyboard.type('two-faults');
    await settle(page);
    assert.equal(await page.locator('tbody tr').count(), 1);
    await tab(page, 'Traceability');
    assert.ok((await page.locator('tbody tr').count()) > 20);
    await close();
  });

  test('the report is saved as JSON, SARIF and JUnit', async () => {
    const { page, close } = await stage.open();
    await choose(page, [TWO_FAULTS]);
    for (const [name, pattern] of [['JSON', /"verdict": "non_conformant"/], ['SARIF', /"version": "2\.1\.0"/], ['JUnit', /<testsuites/]]) {
      await page.getByRole('button', { name: /^Export/ }).click();
      const download = page.waitForEvent('download');
      await page.locator('#export .menu-item', { hasText: name }).click();
      assert.match(readFileSync(await (await download).path(), 'utf8'), pattern);
    }
    await close();
  });

  test('a provider: what anyone sees beside the full set, and the filter by capability', async () => {
    const { page, close } = await stage.open();
    await chooseFolder(page, lighthouse);
    assert.equal(await heading(page), 'Lighthouse Library');
    await tab(page, 'Index');
    const row = (name) => page.locator('tbody tr', { hasText: name });
    assert.match(await row('find_book').innerText(), /public.*public.*listed/s);
    assert.match(await row('member_notes').innerText(), /not listed.*private.*withheld/s);
    await page.getByRole('button', { name: /^knowledge/ }).click();
    await settle(page);
    assert.equal(await page.locator('tbody tr').count(), 1);
    assert.match(await page.evaluate(() => decodeURIComponent(location.hash)), /filter=capability:knowledge/);
    await page.getByRole('textbox').fill('capability:tool');
    await settle(page);
    assert.match(await text(page), /must be one of/);
    await close();
  });

  test('publish, serve the zip, check it by address without credentials, and find a leak that was planted', async () => {
    const { page, close, watch } = await stage.open({ allow: OTHER_SERVER });
    await chooseFolder(page, lighthouse);
    await page.getByRole('link', { name: /^Publish/ }).click();
    await settle(page);
    assert.match(await text(page), /3 skills are listed/);
    assert.match(await text(page), /1 private skill is left out/);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Download/ }).click();
    const files = unzip(readFileSync(await (await download).path()));
    assert.ok(files['.nojekyll'], Object.keys(files).join());
    for (const [name, bytes] of Object.entries(files)) {
      assert.ok(!name.includes('member_notes') && !bytes.includes('member_notes'), `${name} names the private skill`);
      mkdirSync(dirname(join(folder, 'site', name)), { recursive: true });
      writeFileSync(join(folder, 'site', name), bytes);
    }
    const site = await serve({ dir: join(folder, 'site'), headers: { 'Access-Control-Allow-Origin': '*' } });
    try {
      const sent = [];
      page.on('request', (request) => { if (request.url().startsWith(site.url)) sent.push(request); });
      const check = async () => {
        await page.locator('h1').click();
        await page.keyboard.press('g');
        await page.keyboard.press('p');
        await settle(page);
        await page.locator('select').selectOption({ label: 'lighthouse' });
        await page.locator('#visit').fill(site.url);
        await page.keyboard.press('Enter');
        await settle(page);
      };
      await check();
      assert.match(await page.locator('.head').innerText(), /fetched from/, await text(page));
      assert.ok(sent.length >= 4, sent.map((r) => r.url()).join('\n'));
      for (const request of sent) {
        const headers = await request.allHeaders();
        assert.equal(request.method(), 'GET');
        for (const name of ['cookie', 'authorization', 'referer']) assert.equal(headers[name], undefined, `${name} was sent`);
      }
      assert.ok(watch.requests.length > 0);
      await tab(page, 'Index');
      assert.match(await text(page), /leaked\s+0/i);
      assert.match(await page.locator('#rail .rail-foot').innerText(), /[1-9]\d* requests sent/);
      // Now the served index speaks of the private skill.
      const index = join(folder, 'site', '.well-known', 'skill-sharing', 'index.json');
      const value = JSON.parse(readFileSync(index, 'utf8'));
      value['x-note'] = `not listed here: ${PRIVATE}`;
      writeFileSync(index, JSON.stringify(value, null, 2));
      await check();
      await tab(page, 'Findings');
      const said = await text(page);
      assert.match(said, /member_notes/, said);
      assert.match(await page.locator('.verdict').first().innerText(), /Does not conform/);
    } finally {
      await site.close();
    }
    await close();
  });

  test('an address that does not work says why, and can be stopped', async () => {
    const { page, close } = await stage.open({ allow: [...OTHER_SERVER, /blocked by CORS/, /ERR_FAILED/, /ERR_CONNECTION_REFUSED/] });
    await page.locator('#home-visit').fill('ftp://nowhere.example/');
    await page.keyboard.press('Enter');
    await settle(page);
    assert.equal(await heading(page), 'Check a provider by address');
    assert.match(await page.locator('#visit-said').innerText(), /ftp/);
    assert.equal(await page.locator('#visit').getAttribute('aria-invalid'), 'true');
    // A server that lets no other site read it.
    const site = await serve({ dir: folder });
    await page.locator('#visit').fill(`${site.url}`);
    await page.keyboard.press('Enter');
    await settle(page);
    assert.match(await text(page), /does not allow other sites to read it \(CORS\)/);
    assert.match(await page.locator('#rail .file-state').innerText(), /Nothing was fetched/);
    await site.close();
    await close();
  });

  test('the contract of a run: skills that are open beside it, each call with its verdict', async () => {
    const { page, close } = await stage.open();
    await choose(page, [join(SHIPPED, 'openai-chat-six-runs', 'desk.jsonl')]);
    await page.getByRole('button', { name: 'None', exact: true }).click();
    await settle(page);
    await page.getByRole('tree', { name: 'Runs' }).getByRole('treeitem').nth(1).click();
    await settle(page);
    await tab(page, 'Contract');
    const said = await text(page);
    assert.match(said, /find_book/);
    assert.match(said, /opening_hours.*never called/s);
    await close();
  });

  test('the example opens with one press, by keyboard alone', async () => {
    const { page, close } = await stage.open();
    const button = page.getByRole('button', { name: /^Check skills/ });
    await page.locator('h1').click();
    for (let i = 0; i < 12 && !(await focused(page)).includes('Check skills'); i += 1) await page.keyboard.press('Tab');
    assert.match(await focused(page), /Check skills/);
    assert.equal(await button.count(), 1);
    await page.keyboard.press('Enter');
    await settle(page);
    assert.equal(await heading(page), 'Lighthouse Library');
    // Through all views by number.
    for (const [key, word] of [['2', 'required by the strict profile'], ['3', 'Structure of a descriptor'], ['4', 'Anyone sees'], ['5', 'Every sentence'], ['1', 'find_book.json']]) {
      await page.keyboard.press(key);
      await settle(page);
      assert.match(await text(page), new RegExp(word), `view ${key}`);
    }
    await close();
  });

  for (const theme of THEMES) {
    for (const size of SIZES) {
      test(`axe finds nothing, ${theme}, ${size.width} px`, async () => {
        const { page, close } = await stage.open({ ...size, theme });
        await page.evaluate(() => { location.hash = '#/check'; });
        await settle(page);
        await axe(page);
        await choose(page, [TWO_FAULTS]);
        await axe(page);
        await page.locator('#try').fill('{ "to": 1 }');
        await settle(page);
        await axe(page);
        await chooseFolder(page, lighthouse);
        await page.evaluate(() => { location.hash = '#/d/lighthouse'; });
        await settle(page);
        for (const view of ['', '/all-findings', '/conformance', '/index', '/traceability', '/publish', '/1']) {
          await page.evaluate((to) => { location.hash = `#/d/lighthouse${to}`; }, view);
          await settle(page);
          await axe(page);
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(width <= size.width, `${view} is ${width} px wide`);
        }
        await close();
      });
    }
  }
});
