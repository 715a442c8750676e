//! Makes `share-template.html`: the page that `Share` and `skillscope page` put a run into. It holds the whole program,
//! compressed, and starts without a server. Run after every build; 10 s for a release, 2 s for a debug build.
//!
//! What is in it is read from the built folder: every script, style sheet and wasm that is served, so that a program
//! in more parts needs no change here. Left out: examples, schemas to download, fonts (the system's are used).
//! Release builds are compressed by `xz` where it is installed; without it, and in debug builds, by gzip.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

import { buildSync } from 'esbuild';

import { inlineScripts, scriptHash } from './policy.mjs';

const HERE = join(dirname(fileURLToPath(import.meta.url)), 'share');
export const TEMPLATE = 'share-template.html';

/** What the program puts in the places of the template; the same words stand in `src/share/container.rs`. */
export const PLACES = ['lang', 'title', 'report', 'data'].map((what) => `@@skillscope:${what}@@`);

class Stop extends Error {}

const isProgram = (path) =>
  /\.(js|mjs|wasm|css)$/.test(path) && !/^(examples|schemas|fonts)\//.test(path) && path !== 'service-worker.js';
const isLicence = (path) => /^vendor\/.*(LICENSE|LICENSES-OF-DEPENDENCIES)[^/]*$/.test(path);

/** Files of the program below `folder`, as paths with slashes; those that are alike stand together, which packs better. */
export function programFiles(folder) {
  const all = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)).split(sep).join('/'));
  const kind = (path) => path.replace(/^.*\./, '');
  return all.filter((path) => isProgram(path) || isLicence(path)).sort((a, b) => (kind(a) + a < kind(b) + b ? -1 : 1));
}

/**
 * A module for a page without addresses: static imports name files of the page, `import()` and `import.meta.url` go
 * through `boot.js`. `missing` collects imports of files that are not there; mermaid's other diagrams are none of them,
 * since they are only imported when asked for.
 */
export function portable(source, path, files, missing = []) {
  const resolve = (name) => posix.normalize(posix.join(posix.dirname(path), name.replace(/[?#].*$/, '')));
  return source
    .replace(/(\bfrom\s*|\bimport\s*)(["'])(\.{1,2}\/[^"'\n]+)\2/g, (whole, word, quote, name) => {
      const file = resolve(name);
      if (!files.includes(file)) missing.push(`${path} imports ${file}`);
      return `${word}${quote}skillscope-file:${file}${quote}`;
    })
    .replace(/(?<![\w$.])import\s*\(\s*(["'])(\.{1,2}\/[^"'\n]+)\1/g, (whole, quote, name) => `globalThis.skillscopeImport(${quote}${resolve(name)}${quote}`)
    .replace(/(?<![\w$.])import\s*\(/g, 'globalThis.skillscopeImport(')
    .replace(/\bimport\.meta\.url\b/g, () => `globalThis.skillscopeUrl(${JSON.stringify(path)})`);
}

/**
 * A worker with all that it imports in one script, which may stand in the body of an asynchronous function: it awaits
 * at its top, which no format of a script allows but a module.
 */
export function oneScript(folder, path) {
  const made = buildSync({
    entryPoints: [join(folder, path)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
    define: { 'import.meta.url': JSON.stringify('skillscope-url') },
  });
  const text = made.outputFiles[0].text.replaceAll('"skillscope-url"', `globalThis.skillscopeUrl(${JSON.stringify(path)})`);
  if (/^\s*(import|export)\b\s*[{*"']/m.test(text)) throw new Stop(`${path} still imports or exports something as one script`);
  return text;
}

/** The fonts are not in the page, and asking for them would be a request. */
export const withoutFonts = (css) => css.replace(/@font-face\s*\{[^}]*\}/g, '');

/** What a text in a page cannot hold as it is: nothing, the two line breaks, and what opens a tag. */
const UNWRITABLE = [0, 10, 13, 60];

/**
 * Seven bits a letter, one byte each: what cannot stand in a page goes, with the seven bits behind it, into one letter of two
 * bytes from U+0100 on. An eighth is lost, where base64 loses a third. In lines, which say nothing.
 */
export function letters(bytes) {
  const out = Buffer.alloc(bytes.length * 2 + 8);
  let at = 0, held = 0, bits = 0, line = 0;
  let escaped = -1;
  const put = (value) => {
    if (escaped >= 0) {
      at += out.write(String.fromCharCode(0x100 + (escaped << 7) + value), at);
      escaped = -1;
    } else if ((escaped = UNWRITABLE.indexOf(value)) < 0) out[at++] = value;
    line += 1;
    if (line >= 20_000 && escaped < 0) {
      out[at++] = 10;
      line = 0;
    }
  };
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 7) {
      bits -= 7;
      put((held >>> bits) & 127);
      held &= (1 << bits) - 1;
    }
  }
  if (bits > 0) put((held << (7 - bits)) & 127);
  if (escaped >= 0) put(0);
  return out.toString('utf8', 0, at);
}

function compressed(bytes, release) {
  if (release) {
    const xz = spawnSync('xz', ['--format=lzma', '--lzma1=preset=9e,dict=16MiB,lc=3,pb=0', '--stdout'], { input: bytes, maxBuffer: 1 << 28 });
    if (xz.status === 0) return { codec: 'lzma', packed: xz.stdout };
    console.warn('share: xz is not installed, so analysis pages are a third larger (on Debian: apt-get install xz-utils)');
  }
  return { codec: 'gzip', packed: gzipSync(bytes, { level: release ? 9 : 3 }) };
}

/** The template of the page that was built in `folder`. */
export function template(folder, { release = true } = {}) {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const files = programFiles(folder);
  const missing = [];
  const contents = new Map();
  for (const path of files) {
    const bytes = readFileSync(join(folder, path));
    if (/\.m?js$/.test(path)) contents.set(path, Buffer.from(portable(bytes.toString('utf8'), path, files, missing)));
    else if (path.endsWith('.css')) contents.set(path, Buffer.from(withoutFonts(bytes.toString('utf8'))));
    else contents.set(path, bytes);
  }
  // Workers are classic scripts there (boot.js says why), each with all that it imports.
  const workers = files.filter((path) => /^[^/]*_loader\.js$/.test(path));
  if (workers.length === 0) throw new Stop('no worker_loader.js was built');
  for (const path of workers) contents.set(path, Buffer.from(oneScript(folder, path)));
  // The page's own starter runs as it is, as one module more.
  const starter = [...html.matchAll(/<script\b[^>]*type="module"[^>]*>([\s\S]*?)<\/script\s*>/gi)].map((match) => match[1]);
  if (starter.length !== 1) throw new Stop(`index.html has ${starter.length} module scripts, not one`);
  const entry = 'start.mjs';
  files.push(entry);
  contents.set(entry, Buffer.from(portable(starter[0], entry, files, missing)));
  if (missing.length > 0) throw new Stop(missing.join('\n'));
  const styles = [...html.matchAll(/<link\b[^>]*rel="stylesheet"[^>]*>/gi)].map((match) => match[0].match(/href="(?:\.\/)?([^"?]+)/)[1]);
  const lost = styles.filter((path) => !contents.has(path));
  if (lost.length > 0 || styles.length === 0) throw new Stop(`style sheets of index.html that are not there: ${lost.join(', ')}`);

  const head = JSON.stringify({ entry, styles, workers, files: files.map((path) => [path, contents.get(path).length]) });
  const whole = Buffer.concat([Buffer.from(`${head}\n`), ...files.map((path) => contents.get(path))]);
  const { codec, packed } = compressed(whole, release);

  const boot = readFileSync(join(HERE, 'boot.js'), 'utf8').replace(/<\/(script)/gi, '<\\/$1');
  const theme = inlineScripts(html).find((script) => script.includes('skillscope.theme'));
  if (!theme) throw new Stop('index.html has no script that sets the theme');
  const build = html.match(/<meta name="build" content="([^"]*)">/)?.[1] ?? '';
  const icon = readFileSync(join(folder, 'favicon.svg')).toString('base64');
  // No address in it but those of blobs: nothing can be requested, whatever is in the run.
  const policy = [
    `default-src 'none'`,
    `script-src 'wasm-unsafe-eval' blob: ${[theme, boot].map(scriptHash).join(' ')}`,
    `worker-src blob:`,
    `style-src 'unsafe-inline'`,
    `img-src data: blob:`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  const out = [
    `<!doctype html>`,
    `<html lang="${PLACES[0]}" data-skillscope-page="1">`,
    `<head>`,
    `<meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<meta name="build" content="${build}">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<meta name="color-scheme" content="light dark">`,
    `<meta name="referrer" content="no-referrer">`,
    `<meta name="robots" content="noindex, noai">`,
    `<title>${PLACES[1]}</title>`,
    `<link rel="icon" href="data:image/svg+xml;base64,${icon}">`,
    `<style>`,
    readFileSync(join(HERE, 'report.css'), 'utf8').trim(),
    `</style>`,
    `<script>${theme}</script>`,
    `</head>`,
    `<body>`,
    PLACES[2],
    PLACES[3],
    `<script type="application/x-skillscope-program" id="skillscope-program" data-codec="${codec}" data-packed="${packed.length}" data-size="${whole.length}">`,
    letters(packed),
    `</script>`,
    `<script>${boot}</script>`,
    `</body>`,
    `</html>`,
    ``,
  ].join('\n');
  for (const place of PLACES) if (out.split(place).length !== 2) throw new Stop(`the template must hold ${place} exactly once`);
  return { text: out, codec, files: files.length, packed: packed.length };
}

/** Writes the template into the folder. */
export function writeTemplate(folder, options) {
  const made = template(folder, options);
  writeFileSync(join(folder, TEMPLATE), made.text);
  return made;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = process.argv[2];
  try {
    if (!folder || !existsSync(join(folder, 'index.html'))) throw new Stop('usage: node scripts/share.mjs FOLDER-OF-THE-BUILT-PAGE');
    const { text, codec, files } = writeTemplate(folder);
    console.log(`share: ${files} files, ${codec}, ${Math.round(text.length / 1000)} kB`);
  } catch (error) {
    console.error(`share: ${error instanceof Stop ? error.message : error.stack}`);
    process.exit(1);
  }
}
