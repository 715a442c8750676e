// A mini-swe-agent trajectory that is stuck: an edit that changes nothing and a test that keeps failing, until the
// limit of steps ends it.

import { Tally, tokens } from './tally.mjs';

const ID = 'mini-swe-agent-stuck';
const START = Date.UTC(2026, 4, 9, 18, 5, 20);
const ROUNDS = 8;

export function miniSweAgent() {
  const tally = new Tally();
  const messages = [];
  let at = START;
  let spent = 0;
  let answers = 0;
  let context = 1_480;

  const system = 'You are a helpful assistant that works in a shell. Every answer calls the tool bash once.';
  const task = 'Solve this issue: `gantry.units.parse("1.5 km")` raises ValueError. Decimal numbers should be read.\n\nWork in /testbed. Submit with `echo SUBMIT`.';
  messages.push({ role: 'system', content: system }, { role: 'user', content: task });
  tally.step();
  tally.step();

  const turn = (thought, command, output, { code = 0, seconds = 1, loop = false } = {}) => {
    answers += 1;
    at += 6_500;
    const id = `call_${String(answers).padStart(4, '0')}`;
    const prompt = context;
    const completion = tokens(thought + command) + 20;
    const cost = Number((0.0004 + prompt * 0.0000008).toFixed(6));
    spent += cost;
    context += completion + tokens(output) + 30;
    if (thought) tally.step(at);
    tally.call(at, loop);
    tally.usage(prompt, completion);
    tally.paid(cost);
    const call = { id, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command }) } };
    messages.push({
      role: 'assistant',
      content: thought,
      tool_calls: [call],
      extra: {
        actions: [{ command, tool_call_id: id }],
        response: { model: 'sparrow-1-mini', usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion } },
        cost,
        timestamp: at / 1000,
      },
    });
    at += seconds * 1000;
    tally.result(at, code !== 0);
    messages.push({
      role: 'tool',
      tool_call_id: id,
      content: `<returncode>${code}</returncode>\n<output>\n${output}</output>`,
      extra: { raw_output: output, returncode: code, timestamp: at / 1000, exception_info: '' },
    });
  };

  turn('THOUGHT: Look at the parser first.', 'cat gantry/units.py', 'import re\n\nUNITS = {"m": 1, "km": 1000, "mi": 1609}\nNUMBER = re.compile(r"^(\\d+) *([a-z]+)$")\n\n\ndef parse(text):\n    match = NUMBER.match(text.strip())\n    if match is None:\n        raise ValueError(f"not a length: {text!r}")\n    return int(match[1]) * UNITS[match[2]]\n');
  turn('THOUGHT: Reproduce it.', 'python -c "import gantry.units as u; print(u.parse(\'1.5 km\'))"', 'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\n  File "/testbed/gantry/units.py", line 10, in parse\n    raise ValueError(f"not a length: {text!r}")\nValueError: not a length: \'1.5 km\'\n', { code: 1 });
  turn('THOUGHT: There are tests for units.', 'ls tests', 'test_cranes.py\ntest_units.py\n');
  turn('THOUGHT: Add a test for decimals.', 'cat >> tests/test_units.py <<\'EOF\'\n\n\ndef test_decimals():\n    assert parse("1.5 km") == 1500\nEOF', '');
  for (let round = 1; round <= ROUNDS; round += 1) {
    // The pattern has one backslash too many: sed finds nothing, changes nothing, and says nothing.
    turn('THOUGHT: The number must allow a decimal part.', 'sed -i \'s/(\\\\\\\\d+) \\*/(\\\\\\\\d+(?:\\\\.\\\\d+)?) */\' gantry/units.py', '', { loop: true, seconds: 0.2 });
    turn('THOUGHT: Run the tests.', 'python -m pytest tests/test_units.py -q', `...F                                                         [100%]\n=================================== FAILURES ===================================\n________________________________ test_decimals _________________________________\n\n>       raise ValueError(f"not a length: {text!r}")\nE       ValueError: not a length: '1.5 km'\n\ngantry/units.py:10: ValueError\n1 failed, 3 passed in 0.${20 + ((round * 7) % 9)}s\n`, { code: 1, loop: true, seconds: 1.4 });
  }
  // What the program itself says at the end only repeats the outcome: no step.
  messages.push({ role: 'exit', content: 'LimitsExceeded', extra: { exit_status: 'LimitsExceeded', submission: '' } });

  const document = {
    info: {
      model_stats: { instance_cost: Number(spent.toFixed(6)), api_calls: answers },
      config: { agent: { step_limit: answers, cost_limit: 3 }, model: { model_name: 'sparrow-1-mini' }, environment: { cwd: '/testbed' } },
      mini_version: '2.4.6',
      exit_status: 'LimitsExceeded',
      submission: '',
    },
    messages,
    trajectory_format: 'mini-swe-agent-1.1',
  };
  return {
    id: ID,
    title: { en: 'mini-swe-agent: stuck', 'zh-Hant': 'mini-swe-agent：陷入迴圈' },
    note: { en: 'An edit that changes nothing, eight times, until the limit ends it', 'zh-Hant': '一個什麼都沒改的編輯重複八次，直到達到上限' },
    contents: { 'gantry-units.traj.json': `${JSON.stringify(document, null, 1)}\n` },
    expect: { format: 'mini-swe-agent', runs: [{ ...tally.figures({ detector: 'D1', period: 2, verdict: 'stuck' }), outcome: 'limit' }] },
  };
}
