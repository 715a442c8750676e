//! A synthetic Claude Code session of very many short steps: little text, so that a reader is left with the steps
//! themselves. It has what detectors look for: the same call again and again, two calls in turn, failing calls,
//! edits back and forth, and stretches where nothing repeats. Memory: one line.

import { random, sentence } from './random.mjs';

/** Yields lines until there are `calls` calls, each answered. Returns lines, calls, results, errors and `tools`, their names in order. */
export function* steps({ calls: wanted, seed = 1 }) {
  const rng = random(seed);
  const totals = { lines: 0, calls: 0, results: 0, errors: 0, tools: [] };
  const sessionId = `${rng.hex(8)}-${rng.hex(4)}-4${rng.hex(3)}-8${rng.hex(3)}-${rng.hex(12)}`;
  let clock = Date.UTC(2026, 0, 5, 9, 0, 0);
  let parent = null;
  const line = (type, message) => {
    totals.lines += 1;
    clock += rng.between(20, 3000);
    const uuid = `${totals.lines.toString(16).padStart(8, '0')}-${rng.hex(4)}-4${rng.hex(3)}-8${rng.hex(3)}-${rng.hex(12)}`;
    const record = { parentUuid: parent, isSidechain: false, userType: 'external', cwd: '/work', sessionId, version: '2.1.39', type, message, uuid, timestamp: new Date(clock).toISOString() };
    parent = uuid;
    return `${JSON.stringify(record)}\n`;
  };
  const exchange = function* (name, input, result, failed = false) {
    const id = `toolu_${rng.hex(12)}`;
    totals.calls += 1;
    totals.results += 1;
    totals.tools.push(name);
    if (failed) totals.errors += 1;
    const usage = { input_tokens: rng.between(1, 40), cache_creation_input_tokens: 10, cache_read_input_tokens: 9000, output_tokens: rng.between(5, 90) };
    yield line('assistant', { id: `msg_${rng.hex(12)}`, type: 'message', role: 'assistant', model: 'claude-opus-4-6', content: [{ type: 'tool_use', id, name, input }], usage });
    yield line('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result, ...(failed ? { is_error: true } : {}) }] });
  };
  const path = () => `/work/src/part_${rng.below(400)}.rs`;
  yield line('user', { role: 'user', content: 'Work through the list.' });
  while (totals.calls < wanted) {
    const left = wanted - totals.calls;
    const times = Math.min(left, rng.between(3, 9));
    const same = path();
    switch (rng.below(6)) {
      case 0:
        for (let n = 0; n < times; n += 1) yield* exchange('Bash', { command: `cargo test ${same}` }, 'error[E0432]: unresolved import', true);
        break;
      case 1:
        for (let n = 0; n < times; n += 1) yield* exchange(n % 2 ? 'Edit' : 'Read', n % 2 ? { file_path: same, old_string: 'a', new_string: 'b' } : { file_path: same }, n % 2 ? 'updated' : `fn part() {} // ${n}`);
        break;
      case 2:
        for (let n = 0; n < times; n += 1) yield* exchange('Edit', { file_path: same, old_string: n % 2 ? 'b' : 'a', new_string: n % 2 ? 'a' : 'b' }, 'updated');
        break;
      default:
        for (let n = 0; n < times; n += 1) yield* exchange(rng.pick(['Read', 'Grep', 'Glob', 'Bash']), { path: path(), at: rng.below(1e6) }, sentence(rng, rng.between(2, 12)));
    }
    if (rng.chance(0.2)) yield line('assistant', { id: `msg_${rng.hex(12)}`, type: 'message', role: 'assistant', model: 'claude-opus-4-6', content: [{ type: 'text', text: `${sentence(rng, 8)}.` }], usage: { input_tokens: 3, output_tokens: 12 } });
  }
  return totals;
}
