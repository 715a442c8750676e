// One file with six short conversations in the messages format of OpenAI's chat API, one a line. In one of them the
// arguments of a call stop in the middle.

import { Tally } from './tally.mjs';

const ID = 'openai-chat-six-runs';

const TOOLS = [
  { type: 'function', function: { name: 'find_book', description: 'Looks a title up', parameters: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] } } },
  { type: 'function', function: { name: 'reserve', description: 'Reserves a copy', parameters: { type: 'object', properties: { copy: { type: 'integer' }, card: { type: 'string' } }, required: ['copy', 'card'] } } },
  { type: 'function', function: { name: 'opening_hours', description: 'Hours of a branch', parameters: { type: 'object', properties: { branch: { type: 'string' }, day: { type: 'string' } } } } },
];
const SYSTEM = 'You help at the desk of a library. Use the tools; do not guess.';

/** `parts`: strings are the agent's words, arrays are calls made together: [name, arguments, result]. */
function conversation(asked, ...parts) {
  const tally = new Tally();
  const messages = [{ role: 'system', content: SYSTEM }, { role: 'user', content: asked }];
  tally.step();
  tally.step();
  let calls = 0;
  for (const part of parts) {
    if (typeof part === 'string') {
      messages.push({ role: 'assistant', content: part });
      tally.step();
      continue;
    }
    const made = part.map(([name, args, result]) => {
      calls += 1;
      tally.call();
      return { call: { id: `call_${calls}`, type: 'function', function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) } }, result };
    });
    messages.push({ role: 'assistant', content: null, tool_calls: made.map((m) => m.call) });
    for (const { call, result } of made) {
      const failed = result.startsWith('Error: ');
      tally.result(undefined, failed);
      messages.push({ role: 'tool', tool_call_id: call.id, content: result });
    }
  }
  return { line: JSON.stringify({ messages, tools: TOOLS }), figures: tally.figures() };
}

export function conversations() {
  const all = [
    conversation('Do you have "The Salt Road"?',
      [['find_book', { title: 'The Salt Road' }, '{"copies":[{"copy":4411,"branch":"Harbour","in":true}]}']],
      'Yes, one copy is in at the Harbour branch.'),
    conversation('Reserve "A Field of Kites" for card B-2207, please.',
      [['find_book', { title: 'A Field of Kites' }, '{"copies":[{"copy":815,"branch":"Mill","in":false},{"copy":816,"branch":"Harbour","in":true}]}']],
      [['reserve', { copy: 816, card: 'B-2207' }, '{"ok":true,"until":"2026-05-20"}']],
      'Copy 816 is reserved for B-2207 until 20 May, at the Harbour branch.'),
    conversation('星期六兩個分館幾點開門？',
      [['opening_hours', { branch: 'Harbour', day: 'saturday' }, '10:00-16:00'], ['opening_hours', { branch: 'Mill', day: 'saturday' }, 'closed']],
      'Harbour 分館星期六 10:00 至 16:00 開放，Mill 分館休息。'),
    conversation('Reserve "Winter Ferries" for me. My card is C-0031.',
      [['find_book', '{"title": "Winter Fer', 'Error: arguments are not JSON: unexpected end of input']],
      [['find_book', { title: 'Winter Ferries' }, '{"copies":[{"copy":2093,"branch":"Mill","in":true}]}']],
      [['reserve', { copy: 2093, card: 'C-0031' }, '{"ok":true,"until":"2026-05-20"}']],
      'Done: copy 2093 waits for you at the Mill branch until 20 May.'),
    conversation('Reserve copy 9999 for card A-1000.',
      [['reserve', { copy: 9999, card: 'A-1000' }, 'Error: no copy 9999']],
      'There is no copy 9999. Which title are you looking for?'),
    conversation('Thank you, that was all.',
      'You are welcome. Good reading!'),
  ];
  return {
    id: ID,
    title: { en: 'OpenAI chat: six conversations', 'zh-Hant': 'OpenAI 對話：六段交談' },
    note: { en: 'One file with six runs; in one the arguments of a call are cut off', 'zh-Hant': '一個檔案六次執行；其中一次呼叫的參數被截斷' },
    contents: { 'desk.jsonl': `${all.map((c) => c.line).join('\n')}\n` },
    expect: { format: 'openai-chat', runs: all.map((c) => c.figures) },
  };
}
