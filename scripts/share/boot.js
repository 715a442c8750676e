//! Starts the program inside an analysis page: unpacks it from the page itself, gives it the run that the page carries,
//! and steps aside. Nothing is requested: what the program asks for by address is handed out from memory.
//!
//! The report is in the page as plain HTML before this runs and stays when it cannot run; it is also what is printed.
//! Cost: about half a second for the program (LZMA, decoded here: browsers only know gzip, which is a third larger).

(() => {
  'use strict';

  const note = document.getElementById('skillscope-note');
  const report = document.getElementById('skillscope-report');
  const say = (what) => {
    for (const line of note.children) line.hidden = line.dataset.when !== what;
    note.hidden = false;
  };

  const failed = (error) => {
    report.classList.remove('away');
    say('failed');
    note.querySelector('[data-detail]').textContent = String((error && error.message) || error);
    document.documentElement.dataset.page = 'failed';
  };
  window.skillscopeBoot = {
    done() {
      note.hidden = true;
      report.classList.add('away');
      document.documentElement.dataset.page = 'program';
    },
    failed,
  };
  addEventListener('skillscope-panic', (event) => failed(event.detail));

  /** Seven bits a letter; a letter from U+0100 on holds what HTML cannot, and seven bits more. `letters` of share.mjs. */
  function unletter(text, size) {
    const UNWRITABLE = [0, 10, 13, 60];
    const out = new Uint8Array(size + 2);
    let held = 0, bits = 0, at = 0;
    const take = (value) => {
      held = ((held << 7) | value) & 0x3fff;
      bits += 7;
      if (bits >= 8) {
        bits -= 8;
        out[at] = held >>> bits;
        at += 1;
      }
    };
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code < 128) {
        if (code !== 10) take(code);
      } else {
        take(UNWRITABLE[(code - 0x100) >> 7]);
        take((code - 0x100) & 127);
      }
    }
    return out.subarray(0, size);
  }

  function unbase64(text) {
    const letters = atob(text);
    const out = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i += 1) out[i] = letters.charCodeAt(i);
    return out;
  }

  async function gunzip(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  /** Decodes a file in the format `.lzma`: 13 bytes of head, then a range coder over adaptive bits. */
  function unlzma(input, size) {
    const IS_REP = 192, REP_G0 = 204, REP_G1 = 216, REP_G2 = 228, REP0_LONG = 240, SLOT = 432, SPECIAL = 688, ALIGN = 802;
    const LENGTH = 818, REP_LENGTH = 1332, LITERAL = 1846;
    const lc = input[0] % 9, lp = Math.floor(input[0] / 9) % 5, pb = Math.floor(input[0] / 45);
    const odds = new Uint16Array(LITERAL + (0x300 << (lc + lp))).fill(1024);
    const out = new Uint8Array(size);
    // Range and code as unsigned words in an array: as plain variables they would be boxed.
    const coder = new Uint32Array([0xffffffff, ((input[14] << 24) | (input[15] << 16) | (input[16] << 8) | input[17]) >>> 0]);
    let at = 18;
    const bit = (index) => {
      const chance = odds[index];
      const range = coder[0];
      const bound = (range >>> 11) * chance;
      let found;
      if (coder[1] < bound) {
        coder[0] = bound;
        odds[index] = chance + ((2048 - chance) >> 5);
        found = 0;
      } else {
        coder[0] = range - bound;
        coder[1] -= bound;
        odds[index] = chance - (chance >> 5);
        found = 1;
      }
      if (coder[0] < 16777216) {
        coder[0] <<= 8;
        coder[1] = (coder[1] << 8) | input[at];
        at += 1;
      }
      return found;
    };
    const tree = (from, bits) => {
      let node = 1;
      for (let i = 0; i < bits; i += 1) node = (node << 1) | bit(from + node);
      return node - (1 << bits);
    };
    const reverse = (from, bits) => {
      let node = 1, value = 0;
      for (let i = 0; i < bits; i += 1) {
        const one = bit(from + node);
        node = (node << 1) | one;
        value |= one << i;
      }
      return value;
    };
    const direct = (bits) => {
      let value = 0;
      for (let i = 0; i < bits; i += 1) {
        coder[0] >>>= 1;
        const one = coder[1] >= coder[0] ? 1 : 0;
        if (one) coder[1] -= coder[0];
        if (coder[0] < 16777216) {
          coder[0] <<= 8;
          coder[1] = (coder[1] << 8) | input[at];
          at += 1;
        }
        value = ((value << 1) | one) >>> 0;
      }
      return value;
    };
    const length = (from, place) => {
      if (!bit(from)) return 2 + tree(from + 2 + (place << 3), 3);
      if (!bit(from + 1)) return 10 + tree(from + 130 + (place << 3), 3);
      return 18 + tree(from + 258, 8);
    };
    let state = 0, d0 = 0, d1 = 0, d2 = 0, d3 = 0, done = 0;
    const placeMask = (1 << pb) - 1, literalMask = (1 << lp) - 1;
    while (done < size) {
      const place = done & placeMask;
      if (!bit((state << 4) + place)) {
        const before = done > 0 ? out[done - 1] : 0;
        const from = LITERAL + 0x300 * (((done & literalMask) << lc) + (before >> (8 - lc)));
        let node = 1;
        if (state >= 7) {
          let match = out[done - d0 - 1];
          while (node < 0x100) {
            const expected = (match >> 7) & 1;
            match <<= 1;
            const one = bit(from + ((1 + expected) << 8) + node);
            node = (node << 1) | one;
            if (one !== expected) break;
          }
        }
        while (node < 0x100) node = (node << 1) | bit(from + node);
        out[done] = node;
        done += 1;
        state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
        continue;
      }
      let count;
      if (bit(IS_REP + state)) {
        if (!bit(REP_G0 + state)) {
          if (!bit(REP0_LONG + (state << 4) + place)) {
            state = state < 7 ? 9 : 11;
            out[done] = out[done - d0 - 1];
            done += 1;
            continue;
          }
        } else {
          let distance;
          if (!bit(REP_G1 + state)) {
            distance = d1;
          } else {
            if (!bit(REP_G2 + state)) {
              distance = d2;
            } else {
              distance = d3;
              d3 = d2;
            }
            d2 = d1;
          }
          d1 = d0;
          d0 = distance;
        }
        count = length(REP_LENGTH, place);
        state = state < 7 ? 8 : 11;
      } else {
        d3 = d2;
        d2 = d1;
        d1 = d0;
        count = length(LENGTH, place);
        state = state < 7 ? 7 : 10;
        const slot = tree(SLOT + (Math.min(count - 2, 3) << 6), 6);
        d0 = slot;
        if (slot >= 4) {
          const bits = (slot >> 1) - 1;
          d0 = (2 | (slot & 1)) << bits;
          if (slot < 14) d0 += reverse(SPECIAL + d0 - slot, bits);
          else d0 += direct(bits - 4) * 16 + reverse(ALIGN, 4);
        }
        if (d0 >= done) throw new Error('the program in this page is damaged');
      }
      const end = Math.min(done + count, size);
      for (let from = done - d0 - 1; done < end; done += 1, from += 1) out[done] = out[from];
    }
    return out;
  }

  /**
   * In the page and in each worker: what the program asks for by address is answered from `files`, by path. Anything
   * else is refused here, before the policy would refuse it. Goes to workers as text, so it uses nothing around it.
   */
  function handOut(files, base) {
    const find = (address) => {
      try {
        const bare = new URL(String((address && address.url) || address), base).href.replace(/[?#].*$/, '');
        return bare.startsWith(base) ? files[decodeURIComponent(bare.slice(base.length))] : undefined;
      } catch {
        return undefined;
      }
    };
    const type = (address) => (/\.wasm\b/.test(address) ? 'application/wasm' : 'application/octet-stream');
    globalThis.skillscopeUrl = (path) => base + path;
    globalThis.fetch = (address) => {
      const found = find(address);
      return found
        ? Promise.resolve(new Response(found, { headers: { 'Content-Type': type(String(address)) } }))
        : Promise.reject(new TypeError('this page requests nothing'));
    };
    globalThis.XMLHttpRequest = class {
      open(method, address) {
        this.found = find(address);
      }
      send() {
        this.status = this.found ? 200 : 404;
        this.response = this.found ? this.found.slice().buffer : null;
      }
      overrideMimeType() {}
      /** Bytes as letters: how a page asks synchronously. */
      get responseText() {
        const pieces = [];
        for (let from = 0; from < this.found.length; from += 8192) pieces.push(String.fromCharCode(...this.found.subarray(from, from + 8192)));
        return pieces.join('');
      }
    };
  }

  /**
   * Workers of a page from a file may import and load nothing, not even from blobs: each is one script, and gets the
   * files that it will ask for as its first message.
   */
  function startWorkersWith(scripts, files, base) {
    const Thread = globalThis.Worker;
    globalThis.Worker = class extends Thread {
      constructor(address) {
        const path = new URL(String(address), base).pathname.replace(/^.*\//, '');
        const script = `(${handOut})({}, ''); addEventListener('message', (first) => {
          first.stopImmediatePropagation();
          (${handOut})(first.data, ${JSON.stringify(base)});
          (async () => {${scripts[path] ?? `throw new Error('${path} is not in this page')`}
          })().catch((error) => setTimeout(() => { throw error; }));
        }, { once: true });`;
        super(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
        this.postMessage(files);
      }
    };
  }

  // This page as the template that it was made of, for sharing what is seen in it: a copy from before anything is drawn.
  const own = document.documentElement.cloneNode(true);
  function template() {
    const place = (what) => `@@${'skillscope'}:${what}@@`;
    const page = own.cloneNode(true);
    for (const { name } of [...page.attributes]) if (name !== 'data-skillscope-page') page.removeAttribute(name);
    page.lang = place('lang');
    page.querySelector('title').textContent = place('title');
    page.querySelector('#skillscope-note').replaceWith(place('report'));
    page.querySelector('#skillscope-report').remove();
    page.querySelector('#skillscope-data').replaceWith(place('data'));
    return new TextEncoder().encode(`<!doctype html>\n${page.outerHTML}\n`);
  }

  async function start() {
    const element = document.getElementById('skillscope-program');
    const packed = unletter(element.textContent, Number(element.dataset.packed));
    const bytes = element.dataset.codec === 'lzma' ? unlzma(packed, Number(element.dataset.size)) : await gunzip(packed);
    const text = (from, to) => new TextDecoder().decode(bytes.subarray(from, to));
    const head = bytes.indexOf(10);
    const { files, entry, styles, workers } = JSON.parse(text(0, head));
    const at = {};
    let from = head + 1;
    for (const [path, size] of files) {
      at[path] = [from, from + size];
      from += size;
    }
    const known = {};
    const link = (path) => {
      // A module names those that it imports; they are linked first.
      known[path] ??= URL.createObjectURL(new Blob([text(...at[path]).replace(/skillscope-file:([\w./-]+)/g, (_, other) => link(other))], { type: 'text/javascript' }));
      return known[path];
    };
    const base = new URL('.', document.baseURI).href;
    globalThis.skillscopeImport = (address) => {
      const path = new URL(String(address), base).href.replace(/[?#].*$/, '').slice(base.length);
      return at[path] ? import(link(path)) : Promise.reject(new TypeError(`${path} is not in this page`));
    };
    const binary = {};
    const scripts = {};
    for (const [path] of files) {
      if (path.endsWith('.wasm')) binary[path] = bytes.subarray(...at[path]);
      if (workers.includes(path)) scripts[path] = text(...at[path]);
    }
    for (const path of styles) {
      const style = document.createElement('style');
      style.textContent = text(...at[path]);
      document.head.append(style);
    }

    const data = document.getElementById('skillscope-data');
    const payload = await gunzip(unbase64(data.textContent));
    const end = payload.indexOf(10);
    const page = JSON.parse(new TextDecoder().decode(payload.subarray(0, end)));
    let place = end + 1;
    page.documents = page.documents.map(({ name, bytes: size }) => {
      const content = payload.slice(place, place + size);
      place += size;
      return { name, content };
    });
    window.skillscopePage = page;
    if (!location.hash && page.view) history.replaceState(null, '', page.view);

    // Only the page asks for it, so it does not go to workers.
    Object.defineProperty(binary, 'share-template.html', { get: template, enumerable: false });
    handOut(binary, base);
    startWorkersWith(scripts, binary, base);
    await globalThis.skillscopeImport(entry);
  }

  say('opening');
  start().catch(failed);
})();
