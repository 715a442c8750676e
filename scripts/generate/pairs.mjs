//! Two runs to compare, as OpenAI chat messages: two lists of calls given by numbers, or two lists of texts. The numbers
//! are those that a diff of arrays gets, so that both sides align the same thing.

import { random } from './random.mjs';

/** Two lists of `n` numbers: the second is the first with a share of it exchanged, taken out or put in; or unrelated, below `alphabet`. */
export function sequences({ n, edits = 0, alphabet = 0, seed = 1 }) {
  const rng = random(seed);
  if (edits === 0) return [0, 1].map(() => Array.from({ length: n }, () => rng.below(alphabet)));
  const left = Array.from({ length: n }, (_, index) => (alphabet ? rng.below(alphabet) : index));
  let fresh = Math.max(n, alphabet);
  const right = [];
  for (const value of left) {
    const kind = rng.chance(edits) ? rng.below(3) : 3;
    if (kind !== 1) right.push(kind === 0 ? (fresh += 1) : value);
    if (kind === 2) right.push((fresh += 1));
  }
  return [left, right];
}

/** The text of a run that calls one tool once for each number. */
export function ofCalls(numbers) {
  const messages = [{ role: 'user', content: 'Work through the list.' }];
  numbers.forEach((number, index) => {
    const id = `c${index}`;
    messages.push({ role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: 'step', arguments: JSON.stringify({ n: number }) } }] });
    messages.push({ role: 'tool', tool_call_id: id, content: 'ok' });
  });
  return JSON.stringify({ model: 'model-m', messages });
}

/** Two lists of `n` texts of `words` words, drawn as people use words: the k-th about as often as 1/k. */
export function texts({ n, words, vocabulary = 3000, seed = 1 }) {
  const rng = random(seed);
  const word = () => `w${Math.floor(vocabulary ** (rng.between(1, 1000000) / 1000000))}`;
  const text = () => Array.from({ length: words }, word).join(' ');
  const left = Array.from({ length: n }, text);
  // Half of them said again with a few words changed: what a second run of the same task says.
  const right = left.map((said) => (rng.chance(0.5) ? said.split(' ').map((w) => (rng.chance(0.2) ? word() : w)).join(' ') : text()));
  return [left, right];
}

/** The text of a run that says each text once, with a call behind it. */
export function ofTexts(said) {
  const messages = [{ role: 'user', content: 'Think it over.' }];
  said.forEach((content, index) => {
    const id = `c${index}`;
    messages.push({ role: 'assistant', content, tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: JSON.stringify({ n: index % 40 }) } }] });
    messages.push({ role: 'tool', tool_call_id: id, content: 'ok' });
  });
  return JSON.stringify({ model: 'model-m', messages });
}
