//! Usage, rules of the loops, measures and topology of a run in the page: values by pointer and by keyboard, plots as
//! tables, own prices, thresholds while they are moved, other programs' rules, hashes to copy; both sizes and themes with
//! axe, both languages.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { CORPUS, SIZES, THEMES, axe, choose, corpus, setUp, settle } from './harness.mjs';

const SPOTTER = join(CORPUS, 'claude-code', 'spotter.ae4a77f8-aedd-4bc1-888f-c94edc91af04.jsonl');

/** A Claude Code session: the same commit fails four times with reads between, an hour's pause before the second order. */
function sample(model = 'claude-sonnet-4-5-20250929') {
  const lines = [];
  let time = Date.UTC(2026, 0, 5, 9);
  const line = (type, message) => {
    const n = lines.length;
    lines.push({
      parentUuid: n ? `line-${n}` : null, uuid: `line-${n + 1}`, isSidechain: false, userType: 'external', cwd: '/work/app', sessionId: 'session-1',
      version: '2.1.39', gitBranch: 'main', type, timestamp: new Date((time += 1500)).toISOString(), message,
    });
  };
  const agent = (content, n) => line('assistant', {
    id: `turn-${n}`, type: 'message', role: 'assistant', model, content: [content],
    usage: { input_tokens: 100, cache_read_input_tokens: 1000 * n, cache_creation_input_tokens: 500, output_tokens: 20 + n },
  });
  let n = 0;
  const call = (name, input, content, failed = false) => {
    n += 1;
    agent({ type: 'tool_use', id: `c${n}`, name, input }, n);
    line('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${n}`, content, ...(failed ? { is_error: true } : {}) }] });
  };
  line('user', { role: 'user', content: 'Commit the fix' });
  for (let i = 0; i < 4; i += 1) {
    call('Bash', { command: 'git commit -m "Fix the hook"' }, '[LINT] 1 problem\nexit code 1', true);
    call('Read', { file_path: `/work/app/src/file${i}.js` }, `export const n = ${i};`);
  }
  call('Bash', { command: 'git commit -m "Fix the hook"' }, 'committed');
  time += 3_600_000;
  line('user', { role: 'user', content: 'And now the tests' });
  call('Grep', { pattern: 'test' }, 'src/file0.js');
  for (let i = 0; i < 3; i += 1) call('Bash', { command: 'make test' }, 'ok');
  n += 1;
  agent({ type: 'text', text: 'All tests pass' }, n);
  return { name: 'session.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(lines.map((l) => JSON.stringify(l)).join('\n') + '\n') };
}

const hash = (page) => page.evaluate(() => location.hash);
const part = (page, name) => page.locator('.plot-part', { has: page.locator('h2', { hasText: new RegExp(`^${name}`) }) });
const slider = (page, name) => page.getByRole('slider', { name, exact: true });

describe('usage, rules and measures of a run', () => {
  let stage;
  before(async () => { stage = await setUp(); });
  after(() => stage?.close());

  async function opened(tab, options = {}, file = sample()) {
    const view = await stage.open({ hash: `#/d/${file.name ?? 'file'}/1/${tab}`, ...options });
    await choose(view.page, file);
    return view;
  }

  test('usage: a plot says every value by keyboard, and opens its step', async () => {
    const { page, close } = await opened('usage');
    const context = slider(page, 'Context');
    assert.match(await part(page, 'Context').locator('.plot-told').innerText(), /^0 to 14,600$/);
    await context.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    assert.equal(await context.getAttribute('aria-valuetext'), 'Step 2, Context 1,600, From a cache 1,000, To a cache 500');
    assert.match(await part(page, 'Context').locator('.plot-told').innerText(), /Step 2, Context 1,600/);
    await page.keyboard.press('End');
    assert.match(await context.getAttribute('aria-valuetext'), /Context 14,600, From a cache 14,000/);
    await page.keyboard.press('Enter');
    await settle(page);
    assert.match(await hash(page), /step=16\b/);
    assert.match(await page.locator('.step[aria-selected="true"] .step-no').innerText(), /^16$/);
    await page.goBack();
    await settle(page);
    assert.match(await hash(page), /\/usage/);
    await close();
  });

  test('usage: a press on a bar opens its step', async () => {
    const { page, close } = await opened('usage');
    const plot = slider(page, 'Tokens out');
    const box = await plot.boundingBox();
    await plot.click({ position: { x: box.width * 0.998, y: box.height / 2 } });
    await settle(page);
    assert.match(await hash(page), /step=16\b/);
    await close();
  });

  test('usage: plots are tables with the same values, page by page', async () => {
    const { page, close } = await opened('usage');
    await page.getByRole('button', { name: 'Tables' }).click();
    await settle(page);
    assert.equal(await page.locator('.plot').count(), 0);
    const rows = part(page, 'Context').locator('tbody tr');
    assert.equal(await rows.count(), 16);
    assert.match(await rows.nth(1).innerText(), /^2\s+1,600\s+1,000\s+500$/);
    assert.match(await rows.nth(0).innerText(), /^1\s+–\s+–\s+–$/, 'unknown is no 0');
    await page.getByRole('button', { name: 'Added up' }).click();
    await settle(page);
    const sums = part(page, 'Tokens in, added up').locator('tbody tr');
    assert.match(await sums.nth(2).innerText(), /^3\s+4,200$/);
    const last = await part(page, 'Cost, added up').locator('tbody tr').last().innerText();
    assert.match(last, /^16\s+\$0\.\d+$/);
    await close();
  });

  test('usage: idle stretches are cut as far as asked, and the waterfall tells them', async () => {
    const { page, close } = await opened('usage');
    const ran = part(page, 'What ran when');
    assert.match(await ran.innerText(), /1 h 00 m idle/);
    await page.getByRole('button', { name: 'never' }).click();
    await settle(page);
    assert.doesNotMatch(await ran.innerText(), /idle$/m);
    await page.getByRole('button', { name: 'Tables' }).click();
    await page.getByRole('button', { name: '10 s' }).click();
    await settle(page);
    assert.match(await ran.locator('table').innerText(), /until a person wrote\s+–\s+1 h 00 m/);
    await close();
  });

  test('usage: kinds of money stand apart; own prices make estimates, are dated, and stay', async () => {
    const { page, close } = await opened('usage', {}, sample('house-model-1'));
    const money = page.getByRole('table', { name: 'Cost by source' });
    assert.match(await money.innerText(), /–\s+unknown\s+14/);
    assert.equal(await part(page, 'Cost').count(), 0, 'what is unknown is not drawn');
    assert.match(await page.locator('.prices').innerText(), /no price known/);
    await page.getByLabel('In, house-model-1', { exact: true }).fill('10');
    await page.keyboard.press('Tab');
    await settle(page);
    assert.match(await page.locator('.prices').innerText(), /Both prices in and out are needed/);
    await page.getByLabel('Out, house-model-1').fill('100');
    await page.keyboard.press('Tab');
    await settle(page);
    assert.match(await money.innerText(), /\$1\.\d\d\s+estimated with the price table of \d{4}-\d\d-\d\d\s+14/);
    assert.equal(await part(page, 'Cost').count(), 1);
    const before = await money.innerText();
    await page.getByLabel('Cache read, house-model-1').fill('1');
    await page.keyboard.press('Enter');
    await settle(page);
    assert.notEqual(await money.innerText(), before, 'what was read from a cache is priced apart');
    await page.getByLabel('Your prices are of').fill('2026-02-03');
    await settle(page);
    assert.match(await money.innerText(), /price table of 2026-02-03/);
    const kept = await page.evaluate(() => localStorage.getItem('skillscope.prices'));
    assert.match(kept, /"date":"2026-02-03".*"model":"house-model-1".*"cache_read":1/);
    await page.getByRole('button', { name: 'Back to the built-in prices' }).click();
    await settle(page);
    assert.match(await money.innerText(), /–\s+unknown\s+14/);
    assert.equal(await page.evaluate(() => localStorage.getItem('skillscope.prices')), null);
    await close();
  });

  test('usage: what each tool cost leads to its calls; turns come in pages', async () => {
    const { page, close } = await opened('usage');
    const tools = page.getByRole('table', { name: 'What each tool cost' });
    assert.match(await tools.locator('tr', { hasText: 'Bash' }).innerText(), /^Bash\s+8\s+4\s/);
    assert.match(await page.getByRole('table', { name: 'Turn by turn' }).locator('tbody tr').first().innerText(), /^2\s+1,600\s+1,000\s+500\s+21\s+\$0\.\d+\s+estimated/);
    await tools.getByRole('link', { name: 'Read' }).click();
    await settle(page);
    assert.match(await hash(page), /filter=tool%3ARead/);
    assert.equal(await page.locator('.list [role="treeitem"]').count(), 4);
    await close();
  });

  test('loops: thresholds answer while they are moved, and go back', async () => {
    const { page, close } = await opened('loops');
    const found = () => page.locator('.loops .split-main').innerText();
    const band = () => page.locator('.loops-strip .strip-loop').getAttribute('d');
    const before = await band();
    assert.match(await found(), /Same call keeps failing/);
    assert.match(await found(), /5 of 13 calls/);
    const tries = page.getByLabel('Failed tries');
    await tries.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await settle(page);
    assert.equal(await tries.inputValue(), '5');
    assert.equal(await page.evaluate(() => document.activeElement.type), 'range', 'the slider stays in the hand');
    assert.equal(await page.getByRole('button', { name: 'Custom' }).getAttribute('aria-pressed'), 'true');
    assert.match(await found(), /2 of 13 calls/);
    await page.locator('summary', { hasText: 'All thresholds' }).click();
    await page.getByLabel('Calls with the same failure').focus();
    await page.keyboard.press('End');
    await settle(page);
    assert.match(await found(), /Nearly[\s\S]*4 of 5/, 'what nearly fired says why it did not');
    assert.notEqual(await band(), before, 'the band follows');
    await page.getByRole('button', { name: 'Back to ours' }).click();
    await settle(page);
    assert.equal(await tries.inputValue(), '3');
    assert.match(await found(), /5 of 13 calls/);
    assert.equal(await page.getByRole('button', { name: 'Ours' }).getAttribute('aria-pressed'), 'true');
    await close();
  });

  test('loops: thresholds survive a look at another view', async () => {
    const { page, close } = await opened('loops');
    await page.getByLabel('Failed tries').focus();
    await page.keyboard.press('End');
    await settle(page);
    await page.keyboard.press('5');
    await settle(page);
    assert.match(await hash(page), /\/usage/);
    await page.keyboard.press('4');
    await settle(page);
    assert.equal(await page.getByLabel('Failed tries').inputValue(), '20');
    await close();
  });

  test("loops: other programs' rules are a choice, each with what it says", async () => {
    const { page, close } = await opened('loops');
    const main = page.locator('.loops .split-main');
    assert.match(await page.locator('.rules-peers').innerText(), /Cline\s+1 time\b/);
    await page.getByRole('button', { name: 'Peers' }).click();
    await settle(page);
    assert.match(await main.innerText(), /Cline would have stopped or warned here/, 'the first that has something to say');
    await page.locator('.rules-peer', { hasText: 'OpenHands' }).click();
    await settle(page);
    assert.match(await main.innerText(), /OpenHands would not have noticed anything/);
    assert.ok(await page.getByLabel('Failed tries').isHidden(), 'our thresholds are not theirs');
    await page.locator('.rules-peer', { hasText: 'Cline' }).click();
    await settle(page);
    assert.match(await main.innerText(), /Cline would have stopped or warned here[\s\S]*three times in a row[\s\S]*15\s+Bash make test/);
    await main.locator('td a').first().click();
    await settle(page);
    assert.match(await hash(page), /step=15\b/);
    await close();
  });

  test('measures: from the glyph to graph, hashes and every metric', async () => {
    const { page, close } = await opened('steps');
    await page.locator('.glyph-label').click();
    await settle(page);
    assert.match(await hash(page), /\/measures/);
    const named = page.locator('.graph').first();
    assert.deepEqual(await named.locator('li').allInnerTexts(), ['Start', 'Bash', 'Read', 'Grep', 'End']);
    assert.ok(await named.locator('path').count() >= 2);
    assert.deepEqual((await page.locator('.graph').nth(1).locator('li').allInnerTexts()).slice(1, -1), ['1', '2', '3']);
    await page.locator('summary', { hasText: 'Edges as a table' }).click();
    assert.match(await page.getByRole('table', { name: 'Edges as a table' }).innerText(), /Bash\s+Read\s+4/);
    const hashes = page.getByRole('table', { name: 'Hashes of the shape' });
    assert.equal(await hashes.locator('tbody tr').count(), 12);
    const badge = await page.locator('.glyph').getAttribute('aria-label');
    assert.ok((await hashes.locator('code').first().innerText()).startsWith(badge));
    const waste = page.getByRole('table', { name: 'Waste' });
    assert.match(await waste.innerText(), /Wasted calls\s+5\s+calls\s+Calls that repeat/);
    const all = await page.locator('.metrics tbody tr').count();
    assert.equal(all, 25);
    await waste.locator('td a').first().click();
    await settle(page);
    assert.match(await hash(page), /step=\d+/);
    await close();
  });

  test('measures: a hash is copied by keyboard', async () => {
    const { page, close } = await opened('measures');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const button = page.getByRole('button', { name: /^Copy tk1-/ }).first();
    await button.focus();
    await page.keyboard.press('Enter');
    await settle(page);
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(text, /^tk1-tree-named-fold-[a-z2-7]+$/);
    await close();
  });

  test('a real session of 414 steps', async (t) => {
    if (!corpus('usage of a long session')) return t.skip('no corpus');
    const { page, close } = await stage.open();
    await choose(page, SPOTTER);
    await page.keyboard.press('5');
    await settle(page);
    const tools = page.getByRole('table', { name: 'What each tool cost' });
    assert.match(await tools.locator('tr', { hasText: 'Bash' }).innerText(), /^Bash\s+120\s+9\s/);
    await page.keyboard.press('4');
    await settle(page);
    const gap = page.getByLabel('Other calls between, at most');
    await gap.focus();
    await page.keyboard.press('Home');
    await settle(page);
    assert.match(await page.locator('.loops-figure').innerText(), /0 of 242 calls/, 'without a gap there is no loop');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await settle(page);
    assert.match(await page.locator('.loops-figure').innerText(), /4 of 242 calls/);
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
    assert.ok(nodes < 2500, `${nodes} nodes`);
    await close();
  });

  for (const size of SIZES) {
    for (const theme of THEMES) {
      test(`${size.width} px, ${theme}: axe finds nothing, nothing is wider than the window`, async () => {
        const { page, close } = await opened('usage', { ...size, theme });
        const wide = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        await axe(page);
        await page.getByRole('button', { name: 'Tables' }).click();
        await settle(page);
        await axe(page);
        assert.ok(await wide() <= 0);
        for (const tab of ['loops', 'measures']) {
          await page.evaluate((to) => { location.hash = `#/d/session.jsonl/1/${to}`; }, tab);
          await settle(page);
          await axe(page);
          if (tab === 'loops') {
            await page.getByRole('button', { name: 'Peers' }).click();
            await settle(page);
            await axe(page);
          }
          assert.ok(await wide() <= 0);
        }
        await close();
      });
    }
  }

  test('in Chinese', async () => {
    const { page, close } = await opened('usage', { language: 'zh-Hant' });
    assert.match(await page.locator('.usage-main').innerText(), /上下文[\s\S]*各工具的花費/);
    for (const [tab, text] of [['loops', /規則[\s\S]*相同呼叫一再失敗|相同呼叫一再失敗[\s\S]*規則/], ['measures', /拓撲[\s\S]*浪費/]]) {
      await page.evaluate((to) => { location.hash = `#/d/session.jsonl/1/${to}`; }, tab);
      await settle(page);
      assert.match(await page.locator('#main').innerText(), text);
      assert.doesNotMatch(await page.locator('#main').innerText(), /(usage|metric|metrics|shape|rules|unit)\.[a-z]/, 'an id instead of its sentence');
    }
    await axe(page);
    await close();
  });
});
