//! The screens of a run on a session of our own: head, steps, inspector, diagram, findings, loops, import report; by
//! pointer and by keyboard alone, in both themes and sizes, in both languages, with axe.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { SIZES, THEMES, axe, choose, idle, setUp, settle } from './harness.mjs';

/** A Claude Code session, built line by line. */
class Session {
  lines = [];
  #time = Date.UTC(2026, 0, 5, 9);

  #line(type, message) {
    const n = this.lines.length;
    this.lines.push({
      parentUuid: n ? `line-${n}` : null, uuid: `line-${n + 1}`, isSidechain: false, userType: 'external', cwd: '/work/app', sessionId: 'session-1',
      version: '2.1.39', gitBranch: 'main', type, timestamp: new Date((this.#time += 1500)).toISOString(), message,
    });
    return this;
  }

  person(text) {
    return this.#line('user', { role: 'user', content: text });
  }

  agent(...content) {
    const usage = { input_tokens: 10, cache_read_input_tokens: 990, cache_creation_input_tokens: 0, output_tokens: 20 };
    return this.#line('assistant', { id: `turn-${this.lines.length}`, type: 'message', role: 'assistant', model: 'demo-model-1', content, usage });
  }

  call(id, name, input) {
    return this.agent({ type: 'tool_use', id, name, input });
  }

  result(id, content, failed = false) {
    return this.#line('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...(failed ? { is_error: true } : {}) }] });
  }

  file(name) {
    return { name, mimeType: 'application/jsonl', buffer: Buffer.from(this.lines.map((line) => JSON.stringify(line)).join('\n') + '\n') };
  }
}

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A run with everything the screens show. */
function sample() {
  const run = new Session()
    .person('Fix the failing commit hook. See **README** and `hooks/pre-commit`, then <img src=x onerror="window.hacked = 1">')
    .agent({ type: 'thinking', thinking: 'Look at the hook first.', signature: 'x' })
    .agent({ type: 'tool_use', id: 'a', name: 'Read', input: { file_path: '/work/app/README.md' } }, { type: 'tool_use', id: 'b', name: 'Bash', input: { command: 'git status', description: 'Show the state', deep: { list: [1, 2, { three: true }] } } })
    .result('a', '# App\n\nSome *text*.')
    .result('b', '\u001b[31mmodified\u001b[0m: src/app.js\n\u001b[1;32mok\u001b[0m');
  for (let i = 0; i < 12; i += 1) run.call(`r${i}`, 'Read', { file_path: `/work/app/src/file${i}.js` }).result(`r${i}`, `export const n${i} = ${i};`);
  run.call('e', 'Edit', { file_path: '/work/app/hooks/pre-commit', old_string: 'exit 1\n# strict mode', new_string: 'exit 0\n# strict mode' })
    .result('e', 'The file has been updated.');
  for (let i = 0; i < 5; i += 1) run.call(`c${i}`, 'Bash', { command: 'git commit -m "Fix the hook"' }).result(`c${i}`, '[LINT] 1 problem\nexit code 1', true);
  run.call('p', 'Screenshot', {}).result('p', [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: DOT } }])
    .call('lost', 'Bash', { command: 'sleep 1000' })
    .agent({ type: 'text', text: 'The hook passes now.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[docs](https://example.org/x) [bad](javascript:alert(1))' });
  return run.file('sample.jsonl');
}

/** A run of many steps. */
function long(calls) {
  const run = new Session().person('Read everything');
  for (let i = 0; i < calls; i += 1) run.call(`r${i}`, 'Read', { file_path: `/work/app/src/file${i}.js` }).result(`r${i}`, `export const n${i} = ${i};`, i % 100 === 99);
  return run.agent({ type: 'text', text: 'Done' }).file('long.jsonl');
}

const hash = (page) => page.evaluate(() => location.hash);
const rows = (page) => page.locator('.list [role="treeitem"]');
const tab = async (page, name) => {
  await page.locator('.tab-link', { hasText: name }).click();
  await settle(page);
};

describe('a run', () => {
  let stage;
  before(async () => { stage = await setUp(); });
  after(() => stage?.close());

  async function opened(options = {}, file = sample()) {
    const view = await stage.open(options);
    await choose(view.page, file);
    return view;
  }

  test('its head says what it is, and each figure what it counts', async () => {
    const { page, close } = await opened();
    assert.equal(await page.locator('h1').count(), 1);
    assert.match(await page.locator('h1').innerText(), /Fix the failing commit hook/);
    assert.match(await page.locator('.head .chip').first().innerText(), /Claude Code 2\.1\.39/);
    const figure = (name) => page.locator('.figure-item', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) }).first();
    assert.equal(await figure('Calls').locator('.figure-value').innerText(), '22');
    assert.equal(await figure('Errors').locator('.figure-value').innerText(), '5');
    assert.match(await figure('Tokens in').innerText(), /99 % cached/);
    assert.match(await figure('Cost').innerText(), /–\s+not in the file/);
    await figure('Errors').locator('.figure-value').click();
    assert.match(await page.locator('#meaning').innerText(), /marks as failed/);
    await page.locator('#meaning a').click();
    await settle(page);
    assert.match(await hash(page), /filter=has%3Aerror/);
    assert.equal(await rows(page).count(), 5);
    assert.match(await page.locator('.glyph').getAttribute('aria-label'), /^\S{8,}$/);
    await close();
  });

  test('rows: folded at first, all on demand, and every row knows its place', async () => {
    const { page, close } = await opened();
    assert.equal(await page.getByRole('button', { name: 'Folded' }).getAttribute('aria-pressed'), 'true');
    const folded = await rows(page).count();
    assert.ok(await page.locator('.fold[aria-expanded="false"]').count() > 0, 'something is folded');
    await page.getByRole('button', { name: 'All' }).click();
    await settle(page);
    assert.match(await hash(page), /all=1/);
    assert.ok(await rows(page).count() > folded);
    const size = await rows(page).first().getAttribute('aria-setsize');
    assert.equal(Number(size), await rows(page).count());
    assert.equal(await rows(page).last().getAttribute('aria-posinset'), size);
    await page.getByRole('button', { name: 'Folded' }).click();
    await settle(page);
    await page.locator('.fold').first().click();
    await settle(page);
    assert.equal(await page.locator('.fold').first().getAttribute('aria-expanded'), 'true');
    assert.ok(await page.locator('.step-bad .bracket-loop').count() > 0, 'the loop has its bracket');
    await close();
  });

  test('by keyboard alone: rows, inspector, raw record, next error, filter, tabs, Back', async () => {
    const { page, close } = await opened({ hash: '#/d/sample.jsonl?all=1' });
    const entries = () => page.evaluate(() => history.length);
    const before = await entries();
    await page.keyboard.press('j');
    await settle(page);
    assert.match(await hash(page), /step=1\b/);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await settle(page);
    assert.equal(await entries(), before, 'moving adds nothing to the history');
    assert.match(await page.locator('.inspector h2').innerText(), /Step 3\b/);
    await page.keyboard.press('r');
    await settle(page);
    assert.match(await hash(page), /raw=1/);
    assert.match(await page.locator('.inspector pre').innerText(), /"file_path"\s*:\s*"\/work\/app\/README\.md"/);
    await page.keyboard.press('r');
    await settle(page);
    await page.keyboard.press('n');
    await settle(page);
    assert.equal(await page.locator('.step[aria-selected="true"]').getAttribute('class'), 'step step-bad');
    const failed = await hash(page);
    await page.keyboard.press('/');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Filter the steps');
    await page.keyboard.type('tool:Edit');
    await page.waitForFunction(() => location.hash.includes('filter='));
    await settle(page);
    assert.match(await page.locator('.tool-hits').innerText(), /1 step has it/);
    assert.equal(await rows(page).count(), 1);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !location.hash.includes('filter='));
    await page.keyboard.press('Escape');
    await settle(page);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('role')), 'treeitem', 'the keyboard is back in the rows');
    await page.keyboard.press('End');
    await settle(page);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-posinset')), await rows(page).first().getAttribute('aria-setsize'));
    for (const [key, name] of [['2', 'diagram'], ['3', 'findings'], ['4', 'loops'], ['5', 'usage'], ['6', 'contract'], ['7', 'measures'], ['8', 'import']]) {
      await page.keyboard.press(key);
      await settle(page);
      assert.match(await hash(page), new RegExp(`/${name}`));
    }
    await page.goBack();
    await settle(page);
    assert.match(await hash(page), /\/measures/);
    assert.ok(failed.length > 0);
    await close();
  });

  test('a link to a step leads there once the file is loaded, into its fold', async () => {
    const { page, close } = await stage.open({ hash: '#/d/sample.jsonl?step=9' });
    await choose(page, sample());
    assert.match(await hash(page), /step=9/);
    assert.match(await page.locator('.step[aria-selected="true"] .step-no').innerText(), /^9$/);
    assert.match(await page.locator('.inspector h2').innerText(), /Step 9\b/);
    await close();
  });

  test('text of the file stays text: no markup, no script, no foreign picture, safe links only', async () => {
    const { page, close } = await opened({ hash: '#/d/sample.jsonl?step=1' });
    assert.match(await page.locator('.inspector .prose').first().innerText(), /<img src=x/);
    assert.equal(await page.locator('.inspector img').count(), 0);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    await page.getByRole('button', { name: 'All' }).click();
    await settle(page);
    const step = async (text) => {
      await rows(page).filter({ hasText: text }).first().click();
      await settle(page);
    };
    await step('Screenshot');
    const picture = page.locator('.inspector img.picture');
    assert.match(await picture.getAttribute('src'), /^data:image\/png;base64,/);
    assert.ok((await picture.getAttribute('alt')).length > 0);
    await step('git status');
    assert.equal(await page.locator('.inspector pre .bad').first().innerText(), 'modified');
    assert.ok(await page.locator('.inspector .json details').count() >= 1, 'JSON is a tree');
    await step(/^\d+\s*T\s*Edit/);
    assert.ok(await page.locator('.inspector .diff-row.good').count() > 0);
    assert.ok(await page.locator('.inspector .diff-row.bad').count() > 0);
    await page.keyboard.press('End');
    await settle(page);
    const links = await page.locator('.inspector .prose a').evaluateAll((all) => all.map((a) => a.href));
    assert.deepEqual(links, ['https://example.org/x']);
    assert.equal(await page.locator('.inspector .prose td').count(), 2);
    await close();
  });

  test('findings have a place and a remedy, and filter', async () => {
    const { page, close } = await opened({ hash: '#/d/sample.jsonl/findings' });
    const first = page.locator('.finding').first();
    assert.match(await first.innerText(), /nothing came back/);
    assert.match(await first.locator('a').innerText(), /line \d+/);
    await page.getByLabel('Filter the findings').fill('no such rule');
    assert.equal(await page.locator('.finding').count(), 0);
    await page.getByLabel('Filter the findings').fill('call-unanswered');
    await page.locator('.finding a').first().click();
    await settle(page);
    assert.match(await hash(page), /step=\d+/);
    assert.equal(await page.locator('.step[aria-selected="true"]').count(), 1);
    await close();
  });

  test('loops: the figure with its definition, the spans with why, the tries', async () => {
    const { page, close } = await opened({ hash: '#/d/sample.jsonl/loops' });
    assert.match(await page.locator('.loops-figure').innerText(), /\d+(\.\d)? %[\s\S]*waste, 4 of 22 calls[\s\S]*first round/);
    const row = page.locator('.loops table tbody tr').first();
    assert.match(await row.innerText(), /git commit/);
    await row.locator('a').first().click();
    await settle(page);
    assert.equal(await page.locator('.step[aria-selected="true"]').getAttribute('class'), 'step step-bad');
    await close();
  });

  test('the import report says what was read', async () => {
    const { page, close } = await opened({ hash: '#/d/sample.jsonl/import' });
    const text = await page.locator('.page-body').innerText();
    assert.match(text, /Claude Code/);
    assert.match(text, /100 %/);
    await close();
  });

  test('the diagram is drawn by mermaid when it is first shown, and its arrows open their steps', async () => {
    const { page, watch, close } = await opened();
    const loaded = () => watch.requests.some((url) => url.includes('/vendor/mermaid/'));
    assert.ok(!loaded(), 'mermaid is not loaded before');
    await tab(page, 'Diagram');
    assert.ok(loaded());
    const arrows = page.locator('.diagram-drawn [data-step][role="button"]');
    assert.ok(await arrows.count() > 5);
    assert.ok(await page.locator('.diagram-drawn [data-bad]').count() > 0, 'failures are marked');
    assert.match(await page.locator('.diagram-drawn svg title').first().textContent(), /Fix the failing/);
    const colour = () => page.evaluate(() => getComputedStyle(document.querySelector('.diagram-drawn text.messageText')).fill);
    const light = await colour();
    await page.evaluate(() => { document.documentElement.dataset.theme = 'dark'; });
    assert.notEqual(await colour(), light, 'the theme recolours the picture at once');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download SVG' }).click();
    const stream = await (await download).createReadStream();
    let svg = '';
    for await (const part of stream) svg += part;
    assert.match(svg, /^<svg/);
    assert.doesNotMatch(svg, /var\(/, 'colours are written out');
    await page.getByRole('button', { name: 'Read as list' }).click();
    await settle(page);
    assert.ok(await page.locator('.diagram-item').count() > 5);
    await page.getByRole('button', { name: 'Read as list' }).click();
    await settle(page);
    const arrow = arrows.first();
    const step = await arrow.getAttribute('data-step');
    await arrow.focus();
    await page.keyboard.press('Enter');
    await settle(page);
    assert.match(await hash(page), new RegExp(`step=${Number(step) + 1}\\b`));
    await close();
  });

  test('a long run: few rows in the document, every row in reach', async () => {
    const { page, close } = await opened({ hash: '#/d/long.jsonl?all=1' }, long(3000));
    assert.ok(await rows(page).count() <= 120, `${await rows(page).count()} rows`);
    await rows(page).first().focus();
    await page.keyboard.press('End');
    await settle(page);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-posinset')), '3002');
    assert.ok(await rows(page).count() <= 120);
    await page.keyboard.press('PageUp');
    await page.keyboard.press('ArrowUp');
    await settle(page);
    const place = Number(await page.evaluate(() => document.activeElement.getAttribute('aria-posinset')));
    assert.ok(place > 2900 && place < 3000, `${place}`);
    const map = page.getByRole('slider', { name: 'The run at a glance' });
    await map.focus();
    await page.keyboard.press('Home');
    await settle(page);
    assert.match(await map.getAttribute('aria-valuetext'), /^step 1 of 3002, person$/);
    await map.click({ position: { x: 10, y: 300 } });
    await settle(page);
    assert.ok(Number(await map.getAttribute('aria-valuenow')) > 500);
    await page.keyboard.press('n');
    await settle(page);
    assert.match(await page.locator('.step[aria-selected="true"]').getAttribute('class'), /step-bad/);
    await close();
  });

  test('in Chinese', async () => {
    const { page, close } = await opened({ language: 'zh-Hant' });
    assert.match(await page.locator('.tab').innerText(), /步驟[\s\S]*發現/);
    assert.match(await page.locator('.figure').first().innerText(), /檔案中沒有/);
    await close();
  });

  test('where there is little room the inspector is a dialog', async () => {
    const { page, close } = await opened({ width: 400, height: 860 });
    assert.equal(await page.locator('.minimap').isVisible(), false);
    const box = await page.locator('.step').first().boundingBox();
    assert.equal(box.height, 48);
    // Folds are lower, and every row begins where the one before it ends.
    assert.equal((await page.locator('.fold').first().boundingBox()).height, 32);
    const edges = () => page.evaluate(() => [...document.querySelectorAll('.list-space > li')].map((row) => { const { top, bottom } = row.getBoundingClientRect(); return [top, bottom]; }));
    const fit = (all) => all.slice(1).every(([top], i) => Math.abs(top - all[i][1]) < 0.51);
    assert.ok(fit(await edges()), `rows do not meet: ${JSON.stringify(await edges())}`);
    await page.locator('.fold').first().click();
    await settle(page);
    assert.ok(fit(await edges()), 'rows do not meet once a fold is open');
    await page.locator('.fold').first().click();
    await settle(page);
    await page.locator('.step').first().click();
    await settle(page);
    const dialog = page.locator('dialog.dialog-side[open]');
    assert.match(await dialog.innerText(), /Step 1/);
    await page.keyboard.press('Escape');
    await settle(page);
    assert.equal(await dialog.count(), 0);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing scrolls sideways');
    await close();
  });

  for (const theme of THEMES) {
    for (const { width, height } of SIZES) {
      test(`axe finds nothing: ${theme}, ${width} px`, async () => {
        const { page, close } = await opened({ theme, width, height, hash: '#/d/sample.jsonl?step=4' });
        await axe(page);
        for (const name of ['diagram', 'findings', 'loops', 'import']) {
          await page.evaluate((to) => { location.hash = `#/d/sample.jsonl/${to}`; }, name);
          await settle(page);
          await axe(page);
        }
        await page.evaluate(() => { location.hash = '#/d/sample.jsonl?step=1&all=1&filter=zzz'; });
        await settle(page);
        await axe(page);
        await idle(page);
        await close();
      });
    }
  }
});
