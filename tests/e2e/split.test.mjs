//! Programs in two parts: cutting changes no answer, data goes only where nobody in the first part can reach it, and the
//! page and the worker get their second parts before anybody waits for them, or at the moment they are needed.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import binaryen from 'binaryen';

import { cut } from '../../scripts/relocations.mjs';
import { dataSegments, withData } from '../../scripts/sections.mjs';
import { FEATURES, functions, split, wanted } from '../../scripts/split.mjs';
import { ROOT, settle, setUp } from './harness.mjs';

/**
 * A program of five functions: `one` calls `two`, `two` calls `three` directly and `four` through the table; a second table
 * keeps an object of JavaScript's, as wasm-bindgen does.
 */
function program() {
  const module = binaryen.parseText(`(module
    (import "env" "note" (func $note (param i32)))
    (type $plain (func (param i32) (result i32)))
    (table $t 2 2 funcref)
    (table $objects 3 externref)
    (memory $m 1)
    (global $g (mut i32) (i32.const 5))
    (data (i32.const 16) "first")
    (data (i32.const 64) "second")
    (elem (i32.const 1) $four)
    (export "one" (func $one)) (export "read" (func $read)) (export "memory" (memory $m))
    (func $one (param i32) (result i32) (i32.add (call $two (local.get 0)) (global.get $g)))
    (func $two (param i32) (result i32)
      (call $note (local.get 0))
      (table.set $objects (i32.const 2) (table.get $objects (i32.const 1)))
      (drop (table.grow $objects (ref.null extern) (i32.const 1)))
      (global.set $g (i32.add (global.get $g) (i32.const 1)))
      (i32.add (call $three (local.get 0)) (call_indirect $t (type $plain) (local.get 0) (i32.const 1))))
    (func $three (param i32) (result i32) (i32.mul (i32.add (local.get 0) (table.size $objects)) (i32.load8_u (i32.const 64))))
    (func $four (param i32) (result i32) (call $read (local.get 0)))
    (func $read (param i32) (result i32) (i32.load8_u (i32.add (local.get 0) (i32.const 16)))))`);
  module.setFeatures(FEATURES);
  assert.ok(module.validate());
  return module.emitBinary();
}

/** Both parts at work; the second is fetched when the first asks. `fetched` counts how often. */
function together(parts) {
  const notes = [];
  const state = { fetched: 0 };
  const env = { note: (value) => notes.push(value) };
  const first = new WebAssembly.Instance(new WebAssembly.Module(parts.first), {
    env,
    rest: {
      fetch: () => {
        state.fetched += 1;
        new WebAssembly.Instance(new WebAssembly.Module(parts.rest), { env, first: first.exports });
        first.exports.rest_is_here.value = 1;
      },
    },
  });
  return { exports: first.exports, notes, state };
}

describe('a program cut in two', () => {
  const whole = program();
  const plain = () => {
    const notes = [];
    return { notes, exports: new WebAssembly.Instance(new WebAssembly.Module(whole), { env: { note: (value) => notes.push(value) } }).exports };
  };
  const defined = functions(binaryen.readBinary(whole)).filter(({ imported }) => !imported).map(({ name }) => name);

  test('answers as the whole, wherever the cut is', () => {
    assert.equal(defined.length, 5);
    for (let mask = 0; mask < 2 ** defined.length; mask += 1) {
      const stay = new Set(defined.filter((_, at) => mask & (1 << at)));
      const [one, two] = [plain(), together(split(whole, stay, null))];
      for (const value of [0, 1, 3]) {
        assert.equal(two.exports.one(value), one.exports.one(value), `${[...stay]} of ${value}`);
        assert.equal(two.exports.read(value), one.exports.read(value), `${[...stay]} of ${value}`);
      }
      assert.deepEqual(two.notes, one.notes);
      assert.equal(two.state.fetched, stay.size === defined.length ? 0 : 1, 'fetched once, and only when it is needed');
    }
  });

  test('the second part is not fetched by what stays', () => {
    const parts = together(split(whole, new Set([defined.at(-1)]), null));
    assert.equal(parts.exports.read(0), 'f'.charCodeAt(0));
    assert.equal(parts.state.fetched, 0);
    parts.exports.one(1);
    assert.equal(parts.state.fetched, 1);
  });

  test('a list that is a little out of date still finds its functions', () => {
    const folder = mkdtempSync(join(tmpdir(), 'skillscope-list-'));
    const path = join(folder, 'list.txt');
    writeFileSync(path, '# a list\na::b::h0123456789abcdef\nc<T>::d::h1111111111111111\ne[0123456789abcdef]::f\n');
    const names = ['a::b::h0123456789abcdef', 'a::b::h9999999999999999', 'c<T>::d::h2222222222222222', 'c<T>::d::h3333333333333333', 'e[fedcba9876543210]::f', 'g::h', '17'];
    assert.deepEqual([...wanted(path, names)], names.filter((name) => name !== 'a::b::h9999999999999999' && name !== 'g::h'));
    rmSync(folder, { recursive: true, force: true });
  });

  test('data is cut along stretches, and nothing is lost', () => {
    const bytes = Uint8Array.from({ length: 100 }, (_, at) => at);
    const { stay, go } = cut({ offset: 1000, bytes }, [[990, 1010], [1010, 1020], [1050, 1060], [1095, 1200]]);
    assert.deepEqual(go.map(({ offset, bytes: { length } }) => [offset, length]), [[1000, 20], [1050, 10], [1095, 5]]);
    const memory = new Uint8Array(100);
    for (const part of [...stay, ...go]) memory.set(part.bytes, part.offset - 1000);
    assert.deepEqual(memory, bytes);
    const moved = withData(whole, [{ offset: 70_000, bytes: Buffer.from('x') }]);
    assert.deepEqual(dataSegments(moved).map(({ offset, bytes: data }) => [offset, data.toString()]), [[70_000, '120']]);
    assert.deepEqual(dataSegments(whole).map(({ offset }) => offset), [16, 64]);
  });
});

describe('the page in parts', () => {
  let stage;
  before(async () => {
    stage = await setUp();
  });
  after(() => stage?.close());
  const run = join(ROOT, 'public', 'examples', 'atif-ring-counts', 'trajectory.json');
  const isRest = (request) => /_rest\.wasm/.test(request.url());

  for (const width of [1440, 400]) {
    test(`a first look at ${width} pixels needs the first part only`, async () => {
      const asked = [];
      const { page, close } = await stage.open({ width });
      page.on('request', (request) => isRest(request) && asked.push(request.resourceType()));
      await page.reload();
      await settle(page);
      // The program fetches it when it has started; whoever needs it sooner shows that the list is out of date.
      assert.equal(asked[0], 'fetch', `fetched in the middle of the start: run “make first” (${asked})`);
      await close();
    });
  }

  test('what did not arrive beforehand is fetched when it is needed', async () => {
    const { page, close } = await stage.open({ allow: [/_rest\.wasm/, /Failed to load resource/, /Synchronous XMLHttpRequest/] });
    await page.route(/app-[0-9a-f]+_rest\.wasm/, (route, request) => (request.resourceType() === 'fetch' ? route.abort() : route.continue()));
    await page.reload();
    await settle(page);
    await page.locator('input#files').setInputFiles(run);
    await settle(page);
    assert.match(await page.locator('main').innerText(), /ring/i);
    await close();
  });

  test('another language works from the first moment', async () => {
    const { page, close } = await stage.open({ language: 'zh-Hant' });
    assert.match(await page.locator('h1').innerText(), /看清/);
    await close();
  });
});
