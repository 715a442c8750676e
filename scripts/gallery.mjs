//! Puts runs and skills beside the built page, so that it opens with them: `make dist GALLERY=folder`.
//! Every file and every folder directly in it is one entry, named by its file name; `titles.json` in it may give better
//! ones (`{"run.jsonl": "The night build"}`). Writes `gallery/index.json` and tells the page of it. 10 ms.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

const TITLES = 'titles.json';

function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).filter((name) => !name.startsWith('.')).sort().flatMap((name) => filesBelow(join(path, name)));
}

/** Fills the gallery of the page in `page` from `folder`; answers its entries. */
export function gallery(folder, page) {
  const target = join(page, 'gallery');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  const titles = existsSync(join(folder, TITLES)) ? JSON.parse(readFileSync(join(folder, TITLES), 'utf8')) : {};
  const entries = [];
  for (const name of readdirSync(folder).sort()) {
    if (name.startsWith('.') || name === TITLES) continue;
    cpSync(join(folder, name), join(target, name), { recursive: true, filter: (path) => !/(^|[\\/])\.[^\\/]*$/.test(relative(folder, path)) });
    const files = filesBelow(join(target, name)).map((path) => relative(target, path).split(sep).join('/'));
    if (files.length > 0) entries.push({ id: String(titles[name] ?? name), files });
  }
  if (entries.length === 0) throw new Error(`There is nothing in ${folder} to show.`);
  writeFileSync(join(target, 'index.json'), `${JSON.stringify(entries, null, 1)}\n`);
  const index = join(page, 'index.html');
  const html = readFileSync(index, 'utf8');
  const told = html.replace(/<meta name="gallery" content="[^"]*">/, '<meta name="gallery" content="gallery/">');
  if (!told.includes('content="gallery/"')) throw new Error('index.html has no <meta name="gallery">.');
  writeFileSync(index, told);
  return entries;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder, page = 'dist'] = process.argv.slice(2);
  try {
    if (!folder || !existsSync(folder)) throw new Error('usage: node scripts/gallery.mjs FOLDER [FOLDER-OF-THE-BUILT-PAGE]');
    console.log(`The page opens with ${gallery(folder, page).length} entries.`);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
