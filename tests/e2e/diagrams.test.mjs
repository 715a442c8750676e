//! Every diagram parses in mermaid as it is served: those of our examples, of every file of the corpus, and of 1,500
//! hostile texts, which can neither break a diagram nor reach mermaid's configuration. The texts come from the command
//! line, which draws with the same code as the page.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { CORPUS, ROOT, setUp } from './harness.mjs';

const TARGET = process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target');
const CLI = join(TARGET, 'debug', 'skillscope');

/** The pages of every run below some paths; none when nothing there is a run. */
function pages(...paths) {
  try {
    const text = execFileSync(CLI, ['diagram', ...paths, '--all'], { encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'pipe'] });
    return text.split('\n%% next page\n');
  } catch (error) {
    assert.equal(error.status, 2, `skillscope diagram ${paths.join(' ')}: ${error.stderr}`);
    return [];
  }
}

function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)]));
}

describe('every diagram parses', () => {
  let stage;
  before(async () => {
    if (!existsSync(CLI)) execFileSync('cargo', ['build', '--quiet', '--locked', '--bin', 'skillscope'], { cwd: ROOT, stdio: 'inherit' });
    stage = await setUp();
  });
  after(() => stage?.close());

  /** Parses texts in the page; answers what failed and what changed mermaid's configuration. */
  async function parse(texts) {
    const { page, close } = await stage.open();
    const wrong = [];
    // A task for each, so that the page stays alive.
    for (let from = 0; from < texts.length; from += 40) {
      wrong.push(...(await page.evaluate(async ({ texts, from }) => {
        const { default: mermaid } = await import(new URL('vendor/mermaid/mermaid.esm.min.mjs', document.baseURI).href);
        mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', maxTextSize: 50_000 });
        const wrong = [];
        for (const [at, text] of texts.entries()) {
          if (text.length > 50_000) wrong.push(`${from + at}: ${text.length} characters, more than mermaid draws`);
          try {
            const { diagramType, config } = await mermaid.parse(text);
            if (diagramType !== 'sequence') wrong.push(`${from + at}: read as ${diagramType}`);
            if (Object.keys(config ?? {}).length > 0) wrong.push(`${from + at}: changed the configuration: ${JSON.stringify(config)}`);
          } catch (error) {
            wrong.push(`${from + at}: ${String(error.message ?? error).slice(0, 300)}`);
          }
        }
        return wrong;
      }, { texts: texts.slice(from, from + 40), from })));
    }
    await close();
    return wrong;
  }

  test('of our examples', async () => {
    const texts = pages(join(ROOT, 'public', 'examples'));
    assert.ok(texts.length >= 5, `${texts.length} pages`);
    assert.deepEqual(await parse(texts), []);
  });

  test('of 1,500 hostile texts, in every place of a diagram', async () => {
    // Mulberry32, the same texts every time.
    let state = 20261130;
    const below = (limit) => {
      state = (state + 0x6d2b79f5) >>> 0;
      let t = state;
      t = Math.imul(t ^ (t >>> 15), t | 1);
      t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
      return ((t ^ (t >>> 14)) >>> 0) % limit;
    };
    const PIECES = [
      'end', 'loop', 'par', 'and', 'alt', 'opt', 'rect', 'note over p0: x', 'participant', 'activate p0', 'deactivate p0', 'p0->>p1: x', '->>', '-->>-', '--x', ':', ';', '#', '#35;', '%%', '%%{init: {"theme":"forest"}}%%',
      '%%{wrap}%%', 'wrap:', 'nowrap:', '<br/>', '<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '&lt;', '$$x^2$$', '`', '"', "'", '{', '}', '[', ']', '\\', '|', '+', '-', '\n', '\r\n', '\t', '\u0000', '\u001b[31m', '\u202e', '\u200b', '\u200d',
      '\ufb02\u00b0\u00b0', '\u00b6\u00df', '\ud83d', '👩‍👩‍👧', '漢字', 'é', 'style p0 fill:#f00;', 'classDef x fill:#f00;', 'accTitle: x', 'accDescr { x }', 'autonumber', 'title: x', 'create participant p9', 'destroy p0', 'links p0: {}', '---\ntitle: x\n---', 'a'.repeat(90), ' ',
    ];
    const texts = Array.from({ length: 1500 }, () => Array.from({ length: 1 + below(8) }, () => PIECES[below(PIECES.length)]).join(below(2) ? ' ' : ''));
    const folder = mkdtempSync(join(tmpdir(), 'skillscope-'));
    try {
      const messages = [];
      texts.forEach((text, i) => {
        const next = texts[(i * 7 + 3) % texts.length];
        messages.push({ role: 'user', content: text });
        messages.push({ role: 'assistant', content: next, tool_calls: [{ id: `c${i}`, type: 'function', function: { name: text.slice(0, 60) || 'x', arguments: JSON.stringify({ command: next, [text]: 1 }) } }] });
        messages.push({ role: 'tool', tool_call_id: `c${i}`, content: i % 3 ? text : `Error: ${text}` });
      });
      // Few tools a run: a participant stands for each.
      for (let from = 0; from < messages.length; from += 60) writeFileSync(join(folder, `${from}.json`), JSON.stringify(messages.slice(from, from + 60)));
      const drawn = pages(folder);
      assert.ok(drawn.length >= 75, `${drawn.length} pages`);
      assert.deepEqual(await parse(drawn), []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('of every file of the corpus', async (t) => {
    if (!existsSync(CORPUS)) return t.skip(`NOT RUN: the files of real agents are not at ${resolve(CORPUS)}; SKILLSCOPE_CORPUS names another folder`);
    const texts = files(CORPUS).flatMap((file) => pages(file));
    t.diagnostic(`${texts.length} pages`);
    assert.ok(texts.length > 300, `${texts.length} pages`);
    assert.deepEqual(await parse(texts), []);
  });
});
