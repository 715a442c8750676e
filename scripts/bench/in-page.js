// What runs inside the browser: the shipped worker and its peer on the same File object. Milliseconds of both count from
// the first byte that is asked for to the last answer. Loaded into an empty page of the same origin.

const CHUNK = 1 << 20;

/** `TextDecoder` and `JSON.parse` line by line, in a worker of its own, every value kept as a reader would. */
const PEER = `
  const CHUNK = ${CHUNK};
  onmessage = async ({ data: file }) => {
    const began = performance.now();
    const decoder = new TextDecoder();
    const values = [];
    let rest = '';
    for (let at = 0; at < file.size; at += CHUNK) {
      const text = rest + decoder.decode(await file.slice(at, at + CHUNK).arrayBuffer(), { stream: true });
      const lines = text.split('\\n');
      rest = lines.pop();
      for (const line of lines) if (line) values.push(JSON.parse(line));
    }
    if (rest.trim()) values.push(JSON.parse(rest));
    postMessage({ took: performance.now() - began, values: values.length });
  };
  postMessage('ready');
`;

/** `JSON.parse` alone, of a text that is there already, in a worker of its own. */
const PARSE = `
  onmessage = async ({ data: file }) => {
    const text = await file.text();
    const began = performance.now();
    const value = JSON.parse(text);
    postMessage({ took: performance.now() - began, values: Array.isArray(value) ? value.length : 1 });
  };
  postMessage('ready');
`;

async function answerOf(program, file) {
  const url = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
  const worker = await started(new Worker(url), (data) => data === 'ready');
  URL.revokeObjectURL(url);
  const answer = await new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage(file);
  });
  worker.terminate();
  return answer;
}

function started(worker, isReady) {
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data }) => isReady(data) && resolve(worker);
  });
}

globalThis.bench = {
  files: {},

  peer(name) {
    return answerOf(PEER, this.files[name]);
  },

  parse(name) {
    return answerOf(PARSE, this.files[name]);
  },

  /**
   * The whole way in the shipped worker: chunks, import, findings, topology, loops; with `table` also what the table of
   * many runs asks for first: figures, and the first rows by topology. `before` times the same file is read and closed
   * first, so that the worker's program is compiled as a page's is that was used. Answers milliseconds and summaries.
   */
  async ours(name, table = false, before = 0) {
    const file = this.files[name];
    const worker = await started(new Worker('./worker_loader.js', { type: 'module' }), (data) => data.includes('"ready"'));
    let serial = 0;
    const ask = (job, buffer) => new Promise((resolve, reject) => {
      serial += 1;
      const id = serial;
      worker.onmessage = ({ data }) => {
        const { id: of, outcome } = JSON.parse(data);
        if (of === 0) reject(new Error(data));
        if (of === id && !outcome.progress) resolve(outcome);
      };
      const text = JSON.stringify({ id, job });
      worker.postMessage(buffer ? [text, buffer] : [text], buffer ? [buffer] : []);
    });
    const whole = async (number) => {
      const began = performance.now();
      await ask({ open: { file: number, name, size: file.size, format: null } });
      // The next chunk is read while this one is parsed, as the page does.
      let next = file.slice(0, CHUNK).arrayBuffer();
      for (let at = 0; at < file.size; at += CHUNK) {
        const buffer = await next;
        if (at + CHUNK < file.size) next = file.slice(at + CHUNK, at + 2 * CHUNK).arrayBuffer();
        await ask({ chunk: { file: number } }, buffer);
      }
      await ask({ finish: { file: number } });
      const { documents: { documents } } = await ask({ assemble: { files: [number] } });
      const ids = documents.map(({ id }) => id);
      let many = null;
      if (table) {
        const { many_report: { report } } = await ask({ many_report: { documents: ids, filter: '' } });
        const view = { filter: '', sort: '', turned: false, group: 'topology', open: [] };
        const { many: { many: rows } } = await ask({ many: { documents: ids, view, from: 0, count: 64 } });
        many = { runs: report.runs, topologies: report.topologies, rows: rows.rows.length, groups: rows.groups };
      }
      const took = performance.now() - began;
      for (const document of ids) await ask({ close: { document } });
      return { took, documents, many };
    };
    for (let number = 1; number <= before; number += 1) await whole(number);
    const answer = await whole(before + 1);
    worker.terminate();
    return answer;
  },
};
