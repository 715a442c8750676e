//! How files get in: by picker, folder, drop, paste and example; several at once, each failing alone; Cancel; a worker
//! that dies; a file that changes on disk; and links that find their step again.

import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { axe, choose, chooseFolder, drop, idle, paste, setUp, settle } from './harness.mjs';
import { writeSession } from '../../scripts/generate.mjs';

/** A chat of `n` calls, as OpenAI messages. */
function chat(n, title = 'Count the lines') {
  const messages = [{ role: 'user', content: title }];
  for (let i = 0; i < n; i += 1) {
    messages.push({ role: 'assistant', content: null, tool_calls: [{ id: `c${i}`, type: 'function', function: { name: 'run', arguments: JSON.stringify({ command: `wc -l file${i}` }) } }] });
    messages.push({ role: 'tool', tool_call_id: `c${i}`, content: `${i} file${i}` });
  }
  messages.push({ role: 'assistant', content: 'All counted.' });
  return JSON.stringify({ messages });
}

/** A Claude Code session of a few lines, and one of its sub-agents' files. */
function session(id) {
  const line = (n, fields) => ({ uuid: `${id}-${n}`, parentUuid: n ? `${id}-${n - 1}` : null, sessionId: id, version: '2.1.39', cwd: '/work', timestamp: new Date(Date.UTC(2026, 0, 1, 10, 0, n)).toISOString(), ...fields });
  const assistant = (n, content, more = {}) => line(n, { type: 'assistant', message: { id: `m${id}${n}`, type: 'message', role: 'assistant', model: 'demo', content, usage: { input_tokens: 3, output_tokens: 2 } }, ...more });
  const user = (n, content, more = {}) => line(n, { type: 'user', message: { role: 'user', content }, ...more });
  const text = (lines) => lines.map((l) => JSON.stringify(l)).join('\n') + '\n';
  const side = { isSidechain: true, agentId: 'a1b2c3d' };
  return {
    main: text([
      user(0, 'Look around'),
      assistant(1, [{ type: 'tool_use', id: 'task1', name: 'Task', input: { prompt: 'Read it all', description: 'Read', subagent_type: 'Explore' } }]),
      line(2, { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'task1', content: 'Read.' }] }, toolUseResult: { agentId: 'a1b2c3d', status: 'completed', totalToolUseCount: 1 } }),
      assistant(3, [{ type: 'text', text: 'Done.' }]),
    ]),
    agent: text([
      user(10, 'Read it all', side),
      assistant(11, [{ type: 'tool_use', id: 'r1', name: 'Read', input: { file_path: '/work/x' } }], side),
      user(12, [{ type: 'tool_result', tool_use_id: 'r1', content: 'x' }], side),
    ]),
  };
}

const json = (name, text) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
const rows = (page) => page.locator('#rail .file-name').allInnerTexts();
const states = (page) => page.locator('#rail .file-state').allInnerTexts();
const hash = (page) => page.evaluate(() => location.hash);

describe('files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'skillscope-intake-'));
  let stage;
  before(async () => { stage = await setUp(); });
  after(async () => {
    await stage?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('several at once: each opens or fails alone, and the first run is shown', async () => {
    const { page, close } = await stage.open();
    await drop(page, [json('notes.txt', 'buy milk'), json('one.json', chat(2)), json('broken.json', '{"a": [1, 2'), json('two.json', chat(3)), json('empty.json', '')]);
    assert.deepEqual(await rows(page), ['notes.txt', 'one.json', 'broken.json', 'two.json', 'empty.json']);
    const words = await states(page);
    assert.match(words[0], /Not recognised/);
    assert.match(words[1], /OpenAI/);
    assert.match(words[2], /Not recognised/);
    assert.match(words[3], /OpenAI/);
    assert.match(words[4], /Not recognised/);
    assert.equal(await hash(page), '#/d/one.json');
    assert.equal(await page.locator('h1').innerText(), 'Count the lines');
    assert.match(await page.locator('[role=status].unseen').first().innerText(), /2 opened, 3 not recognised/);
    await close();
  });

  test('dragging says how many, wherever the pointer goes, and leaves no trace', async () => {
    const { page, close } = await stage.open();
    await drop(page, [json('a.json', '[]'), json('b.json', '[]'), json('c.json', '[]')], { release: false });
    assert.match(await page.locator('.drop').innerText(), /Drop 3 files/);
    // Into a child and out of the parent, as browsers send it; then out of the window.
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'x'));
      const send = (name, target) => target.dispatchEvent(new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true }));
      const inner = document.querySelector('h1');
      send('dragenter', inner);
      send('dragleave', document.body);
    });
    await settle(page);
    assert.equal(await page.locator('.drop').count(), 1, 'still over the page');
    await page.evaluate(() => document.querySelector('h1').dispatchEvent(new DragEvent('dragleave', { dataTransfer: new DataTransfer(), bubbles: true })));
    await settle(page);
    assert.equal(await page.locator('.drop').count(), 0);
    // Text that is dragged is not a file.
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData('text/plain', 'x');
      document.body.dispatchEvent(new DragEvent('dragenter', { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await settle(page);
    assert.equal(await page.locator('.drop').count(), 0);
    await close();
  });

  test('pasted text is a document, except in a field', async () => {
    const { page, close } = await stage.open();
    await paste(page, chat(1, 'From the clipboard'));
    assert.match((await rows(page))[0], /^Pasted .*\.json$/);
    assert.equal(await page.locator('h1').innerText(), 'From the clipboard');
    await page.keyboard.press('Control+k');
    await paste(page, chat(1, 'Into the field'));
    assert.equal((await rows(page)).length, 1);
    await close();
  });

  test('a folder is opened whole, and a session with its sub-agent is one run', async () => {
    const top = join(folder, 'project');
    mkdirSync(join(top, 's-1', 'subagents'), { recursive: true });
    const { main, agent } = session('s-1');
    writeFileSync(join(top, 's-1.jsonl'), main);
    writeFileSync(join(top, 's-1', 'subagents', 'agent-a1b2c3d.jsonl'), agent);
    writeFileSync(join(top, 'chat.json'), chat(1));
    const { page, close } = await stage.open();
    await chooseFolder(page, top);
    assert.equal((await rows(page)).length, 2, (await rows(page)).join());
    await page.locator('#rail .file-link', { hasText: 's-1.jsonl' }).click();
    await settle(page);
    assert.equal(await page.locator('h1').innerText(), 'Look around');
    assert.match(await page.locator('#main').innerText(), /Calls\s+2/);
    await close();
  });

  test('the picker opens by Ctrl+O, and the same file twice gets a name of its own', async () => {
    const { page, close } = await stage.open();
    // A key that is pressed before the browser has given the new page the keyboard reaches nobody.
    await page.locator('h1').click();
    const chooser = page.waitForEvent('filechooser');
    await page.keyboard.press('Control+o');
    await (await chooser).setFiles([json('same.json', chat(1))]);
    await settle(page);
    await choose(page, [json('same.json', chat(2))]);
    assert.deepEqual(await rows(page), ['same.json', 'same.json (2)']);
    await close();
  });

  test('the example comes from our own server and is a run with a loop', async () => {
    const { page, watch, close } = await stage.open();
    await page.getByRole('button', { name: 'Load a run' }).click();
    await settle(page);
    assert.equal((await rows(page)).length, 1);
    assert.match((await states(page))[0], /Claude Code, 10 errors, 1 loop/);
    assert.ok(watch.requests.filter((url) => url.includes('/examples/')).length >= 2);
    assert.match(await page.locator('.rail-foot').innerText(), /0 requests sent/);
    await close();
  });

  test('a large file shows its first steps while the rest is read, in both themes and widths', async () => {
    for (const [width, theme] of [[1440, 'light'], [400, 'dark']]) {
      const { page, close } = await stage.open({ width, theme });
      const large = join(folder, `first-${width}.jsonl`);
      await writeSession(large, { bytes: 24 << 20, seed: 5 });
      // Kept at the moment when they are drawn: by the time a test could look, the file may be read.
      await page.evaluate(() => {
        const look = new MutationObserver(() => {
          const rows = [...document.querySelectorAll('.beginning li')];
          if (rows.length === 0 || window.firstRows) return;
          window.firstRows = rows.map((row) => [...row.querySelectorAll('.step-no, .step-name')].map((cell) => cell.textContent).join(' '));
          window.firstHeading = document.querySelector('.beginning h2').textContent;
          window.firstCut = rows.filter((row) => row.scrollHeight > row.clientHeight + 1).length;
          window.stillReading = document.querySelector('progress') !== null;
          window.firstWide = document.documentElement.scrollWidth - innerWidth;
        });
        look.observe(document.body, { childList: true, subtree: true });
      });
      await choose(page, large);
      const told = await page.evaluate(() => ({ rows: window.firstRows, heading: window.firstHeading, reading: window.stillReading, wide: window.firstWide, cut: window.firstCut }));
      assert.equal(told.heading, 'First steps, while the rest is read');
      assert.ok(told.rows.length >= 20 && told.reading && told.wide <= 0 && told.cut === 0, JSON.stringify(told));
      assert.equal(await page.locator('.beginning').count(), 0, 'they make room for the steps themselves');
      await page.locator('a.tab-link').first().waitFor();
      const rows = await page.locator('[role="treeitem"] .step-no').allInnerTexts();
      assert.equal(rows[0], '1');
      await close();
    }
  });

  test('Cancel stops a large file within a second and keeps the others', async () => {
    const large = join(folder, 'large.jsonl');
    await writeSession(large, { bytes: 24 << 20, seed: 3 });
    const { page, close } = await stage.open();
    await choose(page, [json('kept.json', chat(2))]);
    await page.locator('input#files').setInputFiles(large);
    const cancel = page.getByRole('button', { name: 'Cancel' });
    await page.locator('#rail .file-link', { hasText: 'large.jsonl' }).click();
    await cancel.waitFor();
    const began = Date.now();
    await cancel.click();
    await page.locator('#rail .file-link', { hasText: 'large.jsonl' }).waitFor({ state: 'detached' });
    assert.ok(Date.now() - began < 1500, `${Date.now() - began} ms`);
    await settle(page);
    assert.deepEqual(await rows(page), ['kept.json']);
    await page.locator('#rail .file-link', { hasText: 'kept.json' }).click();
    await settle(page);
    assert.match(await page.locator('#main').innerText(), /wc -l file1/);
    await close();
  });

  test('progress counts bytes while a file is read', async () => {
    const large = join(folder, 'progress.jsonl');
    await writeSession(large, { bytes: 12 << 20, seed: 4 });
    const { page, close } = await stage.open({
      init: () => {
        window.progress = [];
        new MutationObserver(() => {
          const words = document.querySelector('#rail .file-state')?.textContent;
          if (words && window.progress.at(-1) !== words) window.progress.push(words);
        }).observe(document, { childList: true, subtree: true, characterData: true });
      },
    });
    await choose(page, large);
    const seen = await page.evaluate(() => window.progress.filter((words) => words.startsWith('Reading')));
    assert.ok(seen.length >= 4, seen.join(' | '));
    assert.match(seen.at(-1), /Reading \d+\.\d MB of \d+\.\d MB/);
    await close();
  });

  test('a worker that dies is started again, says so, and the files are kept', async () => {
    const { page, close } = await stage.open();
    await choose(page, [json('one.json', chat(4)), json('two.json', chat(2))]);
    await page.locator('#rail .file-link', { hasText: 'one.json' }).click();
    await settle(page);
    await page.workers()[0].evaluate(() => { setTimeout(() => { throw new Error('out of memory, for a test'); }); });
    await page.locator('.notice.bad').waitFor();
    await settle(page);
    assert.match(await page.locator('.notice.bad').innerText(), /was started again.*other files are kept/);
    assert.deepEqual(await rows(page), ['one.json', 'two.json']);
    // The new worker knows them both.
    await page.locator('#rail .file-link', { hasText: 'two.json' }).click();
    await settle(page);
    assert.match(await page.locator('#main').innerText(), /wc -l file1/);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    assert.equal(await page.locator('.notice.bad').count(), 0);
    await close();
  });

  test('a file that grew on disk says so, keeps its steps, and is read again when it is chosen', async () => {
    const path = join(folder, 'growing.jsonl');
    const { main } = session('s-9');
    writeFileSync(path, main);
    const { page, close } = await stage.open();
    await choose(page, path);
    assert.match(await page.locator('#main').innerText(), /Done\./);
    appendFileSync(path, JSON.stringify({ uuid: 'later', parentUuid: 's-9-3', sessionId: 's-9', version: '2.1.39', type: 'user', timestamp: '2026-01-01T10:01:00.000Z', message: { role: 'user', content: 'And one thing more' } }) + '\n');
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    const notice = page.locator('.notice', { hasText: 'has changed since it was opened' });
    await notice.waitFor();
    assert.match(await page.locator('#main').innerText(), /Done\./, 'the steps stay');
    const chooser = page.waitForEvent('filechooser');
    await notice.getByRole('button', { name: 'Reload' }).click();
    await (await chooser).setFiles(path);
    await page.locator('#main', { hasText: 'And one thing more' }).waitFor();
    await settle(page);
    assert.equal(await notice.count(), 0);
    assert.deepEqual(await rows(page), ['growing.jsonl']);
    await close();
  });

  test('a file that is gone before it is read ends in a sentence and a way on', async () => {
    const path = join(folder, 'gone.json');
    writeFileSync(path, chat(1));
    const { page, close } = await stage.open();
    await page.evaluate(() => document.querySelector('#files').addEventListener('change', (event) => { window.held = [...event.target.files]; }, true));
    await page.locator('input#files').setInputFiles([path]);
    await settle(page);
    rmSync(path);
    // Drop the file that the browser handed out before: it cannot be read any more.
    await page.evaluate(() => {
      const data = new DataTransfer();
      for (const file of window.held) data.items.add(file);
      for (const name of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await settle(page);
    await page.locator('#rail .file-link').nth(1).click();
    await settle(page);
    assert.match(await page.locator('#main').innerText(), /can no longer read gone\.json[\s\S]*Choose it again/);
    await axe(page);
    await close();
  });

  test('closing files ends at home', async () => {
    const { page, close } = await stage.open();
    await choose(page, [json('one.json', chat(1)), json('two.json', chat(1))]);
    await page.getByRole('button', { name: 'Close one.json' }).click();
    await settle(page);
    assert.deepEqual(await rows(page), ['two.json']);
    assert.equal(await hash(page), '#/d/two.json');
    await page.getByRole('button', { name: 'Close two.json' }).click();
    await settle(page);
    assert.equal(await hash(page), '#/');
    assert.equal(await page.locator('h1').innerText(), 'See what your agent did');
    await close();
  });
});

describe('places', () => {
  let stage;
  before(async () => { stage = await setUp(); });
  after(() => stage?.close());

  test('Back returns, and a reloaded link waits for its file and then finds the step', async () => {
    const { page, close } = await stage.open();
    await choose(page, [json('run.json', chat(30))]);
    await page.evaluate(() => { location.hash = '#/d/run.json?step=21&all=1'; });
    await settle(page);
    assert.match(await page.locator('.inspector').innerText(), /Step 21/);
    await page.evaluate(() => { location.hash = '#/formats'; });
    await settle(page);
    assert.equal(await page.locator('h1').innerText(), 'What it reads');
    await page.goBack();
    await settle(page);
    assert.match(await page.locator('.inspector').innerText(), /Step 21/);
    await page.reload();
    await idle(page);
    assert.match(await page.locator('#main').innerText(), /run\.json is not open[\s\S]*Step 21/);
    assert.match(await page.title(), /run\.json/);
    await choose(page, [json('run.json', chat(30))]);
    assert.equal(await hash(page), '#/d/run.json?step=21&all=1');
    assert.match(await page.locator('.inspector').innerText(), /Step 21/);
    await close();
  });

  test('an address that means nothing is home', async () => {
    const { page, close } = await stage.open({ hash: '#/no/such/place' });
    assert.equal(await page.locator('h1').innerText(), 'See what your agent did');
    await close();
  });

  test('the title follows, and the keyboard goes to the heading', async () => {
    const { page, close } = await stage.open();
    assert.equal(await page.title(), 'Skillscope');
    await choose(page, [json('run.json', chat(2, 'A title'))]);
    assert.match(await page.title(), /A title.*Skillscope/);
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await settle(page);
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H1');
    assert.equal(await hash(page), '#/');
    await close();
  });

  test('a file with many runs is a list that is filtered by words and opens a run', async () => {
    const { page, close } = await stage.open();
    const lines = ['Paint the fence', 'Mow the lawn', 'Feed the cat'].map((title, i) => chat(i + 1, title)).join('\n');
    await choose(page, [json('many.jsonl', lines)]);
    assert.match(await page.locator('#main').innerText(), /3 runs/);
    await page.getByRole('button', { name: 'None', exact: true }).click();
    await settle(page);
    const list = page.getByRole('tree', { name: 'Runs' });
    assert.equal(await list.getByRole('treeitem').count(), 3);
    await axe(page);
    await page.keyboard.press('/');
    await page.keyboard.type('lawn');
    await settle(page);
    assert.equal(await list.getByRole('treeitem').count(), 1);
    await list.getByRole('treeitem').filter({ hasText: 'lawn' }).click();
    await settle(page);
    assert.equal(await hash(page), '#/d/many.jsonl/2');
    assert.equal(await page.locator('h1').innerText(), 'Mow the lawn');
    await close();
  });
});
