//! The files that are measured: each is written by its seeded generator when it is first needed, and kept until the end.
//! One table says for each kind who reads it and how the peer reads it.

import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { session } from '../generate.mjs';
import { trajectory as atif } from '../generate/atif.mjs';
import { traces } from '../generate/otlp.mjs';
import { writePieces } from '../generate/random.mjs';
import { runs } from '../generate/runs.mjs';
import { steps } from '../generate/steps.mjs';
import { trajectory } from '../generate/swe_agent.mjs';

const MB = 1048576;

/** `lines`: whether the peer parses it line by line. `size` is in MB, or in runs or calls where the kind says so. */
export const KINDS = {
  'claude-code': { label: 'Claude Code session', format: 'claude-code', ending: '.jsonl', lines: true, make: (size, seed) => session({ bytes: size * MB, seed }) },
  'swe-agent': { label: 'SWE-agent trajectory', format: 'swe-agent', ending: '.traj', lines: false, make: (size, seed) => trajectory({ bytes: size * MB, seed }) },
  otlp: { label: 'OTLP traces', format: 'otlp', ending: '.otlp.jsonl', lines: true, make: (size, seed) => traces({ bytes: size * MB, seed }) },
  atif: { label: 'ATIF trajectory', format: 'atif', ending: '.atif.json', lines: false, make: (size, seed) => atif({ bytes: size * MB, seed }) },
  runs: { label: 'tau-bench runs', format: 'tau-bench', ending: '.json', lines: false, unit: 'runs', make: (size, seed) => runs({ runs: size, seed }) },
  calls: { label: 'Claude Code session of short steps', format: 'claude-code', ending: '.jsonl', lines: true, unit: 'calls', make: (size, seed) => steps({ calls: size, seed }) },
};

/** Writes files into `folder` when they are asked for. */
export class Files {
  #folder;
  #made = new Map();

  constructor(folder) {
    this.#folder = folder;
  }

  /** A file of a kind: `{ name, path, lines, format, label, bytes, totals }`, the totals as the generator counted them. */
  async get(kind, size, seed = 7) {
    const { label, format, ending, lines, unit, make } = KINDS[kind];
    const name = `${kind}-${size}-${seed}${ending}`;
    if (!this.#made.has(name)) {
      const path = join(this.#folder, name);
      const totals = await writePieces(path, make(size, seed));
      this.#made.set(name, { name, path, lines, format, bytes: totals.bytes, totals, label: `${label}, ${unit ? `${size.toLocaleString('en-US')} ${unit}` : `${size} MB`}` });
    }
    return this.#made.get(name);
  }

  /** Two files of about a megabyte of the same kind, to warm both sides with. */
  async warmers(kind) {
    const size = KINDS[kind].unit ? { runs: 60, calls: 1800 }[kind] : 1;
    return [await this.get(kind, size, 101), await this.get(kind, size, 102)];
  }

  /** A file of a text that the caller has. */
  text(name, text, lines = false) {
    const path = join(this.#folder, name);
    writeFileSync(path, text);
    return { name, path, lines, bytes: statSync(path).size };
  }

  /** A file that is on disk. */
  real(path, name, lines) {
    return { name, path, lines, bytes: statSync(path).size };
  }
}

/** Throws when what a reader told differs from what the generator counted. */
export function assertCounts(file, told) {
  if (told.formats.length !== 1 || told.formats[0] !== file.format) throw new Error(`${file.name} was opened as ${told.formats}, not as ${file.format}`);
  for (const what of ['runs', 'calls', 'results', 'errors', 'input_tokens', 'cached_tokens', 'output_tokens']) {
    const written = file.totals[what];
    if (written !== undefined && told[what] !== written) throw new Error(`${file.name}: ${told[what]} ${what} were read, ${written} were written`);
  }
}
