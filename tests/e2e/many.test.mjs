//! Many runs in the page: the table with groups and success, filter and order, marks and comparing by keyboard alone,
//! similarities, consensus, a folder of runs, 5,000 runs; both sizes and themes with axe, both languages.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { CORPUS, SIZES, THEMES, axe, choose, chooseFolder, corpus, setUp, settle } from './harness.mjs';

const TAU = join(CORPUS, 'tau-bench', 'gpt-4o-airline.json');

/** A run in the shape of tau-bench; a tool with `!` fails, `reward` null says nothing. */
function run(task, trial, reward, tools) {
  const traj = [{ role: 'user', content: `please do ${task}` }];
  tools.split(' ').filter(Boolean).forEach((word, i) => {
    const name = word.replace('!', '');
    traj.push({ role: 'assistant', content: null, tool_calls: [{ id: `c${i}`, type: 'function', function: { name, arguments: JSON.stringify({ n: i }) } }] });
    traj.push({ role: 'tool', tool_call_id: `c${i}`, name, content: word.endsWith('!') ? 'Error: no such order' : 'ok' });
  });
  traj.push({ role: 'assistant', content: 'done' });
  return { task_id: task, trial, reward, info: { task: { user_id: 'u', actions: [] } }, traj };
}

const RUNS = [
  run(1, 0, 1, 'look_up change_order'), run(1, 1, 0, 'look_up change_order! change_order! change_order!'), run(1, 2, 1, 'look_up change_order'),
  run(2, 0, 0, 'hand_over'), run(2, 1, 0, 'look_up hand_over'), run(2, 2, 1, 'look_up change_order'),
  run(3, 0, null, 'look_up look_up hand_over'), run(3, 1, 0, ''), run(3, 2, 0, 'look_up change_order'),
];
const file = (runs, name = 'runs.json') => ({ name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(runs)) });

const hash = (page) => page.evaluate(() => location.hash);
const row = (page, n) => page.locator(`.many-main li[aria-posinset="${n}"]`);
const rows = (page) => page.locator('.many-main [role="treeitem"], .many-main [role="option"]');
const groups = (page) => page.locator('.many-main .many-group[role="treeitem"]');
const figure = (page, name) => page.locator('.figure-item', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`, 'i') }) }).first();

async function keys(page, ...list) {
  for (const key of list) {
    await page.keyboard.press(key);
    await settle(page);
  }
}

describe('many runs', () => {
  let stage;
  before(async () => { stage = await setUp(); });
  after(() => stage?.close());

  async function opened(options = {}, what = file(RUNS)) {
    const view = await stage.open(options);
    await choose(view.page, what);
    return view;
  }

  test('one file of many runs is a table, grouped by topology with the success of each', async () => {
    const { page, close } = await opened();
    assert.match(await page.locator('.verdict').innerText(), /3 of 8 passed, 1 does not say/);
    assert.match(await figure(page, 'Runs').innerText(), /9\s+6 topologies/);
    assert.match(await figure(page, 'Passed').innerText(), /3 37\.5 %, 14–69 at 95 %/);
    // What no file carries is unknown, and says so.
    assert.match(await figure(page, 'Cost').innerText(), /–\s+not in the file/);
    const lines = await groups(page).allInnerTexts();
    const words = lines.map((line) => line.split('\n').map((part) => part.trim()).filter(Boolean).join(' '));
    assert.deepEqual(words.map((line) => line.replace(/\s+/g, ' ')), [
      'look_up › change_order 4 3 of 4', 'look_up › change_order+ 1 0 of 1', 'hand_over 1 0 of 1', 'look_up › hand_over 1 0 of 1',
      'look_up+ › hand_over 1 –', 'no call, messages only 1 0 of 1',
    ]);
    await close();
  });

  test('by keyboard: open a group, mark two runs, compare them', async () => {
    const { page, close } = await opened();
    await page.locator('.many-main [role="treeitem"]').first().focus();
    await keys(page, 'Enter');
    assert.equal(await groups(page).first().getAttribute('aria-expanded'), 'true');
    assert.equal(await page.locator('.many-nested').count(), 4);
    await keys(page, 'ArrowDown', ' ');
    assert.equal(await page.locator('.many-main [aria-selected="true"]').count(), 1);
    const compare = page.locator('.many-tool').getByRole('button', { name: /^Compare/ });
    assert.ok(await compare.isDisabled());
    // Nearest shapes are those of the marked run.
    assert.match(await page.locator('.many-near').innerText(), /0\.\d\d/);
    await keys(page, 'ArrowDown', 'ArrowDown', 'ArrowDown', ' ');
    assert.ok(await compare.isEnabled());
    await keys(page, 'c');
    assert.match(await hash(page), /^#\/compare\/runs\.json:1\/runs\.json:9$/);
    await keys(page, 'Escape');
    await page.goBack();
    await settle(page);
    assert.equal(await page.locator('h1').innerText(), 'runs.json');
    await close();
  });

  test('filter, order and grouping are in the address; what means nothing is said', async () => {
    const { page, close } = await opened();
    await page.getByRole('button', { name: 'None', exact: true }).click();
    await settle(page);
    assert.match(await hash(page), /group=none/);
    assert.equal(await rows(page).count(), 9);
    await page.locator('.many-columns').getByRole('button', { name: 'Calls' }).click();
    await settle(page);
    assert.match(await row(page, 1).innerText(), /Task 1, trial 1/);
    await page.locator('.many-columns').getByRole('button', { name: 'Calls' }).click();
    await settle(page);
    assert.match(await hash(page), /sort=calls&turned=1/);
    assert.match(await row(page, 1).innerText(), /Task 3, trial 1/);
    await keys(page, '/');
    await page.keyboard.type('passed:no calls>0 bogus:1');
    await settle(page);
    assert.equal(await rows(page).count(), 4);
    assert.match(await page.locator('.many-status').innerText(), /4 of 9.*bogus:1/);
    assert.match(await page.locator('.verdict').innerText(), /0 of 4 passed/);
    const link = await hash(page);
    const again = await stage.open({ hash: link });
    await choose(again.page, file(RUNS));
    assert.equal(await rows(again.page).count(), 4);
    await again.close();
    await keys(page, 'Escape');
    assert.equal(await rows(page).count(), 9);
    await row(page, 1).focus();
    await keys(page, 'Enter');
    assert.match(await hash(page), /^#\/d\/runs\.json\/8/);
    await close();
  });

  test('not said is neither passed nor failed', async () => {
    const { page, close } = await opened({ hash: '#/d/runs.json?group=none&filter=passed%3Aunknown' });
    assert.equal(await rows(page).count(), 1);
    assert.match(await rows(page).first().innerText(), /Task 3, trial 0/);
    assert.match(await page.locator('.verdict').innerText(), /No file says whether it passed/);
    assert.equal(await figure(page, 'Passed').count(), 0);
    await close();
  });

  test('plots are tables too; trials per task lead to a pair of them', async () => {
    const { page, close } = await opened();
    await page.locator('.many-side summary').click();
    const table = await page.locator('.many-side details table').innerText();
    assert.match(table, /0\s+0\s+1\s+0/);
    assert.match(await page.locator('.many-trials').innerText(), /0 of 3\s+0[\s\S]*1 of 3\s+1[\s\S]*2 of 3\s+1/);
    await page.getByRole('link', { name: 'compare inside a task' }).click();
    await settle(page);
    assert.match(await hash(page), /^#\/compare\/runs\.json:1\/runs\.json:2$/);
    await close();
  });

  test('similarities and the consensus of a group', async () => {
    const { page, close } = await opened();
    await page.getByRole('link', { name: 'Similarity' }).click();
    await settle(page);
    const n = await page.locator('.many-matrix tbody tr').count();
    assert.ok(n >= 5);
    assert.equal(await page.locator('.many-matrix tbody td').count(), n * n);
    await axe(page);
    await page.getByRole('link', { name: 'Consensus' }).click();
    await settle(page);
    await page.getByRole('button', { name: 'Task', exact: true }).click();
    await settle(page);
    await page.locator('.many-choice').selectOption('=1');
    await settle(page);
    assert.match(await hash(page), /view=consensus&group=task&of=1/);
    // Two trials end behind the second action, the third tries again twice.
    assert.match(await page.locator('.many-consensus').innerText(), /All 3 begin with the same 2 actions, then part/);
    const branches = await page.locator('.many-steps').first().locator('tbody tr').allInnerTexts();
    assert.match(branches[0], /ends here\s+2\s+2 of 2/);
    assert.match(branches[1], /change_order.*1\s+0 of 1/s);
    await axe(page);
    await close();
  });

  test('the runs against the reference that the file carries; a class can be changed', async () => {
    const wanted = [{ name: 'change_order', kwargs: { n: 1 } }];
    const runs = RUNS.map((one) => ({ ...one, info: { task: { ...one.info.task, actions: wanted } } }));
    const { page, close } = await opened({}, file(runs));
    await page.getByRole('link', { name: 'Reference match' }).click();
    await settle(page);
    assert.match(await hash(page), /view=match/);
    const modes = page.locator('.many-match table').first();
    // Nobody knows that looking up changes nothing, until somebody says so. Then four runs make the change and nothing else,
    // and the file agrees but for the one of them that it calls failed.
    assert.match(await modes.innerText(), /Effects\s+0 of 9/);
    await page.getByLabel('Class: look_up').selectOption('read');
    await settle(page);
    assert.match(await modes.innerText(), /Effects\s+4 of 9\s+87\.5 %/);
    assert.match(await modes.innerText(), /Exact\s+0 of 9/);
    await axe(page);
    const verdicts = page.locator('.many-steps tbody tr');
    assert.equal(await verdicts.count(), 9);
    assert.match(await verdicts.nth(3).innerText(), /missing: change_order/);
    assert.match(await page.locator('.many-match').innerText(), /set by hand/);
    await close();
  });

  test('a folder of runs is a table of all of them; the rail leads there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'skillscope-runs-'));
    try {
      RUNS.forEach((one, i) => writeFileSync(join(folder, `run-${i}.json`), JSON.stringify([one])));
      const { page, close } = await stage.open();
      await chooseFolder(page, folder);
      assert.match(await hash(page), /^#\/runs/);
      assert.equal(await page.locator('h1').innerText(), 'All runs');
      assert.match(await figure(page, 'Runs').innerText(), /^Runs\s+9/);
      await page.getByRole('button', { name: 'None', exact: true }).click();
      await settle(page);
      assert.equal(await rows(page).count(), 9);
      // The browser gives the files of a folder in an order of its own.
      await rows(page).filter({ hasText: 'run-3.json' }).click();
      await settle(page);
      assert.match(await hash(page), /run-3\.json/);
      await page.getByRole('link', { name: /All 9 runs/ }).click();
      await settle(page);
      assert.equal(await page.locator('h1').innerText(), 'All runs');
      await axe(page);
      await close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('5,000 runs: few elements, the last row by one key, an order by another column', async () => {
    const tools = ['look_up', 'change_order', 'hand_over', 'search', 'pay'];
    const many = Array.from({ length: 5000 }, (_, i) => {
      const words = Array.from({ length: 1 + (i % 7) }, (_, k) => tools[(i * 7 + k * (1 + (i % 3))) % tools.length]);
      return run(i % 1250, Math.floor(i / 1250), i % 3 === 0 ? 1 : 0, words.join(' '));
    });
    const { page, close } = await opened({}, file(many, 'many.json'));
    assert.match(await figure(page, 'Runs').innerText(), /5,000/);
    await page.getByRole('button', { name: 'None', exact: true }).click();
    await settle(page);
    await row(page, 1).focus();
    await keys(page, 'End');
    assert.match(await page.locator('.many-main li:focus').innerText(), /Task 1249, trial 3/);
    const nodes = await page.evaluate(() => document.querySelectorAll('.many-main *').length);
    assert.ok(nodes <= 2_000, `${nodes} elements`);
    await page.locator('.many-columns').getByRole('button', { name: 'Calls' }).click();
    await settle(page);
    assert.match(await row(page, 1).innerText(), /\n\s*7\b/);
    await close();
  });

  for (const size of SIZES) {
    for (const theme of THEMES) {
      test(`${size.width} px, ${theme}: axe finds nothing, nothing is wider than the window`, async () => {
        const { page, close } = await opened({ ...size, theme });
        await groups(page).first().click();
        await settle(page);
        await axe(page);
        await page.getByRole('button', { name: 'None', exact: true }).click();
        await settle(page);
        await axe(page);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(wide <= 0, `${wide} px too wide`);
        await close();
      });
    }
  }

  test('in Chinese', async () => {
    const { page, close } = await opened({ language: 'zh-Hant' });
    assert.match(await page.locator('.verdict').innerText(), /8 次中有 3 次通過/);
    assert.match(await page.locator('.many-tool').innerText(), /分組/);
    await axe(page);
    await close();
  });

  test('the 200 airline runs of tau-bench', async (t) => {
    if (!corpus('the table of 200 runs')) return t.skip('no corpus');
    const all = JSON.parse(readFileSync(TAU, 'utf8'));
    const passed = all.filter((one) => Math.abs(one.reward - 1) < 1e-6).length;
    const calls = all.flatMap((one) => one.traj).reduce((n, message) => n + (message.tool_calls?.length ?? 0), 0);
    const { page, close } = await opened({}, TAU);
    assert.match(await page.locator('.head-title').innerText(), /tau-bench[\s\S]*50 tasks, 4 trials each/);
    assert.match(await page.locator('.verdict').innerText(), new RegExp(`^${passed} of 200 passed`));
    assert.match(await figure(page, 'Calls').innerText(), new RegExp(calls.toLocaleString('en')));
    assert.ok(await groups(page).count() > 10);
    await close();
  });
});
