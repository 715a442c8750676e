//! Many short synthetic runs with rewards in one file, as tau-bench writes them: a list, each run with its task, trial and
//! messages. Runs of a task do nearly the same, so that some share their shape. Memory: one run.

import { printed, random, sentence } from './random.mjs';

const TOOLS = ['find_booking', 'read_policy', 'list_seats', 'change_seat', 'refund', 'calculate', 'transfer'];

/** Yields a list of `runs` runs, two trials a task. Returns runs, calls, results and those that passed. */
export function* runs({ runs: count, seed = 1 }) {
  const totals = { runs: count, calls: 0, results: 0, passed: 0 };
  const chance = random(seed);
  yield '[';
  for (let index = 0; index < count; index += 1) {
    const task = index >> 1;
    // The same plan for each trial of a task; what differs is drawn from the run's own chance.
    const plan = random(Math.imul(seed, 7919) ^ (task % 40));
    const rng = random(Math.imul(seed, 104729) ^ index);
    const messages = [
      { role: 'system', content: `# Desk policy\n${sentence(random(seed), 300)}` },
      { role: 'user', content: `${sentence(plan, 20)} ${task}.` },
    ];
    for (let turn = plan.between(3, 12); turn > 0; turn -= 1) {
      const name = rng.chance(0.06) ? rng.pick(TOOLS) : plan.pick(TOOLS);
      const id = `call_${rng.hex(24)}`;
      const call = { id, type: 'function', function: { name, arguments: JSON.stringify({ id: `B${plan.below(900)}`, note: sentence(plan, 4) }) } };
      messages.push({ role: 'assistant', content: rng.chance(0.3) ? `${sentence(rng, 12)}.` : null, tool_calls: [call] });
      messages.push({ role: 'tool', tool_call_id: id, name, content: rng.chance(0.05) ? 'Error: not found' : JSON.stringify({ found: sentence(rng, rng.between(10, 120)), seat: rng.below(300) }) });
      totals.calls += 1;
      totals.results += 1;
    }
    messages.push({ role: 'assistant', content: `${sentence(rng, 15)}.` }, { role: 'user', content: '###STOP###' });
    const reward = chance.chance(0.6) ? 1 : 0;
    totals.passed += reward;
    const info = { task: { user_id: `u_${task}`, instruction: `You are u_${task}.`, actions: [{ name: TOOLS[task % TOOLS.length], kwargs: { id: `B${task}` } }] }, user_cost: 0.01 };
    yield `${index ? ',' : ''}\n  ${printed({ task_id: task, trial: index & 1, reward, info, traj: messages }, 1)}`;
  }
  yield '\n]\n';
  return totals;
}
