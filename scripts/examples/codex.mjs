// A Codex rollout: a slow query in a small Go service is found and fixed. Counters are written twice, as Codex does.

import { Tally, mark, tokens, uuid } from './tally.mjs';

const ID = 'codex-slow-query';
const THREAD = uuid('lanternfish', 3, '4');
const CWD = '/home/dev/lanternfish';
const START = Date.UTC(2026, 3, 2, 13, 40, 11);

class Rollout {
  lines = [];
  tally = new Tally();
  at = START;
  calls = 0;
  context = 9_820;
  pending = 0;
  total = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_output_tokens: 0, total_tokens: 0 };
  waiting = [];

  line(type, payload) {
    this.lines.push(JSON.stringify({ timestamp: new Date(this.at).toISOString(), type, payload }));
  }

  wait(seconds) {
    this.at += Math.round(seconds * 1000);
    return this;
  }

  text(role, text, kind = 'input_text') {
    this.tally.step(this.at);
    this.pending += tokens(text);
    this.line('response_item', { type: 'message', role, content: [{ type: kind, text }] });
  }

  person(text) {
    this.text('user', text);
    this.line('event_msg', { type: 'user_message', message: text, images: [], local_images: [], text_elements: [] });
  }

  think(text) {
    this.wait(3.2);
    this.line('event_msg', { type: 'agent_reasoning', text });
    this.tally.step(this.at);
    this.line('response_item', { type: 'reasoning', summary: [{ type: 'summary_text', text }], content: null, encrypted_content: `gAAAA${mark(text.slice(0, 9), text.length, 60)}` });
    this.said = (this.said ?? 0) + tokens(text);
    this.reasoned = (this.reasoned ?? 0) + tokens(text);
  }

  say(text, phase) {
    this.wait(1.4);
    this.line('event_msg', { type: 'agent_message', message: text, phase });
    this.tally.step(this.at);
    this.line('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }], phase });
    this.said = (this.said ?? 0) + tokens(text);
  }

  #call(payload, output, seconds, failed) {
    this.wait(0.6);
    this.calls += 1;
    const call_id = `call_${mark('lanternfish', this.calls, 24)}`;
    this.tally.call(this.at);
    this.line('response_item', { ...payload, call_id });
    this.said = (this.said ?? 0) + tokens(JSON.stringify(payload));
    this.waiting.push({ call_id, output, seconds, failed, custom: payload.type === 'custom_tool_call' });
  }

  run(cmd, stdout, { code = 0, seconds = 0.1 } = {}) {
    const output = `Chunk ID: ${mark('chunk', this.calls, 6).toLowerCase()}\nWall time: ${seconds.toFixed(4)} seconds\nProcess exited with code ${code}\nOutput:\n${stdout}`;
    const argument = { cmd, workdir: CWD, yield_time_ms: 1000 };
    this.#call({ type: 'function_call', name: 'exec_command', arguments: JSON.stringify(argument) }, output, seconds, code !== 0);
  }

  patch(input, files, failure) {
    const output = failure ?? JSON.stringify({ output: `Success. Updated the following files:\n${files.map((f) => `M ${f}`).join('\n')}\n`, metadata: { exit_code: 0, duration_seconds: 0.1 } });
    this.#call({ type: 'custom_tool_call', status: 'completed', name: 'apply_patch', input }, output, 0.1, failure !== undefined);
  }

  /** The answer is over: its tokens are told (twice, the second time without news), then its calls come back. */
  turn() {
    const input = this.context + this.pending;
    const output = this.said;
    const last = { input_tokens: input, cached_input_tokens: this.context - (this.context % 128), output_tokens: output, reasoning_output_tokens: this.reasoned ?? 0, total_tokens: input + output };
    for (const key of Object.keys(this.total)) this.total[key] += last[key];
    this.tally.usage(last.input_tokens, last.output_tokens, last.cached_input_tokens);
    const info = { total_token_usage: { ...this.total }, last_token_usage: last, model_context_window: 272_000 };
    this.line('event_msg', { type: 'token_count', info, rate_limits: null });
    this.context = input;
    this.pending = output;
    this.said = 0;
    this.reasoned = 0;
    for (const { call_id, output: text, seconds, failed, custom } of this.waiting.splice(0)) {
      this.wait(seconds);
      this.tally.result(this.at, failed);
      this.pending += tokens(text);
      this.line('response_item', { type: custom ? 'custom_tool_call_output' : 'function_call_output', call_id, output: text });
    }
    this.line('event_msg', { type: 'token_count', info, rate_limits: null });
  }
}

export function codex() {
  const r = new Rollout();
  r.tally.step(r.at);
  r.line('session_meta', {
    id: THREAD,
    timestamp: new Date(START - 900).toISOString(),
    cwd: CWD,
    originator: 'codex_cli_rs',
    cli_version: '0.104.0',
    source: 'cli',
    model_provider: 'openai',
    base_instructions: { text: 'You are a coding agent in a terminal. Be exact and brief.' },
    git: { commit_hash: '5b21c0e9d4f7a8836120bb94ce17d0aa3f6e2c58', branch: 'main', repository_url: null },
  });
  r.text('developer', 'Commands run in a sandbox without network. Writing outside the workspace needs approval.');
  r.text('user', `# AGENTS.md instructions for ${CWD}\n\n<INSTRUCTIONS>\nGo 1.24. Queries live in store/queries.sql. Run \`go test ./...\` before you finish.\n</INSTRUCTIONS>`);
  r.text('user', `<environment_context>\n  <cwd>${CWD}</cwd>\n  <shell>bash</shell>\n</environment_context>`);
  r.line('event_msg', { type: 'task_started', turn_id: 'turn-1', model_context_window: 272_000, collaboration_mode_kind: 'default' });
  r.wait(0.2);
  r.person('GET /lamps takes two seconds since we have 40,000 lamps. Find out why and fix it. Keep the order of the list as it is.');
  r.line('turn_context', { turn_id: 'turn-1', cwd: CWD, approval_policy: 'on-request', sandbox_policy: { type: 'workspace-write', network_access: false }, model: 'gpt-5.3-codex', effort: 'medium', summary: 'auto' });
  r.line('event_msg', { type: 'token_count', info: null, rate_limits: null });

  r.think('**Finding the handler**\n\nLook at the route and at the query that it runs.');
  r.say('I will look at the handler and its query first.', 'commentary');
  r.run("rg -n '/lamps' --type go", 'server/routes.go:31:\tmux.HandleFunc("GET /lamps", s.listLamps)\nserver/lamps.go:12:// listLamps answers GET /lamps.');
  r.run('cat store/queries.sql', '-- name: ListLamps :many\nSELECT id, name, pier, lit_at FROM lamps ORDER BY pier, name;\n\n-- name: LastReading :one\nSELECT lumen, read_at FROM readings WHERE lamp_id = $1 ORDER BY read_at DESC LIMIT 1;');
  r.run("sed -n '1,60p' server/lamps.go", 'package server\n\n// listLamps answers GET /lamps.\nfunc (s *Server) listLamps(w http.ResponseWriter, r *http.Request) {\n\tlamps, err := s.store.ListLamps(r.Context())\n\tif err != nil {\n\t\ts.fail(w, err)\n\t\treturn\n\t}\n\tout := make([]lampView, 0, len(lamps))\n\tfor _, lamp := range lamps {\n\t\tlast, err := s.store.LastReading(r.Context(), lamp.ID)\n\t\tif err != nil {\n\t\t\ts.fail(w, err)\n\t\t\treturn\n\t\t}\n\t\tout = append(out, view(lamp, last))\n\t}\n\ts.json(w, out)\n}');
  r.turn();

  r.think('**One query a lamp**\n\nThe handler asks for the last reading of each lamp: 40,001 queries. One join does it. Is there an index on readings(lamp_id, read_at)?');
  r.run("rg -n 'INDEX' store/schema.sql", '14:CREATE INDEX readings_read_at ON readings (read_at);');
  r.run('go test ./... 2>&1 | tail -4', 'ok  \tlanternfish/server\t0.412s\nok  \tlanternfish/store\t1.208s', { seconds: 6.4 });
  r.turn();

  r.say('Each lamp costs a query of its own, and no index serves that query. I will fetch the last readings in one go and add the index.', 'commentary');
  r.patch('*** Begin Patch\n*** Update File: store/queries.sql\n@@\n--- name: LastReading :one\n*** End Patch', [], 'apply_patch verification failed: invalid hunk at line 3, Update hunk does not contain any lines');
  r.turn();

  r.think('**The patch was malformed**\n\nWrite the hunk with its context.');
  r.patch('*** Begin Patch\n*** Update File: store/queries.sql\n@@\n--- name: LastReading :one\n-SELECT lumen, read_at FROM readings WHERE lamp_id = $1 ORDER BY read_at DESC LIMIT 1;\n+-- name: LastReadings :many\n+SELECT DISTINCT ON (lamp_id) lamp_id, lumen, read_at FROM readings ORDER BY lamp_id, read_at DESC;\n*** Update File: store/schema.sql\n@@\n CREATE INDEX readings_read_at ON readings (read_at);\n+CREATE INDEX readings_lamp_last ON readings (lamp_id, read_at DESC);\n*** End Patch', ['store/queries.sql', 'store/schema.sql']);
  r.patch('*** Begin Patch\n*** Update File: server/lamps.go\n@@\n-\tout := make([]lampView, 0, len(lamps))\n-\tfor _, lamp := range lamps {\n-\t\tlast, err := s.store.LastReading(r.Context(), lamp.ID)\n-\t\tif err != nil {\n-\t\t\ts.fail(w, err)\n-\t\t\treturn\n-\t\t}\n-\t\tout = append(out, view(lamp, last))\n-\t}\n+\tlast, err := s.store.LastReadings(r.Context())\n+\tif err != nil {\n+\t\ts.fail(w, err)\n+\t\treturn\n+\t}\n+\tout := make([]lampView, 0, len(lamps))\n+\tfor _, lamp := range lamps {\n+\t\tout = append(out, view(lamp, last[lamp.ID]))\n+\t}\n*** End Patch', ['server/lamps.go']);
  r.turn();

  r.run('go generate ./store && go vet ./...', 'server/lamps.go:16:26: invalid argument: index lamp.ID (variable of type int64) must be integer', { code: 1, seconds: 3.1 });
  r.turn();
  r.think('**A slice, not a map**\n\nThe generated method returns rows in order of lamp_id. Put them into a map by id.');
  r.patch('*** Begin Patch\n*** Update File: server/lamps.go\n@@\n-\tlast, err := s.store.LastReadings(r.Context())\n+\treadings, err := s.store.LastReadings(r.Context())\n@@\n+\tlast := make(map[int64]store.Reading, len(readings))\n+\tfor _, reading := range readings {\n+\t\tlast[reading.LampID] = reading\n+\t}\n \tout := make([]lampView, 0, len(lamps))\n*** End Patch', ['server/lamps.go']);
  r.turn();
  r.run('go generate ./store && go vet ./... && go test ./...', 'ok  \tlanternfish/server\t0.398s\nok  \tlanternfish/store\t1.190s', { seconds: 9.2 });
  r.run('go test ./server -run xxx -bench Lamps -benchtime 20x', 'BenchmarkListLamps/40000-8   \t      20\t  61240118 ns/op\nPASS', { seconds: 4.7 });
  r.turn();
  const answer = '`GET /lamps` takes 61 ms with 40,000 lamps, from about two seconds.\n\n- It ran one query a lamp; now two in all (`store/queries.sql`, `server/lamps.go`).\n- `readings_lamp_last` serves the last reading of each lamp (`store/schema.sql`). **It must be created on the running database.**\n- The order is still by pier, then name.';
  r.say(answer, 'final_answer');
  r.turn();
  r.line('event_msg', { type: 'task_complete', turn_id: 'turn-1', last_agent_message: answer });

  const figures = r.tally.figures();
  return {
    id: ID,
    title: { en: 'Codex: a slow query', 'zh-Hant': 'Codex：一個緩慢的查詢' },
    note: { en: 'A rollout with parallel calls, a malformed patch and counters that are written twice', 'zh-Hant': '含並行呼叫、一個格式錯誤的修補，以及重複寫入的計數' },
    contents: { [`rollout-2026-04-02T13-40-11-${THREAD}.jsonl`]: `${r.lines.join('\n')}\n` },
    expect: { format: 'codex', runs: [figures] },
  };
}
