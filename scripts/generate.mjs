//! Makes a synthetic Claude Code session of any size, for tests of memory and speed. Same seed, same bytes.
//! Its shapes are those of real sessions: one message split over several lines with one id and growing usage,
//! about 70 % of lines progress, results that repeat the text in `toolUseResult`, parallel calls, errors,
//! compaction, a few long results, ANSI colours. The totals it answers are counted while writing, so that a
//! test can hold a reader's figures against them. Memory: one turn. Speed: about 30 MB/s.
//!
//! `node scripts/generate.mjs 64 session.jsonl [--seed 7]` writes 64 MB (of 1,048,576 bytes) and prints the totals.

import { pathToFileURL } from 'node:url';

import { output, random, sentence, writePieces } from './generate/random.mjs';

const TOOLS = ['Bash', 'Read', 'Edit', 'Grep', 'Glob', 'Write', 'TodoWrite', 'WebFetch'];
const FOLDERS = ['src/import', 'src/model', 'src/web/screens', 'tests', 'docs', 'scripts'];

function input(rng, tool) {
  const path = `/work/project/${rng.pick(FOLDERS)}/part_${rng.below(60)}.rs`;
  switch (tool) {
    case 'Bash': return { command: `cargo test part_${rng.below(60)} -- --nocapture`, description: sentence(rng, 5) };
    case 'Read': return { file_path: path, offset: rng.below(900), limit: 200 };
    case 'Edit': return { file_path: path, old_string: output(rng, rng.between(80, 700), false), new_string: output(rng, rng.between(80, 900), false) };
    case 'Write': return { file_path: path, content: output(rng, rng.between(300, 3000), false) };
    case 'Grep': return { pattern: `fn\\s+part_${rng.below(60)}`, path: '/work/project/src', output_mode: 'content' };
    case 'Glob': return { pattern: `**/*_${rng.below(60)}.rs` };
    case 'TodoWrite': return { todos: [1, 2, 3].map((id) => ({ id: String(id), content: sentence(rng, 8), status: rng.pick(['pending', 'in_progress', 'completed']) })) };
    default: return { url: `http://localhost:${rng.between(3000, 3009)}/${rng.hex(6)}`, prompt: sentence(rng, 9) };
  }
}

/**
 * Yields the lines of one session, each with its line end, until `bytes` are reached and the turn is complete.
 * Returns the totals: lines, calls, results, errors, messages, prompts, input_tokens (caches included),
 * cached_tokens (read from a cache), output_tokens, bytes.
 */
export function* session({ bytes, seed = 1 }) {
  const rng = random(seed);
  const totals = { bytes: 0, lines: 0, progress: 0, prompts: 0, messages: 0, calls: 0, results: 0, errors: 0, input_tokens: 0, cached_tokens: 0, output_tokens: 0 };
  const sessionId = `${rng.hex(8)}-${rng.hex(4)}-4${rng.hex(3)}-8${rng.hex(3)}-${rng.hex(12)}`;
  let clock = Date.UTC(2026, 0, 5, 9, 0, 0);
  let serial = 0;
  let parent = null;

  const uuid = () => {
    serial += 1;
    return `${serial.toString(16).padStart(8, '0')}-${rng.hex(4)}-4${rng.hex(3)}-8${rng.hex(3)}-${rng.hex(12)}`;
  };
  const base = () => ({ parentUuid: parent, isSidechain: false, userType: 'external', cwd: '/work/project', sessionId, version: '2.1.39', gitBranch: 'main' });
  const stamp = (least, most) => {
    clock += rng.between(least, most);
    return new Date(clock).toISOString();
  };
  const write = (record) => {
    const line = `${JSON.stringify(record)}\n`;
    totals.lines += 1;
    totals.bytes += Buffer.byteLength(line);
    return line;
  };
  const chained = (record, least = 5, most = 900) => {
    const id = uuid();
    const line = write({ ...base(), ...record, uuid: id, timestamp: stamp(least, most) });
    parent = id;
    return line;
  };
  // Progress hangs beside the thread: it names a parent, but nothing continues from it.
  const progress = (data, toolUseID) => {
    totals.progress += 1;
    return write({ ...base(), type: 'progress', data, toolUseID, parentToolUseID: toolUseID, timestamp: stamp(1, 30), uuid: uuid() });
  };
  const hook = (event, tool, id) => progress({ type: 'hook_progress', hookEvent: event, hookName: `${event}:${tool}`, command: `/work/hooks/${event.toLowerCase()}.sh ${rng.hex(8)}` }, id);

  let prompt = 0;
  let cached = 12000;
  for (let turn = 0; totals.bytes < bytes; turn += 1) {
    if (turn >= prompt) {
      prompt = turn + rng.between(15, 60);
      totals.prompts += 1;
      yield write({ type: 'file-history-snapshot', messageId: uuid(), snapshot: { trackedFileBackups: {}, timestamp: stamp(1, 5) }, isSnapshotUpdate: false });
      yield chained({ type: 'user', message: { role: 'user', content: `${sentence(rng, rng.between(8, 60))}.` }, todos: [], permissionMode: 'default' }, 2000, 90000);
    }
    if (turn > 0 && turn % 400 === 0) {
      const before = parent;
      parent = null;
      yield chained({ type: 'system', subtype: 'compact_boundary', logicalParentUuid: before, content: 'Conversation compacted', isMeta: false, level: 'info', compactMetadata: { trigger: 'auto', preTokens: cached } });
      yield chained({ type: 'user', isCompactSummary: true, message: { role: 'user', content: `This session is being continued. ${sentence(rng, 200)}` } });
      cached = 12000;
    }

    // One message of the model, written as several lines with the same id; only the last usage is the true one.
    const fresh = rng.between(1, 40);
    const created = rng.between(200, 4000);
    const blocks = [];
    if (rng.chance(0.15)) blocks.push({ type: 'thinking', thinking: sentence(rng, rng.between(10, 120)), signature: rng.hex(64) });
    if (rng.chance(0.5)) blocks.push({ type: 'text', text: `${sentence(rng, rng.between(5, 60))}.` });
    const calls = [];
    for (let call = rng.chance(0.15) ? rng.between(2, 4) : 1; call > 0; call -= 1) {
      const tool = rng.pick(TOOLS);
      calls.push({ id: `toolu_01${rng.hex(22)}`, tool });
      blocks.push({ type: 'tool_use', id: calls.at(-1).id, name: tool, input: input(rng, tool) });
    }
    const id = `msg_01${rng.hex(22)}`;
    const requestId = `req_01${rng.hex(22)}`;
    let written = rng.between(1, 9);
    for (const [index, block] of blocks.entries()) {
      if (index === blocks.length - 1) written += rng.between(40, 900);
      const usage = {
        input_tokens: fresh, cache_creation_input_tokens: created, cache_read_input_tokens: cached,
        cache_creation: { ephemeral_5m_input_tokens: created, ephemeral_1h_input_tokens: 0 }, output_tokens: written, service_tier: 'standard',
      };
      yield chained({ type: 'assistant', message: { model: 'claude-opus-4-6', id, type: 'message', role: 'assistant', content: [block], stop_reason: null, stop_sequence: null, usage }, requestId }, 200, 6000);
    }
    totals.messages += 1;
    totals.calls += calls.length;
    totals.input_tokens += fresh + created + cached;
    totals.cached_tokens += cached;
    totals.output_tokens += written;
    cached = Math.min(cached + created, 190000);
    const asked = parent;

    for (const { id: call, tool } of calls) {
      for (let beat = rng.between(2, 4); beat > 0; beat -= 1) yield hook('PreToolUse', tool, call);
      if (tool === 'Bash') {
        for (let beat = rng.between(1, 4); beat > 0; beat -= 1) {
          const text = output(rng, rng.between(100, 1200), true);
          yield progress({ type: 'bash_progress', output: text.slice(0, 400), fullOutput: text, elapsedTimeSeconds: beat, totalLines: 40 }, call);
        }
      }
      const failed = rng.chance(0.06);
      const size = rng.chance(0.02) ? rng.between(40000, 120000) : rng.between(60, 5000);
      const text = failed ? `Error: ${sentence(rng, 12)}` : output(rng, size, tool === 'Bash');
      totals.results += 1;
      if (failed) totals.errors += 1;
      yield chained({
        type: 'user', sourceToolAssistantUUID: asked,
        message: { role: 'user', content: [{ tool_use_id: call, type: 'tool_result', content: text, is_error: failed }] },
        toolUseResult: failed ? text : tool === 'Bash' ? { stdout: text, stderr: '', interrupted: false, isImage: false } : { type: 'text', file: { filePath: '/work/project/src/lib.rs', content: text } },
      }, 30, 9000);
      for (let beat = rng.between(2, 3); beat > 0; beat -= 1) yield hook('PostToolUse', tool, call);
    }
  }
  yield chained({ type: 'assistant', message: { model: 'claude-opus-4-6', id: `msg_01${rng.hex(22)}`, type: 'message', role: 'assistant', content: [{ type: 'text', text: 'All done.' }], stop_reason: 'end_turn', stop_sequence: null, usage: { input_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: cached, output_tokens: 4 } } });
  totals.messages += 1;
  totals.input_tokens += 1 + cached;
  totals.cached_tokens += cached;
  totals.output_tokens += 4;
  return totals;
}

/** Writes a session to `path`, answers its totals. */
export const writeSession = (path, { bytes, seed }) => writePieces(path, session({ bytes, seed }));

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [size, path] = process.argv.slice(2);
  const flag = process.argv.indexOf('--seed');
  const seed = flag < 0 ? 1 : Number(process.argv[flag + 1]);
  if (!(Number(size) > 0) || !path || !Number.isInteger(seed)) {
    console.error('usage: node scripts/generate.mjs MEGABYTES FILE [--seed N]');
    process.exit(2);
  }
  const totals = await writeSession(path, { bytes: Number(size) * 1048576, seed });
  console.log(JSON.stringify(totals));
}
