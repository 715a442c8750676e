//! The longest task of the page's main thread, in its own time, while a session loads, and while the list of a run of 200,000
//! steps is filtered and scrolled. Each round has a page of its own.

import { settle } from '../../../tests/e2e/harness.mjs';
import { busiest } from '../../../tests/e2e/memory.mjs';
import { load, PATIENT } from '../stage.mjs';
import { interval, median } from '../stats.mjs';

const rows = '.list [role="treeitem"]';

/** The number of the last row that is drawn: the first may be the one that has the keyboard, which stays. */
const place = (page) => page.locator(rows).evaluateAll((drawn) => Math.max(...drawn.map((row) => Number(row.getAttribute('aria-posinset')))));

/** What is done, by name; each asserts that something came of it. */
const WORKS = {
  loading: load,
  filtering: async (page) => {
    const before = Number(await page.locator(rows).first().getAttribute('aria-setsize'));
    await page.keyboard.press('/');
    await page.keyboard.type('tool:Edit updated', { delay: 40 });
    await page.waitForFunction(() => location.hash.includes('updated'), undefined, PATIENT);
    await settle(page, PATIENT);
    const after = Number(await page.locator(rows).first().getAttribute('aria-setsize'));
    if (!(after > 0 && after < before)) throw new Error(`the filter left ${after} of ${before} rows`);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !location.hash.includes('filter='), undefined, PATIENT);
    await settle(page, PATIENT);
  },
  scrolling: async (page) => {
    const box = await page.locator('.list').first().boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const before = await place(page);
    for (let turn = 0; turn < 60; turn += 1) await page.mouse.wheel(0, 240 + 60 * turn);
    await settle(page, PATIENT);
    const after = await place(page);
    if (!(after > before)) throw new Error(`the list stayed at row ${after}`);
    for (const share of [0.5, 1, 0.25]) {
      await page.evaluate((share) => {
        const list = [...document.querySelectorAll('.list, .list *')].find((node) => node.scrollHeight > node.clientHeight + 1000);
        list.scrollTop = list.scrollHeight * share;
      }, share);
      await settle(page, PATIENT);
    }
    if (!(await place(page) > after)) throw new Error('the list did not jump');
  },
};

export async function* thread(stage, { small }) {
  const many = await stage.files.get('calls', small ? 20_000 : 200_000);
  const session = await stage.files.get('claude-code', small ? 8 : 64);
  const bound = small ? null : undefined;
  const found = { loading: [], filtering: [], scrolling: [], session: [] };
  const raw = { loading: [], filtering: [], scrolling: [], session: [] };
  const measure = async (page, what, work) => found[what].push(await stage.atReference(page, async () => {
    const tasks = await busiest(page, work);
    if (tasks.length < 5) throw new Error(`${what}: ${tasks.length} tasks were seen`);
    raw[what].push(tasks[0]);
    return tasks[0];
  }));
  for (let round = 0; round < stage.fewer(1 / 2); round += 1) {
    const { page, close } = await stage.open();
    await measure(page, 'loading', () => WORKS.loading(page, many));
    await page.evaluate((name) => { location.hash = `#/d/${encodeURIComponent(name)}/1?all=1`; }, many.name);
    await settle(page, PATIENT);
    const steps = Number(await page.locator(rows).first().getAttribute('aria-setsize'));
    if (!(steps >= many.totals.calls)) throw new Error(`the list has ${steps} rows`);
    await measure(page, 'filtering', () => WORKS.filtering(page));
    await measure(page, 'scrolling', () => WORKS.scrolling(page));
    await close();
    const other = await stage.open();
    await measure(other.page, 'session', () => WORKS.loading(other.page, session));
    await other.close();
  }
  const told = { loading: `loading ${many.label}`, filtering: `filtering ${many.label}`, scrolling: `scrolling ${many.label}`, session: `loading ${session.label}` };
  for (const [what, values] of Object.entries(found)) yield { case: 'thread', input: told[what], bound, ...interval(values), ours_ms: median(raw[what]) };
}
