// What runs inside the browser: the shipped worker and its peers on the same File objects, in an empty page of the same
// origin. Milliseconds of both sides count from the first byte that is asked for to the last answer.

// The page's own (src/web/platform/files.rs): slices of two megabytes, two of them under way.
const SLICE = 2 << 20;
const IN_FLIGHT = 2;

/**
 * `TextDecoder` and `JSON.parse` in a worker of its own, every value kept as a reader would: line by line, or the whole
 * text at once where the file is one value. Reading overlaps decoding, as on the other side.
 */
const PARSER = `
  const SLICE = ${SLICE};
  // A rejection is no error event: whoever asked would wait for ever.
  onmessage = ({ data }) => parse(data).catch((error) => postMessage({ error: data.file.name + ': ' + error }));
  const parse = async ({ file, lines }) => {
    const began = performance.now();
    const decoder = new TextDecoder();
    const values = [];
    const parts = [];
    let rest = '';
    let next = file.slice(0, SLICE).arrayBuffer();
    for (let at = 0; at < file.size; at += SLICE) {
      const buffer = await next;
      if (at + SLICE < file.size) next = file.slice(at + SLICE, at + 2 * SLICE).arrayBuffer();
      const text = decoder.decode(buffer, { stream: true });
      if (!lines) {
        parts.push(text);
        continue;
      }
      const cut = (rest + text).split('\\n');
      rest = cut.pop();
      for (const line of cut) if (line.trim()) values.push(JSON.parse(line));
    }
    if (!lines) values.push(JSON.parse(parts.join('')));
    else if (rest.trim()) values.push(JSON.parse(rest));
    const top = values.length === 1 && Array.isArray(values[0]) ? values[0].length : values.length;
    postMessage({ took: performance.now() - began, values: top });
  };
  postMessage('ready');
`;

function started(worker, isReady) {
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message || 'a worker did not start'));
    worker.onmessage = ({ data }) => isReady(data) && resolve(worker);
  });
}

/** A worker that runs `program` and answers each message with one. */
async function helper(program) {
  const url = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
  const worker = await started(new Worker(url), (data) => data === 'ready');
  URL.revokeObjectURL(url);
  return {
    ask: (message) => new Promise((resolve, reject) => {
      worker.onerror = (event) => reject(new Error(event.message));
      worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data));
      worker.postMessage(message);
    }),
    end: () => worker.terminate(),
  };
}

/** The shipped worker. */
class Shipped {
  static async start() {
    const shipped = new Shipped();
    shipped.worker = await started(new Worker('./worker_loader.js', { type: 'module' }), (data) => data.includes('"ready"'));
    shipped.serial = 0;
    shipped.files = 0;
    shipped.waiting = new Map();
    shipped.worker.onmessage = ({ data }) => {
      const { id, outcome } = JSON.parse(data);
      const waiter = shipped.waiting.get(id);
      if (id === 0 || outcome.fault) {
        for (const { reject } of shipped.waiting.values()) reject(new Error(data));
      } else if (waiter && !outcome.progress) {
        shipped.waiting.delete(id);
        waiter.resolve(outcome);
      }
    };
    shipped.worker.onerror = (event) => {
      for (const { reject } of shipped.waiting.values()) reject(new Error(event.message || 'the worker died'));
    };
    return shipped;
  }

  ask(job, buffer) {
    this.serial += 1;
    const id = this.serial;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      const text = JSON.stringify({ id, job });
      this.worker.postMessage(buffer ? [text, buffer] : [text], buffer ? [buffer] : []);
    });
  }

  /** A file, from its bytes to documents that are analysed: import, findings, loops, topology, usage. */
  async open(file) {
    this.files += 1;
    const number = this.files;
    await this.ask({ open: { file: number, name: file.name, size: file.size, format: null } });
    const underWay = [];
    // Read one after the other, so that they arrive in order; the next is read while the last is parsed.
    let next = file.slice(0, SLICE).arrayBuffer();
    for (let at = 0; at < file.size; at += SLICE) {
      const buffer = await next;
      if (at + SLICE < file.size) next = file.slice(at + SLICE, at + 2 * SLICE).arrayBuffer();
      if (underWay.length === IN_FLIGHT) await underWay.shift();
      const answer = this.ask({ chunk: { file: number } }, buffer);
      // Awaited in its turn; a failure is told there.
      answer.catch(() => {});
      underWay.push(answer);
    }
    await Promise.all(underWay);
    await this.ask({ finish: { file: number } });
    const { documents: { documents } } = await this.ask({ assemble: { files: [number] } });
    return documents;
  }

  async close(documents) {
    for (const { id } of documents) await this.ask({ close: { document: id } });
  }

  /** What the table of many runs asks for first: its figures, and the first rows by topology. */
  async table(documents) {
    const ids = documents.map(({ id }) => id);
    const { many_report: { report } } = await this.ask({ many_report: { documents: ids, filter: '' } });
    const view = { filter: '', sort: '', turned: false, group: 'topology', open: [] };
    const { many: { many } } = await this.ask({ many: { documents: ids, view, from: 0, count: 64 } });
    return { runs: report.runs, topologies: report.topologies, rows: many.rows.length, groups: many.groups };
  }

  /** Reads files and forgets them, so that the program is compiled as that of a page is that was used. */
  async warm(files, table) {
    for (const file of files) {
      const documents = await this.open(file);
      if (table) await this.table(documents);
      await this.close(documents);
    }
  }

  end() {
    this.worker.terminate();
  }
}

/** What is told of documents: sums over their runs. */
function told(documents) {
  const runs = documents.flatMap((document) => document.runs);
  const sum = (of) => runs.reduce((total, run) => total + (of(run) ?? 0), 0);
  return {
    formats: [...new Set(documents.map(({ format }) => format))],
    runs: runs.length,
    steps: sum((run) => run.steps),
    calls: sum((run) => run.calls),
    results: sum((run) => run.results),
    errors: sum((run) => run.errors),
    input_tokens: sum((run) => run.usage.input_tokens),
    cached_tokens: sum((run) => run.usage.cached_tokens),
    output_tokens: sum((run) => run.usage.output_tokens),
    topologies: new Set(runs.map((run) => run.topology.hash)).size,
  };
}

globalThis.bench = {
  files: {},
  /** Workers that several measurements ask, by name. */
  kept: {},
  /** The last answer of a kept worker, by name. */
  last: {},

  /**
   * A fresh worker that reads the files `warm` first, then `names` one after the other with the clock running; with `single`
   * each is closed before the next is opened.
   */
  async ours({ names, warm = [], table = false, single = false }) {
    const shipped = await Shipped.start();
    try {
      await shipped.warm(warm.map((name) => this.files[name]), table);
      const began = performance.now();
      const opened = [];
      for (const name of names) {
        const documents = await shipped.open(this.files[name]);
        opened.push(...documents);
        if (single) await shipped.close(documents);
      }
      const many = table ? await shipped.table(opened) : null;
      const took = performance.now() - began;
      return { took, many, ...told(opened) };
    } finally {
      shipped.end();
    }
  },

  /** The same for `TextDecoder` and `JSON.parse`; `lines` says for each name whether it is JSON Lines. */
  async peer({ names, warm = [], lines }) {
    const parser = await helper(PARSER);
    try {
      for (const name of warm) await parser.ask({ file: this.files[name], lines: lines[name] });
      let took = 0;
      let values = 0;
      for (const name of names) {
        const answer = await parser.ask({ file: this.files[name], lines: lines[name] });
        took += answer.took;
        values += answer.values;
      }
      return { took, values };
    } finally {
      parser.end();
    }
  },

  /** Starts the shipped worker, opens files in it, and keeps it as `key`. Answers what is told of each file. */
  async keep(key, names) {
    const shipped = await Shipped.start();
    this.kept[key] = shipped;
    const answers = [];
    for (const name of names) {
      const documents = await shipped.open(this.files[name]);
      answers.push({ documents: documents.map(({ id }) => id), ...told(documents) });
    }
    return answers;
  },

  /** Starts a worker of a program, tells it something first, and keeps it as `key`. */
  async keepHelper(key, program, first) {
    this.kept[key] = await helper(program);
    return first === undefined ? null : this.kept[key].ask(first);
  },

  /** Asks a kept worker these things one after the other, `times` times; milliseconds of one time, the last answer kept. */
  async time(key, asked, times = 1) {
    const worker = this.kept[key];
    const began = performance.now();
    for (let time = 0; time < times; time += 1) for (const one of asked) this.last[key] = await worker.ask(one);
    return (performance.now() - began) / times;
  },

  drop(key) {
    this.kept[key]?.end();
    delete this.kept[key];
    delete this.last[key];
  },
};
