//! A server for the tests of the judge: speaks the five interfaces, reads a question as a model would, and answers
//! truthfully or fails in the way that `mode` says. Keeps what it was asked.

import { createServer } from 'node:http';

/** The five interfaces by their path. */
const APIS = [
  ['openai-chat', /\/v1\/chat\/completions$/],
  ['openai-responses', /\/v1\/responses$/],
  ['anthropic', /\/v1\/messages$/],
  ['gemini', /\/v1beta\/models\/[^/]+:(streamG|g)enerateContent/],
  ['ollama', /\/api\/chat$/],
];

/** The question, wherever an interface puts it. */
function question(api, body) {
  if (api === 'openai-responses') return body.input[0].content[0].text;
  if (api === 'gemini') return body.contents[0].parts[0].text;
  return body.messages.at(-1).content;
}

/** The answer of a model that reads: the word of control, and for each criterion a quote that is there. */
function judge(text, mode) {
  if (!text.includes('The evidence ends here')) return { ok: 'yes' };
  const lines = text.split('\n').filter((line) => line.startsWith('{"step"')).map((line) => JSON.parse(line));
  const asked = /the line of step (\d+)/.exec(text);
  const line = asked && lines.find((each) => each.step === Number(asked[1]));
  const control = line ? (text.includes('Which tool') ? line.tool : line.kind) : '';
  const evident = lines.find((each) => each.result) ?? lines[0];
  const said = (evident.result ?? evident.text).slice(0, 24);
  const tail = { reasoning: 'The step shows it.', confidence: 'high', injection_seen: 'no', summary: 'It went as it went.' };
  if (text.includes('which run did better') || text.includes('Which run did better')) {
    const run = mode === 'first' ? 'A' : (text.indexOf('3 passed') < text.indexOf('2 failed') ? 'A' : 'B');
    const of = run === 'A' ? lines.find((each) => each.result) : lines.findLast((each) => each.result);
    return { control, evidence: [{ run, step: of.step, quote: of.result.slice(0, 8) }], winner: run, ...tail };
  }
  if (text.includes('Find the decisive error')) {
    return { control, evidence: [{ step: evident.step, quote: said }], error: 'went on', agent: 'agent', step: evident.step, ...tail };
  }
  const items = [...text.matchAll(/^(c\d+) — /gm)].map(([, criterion], n) => ({
    criterion,
    evidence: [{ step: evident.step, quote: mode === 'quotes' && n === 0 ? 'rm -rf / --no-preserve-root' : said }],
    reasoning: 'The step shows it.',
    verdict: n % 2 === 0 ? 'yes' : 'no',
    confidence: 'high',
  }));
  return { control, items, injection_seen: 'no', summary: 'It went as it went.' };
}

/** The whole answer in the shape of an interface; as a stream where that was asked for. */
function shaped(api, text, { streamed, end = 'whole', refusal = null }) {
  const events = (list, named) => list.map((each) => `${named ? `event: ${each.type}\n` : ''}data: ${JSON.stringify(each)}\n\n`).join('');
  const half = Math.floor(text.length / 2);
  const parts = [text.slice(0, half), text.slice(half)];
  switch (api) {
    case 'openai-chat': {
      const reason = { whole: 'stop', limit: 'length' }[end];
      if (!streamed || refusal) {
        return JSON.stringify({ model: 'judge-1', choices: [{ message: { content: refusal ? null : text, refusal }, finish_reason: reason }], usage: { prompt_tokens: 900, completion_tokens: 120 } });
      }
      return `${events([
        ...parts.map((content) => ({ model: 'judge-1', choices: [{ delta: { content }, finish_reason: null }] })),
        { model: 'judge-1', choices: [{ delta: {}, finish_reason: reason }] },
        { model: 'judge-1', choices: [], usage: { prompt_tokens: 900, completion_tokens: 120 } },
      ])}data: [DONE]\n\n`;
    }
    case 'openai-responses': {
      const whole = { status: 'completed', model: 'judge-1', output: [{ type: 'message', content: [{ type: 'output_text', text }] }], usage: { input_tokens: 900, output_tokens: 120 } };
      return streamed ? events([...parts.map((delta) => ({ type: 'response.output_text.delta', delta })), { type: 'response.completed', response: whole }], true) : JSON.stringify(whole);
    }
    case 'anthropic':
      return streamed
        ? events([
          { type: 'message_start', message: { model: 'judge-1', content: [], usage: { input_tokens: 900, output_tokens: 1 } } },
          ...parts.map((part) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: part } })),
          { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 120 } },
          { type: 'message_stop' },
        ], true)
        : JSON.stringify({ model: 'judge-1', content: [{ type: 'text', text }], stop_reason: 'end_turn', usage: { input_tokens: 900, output_tokens: 120 } });
    case 'gemini': {
      const piece = (part, finishReason) => ({ candidates: [{ content: { parts: [{ text: part }] }, finishReason }], usageMetadata: { promptTokenCount: 900, candidatesTokenCount: 120 }, modelVersion: 'judge-1' });
      return streamed ? events([piece(parts[0]), piece(parts[1], 'STOP')]) : JSON.stringify(piece(text, 'STOP'));
    }
    default:
      return streamed
        ? `${[...parts.map((content) => ({ model: 'judge-1', message: { content }, done: false })), { model: 'judge-1', message: { content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 900, eval_count: 120 }].map((each) => JSON.stringify(each)).join('\n')}\n`
        : JSON.stringify({ model: 'judge-1', message: { content: text }, done: true, done_reason: 'stop', prompt_eval_count: 900, eval_count: 120 });
  }
}

/** Statuses that a mode answers with, and the message of each. */
const STATUSES = {
  401: 'Incorrect API key provided',
  429: 'Rate limit reached',
  529: 'Overloaded',
  400: 'The parameter is not good',
};

/** Starts the server on a free port of this machine. `mode` may be changed at any time. */
export async function judgeServer() {
  const asked = [];
  let flying = 0;
  const state = { mode: 'fine', most: 0 };
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const { mode } = state;
      const path = new URL(request.url, 'http://localhost').pathname;
      const cors = mode === 'no-cors' || mode === 'missing' ? {} : {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
        'access-control-allow-methods': 'GET, POST',
      };
      const send = (status, body, type = 'application/json') => {
        response.writeHead(status, { 'content-type': type, ...cors });
        response.end(body);
      };
      if (request.method === 'OPTIONS') return send(mode === 'missing' ? 404 : 204, '');
      const text = Buffer.concat(chunks).toString();
      const api = APIS.find(([, pattern]) => pattern.test(path))?.[0];
      asked.push({ method: request.method, url: request.url, headers: request.headers, text, api });
      if (request.method === 'GET') {
        if (STATUSES[mode] && mode !== 400) return send(mode, JSON.stringify({ error: { message: STATUSES[mode] } }));
        if (mode === 'missing') return send(404, 'nothing');
        if (path.endsWith('/api/tags')) return send(200, JSON.stringify({ models: [{ name: 'judge-1' }] }));
        return send(200, JSON.stringify({ data: [{ id: 'judge-1' }, { id: 'judge-2' }] }));
      }
      flying += 1;
      state.most = Math.max(state.most, flying);
      const done = () => { flying -= 1; };
      response.on('close', done);
      const body = text ? JSON.parse(text) : {};
      const streamed = body.stream === true || request.url.includes('streamGenerateContent');
      if (STATUSES[mode]) return send(mode, JSON.stringify({ error: { message: STATUSES[mode] } }));
      switch (mode) {
        case 'silent': return;
        case 'missing': return send(404, 'nothing');
        case 'no-model': return send(404, JSON.stringify({ error: { message: 'The model does not exist', code: 'model_not_found' } }));
        case 'malformed': return send(200, '{"choices":[{"message":{"content":"{\\"contr');
        case 'html': return send(200, '<!doctype html><p>Hello</p>', 'text/html');
        case 'cut': return send(200, shaped('openai-chat', '{"control":"shell","items":[{"crit', { streamed, end: 'limit' }));
        case 'refusal': return send(200, shaped('openai-chat', '', { streamed, refusal: 'I would rather not' }));
        case 'prose': return send(200, shaped('openai-chat', 'I think that it went well.', { streamed }));
        case 'broken':
          response.writeHead(200, { 'content-type': 'text/event-stream', ...cors });
          response.write('data: {"choices":[{"delta":{"content":"{"},"finish_reason":null}]}\n\n');
          return setTimeout(() => response.destroy(), 50);
        case 'no-schema':
          if (body.response_format?.type === 'json_schema') return send(500, JSON.stringify({ error: { message: "[{'loc': ('body', 'response_format', 'type')}]" } }));
          break;
        default:
      }
      const answer = JSON.stringify(judge(question(api, body), mode));
      // Long enough that two requests meet, short enough to wait for.
      setTimeout(() => send(200, shaped(api, answer, { streamed }), streamed ? 'text/event-stream' : 'application/json'), 40);
      return undefined;
    });
  });
  await new Promise((ready) => { server.listen(0, '127.0.0.1', ready); });
  const { port } = server.address();
  return {
    state,
    asked,
    origin: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    close: () => new Promise((closed) => { server.closeAllConnections(); server.close(closed); }),
  };
}
