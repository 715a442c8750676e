//! A synthetic trajectory in ATIF 1.7, printed with two spaces of indentation as Harbor writes it. Memory: one step.

import { output, printed, random, sentence } from './random.mjs';

/** Yields the text of a trajectory of about `bytes`. Returns calls, results, and the tokens of all steps. */
export function* trajectory({ bytes, seed = 1 }) {
  const rng = random(seed);
  const totals = { runs: 1, calls: 0, results: 0, input_tokens: 0, cached_tokens: 0, output_tokens: 0 };
  let clock = Date.UTC(2026, 0, 5, 9, 0, 0);
  const stamp = () => {
    clock += rng.between(200, 9000);
    return new Date(clock).toISOString();
  };
  const head = { schema_version: 'ATIF-v1.7', session_id: `${rng.hex(8)}-${rng.hex(4)}`, agent: { name: 'demo-agent', version: '1.0.3', model_name: 'model-m' } };
  let written = 0;
  let step = 1;
  const opening = printed(head, 0).slice(0, -2);
  yield `${opening},\n  "steps": [\n    ${printed({ step_id: step, timestamp: stamp(), source: 'user', message: `${sentence(rng, 40)}.` }, 2)}`;
  while (written < bytes) {
    step += 1;
    const calls = [];
    const results = [];
    for (let call = rng.chance(0.15) ? rng.between(2, 3) : 1; call > 0; call -= 1) {
      const id = `call_${step}_${call}`;
      const name = rng.pick(['bash', 'edit', 'view', 'search']);
      calls.push({ tool_call_id: id, function_name: name, arguments: { command: `${sentence(rng, 5)} part_${rng.below(60)}`, timeout: rng.between(10, 300) } });
      results.push({ source_call_id: id, content: output(rng, rng.chance(0.03) ? rng.between(20000, 60000) : rng.between(80, 4000), rng.chance(0.3)) });
    }
    const metrics = { prompt_tokens: rng.between(9000, 90000), completion_tokens: rng.between(30, 900), cached_tokens: rng.between(100, 8000), cost_usd: rng.between(1, 900) / 10000 };
    const entry = {
      step_id: step, timestamp: stamp(), source: 'agent', model_name: 'model-m', message: `${sentence(rng, rng.between(5, 60))}.`,
      ...(rng.chance(0.3) ? { reasoning_content: sentence(rng, rng.between(10, 90)) } : {}), tool_calls: calls, observation: { results }, metrics,
    };
    totals.calls += calls.length;
    totals.results += results.length;
    totals.input_tokens += metrics.prompt_tokens;
    totals.cached_tokens += metrics.cached_tokens;
    totals.output_tokens += metrics.completion_tokens;
    const text = `,\n    ${printed(entry, 2)}`;
    written += Buffer.byteLength(text);
    yield text;
  }
  const sums = { total_prompt_tokens: totals.input_tokens, total_completion_tokens: totals.output_tokens, total_cached_tokens: totals.cached_tokens, total_steps: step };
  yield `\n  ],\n  "final_metrics": ${printed(sums, 1)}\n}\n`;
  return totals;
}
