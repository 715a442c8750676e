//! The pieces of `make bench`: its arithmetic, what its generators count, that each file is opened by the importer it is made
//! for with exactly these counts, that the peers do the same work, and that no row disappears. No test of time.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';

import { BOUNDS, judged, missing } from '../../scripts/bench/bounds.mjs';
import { assertCounts, KINDS } from '../../scripts/bench/files.mjs';
import { bundled, Stage } from '../../scripts/bench/stage.mjs';
import { interval, median, paired, ratio } from '../../scripts/bench/stats.mjs';
import { figure, line, markdown } from '../../scripts/bench/table.mjs';
import { ofCalls, sequences, texts } from '../../scripts/generate/pairs.mjs';

describe('the arithmetic of the benchmarks', () => {
  test('medians', () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 3, 2]), 2.5);
    assert.equal(median([7]), 7);
  });

  test('intervals are those of the sign test', () => {
    // Of n values the interval leaves out k at each end, with the most k for which at most k of n coins show heads in 5 of 100 cases.
    assert.deepEqual(interval([4, 1, 3, 2]), { median: 2.5, low: null, high: null, samples: 4 });
    assert.deepEqual(interval([5, 4, 1, 3, 2]), { median: 3, low: 1, high: 5, samples: 5 });
    assert.deepEqual(interval([1, 2, 3, 4, 5, 6, 7, 8, 9]), { median: 5, low: 2, high: 8, samples: 9 });
    assert.deepEqual(interval(Array.from({ length: 30 }, (_, index) => index)), { median: 14.5, low: 10, high: 19, samples: 30 });
  });

  test('ratios are taken pair by pair', () => {
    // The medians alone would say 1; in each pair ours took half as long or twice as long.
    const found = ratio([[1, 2], [10, 5], [100, 200]]);
    assert.equal(found.median, 0.5);
    assert.equal(found.ours_ms, 10);
    assert.equal(found.peer_ms, 5);
  });

  test('pairs stay pairs in whatever order they were made', async () => {
    const order = [];
    const side = (name, factor) => {
      let times = 0;
      return async () => {
        order.push(name);
        times += 1;
        return times * factor;
      };
    };
    const coins = [0.1, 0.9, 0.9];
    const pairs = await paired(3, side('ours', 1), side('peer', 10), { chance: () => coins.shift() });
    assert.deepEqual(pairs, [[2, 20], [3, 30], [4, 40]]);
    assert.deepEqual(order, ['ours', 'peer', 'ours', 'peer', 'peer', 'ours', 'peer', 'ours']);
  });
});

describe('the table of the benchmarks', () => {
  test('says of each row whether it holds, and why one is not measured', () => {
    const rows = [
      judged({ case: 'analysis', input: 'a', median: 0.9, low: 0.8, high: 1.1, samples: 9, ours_ms: 9, peer_ms: 10 }),
      judged({ case: 'analysis', input: 'b', median: 1.01, low: null, high: null, samples: 3, ours_ms: 9, peer_ms: 10 }),
      judged({ case: 'analysis', input: 'c', bound: null, median: 5, low: 4, high: 6, samples: 9, ours_ms: 9, peer_ms: 10 }),
      judged(missing('networkx', 'd', 'there is no python3')),
    ];
    assert.deepEqual(rows.map(({ held }) => held), [true, false, null, null]);
    assert.match(line(rows[0]), /^bytes to finished analysis, a: 0\.90 \(0\.80 to 1\.10\), ours 9\.00 ms, peer 10 ms; at most 1\.00: held$/);
    assert.match(line(rows[1]), /NOT held/);
    assert.match(line(rows[3]), /^NOTE: .*not measured: there is no python3$/);
    const machine = { date: '2026-01-01', commit: 'c', processor: 'p', cores: 2, memory_gb: 8, chromium: '1', node: 'v1', peers: { ajv: '1.0' } };
    const text = markdown({ machine, rounds: 9, rows });
    assert.match(text, /Of 2 rows with a bound, 1 hold it\./);
    assert.match(text, /\* topology, .*, d: not measured: there is no python3\./);
    const lines = text.split('\n').filter((one) => one.startsWith('|'));
    assert.equal(lines.length, 2 + rows.length);
    for (const one of lines) assert.equal(one.split('|').length, lines[0].split('|').length, one);
  });

  test('writes figures with the digits that mean something', () => {
    assert.deepEqual([0.333, 12.34, 123.4, null].map(figure), ['0.33', '12.3', '123', '–']);
  });

  test('names a bound for every promise', () => {
    const promised = Object.entries(BOUNDS).filter(([, { most }]) => most !== null).map(([name]) => name);
    assert.deepEqual(promised.sort(), ['analysis', 'descriptor', 'diagram', 'exact', 'first', 'growth', 'measures', 'memory', 'nodes', 'soft', 'table', 'thread', 'views']);
  });
});

/** Megabytes of the files that are checked. */
const SIZE = 0.6;

/** Calls, results and errors of a file, counted from its JSON alone. */
const COUNTED = {
  'claude-code': (lines) => {
    const blocks = lines.filter(({ type }) => type === 'user' || type === 'assistant').flatMap(({ message }) => (Array.isArray(message.content) ? message.content : []));
    const results = blocks.filter(({ type }) => type === 'tool_result');
    return { calls: blocks.filter(({ type }) => type === 'tool_use').length, results: results.length, errors: results.filter(({ is_error }) => is_error).length };
  },
  calls: (lines) => COUNTED['claude-code'](lines),
  'swe-agent': ({ trajectory, history }) => ({ calls: trajectory.length, results: history.filter(({ role }) => role === 'tool').length }),
  otlp: (lines) => {
    const spans = lines.flatMap(({ resourceSpans }) => resourceSpans).flatMap(({ scopeSpans }) => scopeSpans).flatMap((scope) => scope.spans);
    const tools = spans.filter(({ name }) => name.startsWith('execute_tool'));
    return { runs: new Set(spans.map(({ traceId }) => traceId)).size, calls: tools.length, errors: tools.filter(({ status }) => status.code === 2).length };
  },
  atif: ({ steps, final_metrics: sums }) => ({
    calls: steps.flatMap((step) => step.tool_calls ?? []).length, results: steps.flatMap((step) => step.observation?.results ?? []).length,
    input_tokens: sums.total_prompt_tokens, output_tokens: sums.total_completion_tokens,
  }),
  runs: (list) => ({ runs: list.length, calls: list.flatMap(({ traj }) => traj).flatMap((message) => message.tool_calls ?? []).length, passed: list.filter(({ reward }) => reward === 1).length }),
};

describe('what is measured', () => {
  let stage;
  before(async () => { stage = await Stage.set({ rounds: 1 }); });
  after(() => stage?.close());

  for (const [kind, { unit, lines }] of Object.entries(KINDS)) {
    test(`${kind}: the file has what its generator counted, and its importer reads exactly that`, async () => {
      const file = await stage.files.get(kind, unit ? 70 : SIZE, 3);
      const text = readFileSync(file.path, 'utf8');
      assert.equal(Buffer.byteLength(text), file.totals.bytes);
      if (!unit) assert.ok(file.bytes > 0.9 * SIZE * 1048576 && file.bytes < 1.4 * SIZE * 1048576, `${file.bytes} bytes were made of ${SIZE} MB`);
      const parsed = lines ? text.trimEnd().split('\n').map((one) => JSON.parse(one)) : JSON.parse(text);
      const counted = COUNTED[kind](parsed);
      assert.ok(counted.calls > 20, `${counted.calls} calls`);
      for (const [what, count] of Object.entries(counted)) assert.equal(file.totals[what], count, what);
      await stage.give(file);
      const told = await stage.ours([file]);
      assertCounts(file, told);
      assert.throws(() => assertCounts({ ...file, totals: { ...file.totals, calls: file.totals.calls + 1 } }, told), /calls were read/);
      const { values } = await stage.peer([file]);
      assert.equal(values, Array.isArray(parsed) ? parsed.length : 1);
      // The same seed gives the same bytes, another one others.
      const { make } = KINDS[kind];
      const whole = (seed) => [...make(unit ? 70 : SIZE, seed)].join('');
      assert.equal(whole(3), text);
      assert.notEqual(whole(4), text);
    });
  }

  test('all libraries and the comparison find equally much in common', async () => {
    const program = await bundled('align.js');
    for (const asked of [{ n: 300, edits: 0.1 }, { n: 300, alphabet: 20 }]) {
      const lists = sequences({ ...asked, seed: 9 });
      const files = lists.map((list, side) => stage.files.text(`lists-${asked.edits ? 'edits' : 'chance'}-${side}.json`, ofCalls(list)));
      await stage.give(...files);
      const [left, right] = (await stage.keep('ours', files)).map(({ documents }) => ({ document: documents[0], run: 0 }));
      await stage.time('ours', [{ compare: { left, right, options: { same: 'call', threshold: 0.3 } } }]);
      const { pairs } = (await stage.last('ours')).compare.compare.actions;
      const { libraries } = await stage.keepHelper('peer', program, { lists });
      assert.equal(libraries.length, 3);
      assert.ok(pairs > 50 && pairs < 300, `${pairs} in common`);
      for (const library of libraries) {
        await stage.time('peer', [{ library }]);
        assert.equal((await stage.last('peer')).common, pairs, library);
      }
      await stage.drop('ours', 'peer');
    }
  });

  test('lists and texts are as they are asked for', () => {
    const [left, right] = sequences({ n: 1000, edits: 0.1, seed: 1 });
    assert.equal(left.length, 1000);
    const kept = new Set(right.filter((value) => value < 1000)).size;
    assert.ok(kept > 880 && kept < 970, `${kept} of 1,000 are in both`);
    const [said, again] = texts({ n: 40, words: 60, seed: 1 });
    assert.ok(said.length === 40 && again.length === 40 && said.every((one) => one.split(' ').length === 60));
  });
});
