//! Puts into the page what is not ours to commit: mermaid's sequence diagram modules and two fonts, from npm,
//! with their licences, and copies `public/`. Trunk runs it before every build; 20 ms.
//! Which mermaid files: the static imports of its entry and of its sequence diagram chunk (names carry hashes,
//! so they are walked, never listed), 22 of 300. The single-file build would be 5.5 MB.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync, copyFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const MODULES = join(ROOT, 'node_modules');

/** More files than this means that the walk caught something it should not (all diagrams are about 300). */
const MOST_FILES = 40;

/** What the page serves as fonts, under names that its style sheet can rely on. Variable, Latin, upright. */
const FONTS = [
  { from: '@fontsource-variable/inter', file: 'inter-latin-wght-normal.woff2', to: 'inter.woff2' },
  { from: '@fontsource-variable/jetbrains-mono', file: 'jetbrains-mono-latin-wght-normal.woff2', to: 'jetbrains-mono.woff2' },
];

/** A failure whose message is all the user needs; no stack is shown for it. */
class Stop extends Error {}

/** Static imports and re-exports of an ES module, as written. Dynamic `import()` is left out on purpose. */
export function staticImports(source) {
  const found = new Set();
  const pattern = /(?:\bfrom|\bimport)\s*(["'])(\.{1,2}\/[^"']+)\1/g;
  for (const match of source.matchAll(pattern)) found.add(match[2]);
  return [...found].sort();
}

/** All files reachable from `entries` by static imports, the entries included, sorted. */
export function closure(entries) {
  const seen = new Set();
  const queue = [...entries];
  while (queue.length > 0) {
    const file = queue.pop();
    if (seen.has(file)) continue;
    if (!existsSync(file)) throw new Stop(`mermaid imports ${relative(MODULES, file)}, which is not installed: run npm ci`);
    seen.add(file);
    for (const name of staticImports(readFileSync(file, 'utf8'))) queue.push(resolve(dirname(file), name));
  }
  return [...seen].sort();
}

/** The files of mermaid that a sequence diagram needs. */
export function mermaidFiles(dist = join(MODULES, 'mermaid', 'dist')) {
  const chunks = join(dist, 'chunks', 'mermaid.esm.min');
  if (!existsSync(chunks)) throw new Stop('mermaid is not installed: run npm ci');
  const diagrams = readdirSync(chunks).filter((name) => /^sequenceDiagram-.*\.mjs$/.test(name));
  if (diagrams.length !== 1) throw new Stop(`expected one sequenceDiagram chunk of mermaid, found ${diagrams.length}`);
  const files = closure([join(dist, 'mermaid.esm.min.mjs'), join(chunks, diagrams[0])]);
  if (files.length > MOST_FILES) throw new Stop(`mermaid's sequence diagram needs ${files.length} files, more than ${MOST_FILES}`);
  return files;
}

/** Licence texts of mermaid and of every package it depends on, since its modules bundle parts of them. */
function mermaidLicences() {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  const seen = new Set();
  const queue = ['node_modules/mermaid'];
  while (queue.length > 0) {
    const path = queue.pop();
    if (seen.has(path) || !lock[path]) continue;
    seen.add(path);
    for (const name of Object.keys(lock[path].dependencies ?? {})) {
      const nested = `${path}/node_modules/${name}`;
      queue.push(lock[nested] ? nested : `node_modules/${name}`);
    }
  }
  const parts = [];
  for (const path of [...seen].sort()) {
    const folder = join(ROOT, path);
    if (!existsSync(folder)) continue;
    const name = readdirSync(folder).filter((file) => /^(licen[sc]e|copying)/i.test(file)).sort()[0];
    const text = name ? readFileSync(join(folder, name), 'utf8').trim() : `Licence: ${lock[path].license ?? 'not stated'}`;
    parts.push(`${path.replace(/^.*node_modules\//, '')} ${lock[path].version}\n\n${text}\n`);
  }
  return parts.join(`\n${'-'.repeat(80)}\n\n`);
}

/** Fills `out` (trunk's staging folder); answers counts and bytes for the log. */
export function copyAssets(out) {
  const dist = join(MODULES, 'mermaid', 'dist');
  const vendor = join(out, 'vendor', 'mermaid');
  const files = mermaidFiles(dist);
  let bytes = 0;
  for (const file of files) {
    const target = join(vendor, relative(dist, file));
    mkdirSync(dirname(target), { recursive: true });
    // The source maps are not served, so the line that names them would only make a request that fails.
    const text = readFileSync(file, 'utf8').replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n');
    writeFileSync(target, text);
    bytes += text.length;
  }
  copyFileSync(join(MODULES, 'mermaid', 'LICENSE'), join(vendor, 'LICENSE'));
  writeFileSync(join(vendor, 'LICENSES-OF-DEPENDENCIES.txt'), mermaidLicences());
  const version = JSON.parse(readFileSync(join(MODULES, 'mermaid', 'package.json'), 'utf8')).version;
  writeFileSync(join(vendor, 'VERSION'), `mermaid ${version}, the modules that a sequence diagram needs\n`);

  const fonts = join(out, 'fonts');
  mkdirSync(fonts, { recursive: true });
  for (const font of FONTS) {
    const folder = join(MODULES, font.from);
    const file = join(folder, 'files', font.file);
    if (!existsSync(file)) throw new Stop(`${font.from} is not installed: run npm ci`);
    copyFileSync(file, join(fonts, font.to));
    copyFileSync(join(folder, 'LICENSE'), join(fonts, `${basename(font.to, '.woff2')}.LICENSE.txt`));
    bytes += statSync(file).size;
  }

  // Whoever writes descriptors points an editor at them.
  cpSync(join(ROOT, 'schemas'), join(out, 'schemas'), { recursive: true, filter: (path) => !basename(path).startsWith('.') });
  const pub = join(ROOT, 'public');
  if (existsSync(pub)) cpSync(pub, out, { recursive: true, filter: (path) => !basename(path).startsWith('.') });
  return { modules: files.length, bytes };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const out = process.env.TRUNK_STAGING_DIR ?? process.argv[2];
  try {
    if (!out) throw new Stop('usage: node scripts/assets.mjs FOLDER (trunk sets TRUNK_STAGING_DIR)');
    const { modules, bytes } = copyAssets(out);
    console.log(`assets: ${modules} modules of mermaid and ${FONTS.length} fonts, ${Math.round(bytes / 1000)} kB`);
  } catch (error) {
    console.error(`assets: ${error instanceof Stop ? error.message : error.stack}`);
    process.exit(1);
  }
}
