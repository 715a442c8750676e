// Writes public/examples/: runs and skills that open with one button on the empty page, and that the tests read.
//
// Every project, name and figure in them is invented. The files are built from the stories in scripts/examples/, with
// no clock and no randomness: the same script writes the same bytes. What index.json says under "expect" is counted
// from the stories while they are told, not read from the files, so that tests/examples.rs compares two ways of
// counting. Run: node scripts/examples.mjs (add --check to only say whether the files are in step).

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { atif } from './examples/atif.mjs';
import { claudeCode } from './examples/claude-code.mjs';
import { codex } from './examples/codex.mjs';
import { conversations } from './examples/conversations.mjs';
import { miniSweAgent } from './examples/mini-swe-agent.mjs';
import { skillsOfTheLighthouse } from './examples/skills.mjs';
import { twoTrials } from './examples/two-trials.mjs';

const OUT = join(dirname(fileURLToPath(import.meta.url)), '..', 'public', 'examples');

/** The order of the page's menu; the first one is what "Load a run" opens. */
const examples = [claudeCode(), codex(), atif(), miniSweAgent(), conversations(), twoTrials(), skillsOfTheLighthouse()];

const files = new Map();
for (const { id, contents } of examples) {
  for (const [name, text] of Object.entries(contents)) files.set(`${id}/${name}`, text);
}
const index = examples.map(({ id, title, note, contents, expect }) => ({
  id,
  title,
  note,
  files: Object.keys(contents).map((name) => `${id}/${name}`),
  expect,
}));
files.set('index.json', `${JSON.stringify(index, null, 2)}\n`);

if (process.argv.includes('--check')) {
  const stale = [...files].filter(([name, text]) => {
    try {
      return readFileSync(join(OUT, name), 'utf8') !== text;
    } catch {
      return true;
    }
  });
  if (stale.length > 0) {
    console.error(`Not in step with scripts/examples.mjs: ${stale.map(([name]) => name).join(', ')}. Run it again.`);
    process.exit(1);
  }
} else {
  rmSync(OUT, { recursive: true, force: true });
  let bytes = 0;
  for (const [name, text] of files) {
    const path = join(OUT, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    bytes += Buffer.byteLength(text);
  }
  console.log(`${files.size} files, ${Math.round(bytes / 1024)} KB in public/examples/`);
}
