//! A static server for the built page, of Node alone: right types, nothing cached, also below a sub-path.
//! `node scripts/serve.mjs [FOLDER]` serves dist/ on 127.0.0.1:8080 (PORT changes it); `--check` only tries the port;
//! tests import `serve`.
//! It plays a plain static host on purpose: no headers that the page would then depend on.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

export const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.gz': 'application/gzip',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.jsonl': 'application/jsonl; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.traj': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.zip': 'application/zip',
};

/** The file that a request means, or null: outside the folder, a dot file (but not .well-known), or not there. */
async function fileFor(dir, base, path) {
  if (!path.startsWith(base)) return null;
  let name;
  try {
    name = decodeURIComponent(path.slice(base.length));
  } catch {
    return null;
  }
  if (name.includes('\0') || name.split(/[/\\]/).some((part) => part.startsWith('.') && part !== '.' && part !== '.well-known')) return null;
  let file = normalize(join(dir, name));
  if (file !== dir && !file.startsWith(dir + sep)) return null;
  let info = await stat(file).catch(() => null);
  if (info?.isDirectory()) {
    file = join(file, 'index.html');
    info = await stat(file).catch(() => null);
  }
  return info?.isFile() ? { file, size: info.size } : null;
}

/**
 * Serves `dir`; answers `{ url, port, log, close }` once it listens. `port` 0 takes a free one; `base` is the
 * path that the page lives below; `types` overrides content types and `headers` adds some, for tests of bad hosts.
 */
export function serve({ dir = join(ROOT, 'dist'), host = '127.0.0.1', port = 0, base = '/', types = {}, headers = {} } = {}) {
  const folder = resolve(dir);
  const kinds = { ...TYPES, ...types };
  /** One line per request: `200 /path`. */
  const log = [];
  const server = createServer(async (request, response) => {
    const answer = (status, extra, body) => {
      log.push(`${status} ${request.url}`);
      response.writeHead(status, { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...headers, ...extra });
      response.end(body);
    };
    try {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname;
      if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, { Allow: 'GET, HEAD' });
      if (base !== '/' && `${path}/` === base) return answer(302, { Location: base });
      const found = await fileFor(folder, base, path);
      if (!found) return answer(404, { 'Content-Type': 'text/plain; charset=utf-8' }, 'There is no such file here.\n');
      const type = kinds[extname(found.file)] ?? 'application/octet-stream';
      if (request.method === 'HEAD') return answer(200, { 'Content-Type': type, 'Content-Length': found.size });
      log.push(`200 ${request.url}`);
      response.writeHead(200, { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...headers, 'Content-Type': type, 'Content-Length': found.size });
      createReadStream(found.file).on('error', () => response.destroy()).pipe(response);
    } catch {
      answer(400, { 'Content-Type': 'text/plain; charset=utf-8' }, 'This request cannot be understood.\n');
    }
  });
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(port, host, () => {
      const address = server.address();
      done({
        url: `http://${host}:${address.port}${base}`,
        port: address.port,
        log,
        close: () => new Promise((closed) => { server.close(() => closed()); server.closeAllConnections(); }),
      });
    });
  });
}

async function main() {
  const check = process.argv.includes('--check');
  const dir = resolve(process.argv.slice(2).find((word) => !word.startsWith('--')) ?? join(ROOT, 'dist'));
  const text = process.env.PORT ?? '8080';
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new Error(`PORT is “${text}”, but a port is a number from 0 to 65535.`);
  if (!check && !(await stat(join(dir, 'index.html')).catch(() => null))) throw new Error(`There is no page in ${dir}: run “make build” first.`);
  try {
    const { url, close } = await serve({ dir, port });
    if (check) return await close();
    console.log(`Skillscope is at ${url} (Ctrl+C stops it)`);
  } catch (error) {
    if (error.code === 'EADDRINUSE') throw new Error(`Port ${port} is in use: stop what listens there, or choose another one, as in “PORT=${port + 1} make serve”.`);
    if (error.code === 'EACCES') throw new Error(`Port ${port} is not allowed for this user: choose one above 1023, as in “PORT=8080 make serve”.`);
    throw error;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}
