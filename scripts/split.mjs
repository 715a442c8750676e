//! Cuts a program in two, so that a browser first fetches what a first look needs, and the rest while it looks.
//!
//! `scripts/first/<program>.txt` names the functions that ran while somebody took that first look (written by
//! `make first`, which instruments the program and looks). They stay; of every other function a few bytes stay that
//! call it through the table. The second part brings the functions, puts them into the table, and brings the data that
//! only they refer to. Both parts share memory, table and globals, so nothing is there twice and nothing changes its
//! meaning: a list that is out of date costs bytes, never truth. Whoever calls a function of the second part before it
//! is there fetches it at that moment, synchronously.
//!
//! Cost: about ten seconds a program, most of it wasm-opt.
//! Source: the WebAssembly core specification; the data's boundaries are those of the linker's own symbol table
//! (`--emit-relocs`, tool conventions "Linking").

import { readFileSync } from 'node:fs';
import binaryen from 'binaryen';

import { cut, unreached } from './relocations.mjs';
import { dataSegments, withData } from './sections.mjs';

const F = binaryen.Features;
/** What the programs are built for; more would let binaryen write what a browser does not read. */
export const FEATURES = F.BulkMemory | F.BulkMemoryOpt | F.NontrappingFPToInt | F.SignExt | F.MutableGlobals | F.ReferenceTypes | F.Multivalue | F.SIMD128;

/** The module of the second part under which it imports what the first has, and under which the first asks for it. */
const FIRST = 'first';
const REST = 'rest';
const FETCH = '$fetch_rest';
const HERE = '$rest_is_here';
const ENSURE = '$ensure_rest';

export function read(bytes) {
  const module = binaryen.readBinary(bytes);
  module.setFeatures(FEATURES);
  return module;
}

/** All functions of a module in its order: `{ name, imported, params, results }`. */
export function functions(module) {
  return Array.from({ length: module.getNumFunctions() }, (_, at) => {
    const info = binaryen.getFunctionInfo(module.getFunctionByIndex(at));
    return { name: info.name, imported: info.module !== '', params: info.params, results: info.results };
  });
}

/** The functions in the table: `[slot, name]`. */
function tableSlots(module) {
  const slots = [];
  for (let at = 0; at < module.getNumElementSegments(); at += 1) {
    const info = binaryen.getElementSegmentInfo(module.getElementSegmentByIndex(at));
    const offset = binaryen.getExpressionInfo(info.offset).value;
    info.data.forEach((name, index) => slots.push([offset + index, name]));
  }
  return slots;
}

/** Adjacent slots as segments: `[offset, names]`. */
function segments(slots) {
  const found = [];
  for (const [slot, name] of [...slots].sort((a, b) => a[0] - b[0])) {
    const last = found.at(-1);
    if (last && last[0] + last[1].length === slot) last[1].push(name);
    else found.push([slot, [name]]);
  }
  return found;
}

/**
 * Cuts `bytes`, a program with function names, in two. `stay` are the names of the functions of the first part.
 * `linked` are the bytes of the linker's output with its symbol table, or null: then all data stays.
 * Answers `{ first, rest, moved, data }`: two programs, how many functions and bytes of data moved.
 */
export function split(bytes, stay, linked) {
  const first = read(bytes);
  const rest = read(bytes);
  const all = functions(first);
  const moved = all.filter(({ name, imported }) => !imported && !stay.has(name));
  const gone = new Set(moved.map(({ name }) => name));
  const table = binaryen.getTableInfo(first.getTableByIndex(0)).name;
  const slots = tableSlots(first);
  let size = binaryen.Table.getInitial(first.getTableByIndex(0));

  // Moved functions get a slot: the one that they have, or a new one.
  const slotOf = new Map(slots.map(([slot, name]) => [name, slot]));
  for (const { name } of moved) if (!slotOf.has(name)) slotOf.set(name, size++);
  for (const module of [first, rest]) {
    const ref = module.getTableByIndex(0);
    binaryen.Table.setInitial(ref, size);
    if (binaryen.Table.hasMax(ref)) binaryen.Table.setMax(ref, Math.max(size, binaryen.Table.getMax(ref)));
  }

  // The first part: bodies that only call on.
  first.addFunctionImport(FETCH, REST, 'fetch', binaryen.none, binaryen.none);
  first.addGlobal(HERE, binaryen.i32, true, first.i32.const(0));
  first.addFunction(ENSURE, binaryen.none, binaryen.none, [], first.if(first.i32.eqz(first.global.get(HERE, binaryen.i32)), first.call(FETCH, [], binaryen.none)));
  for (const { name, params, results } of moved) {
    const types = binaryen.expandType(params);
    const call = first.call_indirect(table, first.i32.const(slotOf.get(name)), types.map((type, at) => first.local.get(at, type)), params, results);
    binaryen.Function.setBody(first.getFunction(name), first.block(null, [first.call(ENSURE, [], binaryen.none), call], results));
  }
  first.addGlobalExport(HERE, 'rest_is_here');

  // The second part: what stays is imported from the first.
  const alias = new Map();
  for (let at = rest.getNumExports() - 1; at >= 0; at -= 1) rest.removeExport(binaryen.getExportInfo(rest.getExportByIndex(at)).name);
  for (const { name, imported, params, results } of all) {
    if (imported || gone.has(name)) continue;
    alias.set(name, `f${alias.size.toString(36)}`);
    // Removed first: an import made of a definition keeps the definition's exact type, which no browser reads.
    rest.removeFunction(name);
    rest.addFunctionImport(name, FIRST, alias.get(name), params, results);
  }
  for (let at = rest.getNumElementSegments() - 1; at >= 0; at -= 1) rest.removeElementSegment(binaryen.getElementSegmentInfo(rest.getElementSegmentByIndex(at)).name);
  segments([...slotOf].filter(([name]) => gone.has(name)).map(([name, slot]) => [slot, name]))
    .forEach(([offset, names], at) => rest.addActiveElementSegment(table, `s${at}`, names, rest.i32.const(offset)));
  // Every table, not only that of functions: wasm-bindgen keeps JavaScript's objects in a second one.
  const tables = Array.from({ length: rest.getNumTables() }, (_, at) => binaryen.getTableInfo(rest.getTableByIndex(at)).name);
  tables.forEach((name, at) => rest.addTableImport(name, FIRST, `t${at}`));
  const memory = rest.getMemoryInfo().name ?? '0';
  rest.addMemoryImport(memory, FIRST, 'memory', false);
  const globals = Array.from({ length: rest.getNumGlobals() }, (_, at) => binaryen.getGlobalInfo(rest.getGlobalByIndex(at)));
  globals.forEach(({ name, type, mutable }, at) => rest.addGlobalImport(name, FIRST, `g${at}`, type, mutable));

  // The first part exports what the second imports, and no more.
  rest.runPasses(['remove-unused-module-elements']);
  const needed = functions(rest).filter(({ name, imported }) => imported && alias.has(name)).map(({ name }) => name);
  for (const name of needed) first.addFunctionExport(name, alias.get(name));
  const shared = new Set(Array.from({ length: rest.getNumGlobals() }, (_, at) => binaryen.getGlobalInfo(rest.getGlobalByIndex(at)).name));
  globals.forEach(({ name }, at) => shared.has(name) && first.addGlobalExport(name, `g${at}`));
  const exported = new Set(Array.from({ length: first.getNumExports() }, (_, at) => binaryen.getExportInfo(first.getExportByIndex(at)).name));
  tables.forEach((name, at) => first.addTableExport(name, `t${at}`));
  if (!exported.has('memory')) first.addMemoryExport(memory, 'memory');
  first.runPasses(['remove-unused-module-elements']);

  const stretches = linked ? unreached(linked, numbersIn(first.emitText())) : [];
  const parts = dataSegments(bytes).map((segment) => cut(segment, stretches));
  const data = parts.flatMap(({ go }) => go);
  return {
    first: withData(first.emitBinary(), parts.flatMap(({ stay }) => stay)),
    rest: withData(rest.emitBinary(), data),
    moved: moved.length,
    data: data.reduce((sum, { bytes: { length } }) => sum + length, 0),
  };
}

/** Every number in the code of a program's text that could be an address. */
function numbersIn(text) {
  const found = new Set();
  // Where a segment of data lies is no reference to it.
  const code = text.replace(/^ \(data .*$/gm, '');
  for (const match of code.matchAll(/(?:i32\.const |offset=)(-?\d+)/g)) found.add(Number(match[1]) >>> 0);
  return found;
}

/** A name without what the compiler adds to tell its instances apart, which another compiler does otherwise. */
const plain = (name) => name.replace(/::h[0-9a-f]{16}$/, '').replace(/\[[0-9a-f]{8,16}\]/g, '');

/** A function that nobody named, so that it is known by its number, which any change moves: wasm-bindgen's adapters. */
export const nameless = (name) => /^\d+$/.test(name);

/**
 * The functions among `names` that the list at `path` wants in the first part. For one that is not there by its full name,
 * since it was changed or another compiler built the program, all of the same plain name are taken: more, but it works.
 * Those without a name are few and small, and stay.
 */
export function wanted(path, names) {
  const have = new Set(names);
  const list = readFileSync(path, 'utf8').split('\n').filter((line) => line && !line.startsWith('#'));
  const exact = new Set(list.filter((name) => have.has(name)));
  const alike = new Set(list.filter((name) => !have.has(name)).map(plain));
  return new Set(names.filter((name) => exact.has(name) || nameless(name) || alike.has(plain(name))));
}
