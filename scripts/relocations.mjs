//! Which data a set of functions can reach, by the linker's own account.
//!
//! The linker, asked for `--emit-relocs`, leaves for every datum its name, address and length, and for every place that
//! holds an address, which datum is meant. Addresses do not change afterwards: neither wasm-bindgen nor wasm-opt moves data.
//! A datum is reached when code holds its address, or when a datum that is reached does. Where code holds a number near a
//! datum that is not an address which the linker put there, that datum counts as reached: too much costs bytes, too little
//! would be wrong.
//! Source: tool conventions, "Linking".

import { dataSegments, Reader, sections } from './sections.mjs';

/** Kinds of relocations that hold the address of a datum. */
const ADDRESSES = new Set([3, 4, 5, 11, 14, 15, 16, 17, 21]);
/** Kinds that carry a number to add. */
const WITH_ADDEND = new Set([3, 4, 5, 8, 9, 11, 14, 15, 16, 17, 21, 22, 23]);
/** A number this near to a datum may be its address with something folded into it. */
const NEAR = 16;

/** The data of a linked program: `[{ from, to, readonly, reaches: Set<index> }]` by address, and which addresses its code holds. */
function linkedData(bytes) {
  const all = sections(bytes);
  const linking = all.find(({ name }) => name === 'linking');
  if (!linking) throw new Error('the linker left no symbols: is --emit-relocs among its arguments?');
  const segments = dataSegments(bytes);
  const symbols = [];
  const names = [];
  const reader = new Reader(linking.body);
  reader.u32();
  while (reader.at < linking.body.length) {
    const kind = reader.byte();
    const end = reader.u32() + reader.at;
    if (kind === 5) {
      for (let count = reader.u32(); count > 0; count -= 1) {
        names.push(reader.text());
        reader.u32();
        reader.u32();
      }
    }
    if (kind === 8) {
      const count = reader.u32();
      for (let at = 0; at < count; at += 1) {
        const type = reader.byte();
        const flags = reader.u32();
        const undefined_ = (flags & 0x10) !== 0;
        if (type === 1) {
          reader.text();
          if (undefined_) symbols.push(null);
          else {
            const segment = reader.u32();
            const offset = reader.u32();
            const size = reader.u32();
            symbols.push(segments[segment] ? { from: segments[segment].offset + offset, to: segments[segment].offset + offset + size, segment } : null);
          }
        } else {
          if (type === 3) reader.u32();
          else {
            reader.u32();
            if (!undefined_ || (flags & 0x40) !== 0) reader.text();
          }
          symbols.push(null);
        }
      }
    }
    reader.at = end;
  }
  const relocations = (section) => {
    const found = all.find(({ name }) => name === `reloc.${section}`);
    if (!found) return [];
    const reader = new Reader(found.body);
    reader.u32();
    return Array.from({ length: reader.u32() }, () => {
      const type = reader.byte();
      const offset = reader.u32();
      const symbol = reader.u32();
      const addend = WITH_ADDEND.has(type) ? reader.s32() : 0;
      return { type, offset, symbol, addend };
    }).filter(({ type, symbol }) => ADDRESSES.has(type) && symbols[symbol]);
  };
  return { segments, symbols, names, code: relocations('CODE'), data: relocations('DATA') };
}

/**
 * The stretches of data, `[from, to)` by address, that only code outside of a part needs.
 * `linked` is the linker's output, `numbers` are all numbers that the part's code holds.
 */
export function unreached(linked, numbers) {
  const { segments, symbols, names, code, data } = linkedData(linked);
  // Several names may stand for one datum, or for parts of one: what overlaps is one block.
  const spans = symbols.filter((symbol) => symbol && symbol.to > symbol.from).sort((a, b) => a.from - b.from || b.to - a.to);
  const blocks = [];
  for (const { from, to, segment } of spans) {
    const last = blocks.at(-1);
    if (last && from < last.to) last.to = Math.max(last.to, to);
    else blocks.push({ from, to, segment, reached: false, reaches: [] });
  }
  const at = (address) => {
    let [low, high] = [0, blocks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (blocks[middle].to > address) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const blockOf = (address) => {
    const index = at(address);
    return blocks[index] && blocks[index].from <= address ? index : -1;
  };
  for (const { offset, symbol } of data) {
    const segment = segments.find((each) => offset >= each.at && offset < each.at + each.bytes.length);
    if (!segment) continue;
    const holder = blockOf(segment.offset + offset - segment.at);
    const held = blockOf(symbols[symbol].from);
    // What nobody named holds an address: it may be anybody's.
    if (held >= 0 && holder < 0) blocks[held].always = true;
    if (held >= 0 && holder >= 0) blocks[holder].reaches.push(held);
  }
  const queue = [];
  const reach = (index) => {
    if (index >= 0 && index < blocks.length && !blocks[index].reached) {
      blocks[index].reached = true;
      queue.push(index);
    }
  };
  const meant = new Map();
  for (const { symbol, addend } of code) {
    const value = (symbols[symbol].from + addend) >>> 0;
    if (!meant.has(value)) meant.set(value, new Set());
    meant.get(value).add(blockOf(symbols[symbol].from));
  }
  for (const number of numbers) {
    reach(blockOf(number));
    // What the linker wrote itself is known exactly; any other number may be such an address with something folded in.
    const known = meant.get(number);
    for (const index of known ?? []) reach(index);
    const near = known ? 0 : NEAR;
    for (let index = at(number - near); near > 0 && index < blocks.length && blocks[index].from <= number + near; index += 1) reach(index);
  }
  blocks.forEach((block, index) => block.always && reach(index));
  // Only constants move: what is written to must be there from the beginning.
  blocks.forEach(({ segment }, index) => !/^\.rodata/.test(names[segment] ?? '') && reach(index));
  while (queue.length > 0) for (const index of blocks[queue.pop()].reaches) reach(index);
  return blocks.filter(({ reached }) => !reached).map(({ from, to }) => [from, to]);
}

/** Cuts a segment along stretches `[from, to)`, sorted: what stays and what goes, as segments. */
export function cut({ offset, bytes }, stretches) {
  const stay = [];
  const go = [];
  let done = offset;
  const end = offset + bytes.length;
  const put = (list, from, to) => {
    if (to <= from) return;
    const last = list.at(-1);
    const part = bytes.subarray(from - offset, to - offset);
    if (last && last.offset + last.bytes.length === from) last.bytes = Buffer.concat([last.bytes, part]);
    else list.push({ offset: from, bytes: part });
  };
  for (const [from, to] of stretches) {
    if (to <= done || from >= end) continue;
    put(stay, done, Math.max(done, from));
    put(go, Math.max(done, from), Math.min(to, end));
    done = Math.min(to, end);
  }
  put(stay, done, end);
  return { stay, go };
}
