//! A synthetic trajectory of SWE-agent 1.x, as its writer prints it: two spaces of indentation, every step once in
//! `trajectory` and once as messages in `history`, function calls. Memory: one step.

import { output, printed, random, sentence } from './random.mjs';

const FILES = ['src/reader.py', 'src/writer.py', 'tests/test_reader.py', 'setup.cfg', 'docs/usage.rst'];

/** Step `index` of the trajectory: the same whenever it is asked for, so that it can be written twice. */
function step(seed, index) {
  const rng = random(Math.imul(seed, 1000003) ^ index);
  const file = rng.pick(FILES);
  const [action, name, args] = rng.pick([
    [`ls -F ${file.split('/')[0]}`, 'bash', { command: `ls -F ${file.split('/')[0]}` }],
    [`python -m pytest ${file} -k part_${index}`, 'bash', { command: `python -m pytest ${file} -k part_${index}` }],
    [`open ${file} ${rng.between(1, 900)}`, 'open', { path: file, line_number: rng.between(1, 900) }],
    [`search_file "part_${rng.below(60)}" ${file}`, 'search_file', { search_term: `part_${rng.below(60)}`, file }],
    [`str_replace_editor view ${file}`, 'str_replace_editor', { command: 'view', path: file }],
  ]);
  return {
    id: `call_${rng.hex(24)}`, action, name, args,
    thought: `${sentence(rng, rng.between(10, 60))}.`,
    observation: output(rng, rng.chance(0.03) ? rng.between(20000, 60000) : rng.between(80, 4000), rng.chance(0.2)),
    seconds: rng.between(5, 9000) / 1000,
  };
}

/** Yields the text of a trajectory of about `bytes`. Returns its calls and results. */
export function* trajectory({ bytes, seed = 1 }) {
  let steps = 0;
  let written = 0;
  yield '{\n  "trajectory": [';
  // What the history repeats is as long as what the trajectory holds.
  for (; written < bytes / 2 || steps === 0; steps += 1) {
    const { action, thought, observation, seconds } = step(seed, steps);
    const entry = { action, observation, response: thought, thought, execution_time: seconds, state: { open_file: 'n/a', working_dir: '/testbed', diff: '' } };
    const text = `${steps ? ',' : ''}\n    ${printed(entry, 2)}`;
    written += Buffer.byteLength(text);
    yield text;
  }
  const opening = [
    { role: 'system', content: 'You are a helpful assistant that can interact with a computer to solve tasks.', agent: 'main', message_type: 'system_prompt' },
    { role: 'user', content: 'ISSUE: the reader loses the last line of each file.', agent: 'main', message_type: 'observation' },
  ];
  yield `\n  ],\n  "history": [\n    ${opening.map((message) => printed(message, 2)).join(',\n    ')}`;
  for (let index = 0; index < steps; index += 1) {
    const { id, action, name, args, thought, observation } = step(seed, index);
    const call = { id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
    const said = { role: 'assistant', content: thought, thought, action, agent: 'main', message_type: 'action', tool_calls: [call], thinking_blocks: [] };
    const seen = { role: 'tool', content: observation, agent: 'main', message_type: 'observation', tool_call_ids: [id] };
    yield `,\n    ${printed(said, 2)},\n    ${printed(seen, 2)}`;
  }
  const info = { swe_agent_version: '1.1.0', exit_status: 'submitted', submission: 'diff --git a/src/reader.py b/src/reader.py\n', model_stats: { instance_cost: 1.25, tokens_sent: steps * 900, tokens_received: steps * 60, api_calls: steps } };
  yield `\n  ],\n  "info": ${printed(info, 1)},\n  "environment": "main"\n}\n`;
  return { runs: 1, calls: steps, results: steps };
}
