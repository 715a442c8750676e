// Two ways from the bytes of a descriptor to a verdict and a value, in a worker: ajv with the published schema, and the npm
// package. Told once which, with the documents as texts; then each message has all of them checked once.

import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { validate } from '../../../pkg/api.js';
import { initSync } from '../../../pkg/skillscope_wasm.js';

const decoder = new TextDecoder();
const WAYS = {
  ajv: ({ schema }) => {
    const instance = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, strictTypes: false });
    addFormats(instance);
    const check = instance.compile(schema);
    return (bytes) => {
      const value = JSON.parse(decoder.decode(bytes));
      return check(value) && value;
    };
  },
  package: ({ wasm }) => {
    initSync({ module: Uint8Array.from(atob(wasm), (letter) => letter.charCodeAt(0)) });
    return (bytes) => {
      const { valid, value } = validate(bytes);
      return valid && value;
    };
  },
};

let documents = [];
let check = null;
onmessage = ({ data }) => {
  if (data.way) {
    const encoder = new TextEncoder();
    documents = data.texts.map((text) => encoder.encode(text));
    check = WAYS[data.way](data);
  }
  let valid = 0;
  let refused = null;
  for (const bytes of documents) {
    const value = check(bytes);
    if (value) valid += 1;
    else refused ??= decoder.decode(bytes);
  }
  postMessage({ valid, refused });
};
postMessage('ready');
