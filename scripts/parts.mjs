//! Makes the programs small: wasm-opt over each, and the page's and the worker's cut in two (`split.mjs`). `finish.mjs` runs
//! it after every build. Cost: half a minute. It fails, and with it the build, when what it has to change is not as it
//! knows it.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { withoutLinking } from './sections.mjs';
import { functions, read, split, wanted } from './split.mjs';

class Stop extends Error {
  name = 'Stop';
}

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const OPT = join(ROOT, 'node_modules', '.bin', 'wasm-opt');
const FEATURES = ['bulk-memory', 'nontrapping-float-to-int', 'sign-ext', 'mutable-globals', 'reference-types', 'multivalue', 'simd'].map((name) => `--enable-${name}`);

/** The programs: how they are optimised, and what the linker left beside them where they are cut. */
export const PROGRAMS = [
  { name: 'app', file: /^app-([0-9a-f]+)_bg\.wasm$/, level: '-Oz', linked: 'wasm32-unknown-unknown/release/app.wasm' },
  { name: 'worker', file: /^worker_bg\.wasm$/, level: '-O3', linked: 'wasm32-unknown-unknown/worker/worker.wasm' },
  { name: 'schemas', file: /^schemas_bg\.wasm$/, level: '-Oz', linked: null },
];

/** Optimised, functions still named. */
export function optimise(bytes, level, more = []) {
  const folder = mkdtempSync(join(tmpdir(), 'skillscope-parts-'));
  try {
    const [from, to] = ['from.wasm', 'to.wasm'].map((name) => join(folder, name));
    writeFileSync(from, bytes);
    execFileSync(OPT, [level, ...more, ...FEATURES, from, '-o', to], { stdio: ['ignore', 'inherit', 'inherit'] });
    return readFileSync(to);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where the named, optimised programs are kept for `make first`. */
export const kept = (name) => join(targetFolder(), 'parts', `${name}.wasm`);

function targetFolder() {
  return resolve(ROOT, process.env.CARGO_TARGET_DIR ?? 'target');
}

/** The script that fetches the second part; put behind the glue, in whose module it stands. `file` is an address beside it. */
export function loader(file) {
  return `
// The second part of the program: see scripts/split.mjs.
// Asked late: the build's id is set when this module has long been read.
const restUrl = () => new URL(${file}, import.meta.url);
let restImports, restModule, restStarted = false;
/** Bytes of the program's memory, for whoever measures it. */
globalThis.skillscopeMemory = () => wasm?.memory.buffer.byteLength ?? 0;
function restStart(module) {
  if (restStarted) return;
  new WebAssembly.Instance(module, { ...restImports, first: wasm });
  restStarted = true;
  wasm.rest_is_here.value = 1;
}
/** Called by the first part in the middle of its work, when the second is not there yet. */
function restNow() {
  if (!restModule) {
    const url = restUrl();
    const request = new XMLHttpRequest();
    request.open('GET', url, false);
    // Bytes as letters where a document is: a page, unlike a worker, may not ask for a buffer and wait for it.
    const letters = typeof document === 'object';
    if (letters) request.overrideMimeType('text/plain; charset=x-user-defined');
    else request.responseType = 'arraybuffer';
    request.send();
    if (request.status !== 200 && request.status !== 0) throw new Error('the second part of the program did not arrive (' + request.status + '): ' + url);
    let bytes = request.response;
    if (letters) {
      const text = request.responseText;
      bytes = new Uint8Array(text.length);
      for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
    }
    restModule = new WebAssembly.Module(bytes);
  }
  restStart(restModule);
}
/** Fetches the second part without waiting for it anywhere; \`start\` is false before the first part runs. */
export async function fetchRest(start = true) {
  if (!restModule) {
    const url = restUrl();
    const answer = await fetch(url, { priority: 'low' });
    if (!answer.ok) throw new Error('the second part of the program did not arrive (' + answer.status + '): ' + url);
    const module = await WebAssembly.compile(await answer.arrayBuffer());
    restModule ??= module;
  }
  if (start) restStart(restModule);
}
`;
}

/** The glue, able to fetch the second part. */
export function withLoader(glue, file) {
  const call = 'const imports = __wbg_get_imports();';
  const pieces = glue.split(call);
  if (pieces.length !== 3) throw new Stop(`the glue of wasm-bindgen has changed: ${pieces.length - 1} places make imports, 2 are known`);
  return `${pieces.join('const imports = restImports = { ...__wbg_get_imports(), rest: { fetch: restNow } };')}${loader(file)}`;
}

const hash = (...texts) => texts.reduce((all, text) => all.update(text), createHash('sha256')).digest('hex').slice(0, 16);
const integrity = (bytes) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;

/** Makes the programs in `folder` what a browser gets. Answers a line for each. */
export function finish(folder) {
  const said = [];
  for (const { name, file, level, linked } of PROGRAMS) {
    const found = readdirSync(folder).filter((each) => file.test(each));
    if (found.length !== 1) throw new Stop(`expected one program ${name} in ${folder}, found ${found.length}`);
    const path = join(folder, found[0]);
    const named = optimise(withoutLinking(readFileSync(path)), level, linked ? ['-g'] : []);
    if (!linked) {
      writeFileSync(path, named);
      said.push(`${name}: whole, ${named.length} bytes`);
      continue;
    }
    mkdirSync(dirname(kept(name)), { recursive: true });
    writeFileSync(kept(name), named);
    const symbols = join(targetFolder(), linked);
    if (!existsSync(symbols)) throw new Stop(`${symbols} is not there: was the program built into another folder?`);
    const parts = split(named, wanted(join(ROOT, 'scripts', 'first', `${name}.txt`), functions(read(named)).map((each) => each.name)), readFileSync(symbols));
    const shrink = (bytes) => optimise(bytes, '-O1', ['--strip-debug', '--strip-producers', '--reorder-functions']);
    const [first, rest] = [shrink(parts.first), shrink(parts.rest)];
    said.push(`${name}: ${first.length} bytes at first, ${rest.length} later (${parts.moved} functions, ${parts.data} bytes of data)`);
    if (name === 'app') finishPage(folder, found[0], first, rest);
    else {
      writeFileSync(path, first);
      writeFileSync(join(folder, `${name}_rest.wasm`), rest);
      const glue = join(folder, `${name}.js`);
      writeFileSync(glue, withLoader(readFileSync(glue, 'utf8'), `'./${name}_rest.wasm?v=' + globalThis.skillscopeBuild`));
    }
  }
  return said;
}

/** The page's program has its hash in its name and in index.html. */
function finishPage(folder, old, first, rest) {
  const page = join(folder, 'index.html');
  let html = readFileSync(page, 'utf8');
  const before = old.match(/^app-([0-9a-f]+)_bg\.wasm$/)[1];
  const glueBefore = readFileSync(join(folder, `app-${before}.js`), 'utf8');
  const now = hash(first, rest, glueBefore);
  const glue = withLoader(glueBefore, `'./app-${now}_rest.wasm'`);
  for (const [file, bytes] of [[`app-${now}_bg.wasm`, first], [`app-${now}_rest.wasm`, rest], [`app-${now}.js`, glue]]) writeFileSync(join(folder, file), bytes);
  for (const file of [old, `app-${before}.js`]) rmSync(join(folder, file));
  html = html.replaceAll(`app-${before}`, `app-${now}`);
  for (const [file, bytes] of [[`app-${now}_bg.wasm`, first], [`app-${now}.js`, glue]]) {
    const tag = new RegExp(`(<link[^>]*href="[^"]*${file.replaceAll('.', '\\.')}"[^>]*integrity=")[^"]*(")`);
    if (!tag.test(html)) throw new Stop(`index.html does not preload ${file} with its integrity`);
    html = html.replace(tag, (_, start, end) => `${start}${integrity(bytes)}${end}`);
  }
  writeFileSync(page, html);
}
