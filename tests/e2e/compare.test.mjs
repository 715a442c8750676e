//! Two runs side by side in the page: the demo, pickers, what a same step is, the first divergence that a person finds by
//! reading, differences by keyboard alone, export; both sizes and themes with axe, both languages.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { CORPUS, SIZES, THEMES, axe, choose, corpus, ROOT, setUp, settle } from './harness.mjs';

const TRIALS = join(ROOT, 'public', 'examples', 'tau-bench-two-trials', 'ferry-desk.json');
const TAU = join(CORPUS, 'tau-bench', 'gpt-4o-airline.json');

const hash = (page) => page.evaluate(() => location.hash);
const rows = (page) => page.locator('.compare-table [role="treeitem"]');
const card = (page) => page.locator('.compare-card');
const figure = (page, name) => page.locator('.figure-item', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) }).first();

/** Keys, one after the other, each settled. */
async function keys(page, ...list) {
  for (const key of list) {
    await page.keyboard.press(key);
    await settle(page);
  }
}

describe('two runs side by side', () => {
  let stage;
  before(async () => { stage = await setUp(); });
  after(() => stage?.close());

  async function trials(options = {}) {
    const view = await stage.open(options);
    await choose(view.page, TRIALS);
    await view.page.evaluate(() => { location.hash = '#/compare/ferry-desk.json:1/ferry-desk.json:2'; });
    await settle(view.page);
    return view;
  }

  test('one press on the empty page shows where two trials part', async () => {
    const { page, close } = await stage.open();
    await page.getByRole('button', { name: 'Compare two runs' }).click();
    await page.locator('.compare-card h2').waitFor();
    await settle(page);
    assert.match(await hash(page), /^#\/compare\/ferry-desk\.json:1\/ferry-desk\.json:2$/);
    assert.equal(await page.locator('h1').count(), 1);
    // The seventh call is the first that differs: the fare of another ship goes into the sum.
    assert.match(await card(page).innerText(), /7 \| 7/);
    assert.match(await card(page).innerText(), /Other arguments\. Both call calculate; this argument differs: expression/);
    assert.match(await figure(page, 'Aligned').innerText(), /6 of 10 \| 6 of 8\s+66\.7 %/);
    assert.match(await figure(page, 'Calls').innerText(), /10 \| 8/);
    assert.match(await figure(page, 'Errors').innerText(), /1 \| 0/);
    assert.match(await figure(page, 'Cost').innerText(), /–\s+not in the file/);
    await close();
  });

  test('rows: relation in words, changed parts marked, gaps worded, equal stretches folded', async () => {
    const { page, close } = await trials();
    const first = page.locator('.compare-first');
    assert.match(await first.innerText(), /other arguments/);
    const marked = await first.locator('mark').allInnerTexts();
    assert.ok(marked.includes('97') && marked.includes('74'), `marked: ${marked}`);
    assert.ok(await page.getByText('no counterpart').count() >= 2);
    const fold = page.locator('.compare-fold');
    assert.equal(await fold.getAttribute('aria-expanded'), 'false');
    assert.match(await fold.innerText(), /equal steps/);
    const before = await rows(page).count();
    await fold.click();
    await settle(page);
    assert.equal(await page.locator('.compare-fold').getAttribute('aria-expanded'), 'true');
    assert.ok(await rows(page).count() > before);
    await close();
  });

  test('what a same step is, which rows, and the sides are in the address', async () => {
    const { page, close } = await trials();
    await page.getByRole('button', { name: 'Tool', exact: true }).click();
    await settle(page);
    assert.match(await hash(page), /same=tool/);
    assert.match(await figure(page, 'Aligned').innerText(), /8 of 10 \| 8 of 8/);
    await page.getByRole('button', { name: 'Tool and arguments' }).click();
    await page.getByRole('button', { name: 'Messages' }).click();
    await settle(page);
    assert.match(await hash(page), /show=messages/);
    assert.equal(await rows(page).filter({ hasText: 'calculate' }).count(), 0);
    await page.getByRole('button', { name: 'Swap the sides' }).click();
    await settle(page);
    assert.match(await hash(page), /ferry-desk\.json:2\/ferry-desk\.json:1/);
    assert.match(await figure(page, 'Calls').innerText(), /8 \| 10/);
    await page.getByLabel('Right run').selectOption({ index: 1 });
    await settle(page);
    assert.match(await hash(page), /ferry-desk\.json:2\/ferry-desk\.json:2/);
    assert.match(await card(page).innerText(), /do not part/);
    await close();
  });

  test('the threshold decides which texts are alike', async () => {
    const { page, close } = await trials();
    const slider = page.getByRole('slider');
    const thoughts = () => figure(page, 'Thoughts').innerText();
    const usual = await thoughts();
    await slider.focus();
    await keys(page, 'End');
    assert.match(await hash(page), /threshold=100/);
    assert.notEqual(await thoughts(), usual);
    await close();
  });

  test('by keyboard alone: from difference to difference, a row in full, back', async () => {
    const { page, close } = await trials();
    await keys(page, 'n');
    const first = await hash(page);
    assert.match(first, /row=\d+/);
    assert.match(await page.locator('[role="treeitem"][aria-selected="true"]').innerText(), /calculate/);
    assert.match(await page.locator('.compare-pair').innerText(), /\(97 - 68\)|9774/);
    assert.ok(await page.locator('.compare-pair del').count() > 0 && await page.locator('.compare-pair ins').count() > 0);
    await keys(page, 'n');
    assert.notEqual(await hash(page), first);
    await keys(page, 'p');
    assert.equal(await hash(page), first);
    await page.locator('[role="treeitem"][tabindex="0"]').focus();
    await keys(page, 'ArrowDown');
    assert.notEqual(await hash(page), first);
    await keys(page, 'f');
    assert.equal(await hash(page), first);
    await keys(page, 'z');
    assert.match(await hash(page), /all=1/);
    assert.equal(await page.locator('.compare-fold').count(), 0);
    await close();
  });

  test('the path is a table as well, and the comparison a file', async () => {
    const { page, close } = await trials();
    assert.match(await page.locator('.compare-path').getAttribute('aria-label'), /10 actions left, 8 right/);
    await page.getByText('The path as a table').click();
    const table = await page.locator('.compare-side-column details table').innerText();
    assert.match(table, /same\s+1–6\s+1–6/);
    const [json] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download JSON' }).click()]);
    assert.equal(json.suggestedFilename(), 'comparison.json');
    assert.equal(typeof JSON.parse(readFileSync(await json.path(), 'utf8')), 'object');
    const [markdown] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download Markdown' }).click()]);
    assert.match(readFileSync(await markdown.path(), 'utf8'), /calculate/);
    await settle(page);
    await close();
  });

  test('the button needs two runs; a link to a file that is not open says so', async () => {
    const { page, close } = await stage.open({ hash: '#/compare/gone.json:1/gone.json:2' });
    assert.match(await page.locator('#main').innerText(), /gone\.json is not open/);
    await axe(page);
    await choose(page, { name: 'one.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify([JSON.parse(readFileSync(TRIALS, 'utf8'))[0]])) });
    const button = page.locator('.bar').getByRole('button', { name: 'Compare two runs' });
    assert.ok(await button.isDisabled());
    await choose(page, TRIALS);
    assert.ok(await button.isEnabled());
    await button.click();
    await settle(page);
    await close();
  });

  test('a passing and a failing trial of one task part where a person says', async (t) => {
    if (!corpus('two trials of tau-bench')) return t.skip('no corpus');
    const { page, close } = await stage.open();
    await choose(page, TAU);
    const index = JSON.parse(readFileSync(TAU, 'utf8')).map((run, n) => ({ n: n + 1, task: run.task_id, trial: run.trial }));
    const at = (trial) => index.find((run) => run.task === 26 && run.trial === trial).n;
    await page.evaluate(([a, b]) => { location.hash = `#/compare/gpt-4o-airline.json:${a}/gpt-4o-airline.json:${b}`; }, [at(2), at(3)]);
    await settle(page);
    assert.match(await card(page).innerText(), /8 \| 8/);
    assert.match(await card(page).innerText(), /Other arguments\. Both call calculate/);
    // The reference of the file: the passing trial makes both changes, the failing one pays another way.
    const reference = page.locator('.compare-side-column > section', { has: page.locator('h2', { hasText: 'Against the reference' }) });
    assert.match(await reference.innerText(), /Effects\s+2 of 2\s+1 of 2/);
    assert.equal(await reference.locator('.mark.good').count(), 1);
    assert.match(await reference.innerText(), /failed: wrong arguments: update_reservation_flights/);
    await close();
  });

  test('two scaffolds on one task part where a person says', async (t) => {
    if (!corpus('two scaffolds on the marshmallow task')) return t.skip('no corpus');
    const { page, close } = await stage.open();
    const name = (scaffold) => `demo.marshmallow-1867.${scaffold}.traj`;
    const [left, right] = ['default', 'function_calling_replace_from_source'].map(name);
    await choose(page, [left, right].map((one) => join(CORPUS, 'swe-agent', one)));
    await page.evaluate((to) => { location.hash = to; }, `#/compare/${left}:1/${right}:1`);
    await settle(page);
    // Both list, open setup.py, install and create reproduce.py; then one edits lines and the other inserts the text.
    assert.match(await card(page).innerText(), /5 \| 5/);
    assert.match(await card(page).innerText(), /Other tool\. The left run calls edit, the right one insert/);
    assert.match(await card(page).innerText(), /alike 1\.00|1\.00 alike/);
    await close();
  });

  test('the reference that the file carries, usage and contract stand beside', async () => {
    const { page, close } = await trials();
    const part = (title) => page.locator('.compare-side-column > section', { has: page.locator('h2', { hasText: title }) });
    const reference = await part('Against the reference').innerText();
    assert.match(reference, /Effects\s+\d+ of \d+\s+\d+ of \d+/);
    assert.match(reference, /Exact\s+(yes|no)\s+(yes|no)/);
    // What cost the verdict is named.
    assert.match(reference, /passed: extra: opening_hours, seats_left/);
    assert.match(reference, /failed: wrong arguments: change_booking/);
    assert.match(await part('Usage').innerText(), /Steps\s+\d+\s+\d+/);
    assert.match(await part('Contract').innerText(), /Not checked\s+10\s+8/);
    // Shapes that differ have bars that differ, and a number.
    assert.equal(await page.locator('.glyph-differs').count(), 2);
    assert.match(await page.locator('.compare-topology').innerText(), /0\.\d\d alike/);
    await close();
  });

  test('a press on the path goes to its row; so does the table below', async () => {
    const { page, close } = await trials();
    const box = await page.locator('.compare-path').boundingBox();
    await page.mouse.click(box.x + box.width * 0.97, box.y + 140 / 164 * box.height);
    await settle(page);
    const far = await hash(page);
    assert.match(far, /row=\d+/);
    await page.getByText('The path as a table').click();
    await page.locator('.compare-side-column details').getByRole('button').first().click();
    await settle(page);
    assert.match(await hash(page), /row=\d+/);
    assert.notEqual(await hash(page), far);
    await close();
  });

  test('both sequence diagrams stand side by side, and their arrows open steps', async () => {
    const { page, close } = await trials();
    await page.getByRole('button', { name: 'Diagrams' }).click();
    await settle(page);
    assert.equal(await page.locator('.compare-diagram svg[aria-roledescription="sequence"]').count(), 2);
    await axe(page);
    await page.getByRole('button', { name: 'Diagrams' }).click();
    await settle(page);
    assert.ok(await rows(page).count() > 3);
    await close();
  });

  for (const size of SIZES) {
    for (const theme of THEMES) {
      test(`${size.width} px, ${theme}: axe finds nothing, nothing is wider than the window`, async () => {
        const { page, close } = await trials({ ...size, theme });
        await axe(page);
        await keys(page, 'n');
        await axe(page);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(wide <= 0, `${wide} px too wide`);
        await close();
      });
    }
  }

  test('in Chinese', async () => {
    const { page, close } = await trials({ language: 'zh-Hant' });
    assert.match(await card(page).innerText(), /首次分歧/);
    assert.match(await page.locator('.compare-first').innerText(), /參數不同/);
    await axe(page);
    await close();
  });
});
