//! Notes by keyboard: written, seen in rows and beside the step, toured, saved as a side file that fits the run exported
//! again under another name and at shifted positions, shared in a page; and links to steps that moved.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { SIZES, THEMES, axe, choose, drop, setUp, settle } from './harness.mjs';

const SHOTS = process.env.SKILLSCOPE_SHOTS;
const SAID = ['Where does the ferry leave?', 'I look it up', 'I look it up', 'From pier two', 'Mail grace.hopper@example.org', 'Done'];

/** A run of what was said, in our own format. */
function run(name, said = SAID) {
  const steps = said.map((text) => ({ kind: 'say', lane: 0, text }));
  const text = JSON.stringify({
    format: 'skillscope-run', version: 1, id: 'ferry', title: 'Ferry', source: { format: 'claude-code' }, agent: { name: 'A' }, lanes: [{ name: '' }], steps,
  });
  return { name, mimeType: 'application/json', buffer: Buffer.from(`${text}\n`) };
}

const SHIFTED = ['Added in front', ...SAID.filter((text) => text !== 'Done')];

describe('notes', () => {
  let stage;
  const folder = mkdtempSync(join(tmpdir(), 'skillscope-notes-'));
  before(async () => { stage = await setUp(); });
  after(async () => {
    await stage?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Writes a note on the step that is selected, by keyboard alone. */
  async function note(page, label, comment, until) {
    await page.keyboard.press('m');
    await page.locator('dialog.note-editor[open]').waitFor();
    await page.keyboard.type(label);
    await page.keyboard.press('Tab');
    await page.keyboard.type(comment);
    if (until) {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Control+A');
      await page.keyboard.type(String(until));
    }
    await page.keyboard.press('Control+Enter');
    await page.locator('dialog.note-editor').waitFor({ state: 'detached' });
    await settle(page);
  }

  const step = (page, n) => page.goto(`${page.url().split('?')[0]}?step=${n}&all=1`).then(() => settle(page));
  const row = (page, n) => page.locator('.step', { has: page.locator('.step-no', { hasText: new RegExp(`^${n}$`) }) });
  const wouldAsk = (page) => page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));

  /** Three notes: on the second of two equal steps, on a range, on the last step. Saved; answers the path. */
  async function written(page) {
    await choose(page, run('ferry.json'));
    await step(page, 3);
    await note(page, 'again', 'The same twice');
    await step(page, 4);
    await note(page, '', 'What it found, and whom it told: grace.hopper@example.org', 5);
    await step(page, 6);
    await note(page, 'end', 'Stops here');
  }

  async function saved(page, name) {
    await page.keyboard.press('Shift+M');
    await page.locator('dialog.notes[open]').waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save notes as a file' }).click()]);
    const path = join(folder, name);
    await download.saveAs(path);
    await page.keyboard.press('Escape');
    await settle(page);
    return { path, name: download.suggestedFilename() };
  }

  test('are written by keyboard, stand in rows and beside the step, and the page asks before they are lost', async () => {
    const { page, close } = await stage.open();
    await choose(page, run('ferry.json'));
    assert.equal(await wouldAsk(page), false);
    await step(page, 3);
    // An empty one is none.
    await page.keyboard.press('m');
    await page.locator('dialog.note-editor[open]').waitFor();
    await page.keyboard.press('Control+Enter');
    assert.match(await page.locator('.note-editor [role=alert]').innerText(), /label or a comment/);
    await page.keyboard.press('Escape');
    await settle(page);
    await note(page, 'again', 'The same twice\n<b>bold</b>');
    assert.match(await row(page, 3).locator('.mark-note').innerText(), /again/);
    assert.equal(await page.locator('dialog:not(.dialog)').count(), 0);
    assert.match(await page.locator('.inspector .note').innerText(), /again[\s\S]*The same twice\n<b>bold<\/b>/);
    assert.equal(await wouldAsk(page), true, 'nothing warns');
    const file = await saved(page, 'first.notes.json');
    assert.equal(file.name, 'ferry.notes.json');
    assert.equal(await wouldAsk(page), false);
    assert.equal(JSON.parse(readFileSync(file.path, 'utf8')).notes.length, 1);
    // Changed, then deleted.
    await page.keyboard.press('m');
    assert.equal(await page.locator('.note-editor input').first().inputValue(), 'again');
    await page.locator('.note-editor input').first().fill('once more');
    await page.keyboard.press('Control+Enter');
    await row(page, 3).locator('.mark-note', { hasText: 'once more' }).waitFor();
    await page.keyboard.press('m');
    await page.getByRole('button', { name: 'Delete' }).click();
    await settle(page);
    assert.equal(await page.locator('.mark-note').count(), 0);
    await close();
  });

  test('fit the run exported again, in whatever order the files come, and what fits nowhere is listed', async () => {
    const first = await stage.open();
    await written(first.page);
    const { path } = await saved(first.page, 'ferry.notes.json');
    await first.close();
    for (const order of ['together', 'after', 'before']) {
      const { page, close } = await stage.open();
      const [again, side] = [run('another name.json', SHIFTED), { name: 'ferry.notes.json', mimeType: 'application/json', buffer: readFileSync(path) }];
      if (order === 'together') await drop(page, [side, again]);
      if (order === 'after') { await drop(page, [again]); await drop(page, [side]); }
      if (order === 'before') {
        await drop(page, [side]);
        assert.match(await page.locator('.notice').innerText(), /no run is open/);
        await drop(page, [again]);
      }
      assert.match(page.url(), /another%20name\.json/, order);
      assert.equal(await wouldAsk(page), false, 'the user has them as a file');
      // The tour: round and back.
      for (const [key, at, said] of [['}', 4, /again/], ['}', 5, /pier two|whom it told/], ['}', 4, /again/], ['{', 5, /whom it told/]]) {
        await page.keyboard.press(key);
        await settle(page);
        assert.match(page.url(), new RegExp(`step=${at}\\b`), `${order}: ${key}`);
        assert.match(await page.locator('.inspector .note').innerText(), said);
      }
      await page.keyboard.press('Shift+M');
      const list = await page.locator('dialog.notes[open]').innerText();
      assert.match(list, /Steps 5 to 6/);
      assert.match(list, /Not placed[\s\S]*was step 6[\s\S]*end/);
      await page.keyboard.press('Escape');
      await close();
    }
  });

  test('two people’s files are merged by dropping both', async () => {
    const files = [];
    for (const [at, label] of [[1, 'mine'], [6, 'yours']]) {
      const { page, close } = await stage.open();
      await choose(page, run('ferry.json'));
      await step(page, at);
      await note(page, label, '');
      files.push((await saved(page, `${label}.notes.json`)).path);
      await close();
    }
    const { page, close } = await stage.open();
    await choose(page, run('ferry.json'));
    await drop(page, files);
    assert.equal(await page.locator('.mark-note').count(), 2);
    await close();
  });

  test('hold at both sizes, in both themes and languages', async () => {
    for (const size of SIZES) {
      for (const theme of THEMES) {
        const { page, close } = await stage.open({ ...size, theme });
        await written(page);
        await step(page, 4);
        const shot = async (what) => {
          await axe(page);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${what} scrolls sideways`);
          if (SHOTS) await page.screenshot({ path: join(SHOTS, `notes-${what}-${size.width}-${theme}.png`) });
        };
        await shot('rows');
        await page.keyboard.press('}');
        await settle(page);
        await shot('step');
        await page.keyboard.press('Escape');
        await page.keyboard.press('m');
        await page.locator('dialog.dialog.note-editor[open]').waitFor();
        await shot('editor');
        await page.keyboard.press('Escape');
        await page.keyboard.press('Shift+M');
        await page.locator('dialog.dialog.notes[open]').waitFor();
        await shot('list');
        await close();
      }
    }
    const { page, close } = await stage.open({ language: 'zh-Hant' });
    await written(page);
    await page.keyboard.press('Shift+M');
    assert.match(await page.locator('dialog.notes[open]').innerText(), /3 則註記[\s\S]*步驟 4 至 5/);
    await close();
  });

  test('go along in a shared page, redacted, unless they are left out', async () => {
    const { page, close } = await stage.open();
    await written(page);
    const share = async (name) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#share-save').click()]);
      const path = join(folder, name);
      await download.saveAs(path);
      await settle(page);
      return path;
    };
    await page.keyboard.press('Shift+S');
    await page.locator('#share[open] .share-parts').waitFor();
    await settle(page);
    const choice = page.getByRole('checkbox', { name: /Your notes/ });
    assert.equal(await choice.isChecked(), true);
    const along = await share('along.html');
    await choice.click();
    await page.getByRole('checkbox', { name: /Your notes/, checked: false }).waitFor();
    await settle(page);
    const without = await share('without.html');
    assert.match(await page.locator('.share-receipt').innerText(), /Your notes: 3 pieces left out/);
    await page.keyboard.press('Escape');
    await close();
    assert.ok(!readFileSync(along, 'utf8').includes('grace.hopper'));
    // From a disk, without a network.
    const context = await stage.browser.newContext({ offline: true, locale: 'en-US' });
    const alone = await context.newPage();
    await alone.goto(pathToFileURL(along).href);
    await alone.locator('.mark-note').first().waitFor();
    await settle(alone);
    assert.equal(await alone.locator('.mark-note').count(), 4);
    assert.equal(await wouldAsk(alone), false);
    await context.close();
    for (const [file, count] of [[along, 3], [without, 0]]) {
      const back = await stage.open();
      await drop(back.page, [file]);
      await back.page.keyboard.press('Shift+M');
      assert.equal(await back.page.locator('dialog.notes[open] .note-list li').count(), count);
      if (count) assert.match(await back.page.locator('dialog.notes[open]').innerText(), /whom it told: \[email-1\]/);
      await back.close();
    }
  });

  test('a copied link names its step, and finds it where the numbers have moved', async () => {
    const { page, close } = await stage.open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await choose(page, run('ferry.json'));
    await step(page, 4);
    await page.keyboard.press('y');
    await settle(page);
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /step=4~[0-9a-f]{8}\b/);
    await close();
    const hash = new URL(link).hash;
    for (const [said, at, tells] of [[SAID, 4, null], [SHIFTED, 5, /number 5 in this file, not 4/], [['Nothing', 'of', 'it', 'is here'], 4, /No step of this file/]]) {
      const there = await stage.open({ hash });
      await choose(there.page, run('ferry.json', said));
      assert.match(there.page.url(), new RegExp(`step=${at}\\b`));
      if (tells) assert.match(await there.page.locator('.notice').innerText(), tells);
      else assert.equal(await there.page.locator('.notice').count(), 0);
      await there.close();
    }
    // An old link has no name.
    const old = await stage.open({ hash: hash.replace(/~[0-9a-f]{8}/, '') });
    await choose(old.page, run('ferry.json', SHIFTED));
    assert.match(old.page.url(), /step=4\b/);
    assert.equal(await old.page.locator('.notice').count(), 0);
    await old.close();
  });
});
