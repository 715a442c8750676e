//! Finishes the built page: the build id, addresses of the worker that no cache can hold back, and the
//! Content-Security-Policy with the hash of each inline script. `finish.mjs` runs it after every build; 10 ms.
//! It fails, and with it the build, when a script could not run under the policy or would come from elsewhere.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

class Stop extends Error {
  name = 'Stop';
}

/** All files below `folder`, sorted, so that the build id does not depend on the file system. */
function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** Twelve hex digits that change when anything changes that the page runs or shows. */
export function buildId(folder) {
  const hash = createHash('sha256');
  for (const file of filesBelow(folder)) {
    const name = relative(folder, file);
    if (name === 'worker_loader.js') continue;
    hash.update(`${name}\0`).update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex').slice(0, 12);
}

/** Inline scripts of a page: their text, byte for byte as the browser hashes it. */
export function inlineScripts(html) {
  const found = [];
  for (const match of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi)) {
    if (!/\bsrc\s*=/i.test(match[1])) found.push(match[2]);
  }
  return found;
}

export function scriptHash(text) {
  // The HTML parser normalises line ends before it hands the text to anyone.
  return `'sha256-${createHash('sha256').update(text.replace(/\r\n?/g, '\n')).digest('base64')}'`;
}

/** The policy. What each part is for: ARCHITECTURE.md. `frame-ancestors` is not allowed in a `<meta>`. */
export function policy(hashes) {
  return [
    `default-src 'none'`,
    `script-src 'self' 'wasm-unsafe-eval' ${hashes.join(' ')}`.trimEnd(),
    `worker-src 'self' blob:`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data: blob:`,
    `font-src 'self'`,
    `manifest-src 'self'`,
    `connect-src 'self' https: http:`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}

/** What in `html` the policy `text` would stop, or what reaches elsewhere; empty when all is well. */
export function problems(html, text) {
  const found = [];
  for (const script of inlineScripts(html)) {
    if (!text.includes(scriptHash(script))) found.push(`an inline script is not in the policy: ${script.trim().slice(0, 60)}…`);
  }
  const tags = html.replace(/<script\b[\s\S]*?<\/script\s*>/gi, (whole) => whole.slice(0, whole.indexOf('>') + 1)).match(/<[a-z][^>]*>/gi) ?? [];
  for (const tag of tags) {
    if (/\son[a-z]+\s*=/i.test(tag)) found.push(`an event handler in an attribute cannot run under the policy: ${tag}`);
    if (/\s(?:src|href|action)\s*=\s*["']?\s*(?:[a-z]+:)?\/\//i.test(tag)) found.push(`this comes from elsewhere: ${tag}`);
    if (/\s(?:src|href|action)\s*=\s*["']?\s*javascript:/i.test(tag)) found.push(`a script in an address cannot run under the policy: ${tag}`);
    if (/^<base\b/i.test(tag)) found.push(`<base> is not allowed by the policy: ${tag}`);
  }
  return found;
}

/** Trunk gives the worker's files fixed names, so a cache may hand out those of an older build. */
function versionWorker(folder, build) {
  const loader = join(folder, 'worker_loader.js');
  if (!existsSync(loader)) throw new Stop('worker_loader.js was not built');
  for (const name of ['worker.js', 'worker_bg.wasm', 'schemas.js', 'schemas_bg.wasm']) {
    if (!existsSync(join(folder, name))) throw new Stop(`${name} was not built`);
  }
  // The build is a global, so that the worker can say which one it is: see `Ready` in src/protocol.rs.
  writeFileSync(loader, [
    `import * as worker from './worker.js?v=${build}';`,
    `import { check, initSync } from './schemas.js?v=${build}';`,
    `globalThis.skillscopeBuild = '${build}';`,
    // The engine asks in the middle of its work and cannot wait for a promise; a worker may load synchronously.
    `let loaded = false;`,
    `globalThis.skillscopeCheck = (question, schema, text) => {`,
    `  if (!loaded) {`,
    `    const request = new XMLHttpRequest();`,
    `    request.open('GET', new URL('./schemas_bg.wasm?v=${build}', import.meta.url), false);`,
    `    request.responseType = 'arraybuffer';`,
    `    request.send();`,
    `    if (request.status !== 200) throw new Error('schemas_bg.wasm: ' + request.status);`,
    `    const { memory } = initSync({ module: new WebAssembly.Module(request.response) });`,
    `    const own = globalThis.skillscopeMemory ?? (() => 0);`,
    `    globalThis.skillscopeMemory = () => own() + memory.buffer.byteLength;`,
    `    loaded = true;`,
    `  }`,
    `  return check(question, schema, text);`,
    `};`,
    `await worker.default({ module_or_path: new URL('./worker_bg.wasm?v=${build}', import.meta.url) });`,
    // Behind the first look, so that no file has to wait for it in the middle; a build that is not cut in two has none.
    `worker.fetchRest?.().catch(() => {});`,
    '',
  ].join('\n'));
}

/** Finishes the page in `folder`; answers what it wrote. */
export function finish(folder) {
  const path = join(folder, 'index.html');
  let html = readFileSync(path, 'utf8');
  const build = buildId(folder);
  versionWorker(folder, build);

  const replaceOnce = (pattern, text, what) => {
    if ((html.match(new RegExp(pattern.source, pattern.flags + 'g')) ?? []).length !== 1) throw new Stop(`index.html must hold ${what} exactly once`);
    html = html.replace(pattern, () => text);
  };
  replaceOnce(/<meta name="build" content="">/, `<meta name="build" content="${build}">`, '<meta name="build" content="">');
  const hashes = [...new Set(inlineScripts(html).map(scriptHash))];
  const text = policy(hashes);
  replaceOnce(/<!--policy:[\s\S]*?-->/, `<meta http-equiv="Content-Security-Policy" content="${text}">`, 'the comment <!--policy: …-->');
  if (html.indexOf('Content-Security-Policy') > html.search(/<script|<link|<style/i)) throw new Stop('the policy must come before what it governs');

  const found = problems(html, text);
  if (found.length > 0) throw new Stop(found.join('\n'));
  writeFileSync(path, html);
  return { build, scripts: hashes.length };
}
