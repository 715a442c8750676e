//! The pictures of the README, in both themes, from the built page and its own example: docs/images/NAME-THEME.png.
//! `make screenshots`; about 20 s. A picture is only taken when the page is idle and complains about nothing, so
//! a broken screen ends the script instead of becoming a picture. Same page, same Chromium, same fonts: same bytes.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { idle, ROOT, settle, setUp, THEMES } from '../tests/e2e/harness.mjs';

const OUT = join(ROOT, 'docs', 'images');
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 400, height: 860 };

/** Opens the page's own run by the button that users press. */
async function loadRun(page) {
  await page.getByRole('button', { name: /^load a run/i }).click();
  await settle(page);
}

/** Goes to a tab of the run by its name. */
async function tab(page, name) {
  await page.getByRole('tab', { name }).or(page.getByRole('link', { name: new RegExp(`^${name}`) })).first().click();
  await settle(page);
}

/** Name of the picture, size of the window, and how to get there from the empty page. */
const SHOTS = [
  { name: 'home', size: WIDE, go: async () => {} },
  { name: 'run', size: WIDE, go: loadRun },
  { name: 'run-narrow', size: NARROW, go: loadRun },
  { name: 'diagram', size: WIDE, go: async (page) => { await loadRun(page); await tab(page, 'Diagram'); } },
  { name: 'findings', size: WIDE, go: async (page) => { await loadRun(page); await tab(page, 'Findings'); } },
  { name: 'loops', size: WIDE, go: async (page) => { await loadRun(page); await tab(page, 'Loops'); } },
];

const only = process.argv.slice(2);
const unknown = only.filter((name) => !SHOTS.some((shot) => shot.name === name));
if (unknown.length > 0) {
  console.error(`There is no picture named ${unknown.join(', ')}; there are ${SHOTS.map((shot) => shot.name).join(', ')}.`);
  process.exit(2);
}

const stage = await setUp({ base: '/' });
let current = '';
try {
  mkdirSync(OUT, { recursive: true });
  for (const { name, size, go } of SHOTS.filter((shot) => only.length === 0 || only.includes(shot.name))) {
    for (const theme of THEMES) {
      current = `${name}, ${theme}`;
      const { page, close } = await stage.open({ ...size, theme });
      await go(page);
      await page.evaluate(() => document.fonts.ready);
      await page.mouse.move(0, 0);
      await idle(page);
      const path = join(OUT, `${name}-${theme}.png`);
      await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
      await close();
      console.log(`docs/images/${name}-${theme}.png`);
    }
  }
} catch (error) {
  console.error(`screenshots: ${current}: ${error.message}`);
  process.exitCode = 1;
} finally {
  await stage.close();
}
