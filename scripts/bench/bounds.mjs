//! What is measured, beside what, and the most that it may be. The words are those of the table in docs/benchmarks.md.

const PARSE = '`TextDecoder` + `JSON.parse` in a worker';
const REFERENCE = 'ms at 200 MB/s of `JSON.parse`';

/** `unit`: what the figure is; `most`: null where nothing is promised. A row may take the bound away (`bound: null`). */
export const BOUNDS = {
  analysis: { what: 'bytes to finished analysis', peer: PARSE, unit: 'ratio', most: 1.0 },
  cold: { what: 'the same in workers that have read nothing before', peer: PARSE, unit: 'ratio', most: null },
  formats: { what: 'bytes to finished analysis of other formats', peer: PARSE, unit: 'ratio', most: null },
  growth: { what: 'growth of the analysis', peer: 'ours on the smaller file', unit: 'ratio', most: 4.4 },
  runs: { what: 'many runs to a table, analysed and grouped', peer: PARSE, unit: 'ratio', most: null },
  table: { what: '200 real runs to a table, analysed and grouped', peer: PARSE, unit: 'ratio', most: 4.0 },
  corpus: { what: 'bytes to finished analysis, all real files one after the other', peer: PARSE, unit: 'ratio', most: null },
  first: { what: 'time to the first step on screen', peer: PARSE, unit: 'ratio', most: 0.25 },
  views: { what: 'opening a view', peer: '–', unit: REFERENCE, most: 200 },
  nodes: { what: 'nodes of the page with any view open', peer: '–', unit: 'nodes', most: 2000 },
  diagram: { what: 'a page of the diagram, mermaid loaded', peer: '–', unit: REFERENCE, most: 700 },
  mermaid: { what: 'the first diagram of all, mermaid not yet loaded', peer: '–', unit: REFERENCE, most: null },
  memory: { what: 'peak memory above the empty page', peer: 'the size of the file', unit: 'ratio', most: 2.0 },
  thread: { what: 'longest task of the main thread', peer: '–', unit: REFERENCE, most: 50 },
  exact: { what: 'exact alignment', peer: 'the fastest of three JavaScript libraries', unit: 'ratio', most: 1 / 3 },
  soft: { what: 'soft alignment', peer: '–', unit: REFERENCE, most: 150 },
  measures: { what: 'all loop detectors and topology', peer: PARSE, unit: 'ratio', most: 0.2 },
  networkx: { what: 'topology, every variant of the hash', peer: 'networkx `weisfeiler_lehman_graph_hash` in Python', unit: 'ratio', most: null },
  descriptor: { what: 'a valid SSP descriptor, bytes to verdict', peer: '`TextDecoder` + `JSON.parse` + ajv', unit: 'ratio', most: 1.0 },
  weights: { what: 'weight', peer: '–', unit: 'KB of gzip', most: null },
};

/** A row with its bound and whether it holds; `held` is null where nothing is promised or nothing was measured. */
export function judged(row) {
  const { what, peer, unit, most } = BOUNDS[row.case];
  const bound = row.bound === undefined ? most : row.bound;
  const held = bound === null || row.median === undefined ? null : row.median <= bound;
  return { what, peer, unit, ...row, bound, held };
}

/** A row that could not be measured, and why. */
export const missing = (kind, input, why) => ({ case: kind, input, missing: why });
