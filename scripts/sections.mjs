//! Reads and exchanges sections of a WebAssembly binary, as far as cutting a program in two needs it.
//! Source: WebAssembly core specification, "Binary Format"; tool conventions, "Linking" (relocations and symbols).

const TEXT = new TextDecoder();

/** A reader over bytes with the few number formats of the binary format. */
export class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() {
    return this.bytes[this.at++];
  }

  /** An unsigned number, at most 32 bits. */
  u32() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }

  /** A signed number, at most 32 bits. */
  s32() {
    let value = 0;
    for (let shift = 0; ; ) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      shift += 7;
      if (byte < 128) return shift < 32 && byte & 64 ? value | (-1 << shift) : value;
    }
  }

  take(length) {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  text() {
    return TEXT.decode(this.take(this.u32()));
  }
}

/** The sections in their order: `{ id, name, body, at }`; `name` only where the section is custom, `at` is the body's place. */
export function sections(bytes) {
  const reader = new Reader(bytes, 8);
  const found = [];
  while (reader.at < bytes.length) {
    const id = reader.byte();
    const length = reader.u32();
    const at = reader.at;
    const body = reader.take(length);
    if (id !== 0) found.push({ id, name: '', body, at });
    else {
      const inner = new Reader(body);
      const name = inner.text();
      found.push({ id, name, body: body.subarray(inner.at), at: at + inner.at });
    }
  }
  return found;
}

/** The active data segments: `{ offset, bytes, at }`; `at` is the place of the bytes in the section's body. */
export function dataSegments(bytes) {
  const section = sections(bytes).find(({ id }) => id === 11);
  if (!section) return [];
  const reader = new Reader(section.body);
  return Array.from({ length: reader.u32() }, () => {
    const flags = reader.u32();
    if (flags !== 0 || reader.byte() !== 0x41) throw new Error('a data segment is not active at a constant address');
    const offset = reader.s32() >>> 0;
    if (reader.byte() !== 0x0b) throw new Error('the address of a data segment is not a constant');
    const length = reader.u32();
    const at = reader.at;
    return { offset, bytes: reader.take(length), at };
  });
}

function u32(value) {
  const bytes = [];
  do {
    const low = value % 128;
    value = Math.floor(value / 128);
    bytes.push(value > 0 ? low | 128 : low);
  } while (value > 0);
  return bytes;
}

function s32(value) {
  const bytes = [];
  for (;;) {
    const low = value & 127;
    value >>= 7;
    if ((value === 0 && !(low & 64)) || (value === -1 && low & 64)) return [...bytes, low];
    bytes.push(low | 128);
  }
}

/** The program with these data segments and no others. */
export function withData(bytes, segments) {
  const parts = [bytes.subarray(0, 8)];
  const put = (id, body) => parts.push(Uint8Array.from([id, ...u32(body.length)]), body);
  const raw = new Reader(bytes, 8);
  const write = () => {
    if (segments.length === 0) return;
    put(11, Buffer.concat([Uint8Array.from(u32(segments.length)), ...segments.flatMap(({ offset, bytes: data }) => [Uint8Array.from([0, 0x41, ...s32(offset | 0), 0x0b, ...u32(data.length)]), data])]));
  };
  let written = false;
  while (raw.at < bytes.length) {
    const id = raw.byte();
    const body = raw.take(raw.u32());
    // The count of the segments (12) stands before the code; it is only needed where code names a segment.
    if (id === 11 || id === 12) continue;
    // Custom sections may stand anywhere; the data goes behind the code.
    put(id, body);
    if (id === 10) {
      write();
      written = true;
    }
  }
  if (!written) write();
  return new Uint8Array(Buffer.concat(parts));
}

/** The program without what only linkers and debuggers read; the names of functions stay. */
export function withoutLinking(bytes) {
  const parts = [bytes.subarray(0, 8)];
  const reader = new Reader(bytes, 8);
  while (reader.at < bytes.length) {
    const from = reader.at;
    const id = reader.byte();
    const body = reader.take(reader.u32());
    if (id === 0 && /^(linking|reloc\.|__wasm_split)/.test(new Reader(body).text())) continue;
    parts.push(bytes.subarray(from, reader.at));
  }
  return new Uint8Array(Buffer.concat(parts));
}
