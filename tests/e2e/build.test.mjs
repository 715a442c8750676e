//! The build's own scripts: which files of mermaid are taken, what the policy allows and refuses, what the server
//! serves and refuses, and that the session generator tells the truth about what it wrote.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

import { DIST, ROOT } from './harness.mjs';
import { mermaidFiles, staticImports } from '../../scripts/assets.mjs';
import { session } from '../../scripts/generate.mjs';
import { inlineScripts, policy, problems, scriptHash } from '../../scripts/policy.mjs';
import { serve } from '../../scripts/serve.mjs';

const folder = mkdtempSync(join(tmpdir(), 'skillscope-build-'));
after(() => rmSync(folder, { recursive: true, force: true }));

describe('assets', () => {
  test('only static imports are followed', () => {
    const source = `import{a}from"./a.mjs";import "./b.mjs";export*from'../c.mjs';const d=()=>import("./d.mjs");import e from "e"`;
    assert.deepEqual(staticImports(source), ['../c.mjs', './a.mjs', './b.mjs']);
  });

  test('mermaid comes as the modules of a sequence diagram, in the page as well', () => {
    const files = mermaidFiles();
    assert.ok(files.length >= 10 && files.length <= 40, `${files.length} files`);
    assert.ok(!files.some((file) => /mermaid\.min\.js$|katex|cytoscape/i.test(file)));
    for (const name of ['mermaid.esm.min.mjs', 'LICENSE', 'LICENSES-OF-DEPENDENCIES.txt']) assert.ok(existsSync(join(DIST, 'vendor', 'mermaid', name)), name);
    for (const name of ['inter.woff2', 'inter.LICENSE.txt', 'jetbrains-mono.woff2', 'jetbrains-mono.LICENSE.txt']) assert.ok(existsSync(join(DIST, 'fonts', name)), name);
  });

  test('the lock file records no place of download', () => {
    assert.ok(!/"resolved"/.test(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  });
});

describe('policy', () => {
  const page = (body) => `<!doctype html><title>x</title>${body}`;
  const allowed = policy([scriptHash('one()')]);

  test('a script with a hash passes, one byte more does not', () => {
    assert.deepEqual(problems(page('<script>one()</script>'), allowed), []);
    assert.equal(problems(page('<script>one() </script>'), allowed).length, 1);
  });

  test('the hash is the one that browsers compute', () => {
    // The example of the CSP specification: sha256 of alert('Hello, world.');
    assert.equal(scriptHash("alert('Hello, world.');"), "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='");
  });

  for (const [what, tag] of [
    ['a handler in an attribute', '<button onclick="x()">x</button>'],
    ['a script from elsewhere', '<script src="https://example.org/x.js"></script>'],
    ['a style sheet from elsewhere', '<link rel="stylesheet" href="//example.org/x.css">'],
    ['a script in an address', '<a href="javascript:x()">x</a>'],
    ['a base address', '<base href="/x/">'],
  ]) test(`refuses ${what}`, () => assert.equal(problems(page(tag), allowed).length, 1));

  test('the built page passes, and all its inline scripts were seen', () => {
    const html = readFileSync(join(DIST, 'index.html'), 'utf8');
    const text = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1];
    assert.ok(text);
    assert.deepEqual(problems(html, text), []);
    assert.equal(inlineScripts(html).length, 3);
    assert.ok(!/unsafe-eval/.test(text.replaceAll('wasm-unsafe-eval', '')));
    assert.ok(!/script-src[^;]*unsafe-inline/.test(text));
  });
});

describe('serve', () => {
  test('serves below a path, with right types, and nothing outside its folder', async () => {
    writeFileSync(join(folder, 'index.html'), '<p>hello');
    writeFileSync(join(folder, 'a.wasm'), 'x');
    writeFileSync(join(folder, '.secret'), 'x');
    const { url, port, close } = await serve({ dir: folder, base: '/deep/er/' });
    const get = (path) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' });
    const home = await fetch(url);
    assert.equal(home.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(home.headers.get('cache-control'), 'no-store');
    assert.equal(await home.text(), '<p>hello');
    assert.equal((await get('/deep/er')).headers.get('location'), '/deep/er/');
    assert.equal((await get('/deep/er/a.wasm')).headers.get('content-type'), 'application/wasm');
    for (const path of ['/', '/a.wasm', '/deep/er/.secret', '/deep/er/nothing', '/deep/er/%2e%2e/%2e%2e/etc/passwd', '/deep/er/..%2f..%2fetc%2fpasswd', '/deep/er/%00', '/deep/er/%ff']) {
      assert.equal((await get(path)).status, 404, path);
    }
    assert.equal((await fetch(url, { method: 'POST' })).status, 405);
    await close();
  });

  const run = (port) => spawnSync(process.execPath, [join(ROOT, 'scripts', 'serve.mjs'), folder], { env: { ...process.env, PORT: String(port) }, encoding: 'utf8', timeout: 20_000 });

  test('a port in use ends in one sentence and exit 1', async () => {
    writeFileSync(join(folder, 'index.html'), '<p>hello');
    const child = spawn(process.execPath, [join(ROOT, 'scripts', 'serve.mjs'), folder], { env: { ...process.env, PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
    const port = /:(\d+)\//.exec(line)[1];
    const second = run(port);
    assert.equal(second.status, 1);
    assert.match(second.stderr, new RegExp(`^Port ${port} is in use: [^\\n]+\\n$`));
    child.kill();
  });

  test('a PORT that is no number ends in one sentence and exit 1', () => {
    const answer = run('eighty');
    assert.equal(answer.status, 1);
    assert.match(answer.stderr, /^PORT is “eighty”[^\n]+\n$/);
  });
});

describe('generate', () => {
  /** All lines of a session, and its totals. */
  function collect(options) {
    const lines = [];
    const iterator = session(options);
    for (;;) {
      const { value, done } = iterator.next();
      if (done) return { lines, totals: value };
      lines.push(value);
    }
  }

  test('is the same for the same seed, another for another', () => {
    const first = collect({ bytes: 200_000, seed: 5 });
    assert.equal(first.lines.join(''), collect({ bytes: 200_000, seed: 5 }).lines.join(''));
    assert.notEqual(first.lines.join(''), collect({ bytes: 200_000, seed: 6 }).lines.join(''));
  });

  test('its totals are those that a plain reader counts', () => {
    const { lines, totals } = collect({ bytes: 3_000_000, seed: 2 });
    const records = lines.map((line) => JSON.parse(line));
    const uuids = records.map((record) => record.uuid).filter(Boolean);
    assert.equal(new Set(uuids).size, uuids.length, 'uuids are unique');
    const times = records.map((record) => record.timestamp).filter(Boolean);
    assert.deepEqual(times, [...times].sort(), 'time runs forward');
    const share = records.filter((record) => record.type === 'progress').length / records.length;
    assert.ok(share > 0.6 && share < 0.8, `progress is ${share} of the lines`);
    const usage = new Map();
    const calls = new Set();
    let results = 0;
    let errors = 0;
    for (const { type, message } of records) {
      if (type === 'assistant') usage.set(message.id, message.usage);
      for (const block of Array.isArray(message?.content) ? message.content : []) {
        if (block.type === 'tool_use') calls.add(block.id);
        if (block.type !== 'tool_result') continue;
        assert.ok(calls.has(block.tool_use_id), 'a result follows its call');
        results += 1;
        if (block.is_error) errors += 1;
      }
    }
    const sum = (read) => [...usage.values()].reduce((total, item) => total + read(item), 0);
    assert.ok(records.filter((record) => record.type === 'assistant').length > usage.size * 1.5, 'messages are split over lines');
    assert.deepEqual(
      { lines: lines.length, bytes: Buffer.byteLength(lines.join('')), messages: usage.size, calls: calls.size, results, errors,
        input_tokens: sum((item) => item.input_tokens + item.cache_creation_input_tokens + item.cache_read_input_tokens),
        cached_tokens: sum((item) => item.cache_read_input_tokens), output_tokens: sum((item) => item.output_tokens) },
      { lines: totals.lines, bytes: totals.bytes, messages: totals.messages, calls: totals.calls, results: totals.results, errors: totals.errors,
        input_tokens: totals.input_tokens, cached_tokens: totals.cached_tokens, output_tokens: totals.output_tokens },
    );
  });
});
