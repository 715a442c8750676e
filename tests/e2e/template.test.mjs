//! The template of analysis pages: modules that need no address, letters that mean nothing in HTML, a policy that names
//! no host; and what must fail the build.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { inlineScripts } from '../../scripts/policy.mjs';
import { PLACES, TEMPLATE, letters, oneScript, portable, programFiles, template, withoutFonts } from '../../scripts/share.mjs';
import { DIST, ROOT } from './harness.mjs';

describe('modules without addresses', () => {
  const files = ['a.js', 'parts/b.mjs', 'parts/c.mjs'];
  const check = (from, path, to) => assert.equal(portable(from, path, files), to);

  test('imports name files of the page', () => {
    check(`import x from './parts/b.mjs?v=1';`, 'a.js', `import x from 'skillscope-file:parts/b.mjs';`);
    check(`import"./c.mjs";export*from"../a.js"`, 'parts/b.mjs', `import"skillscope-file:parts/c.mjs";export*from"skillscope-file:a.js"`);
    check(`const m = await import('./b.mjs');`, 'parts/c.mjs', `const m = await globalThis.skillscopeImport('parts/b.mjs');`);
    check(`import(new URL('x', document.baseURI))`, 'a.js', `globalThis.skillscopeImport(new URL('x', document.baseURI))`);
    check(`new URL('a_bg.wasm', import.meta.url)`, 'a.js', `new URL('a_bg.wasm', globalThis.skillscopeUrl("a.js"))`);
    // What only looks like it.
    check(`this.import(x); const reimport = 1; from('./x')`, 'a.js', `this.import(x); const reimport = 1; from('./x')`);
  });

  test('a file that is not there is told', () => {
    const missing = [];
    portable(`import './nowhere.js'; import('./later.js')`, 'a.js', files, missing);
    assert.deepEqual(missing, ['a.js imports nowhere.js']);
  });

  test('fonts are left to the system', () => {
    assert.equal(withoutFonts('a { b: c } @font-face { font-family: X; src: url("x.woff2") } d {}'), 'a { b: c }  d {}');
  });

  test('letters', () => {
    const unletter = Function(`return ${readFileSync(join(ROOT, 'scripts/share/boot.js'), 'utf8').match(/function unletter[\s\S]*?\n {2}\}\n/)[0]}`)();
    const through = (bytes) => Buffer.from(unletter(letters(Buffer.from(bytes)), bytes.length));
    assert.equal(letters(Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])), '\x7f'.repeat(8));
    // Seven bits of nothing and a line break; fifteen; nothing and nothing.
    assert.equal(letters(Buffer.from([0, 0x28, 0x78, 0])), '\u010a\x0f\u0100');
    let state = 5;
    const random = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 24;
    for (const length of [0, 1, 2, 6, 7, 8, 13, 100, 100_000]) {
      for (const next of [random, () => 0, () => 255, () => 13, () => 0x3c]) {
        const bytes = Array.from({ length }, next);
        assert.deepEqual(through(bytes), Buffer.from(bytes), `${length}`);
      }
    }
    const all = letters(Buffer.from(Array.from({ length: 100_000 }, random)));
    assert.doesNotMatch(all, /[<\r\0]/);
    assert.ok(Buffer.byteLength(all) < 100_000 * 1.15, `${Buffer.byteLength(all)}`);
    assert.ok(all.split('\n').every((line) => line.length <= 20_001));
  });
});

describe('the template of the built page', () => {
  const text = readFileSync(join(DIST, TEMPLATE), 'utf8');

  test('each place once, no address, each script by its hash', () => {
    for (const place of PLACES) assert.equal(text.split(place).length, 2, place);
    const policy = text.match(/<meta http-equiv="Content-Security-Policy" content="([^"]*)"/)[1];
    assert.match(policy, /^default-src 'none'; /);
    assert.doesNotMatch(policy, /'self'|http|connect-src|unsafe-eval'(?<!wasm-unsafe-eval')|\*/);
    const run = inlineScripts(text).filter((script) => script.includes('skillscopeBoot') || script.includes('skillscope.theme'));
    assert.equal(run.length, 2);
    for (const script of run) assert.ok(policy.includes(`'sha256-${createHash('sha256').update(script).digest('base64')}'`));
    assert.doesNotMatch(text, /(?:src|href)="(?!data:)/);
  });

  test('all that the site serves as program is in it, and licences with it', () => {
    const files = programFiles(DIST);
    for (const end of ['worker_loader.js', 'worker_bg.wasm', 'schemas_bg.wasm', 'vendor/mermaid/mermaid.esm.min.mjs', 'vendor/mermaid/LICENSE']) assert.ok(files.includes(end), end);
    assert.ok(!files.some((path) => /^(fonts|examples|schemas)\//.test(path)));
    assert.doesNotMatch(oneScript(DIST, 'worker_loader.js'), /import\.meta|^export /m);
  });

  test('a part that is missing fails the build', () => {
    const folder = mkdtempSync(join(tmpdir(), 'skillscope-template-'));
    try {
      cpSync(DIST, folder, { recursive: true });
      const html = readFileSync(join(folder, 'index.html'), 'utf8');
      writeFileSync(join(folder, 'index.html'), html.replace(/href="(\.\/)?(tokens-[^"]+)"/, 'href="gone.css"'));
      assert.throws(() => template(folder, { release: false }), /gone\.css/);
      writeFileSync(join(folder, 'index.html'), html.replace('type="module"', 'type="text/javascript"'));
      assert.throws(() => template(folder, { release: false }), /module scripts/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
