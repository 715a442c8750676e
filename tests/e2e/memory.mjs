//! Reads what the page and its workers hold, by the DevTools protocol: JavaScript heaps, live ArrayBuffers and
//! WebAssembly memories. Not the process's memory, which is 165 MB for an empty tab and says little.
//!
//! Heaps and buffers can be read at any moment, also while a worker computes, so they are sampled and the peak is
//! kept. A WebAssembly memory can only be asked for when its thread is free, but it never shrinks, so its last
//! size is its peak. The sum is therefore never too small: it adds peaks that may not have met.

/** A connection to the page and to the workers it starts. */
export class Meter {
  #session;
  #workers = new Map();
  #waiting = new Map();
  #serial = 0;
  #baseline = 0;

  static async attach(page) {
    const meter = new Meter();
    meter.#session = await page.context().newCDPSession(page);
    meter.#session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      if (targetInfo.type === 'worker') meter.#workers.set(sessionId, targetInfo.url);
    });
    meter.#session.on('Target.detachedFromTarget', ({ sessionId }) => {
      meter.#workers.delete(sessionId);
      for (const [id, waiter] of meter.#waiting) {
        if (waiter.sessionId !== sessionId) continue;
        meter.#waiting.delete(id);
        waiter.done(null);
      }
    });
    meter.#session.on('Target.receivedMessageFromTarget', ({ message }) => {
      const { id, result } = JSON.parse(message);
      meter.#waiting.get(id)?.done(result ?? null);
      meter.#waiting.delete(id);
    });
    // Not flattened: only so can this client reach a worker's own session.
    await meter.#session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
    return meter;
  }

  /** The scripts of the workers that run now. */
  get workers() {
    return [...this.#workers.values()];
  }

  /** Sends to one target; null when the worker ended meanwhile. */
  #ask(sessionId, method, params = {}) {
    if (sessionId === null) return this.#session.send(method, params);
    return new Promise((done) => {
      this.#serial += 1;
      const id = this.#serial;
      this.#waiting.set(id, { sessionId, done });
      this.#session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) }).catch(() => {
        this.#waiting.delete(id);
        done(null);
      });
    });
  }

  /** Heaps and buffers now, in bytes, over all threads. A few milliseconds, also while a worker is busy. */
  async heaps() {
    const sum = { js: 0, buffers: 0 };
    for (const sessionId of [null, ...this.#workers.keys()]) {
      const usage = await this.#ask(sessionId, 'Runtime.getHeapUsage');
      if (!usage) continue;
      sum.js += usage.usedSize;
      sum.buffers += usage.backingStorageSize;
    }
    return sum;
  }

  /** WebAssembly memories in bytes, over all threads. Waits until each thread is free; collects garbage on the way. */
  async wasm() {
    let sum = 0;
    for (const sessionId of [null, ...this.#workers.keys()]) {
      // The program says it itself: Chromium 156 crashes when it looks for the memories of two programs that share a table.
      const own = await this.#ask(sessionId, 'Runtime.evaluate', { expression: 'globalThis.skillscopeMemory?.()', returnByValue: true });
      if (typeof own?.result.value === 'number') {
        sum += own.result.value;
        continue;
      }
      const objectGroup = 'skillscope-meter';
      const prototype = await this.#ask(sessionId, 'Runtime.evaluate', { expression: 'WebAssembly.Memory.prototype', objectGroup });
      const found = prototype && await this.#ask(sessionId, 'Runtime.queryObjects', { prototypeObjectId: prototype.result.objectId, objectGroup });
      const bytes = found && await this.#ask(sessionId, 'Runtime.callFunctionOn', {
        objectId: found.objects.objectId,
        functionDeclaration: 'function () { return this.reduce((sum, memory) => sum + memory.buffer.byteLength, 0); }',
        returnByValue: true,
      });
      sum += bytes?.result.value ?? 0;
      if (prototype) await this.#ask(sessionId, 'Runtime.releaseObjectGroup', { objectGroup });
    }
    return sum;
  }

  /** What is held now. */
  async read() {
    const wasm = await this.wasm();
    const { js, buffers } = await this.heaps();
    return { wasm, js, buffers, total: wasm + js + buffers };
  }

  /** Takes what is held now as the empty page, above which `during` measures. */
  async tare() {
    const now = await this.read();
    this.#baseline = now.total;
    return now;
  }

  /**
   * Runs `work` and samples meanwhile. Answers `{ above, wasm, js, buffers, samples, after }`: `above` is the peak
   * above the tare, the three are the peaks of their kind, `after` is what is still held when the work is done.
   */
  async during(work, { every = 25 } = {}) {
    const peak = { js: 0, buffers: 0, both: 0, samples: 0 };
    let running = true;
    const sampling = (async () => {
      while (running) {
        const { js, buffers } = await this.heaps();
        peak.js = Math.max(peak.js, js);
        peak.buffers = Math.max(peak.buffers, buffers);
        peak.both = Math.max(peak.both, js + buffers);
        peak.samples += 1;
        await new Promise((done) => setTimeout(done, every));
      }
    })();
    try {
      await work();
    } finally {
      running = false;
      await sampling;
    }
    const after = await this.read();
    return { above: after.wasm + peak.both - this.#baseline, wasm: after.wasm, js: peak.js, buffers: peak.buffers, samples: peak.samples, after };
  }
}

/** Runs in the page before its scripts: notes every task of the main thread of 50 ms or more. */
export function noteLongTasks() {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.longTasks.push({ start: Math.round(entry.startTime), duration: Math.round(entry.duration) });
  }).observe({ type: 'longtask', buffered: true });
}

/** Forgets the long tasks noted so far, those of the start among them. */
export const forgetLongTasks = (page) => page.evaluate(() => { window.longTasks.length = 0; });

/** The long tasks since; a task is only reported after it ended, so this waits for one more turn of the page. */
export const longTasks = (page) => page.evaluate(async () => {
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return window.longTasks;
});

/**
 * The longest tasks of the page's main thread while `work` runs, longest first, in milliseconds of the thread's own time:
 * what it computed, not what it waited for while the machine did something else.
 */
export async function busiest(page, work) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'] } });
  await work();
  const complete = new Promise((done) => session.once('Tracing.tracingComplete', done));
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  const threads = new Set(events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`));
  return events
    .filter(({ name, pid, tid }) => /(^|::)RunTask$/.test(name) && threads.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1000)
    .sort((left, right) => right - left);
}

/** The speed of `JSON.parse` to which times are brought, in bytes a second: so a time says what the page does, not how busy the machine is. */
export const REFERENCE_SPEED = 200e6;

/**
 * How fast this page parses JSON right now, in bytes a second: the median of nine times half a megabyte of records such as
 * agents write. Taken before and after a measurement, it says how much of the machine the page had.
 */
export const parsingSpeed = (page) => page.evaluate(() => {
  const record = { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'The test still fails; the import is missing.' }, { type: 'tool_use', id: 'toolu_01', name: 'Bash', input: { command: 'ls -la src' } }], usage: { input_tokens: 4, cache_read_input_tokens: 20134, output_tokens: 83 } }, timestamp: '2026-01-01T00:00:00.000Z' };
  const text = JSON.stringify(Array.from({ length: 1500 }, (_, index) => ({ ...record, uuid: `00000000-${index}` })));
  const speeds = Array.from({ length: 9 }, () => {
    const began = performance.now();
    JSON.parse(text);
    return text.length / (performance.now() - began) * 1000;
  });
  return speeds.sort((left, right) => left - right)[4];
});

export const megabytes = (bytes) => `${(bytes / 1048576).toFixed(1)} MB`;
