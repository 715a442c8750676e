//! What the generators share: chance with a seed, words, texts of tools, and writing to a file piece by piece.
//! Same seed, same bytes, on every machine.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** Mulberry32: 32 bits of state, good enough to vary shapes, the same on every machine. */
export function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  const below = (limit) => Math.floor((next() / 4294967296) * limit);
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (share) => next() / 4294967296 < share,
    pick: (list) => list[below(list.length)],
    hex: (digits) => {
      let text = '';
      while (text.length < digits) text += next().toString(16).padStart(8, '0');
      return text.slice(0, digits);
    },
  };
}

const WORDS = ('the file reads a list of steps and writes each result back before the next call starts so that no test waits for '
  + 'another one while parser index cursor buffer token window frame worker queue retry limit error value field table row '
  + 'größe naïve 檔案 résumé — “quoted” \\path\\to\\it {"inner":"json"} <tag> &amp; 100 % done').split(' ');

export function sentence(rng, words) {
  let text = '';
  for (let index = 0; index < words; index += 1) text += (index ? ' ' : '') + rng.pick(WORDS);
  return text;
}

/** Text of a tool's result: numbered lines, some coloured as test runners colour them. */
export function output(rng, bytes, colours) {
  let text = '';
  for (let line = 1; text.length < bytes; line += 1) {
    const body = sentence(rng, rng.between(4, 14));
    text += colours && rng.chance(0.2) ? `\u001b[3${rng.between(1, 6)}m${body}\u001b[0m\n` : `${String(line).padStart(5)}\t${body}\n`;
  }
  return text;
}

/** JSON as programs print it for people, moved `depth` levels to the right. */
export const printed = (value, depth) => JSON.stringify(value, null, 2).replaceAll('\n', `\n${'  '.repeat(depth)}`);

/** Writes what a generator yields to `path`; answers what it returns, and the bytes that were written. */
export async function writePieces(path, pieces) {
  const stream = createWriteStream(path);
  let block = '';
  for (;;) {
    const { value, done } = pieces.next();
    if (!done) block += value;
    if (block.length > 1 << 18 || done) {
      if (!stream.write(block)) await once(stream, 'drain');
      block = '';
    }
    if (done) {
      stream.end();
      await once(stream, 'finish');
      return { ...value, bytes: stream.bytesWritten };
    }
  }
}
