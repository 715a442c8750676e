//! The page around the runs: home, not recognised, raw text, formats, help, palette, settings; by keyboard alone, in
//! both themes, sizes and languages, with axe.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { SIZES, THEMES, axe, choose, focused, setUp, settle } from './harness.mjs';

const json = (name, text) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
const RUN = JSON.stringify([{ role: 'user', content: 'Say hello' }, { role: 'assistant', content: 'Hello, world.' }]);
const PREDICTIONS = JSON.stringify([1, 2].map((n) => ({ instance_id: `x__x-${n}`, model_name_or_path: 'm', model_patch: 'diff --git a/x b/x' })), null, 1);

describe('the page', () => {
  let stage;
  before(async () => { stage = await setUp(); });
  after(() => stage?.close());

  for (const theme of THEMES) {
    for (const size of SIZES) {
      for (const language of ['en', 'zh-Hant']) {
        test(`holds at ${size.width} pixels, ${theme}, ${language}`, async () => {
          const { page, close } = await stage.open({ ...size, theme, language });
          const fits = async (what) => {
            const wide = await page.evaluate(() => [...document.querySelectorAll('body, .app, #main')].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.className || e.tagName));
            assert.deepEqual(wide, [], `${what} does not scroll sideways`);
          };
          await axe(page);
          await fits('home');
          await page.evaluate(() => { location.hash = '#/formats'; });
          await settle(page);
          await axe(page);
          await fits('formats');
          await choose(page, [json('hello.json', RUN), json('predictions.json', PREDICTIONS)]);
          await page.evaluate(() => { location.hash = '#/d/predictions.json'; });
          await settle(page);
          await axe(page);
          await fits('not recognised');
          await page.evaluate(() => { location.hash = '#/d/predictions.json?raw=1'; });
          await settle(page);
          await axe(page);
          await page.evaluate(() => { location.hash = '#/d/nowhere.json?step=3'; });
          await settle(page);
          await axe(page);
          await fits('missing');
          await close();
        });
      }
    }
  }

  for (const theme of THEMES) {
    test(`dialogs and menu are named and readable, ${theme}`, async () => {
      const { page, close } = await stage.open({ theme });
      await page.keyboard.press('?');
      await page.locator('#help[open]').waitFor();
      await axe(page);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.locator('#palette[open]').waitFor();
      await axe(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'How to check' }).first().click();
      await page.locator('#privacy[open]').waitFor();
      await axe(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Settings' }).click();
      await axe(page);
      await close();
    });
  }

  test('not recognised says what it is, why each near format said no, and shows the raw text', async () => {
    const { page, close } = await stage.open();
    await choose(page, [json('predictions.json', PREDICTIONS)]);
    const main = page.locator('#main');
    assert.match(await main.innerText(), /SWE-bench predictions[\s\S]*First lines[\s\S]*x__x-1/);
    assert.ok(await main.locator('tbody tr').count() >= 3, 'near formats');
    assert.match(await main.locator('tbody tr').first().innerText(), /\//, 'with a pointer');
    await page.getByRole('link', { name: 'Show it as raw data' }).click();
    await settle(page);
    assert.match(await page.locator('#raw').innerText(), /^1[\s\S]*"instance_id": "x__x-1"/);
    await page.goBack();
    await settle(page);
    await page.getByRole('button', { name: 'Open as…' }).click();
    await page.locator('#open-as').getByRole('button', { name: 'ATIF' }).click();
    await page.locator('.notice', { hasText: 'could not be read as ATIF' }).waitFor();
    await settle(page);
    assert.match(await main.innerText(), /SWE-bench predictions/, 'it stays what it was');
    await close();
  });

  test('the raw text of a long file is windowed, and a line can be gone to', async () => {
    const { page, close } = await stage.open();
    const lines = Array.from({ length: 50_000 }, (_, i) => `line number ${i + 1}`).join('\n');
    await choose(page, [json('long.txt', lines)]);
    await page.getByRole('link', { name: 'Show it as raw data' }).click();
    await settle(page);
    assert.ok(await page.locator('#raw .code-line').count() < 200);
    await page.getByLabel('Line').fill('43210');
    await page.keyboard.press('Enter');
    await settle(page);
    await page.locator('#raw .code-line', { hasText: 'line number 43210' }).waitFor();
    assert.ok(await page.locator('#raw .code-line', { hasText: 'line number 43210' }).isVisible());
    assert.ok(await page.locator('*').count() < 2000);
    await close();
  });

  test('the palette finds commands, files and steps, and gives the focus back', async () => {
    const { page, close } = await stage.open();
    await choose(page, [json('hello.json', RUN), json('other.json', RUN.replace('hello', 'goodbye'))]);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('goodbye');
    const option = page.locator('#palette [role=option]');
    await option.filter({ hasText: 'Say goodbye' }).first().waitFor();
    await settle(page);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#palette[open]').count(), 0);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('other.json');
    await settle(page);
    assert.equal(await option.first().getAttribute('aria-selected'), 'true');
    await page.keyboard.press('Enter');
    await settle(page);
    assert.match(page.url(), /#\/d\/other\.json/);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('what it reads');
    await page.keyboard.press('Enter');
    await settle(page);
    assert.match(page.url(), /#\/formats/);
    await close();
  });

  test('the help has every key, finds one, and switches single keys off', async () => {
    const { page, close } = await stage.open();
    await page.keyboard.press('?');
    const help = page.locator('#help[open]');
    await help.waitFor();
    assert.match(await help.innerText(), /Ctrl O[\s\S]*Choose files/);
    await help.getByRole('textbox').fill('zzzz');
    assert.match(await help.innerText(), /Nothing found/);
    await help.getByRole('checkbox').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await settle(page);
    assert.equal(await page.locator('#help[open]').count(), 0, 'single keys are off');
    await page.keyboard.press('Control+k');
    assert.equal(await page.locator('#palette[open]').count(), 1, 'keys with a modifier are not');
    await page.reload();
    await settle(page);
    await page.keyboard.press('?');
    await settle(page);
    assert.equal(await page.locator('#help[open]').count(), 0, 'kept');
    await close();
  });

  test('theme and language are chosen at once, and kept', async () => {
    const { page, close } = await stage.open();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.locator('#settings').getByText('Dark').click();
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    await page.locator('#settings').getByText('繁體中文').click();
    await settle(page);
    assert.equal(await page.locator('html').getAttribute('lang'), 'zh-Hant');
    assert.equal(await page.locator('h1').innerText(), '看清代理做了什麼');
    await page.reload();
    await settle(page);
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    assert.equal(await page.locator('h1').innerText(), '看清代理做了什麼');
    await close();
  });

  test('everything on the home screen is reached by Tab, in the order that it is read', async () => {
    const { page, close } = await stage.open();
    const stops = [];
    for (let i = 0; i < 20; i += 1) {
      await page.keyboard.press('Tab');
      const where = await focused(page);
      if (where === 'body' || where === stops[0]) break;
      stops.push(where);
    }
    const found = stops.join('\n');
    for (const name of ['Skip', 'Skillscope', 'Search', 'Help', 'Settings', 'Choose files', 'Choose a folder', 'Load a run', 'How to check', 'All formats']) {
      assert.match(found, new RegExp(name), `${name} in\n${found}`);
    }
    assert.match(stops[0], /Skip/);
    await close();
  });

  test('the skip link leads to the content and not to another place', async () => {
    const { page, close } = await stage.open();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
    assert.equal(await page.evaluate(() => location.hash), '');
    await close();
  });

  test('at 400 pixels the rail is a menu', async () => {
    const { page, close } = await stage.open({ width: 400, height: 860 });
    await choose(page, [json('hello.json', RUN), json('other.json', RUN)]);
    assert.equal(await page.locator('#rail').isVisible(), false);
    await page.getByRole('button', { name: 'Files' }).click();
    assert.equal(await page.locator('#rail').isVisible(), true);
    await axe(page);
    await page.locator('#rail .file-link', { hasText: 'other.json' }).click();
    await settle(page);
    assert.equal(await page.locator('#rail').isVisible(), false);
    assert.match(page.url(), /other\.json/);
    await close();
  });

  test('the counter counts what the browser sends elsewhere, and only that', async () => {
    const { page } = await stage.open({ allow: [/./] });
    await choose(page, [json('hello.json', RUN)]);
    const foot = page.locator('.rail-foot');
    assert.match(await foot.innerText(), /0 requests sent/);
    await page.evaluate(() => fetch('http://127.0.0.1:9/').catch(() => {}));
    await foot.filter({ hasText: '1 request sent' }).waitFor();
    await page.context().close();
  });
});
