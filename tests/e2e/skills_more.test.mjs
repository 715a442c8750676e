//! Skills beside each other and on their way out: two descriptors compared, the export to neighbours with each loss
//! before the file, what a list of tools that was dropped became, the calls of a run as messages and drafts.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { axe, choose, ROOT, setUp, settle, SIZES, THEMES } from './harness.mjs';

const SHIPPED = join(ROOT, 'public', 'examples');
const BOOK = join(SHIPPED, 'skills-lighthouse', 'lighthouse', 'find_book.json');

const text = (page) => page.locator('#main').innerText();

async function tab(page, name) {
  await page.locator('.tab-link', { hasText: name }).click();
  await settle(page);
}

async function saved(page, act) {
  const download = page.waitForEvent('download');
  await act();
  return JSON.parse(readFileSync(await (await download).path(), 'utf8'));
}

describe('skills beside each other and on their way out', () => {
  const folder = mkdtempSync(join(tmpdir(), 'skillscope-more-'));
  const older = join(folder, 'old_book.json');
  const newer = join(folder, 'new_book.json');
  const tools = join(folder, 'tools.json');
  let stage;
  before(async () => {
    stage = await setUp();
    const book = JSON.parse(readFileSync(BOOK, 'utf8'));
    book.inputs.properties.shelf = { type: 'string' };
    writeFileSync(older, JSON.stringify(book, null, 2));
    book.inputs.required.push('shelf');
    book.description = `${book.description} By shelf.`;
    writeFileSync(newer, JSON.stringify(book, null, 2));
    writeFileSync(tools, JSON.stringify({ tools: [{ name: 'count_words', description: 'Counts words.', inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } }] }));
  });
  after(async () => {
    await stage?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a new required input breaks callers; the other way round it does not', async () => {
    const { page, close } = await stage.open();
    await choose(page, [older]);
    await tab(page, 'Compare');
    assert.match(await text(page), /No other skill is open/);
    await choose(page, [newer]);
    await page.evaluate(() => { location.hash = '#/d/old_book.json/compare'; });
    await settle(page);
    // The only other skill is chosen already.
    const row = page.locator('#differences tbody tr', { hasText: '/inputs' }).first();
    assert.match(await page.locator('#differences .verdict').innerText(), /Breaks callers/);
    assert.match(await row.innerText(), /breaking/);
    assert.match(await page.locator('#differences').innerText(), /\/description.*no effect on calls/s);
    await page.getByRole('button', { name: 'Swap' }).focus();
    await page.keyboard.press('Enter');
    await settle(page);
    assert.doesNotMatch(await page.locator('#differences .verdict').innerText(), /Breaks callers/);
    assert.match(await page.locator('#differences').innerText(), /compatible/);
    await close();
  });

  test('the export tells what is lost before the file, by keyboard', async () => {
    const { page, close } = await stage.open();
    await choose(page, [BOOK]);
    for (const [name, check] of [['MCP', (v) => assert.equal(v.tools.length, 1)], ['A2A', (v) => assert.equal(v.skills.length, 1)]]) {
      await page.getByRole('button', { name: /^Export/ }).click();
      await page.locator('#export .menu-item', { hasText: name }).focus();
      await page.keyboard.press('Enter');
      await settle(page);
      assert.ok((await page.locator('.skill-publish tbody tr', { hasText: /loss|guess/ }).count()) > 0, await text(page));
      check(await saved(page, () => page.getByRole('button', { name: /^Download/ }).press('Enter')));
    }
    await close();
  });

  test('a list of tools that was dropped says what was guessed', async () => {
    const { page, close } = await stage.open();
    await choose(page, [tools]);
    const made = page.locator('#made-of');
    assert.match(await made.innerText(), /Made from MCP.*1 descriptor/s);
    assert.ok((await made.locator('tbody tr', { hasText: 'guess' }).count()) > 0);
    await close();
  });

  test('the calls of a run as messages, and a draft of a descriptor', async () => {
    const { page, close } = await stage.open();
    await choose(page, [join(SHIPPED, 'openai-chat-six-runs', 'desk.jsonl')]);
    await page.getByRole('button', { name: 'None', exact: true }).click();
    await settle(page);
    await page.getByRole('tree', { name: 'Runs' }).getByRole('treeitem').nth(1).click();
    await settle(page);
    await tab(page, 'Contract');
    const messages = await saved(page, () => page.getByRole('button', { name: 'Export invocations' }).press('Enter'));
    assert.ok(messages.length > 0 && messages.some((m) => m.inputs), JSON.stringify(messages).slice(0, 300));
    await page.getByRole('button', { name: 'Draft a descriptor' }).press('Enter');
    await settle(page);
    assert.equal(typeof JSON.parse(await page.locator('#draft pre').innerText()).id, 'string');
    const draft = await saved(page, () => page.locator('#draft').getByRole('button', { name: /^Download/ }).press('Enter'));
    assert.ok(draft.inputs);
    await axe(page);
    await close();
  });

  for (const theme of THEMES) {
    for (const size of SIZES) {
      test(`axe finds nothing, ${theme}, ${size.width} px`, async () => {
        const { page, close } = await stage.open({ ...size, theme });
        await choose(page, [older]);
        await choose(page, [newer]);
        await choose(page, [tools]);
        for (const view of ['old_book.json/compare', 'old_book.json/as-mcp', 'old_book.json/as-a2a', 'tools.json']) {
          await page.evaluate((to) => { location.hash = `#/d/${to}`; }, view);
          await settle(page);
          if (view.endsWith('compare')) {
            await page.locator('#compare-with').selectOption({ index: 1 });
            await settle(page);
            assert.ok((await page.locator('#differences tbody tr').count()) > 0);
          }
          if (process.env.SKILLSCOPE_SHOTS) await page.screenshot({ path: join(process.env.SKILLSCOPE_SHOTS, `${view.replaceAll('/', '-')}-${size.width}-${theme}.png`) });
          await axe(page);
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(width <= size.width, `${view} is ${width} px wide`);
        }
        await close();
      });
    }
  }
});
