//! Synthetic traces of an agent as OTLP JSON with the GenAI conventions, one export a line as a collector's file exporter
//! writes them. As in real ones each question to the model repeats the whole conversation, children come before
//! their parents, and each tool's span follows the answer that asked for it. Memory: one trace.

import { output, random, sentence } from './random.mjs';

const TOOLS = ['search', 'read_page', 'run_query', 'calculate', 'send_mail'];

const text = (key, value) => ({ key, value: { stringValue: value } });
const whole = (key, value) => ({ key, value: { intValue: String(value) } });

/** Yields exports until `bytes` are reached. Returns what is in them: traces as runs, calls, results, errors, tokens. */
export function* traces({ bytes, seed = 1 }) {
  const rng = random(seed);
  const totals = { runs: 0, calls: 0, results: 0, errors: 0, input_tokens: 0, output_tokens: 0 };
  let clock = 1767603600000000000n;
  let written = 0;
  const span = (trace, parent, name, attributes, status = {}) => {
    const start = clock;
    clock += BigInt(rng.between(2, 9000)) * 1000000n;
    return { traceId: trace, spanId: rng.hex(16), ...(parent ? { parentSpanId: parent } : {}), name, kind: 3, startTimeUnixNano: String(start), endTimeUnixNano: String(clock), attributes, status };
  };
  const exported = (spans) => {
    const resource = { attributes: [text('service.name', 'desk'), text('telemetry.sdk.language', 'python')] };
    const line = `${JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'agent', version: '1.4.0' }, spans }] }] })}\n`;
    written += Buffer.byteLength(line);
    return line;
  };
  while (written < bytes) {
    const trace = rng.hex(32);
    const root = rng.hex(16);
    const began = clock;
    totals.runs += 1;
    const said = [{ role: 'user', parts: [{ type: 'text', content: `${sentence(rng, rng.between(8, 40))}.` }] }];
    for (let turn = rng.between(4, 16); turn >= 0; turn -= 1) {
      const parts = [{ type: 'text', content: `${sentence(rng, rng.between(5, 50))}.` }];
      const calls = [];
      for (let call = turn === 0 ? 0 : rng.chance(0.15) ? 2 : 1; call > 0; call -= 1) {
        calls.push({ type: 'tool_call', id: `call_${rng.hex(20)}`, name: rng.pick(TOOLS), arguments: { query: sentence(rng, 6), limit: rng.below(90) } });
      }
      const used = [rng.between(300, 9000), rng.between(20, 700)];
      totals.input_tokens += used[0];
      totals.output_tokens += used[1];
      const answer = { role: 'assistant', parts: [...parts, ...calls], finish_reason: calls.length ? 'tool_call' : 'stop' };
      const spans = [span(trace, root, 'chat model-m', [
        text('gen_ai.operation.name', 'chat'), text('gen_ai.provider.name', 'demo'), text('gen_ai.request.model', 'model-m'), text('gen_ai.response.model', 'model-m'),
        whole('gen_ai.usage.input_tokens', used[0]), whole('gen_ai.usage.output_tokens', used[1]),
        text('gen_ai.input.messages', JSON.stringify(said)), text('gen_ai.output.messages', JSON.stringify([answer])),
      ])];
      said.push(answer);
      for (const { id, name } of calls) {
        const failed = rng.chance(0.05);
        const result = failed ? `Error: ${sentence(rng, 8)}` : output(rng, rng.between(60, 2500), false);
        totals.calls += 1;
        totals.results += 1;
        if (failed) totals.errors += 1;
        spans.push(span(trace, root, `execute_tool ${name}`, [
          text('gen_ai.operation.name', 'execute_tool'), text('gen_ai.tool.name', name), text('gen_ai.tool.call.id', id), text('gen_ai.tool.call.result', result),
        ], failed ? { code: 2, message: 'it failed' } : {}));
        said.push({ role: 'tool', parts: [{ type: 'tool_call_response', id, response: result }] });
      }
      yield exported(spans);
    }
    yield exported([{ ...span(trace, '', 'invoke_agent desk', [text('gen_ai.operation.name', 'invoke_agent'), text('gen_ai.agent.name', 'desk')]), spanId: root, startTimeUnixNano: String(began) }]);
  }
  return totals;
}
