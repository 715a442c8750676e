// Counts a run while its story is told: the figures that index.json carries under "expect".

/** One run's figures. A story calls these as it writes; nothing here reads a file. */
export class Tally {
  steps = 0;
  calls = 0;
  results = 0;
  errors = 0;
  input = null;
  output = null;
  cached = null;
  cost = null;
  first = null;
  last = null;
  #tries = [];

  /** Anything that is shown as a row and is no call. */
  step(at) {
    this.steps += 1;
    this.moment(at);
  }

  /** A call; `loop` marks it as part of the loop. Give its place when steps of another agent stand before it. */
  call(at, loop = false) {
    if (loop) this.#tries.push(this.calls);
    this.step(at);
    this.calls += 1;
  }

  result(at, failed = false) {
    this.results += 1;
    if (failed) this.errors += 1;
    this.moment(at);
  }

  /** Tokens of one answer of the model. `input` counts the cached ones too. */
  usage(input, output, cached) {
    this.input = (this.input ?? 0) + input;
    this.output = (this.output ?? 0) + output;
    if (cached !== undefined) this.cached = (this.cached ?? 0) + cached;
  }

  paid(dollars) {
    this.cost = (this.cost ?? 0) + dollars;
  }

  /** `at` in milliseconds. */
  moment(at) {
    if (at === undefined) return;
    this.first = this.first === null ? at : Math.min(this.first, at);
    this.last = this.last === null ? at : Math.max(this.last, at);
  }

  /** `loop`: which detector the story is made for, its period, and how the run ended. */
  figures(loop = null) {
    const spans = [];
    if (loop) {
      const end = this.#tries.at(-1) + 1;
      spans.push({
        detector: loop.detector,
        start: this.#tries[0],
        end,
        period: loop.period,
        times: this.#tries.length / loop.period,
      });
    }
    return {
      steps: this.steps,
      calls: this.calls,
      results: this.results,
      errors: this.errors,
      unanswered: this.calls - this.results,
      input_tokens: this.input,
      output_tokens: this.output,
      cached_tokens: this.cached,
      cost: this.cost === null ? null : Number(this.cost.toFixed(6)),
      duration_s: this.first === null || this.first === this.last ? null : (this.last - this.first) / 1000,
      verdict: loop ? loop.verdict : 'none',
      spans,
      wasted_steps: loop ? this.#tries.length - loop.period : 0,
    };
  }
}

/** About how many tokens a text is. */
export const tokens = (text) => Math.ceil(Buffer.byteLength(text) / 4);

/** A text of letters and digits that looks drawn and is counted: `word` says of what. */
export function mark(word, n, length = 22) {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
  let state = n * 2654435761;
  for (const c of word) state = (Math.imul(state, 31) + c.charCodeAt(0)) >>> 0;
  let out = '';
  for (let i = 0; i < length; i += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    out += letters[(state >>> 8) % letters.length];
  }
  return out;
}

/** The same as a UUID. */
export function uuid(word, n, version = '4') {
  let hex = '';
  for (const c of mark(word, n, 32)) hex += (c.charCodeAt(0) % 16).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
