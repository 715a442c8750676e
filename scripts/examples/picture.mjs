// A small PNG, written byte by byte with stored (uncompressed) deflate blocks, so that every Node writes the same file.

function crc(bytes) {
  let c = 0xffffffff;
  for (const b of bytes) {
    c ^= b;
    for (let k = 0; k < 8; k += 1) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  }
  return (c ^ 0xffffffff) >>> 0;
}

function adler(bytes) {
  let a = 1;
  let b = 0;
  for (const x of bytes) {
    a = (a + x) % 65521;
    b = (b + a) % 65521;
  }
  return ((b << 16) | a) >>> 0;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc(body), body.length + 4);
  return out;
}

/** A picture of at most four colours. `color(x, y)` gives the index into `palette` ([r, g, b] each). Base64. */
export function png(width, height, palette, color) {
  const stride = Math.ceil(width / 4) + 1;
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows[y * stride + 1 + (x >> 2)] |= color(x, y) << (6 - 2 * (x & 3));
  }
  if (rows.length > 65535) throw new Error('one stored block holds 65,535 bytes');
  const block = Buffer.alloc(rows.length + 11);
  block.set([0x78, 0x01, 0x01]);
  block.writeUInt16LE(rows.length, 3);
  block.writeUInt16LE(rows.length ^ 0xffff, 5);
  rows.copy(block, 7);
  block.writeUInt32BE(adler(rows), rows.length + 7);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([2, 3, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [signature, chunk('IHDR', head), chunk('PLTE', Buffer.from(palette.flat())), chunk('IDAT', block), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat(parts).toString('base64');
}
