// Three libraries that align two lists, in a worker: arrays of numbers, the easiest input they can have. Each answers how
// many elements the lists have in common in order.

import diffSequences from '@jest/diff-sequences';
import { diffArrays } from 'diff';
import { lcs } from 'fast-myers-diff';

const LIBRARIES = {
  jsdiff: (a, b) => diffArrays(a, b).reduce((sum, part) => (part.added || part.removed ? sum : sum + part.value.length), 0),
  '@jest/diff-sequences': (a, b) => {
    let common = 0;
    diffSequences(a.length, b.length, (i, j) => a[i] === b[j], (n) => { common += n; });
    return common;
  },
  'fast-myers-diff': (a, b) => {
    let common = 0;
    for (const [, , length] of lcs(a, b)) common += length;
    return common;
  },
};

let lists = [[], []];
onmessage = ({ data }) => {
  if (data.lists) {
    lists = data.lists;
    postMessage({ libraries: Object.keys(LIBRARIES) });
    return;
  }
  postMessage({ common: LIBRARIES[data.library](...lists) });
};
postMessage('ready');
