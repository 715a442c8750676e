//! The scripts on machines that lack something: each ends in one sentence that says what and how, and exit 1.
//! The machines are made of a PATH that holds only links to a few programs, and stand-ins for the missing ones.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

import { ROOT } from './harness.mjs';

const home = mkdtempSync(join(tmpdir(), 'skillscope-machine-'));
after(() => rmSync(home, { recursive: true, force: true }));

const BASICS = ['bash', 'env', 'dirname', 'mkdir', 'sed', 'awk', 'sort', 'head', 'tail', 'cut', 'cat', 'tr', 'id', 'df', 'grep', 'sha256sum', 'rm', 'sh'];
let machines = 0;

/** A folder for PATH: basic programs, plus `programs` as scripts of that text (a missing one is left out). */
function machine(programs) {
  machines += 1;
  const bin = join(home, `bin${machines}`);
  mkdirSync(bin);
  for (const name of BASICS) {
    const from = ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find((path) => existsSync(path));
    assert.ok(from, `${name} is not on this machine`);
    symlinkSync(from, join(bin, name));
  }
  for (const [name, text] of Object.entries(programs)) {
    if (text === null) continue;
    rmSync(join(bin, name), { force: true });
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

/** A machine on which all is well; tests take something away. The tools to install answer with versions of their own. */
const WELL = {
  cargo: 'echo cargo 1.95.0',
  rustc: `if [ "$1" = --print ]; then echo ${join(home, 'sysroot')}; else echo "rustc 1.95.0 (x)"; fi`,
  rustup: 'exit 0',
  node: `case "$1" in --version) echo v20.20.0;; *) exec ${process.execPath} "$@";; esac`,
  npm: 'exit 0',
  make: 'exit 0',
  gcc: 'exit 0',
  'wasm-bindgen': 'echo wasm-bindgen 0.0.0',
  trunk: 'echo trunk 0.0.0',
};
mkdirSync(join(home, 'sysroot/lib/rustlib/wasm32-unknown-unknown/lib'), { recursive: true });

/** Runs install.sh on such a machine; asserts that it fails and answers its last line. */
function lastWord(programs, { args = [], env = {} } = {}) {
  const answer = spawnSync(join(ROOT, 'scripts', 'install.sh'), args, {
    env: { PATH: machine({ ...WELL, ...programs }), HOME: home, ...env }, encoding: 'utf8', timeout: 60_000,
  });
  assert.equal(answer.status, 1, answer.stdout + answer.stderr);
  const lines = answer.stderr.trimEnd().split('\n');
  assert.equal(lines.filter((line) => line !== '').length, 1, `one sentence, not: ${answer.stderr}`);
  return lines.at(-1);
}

describe('a machine that lacks something', () => {
  for (const [program, pattern] of [
    ['cargo', /^cargo is missing: install Rust by rustup/],
    ['rustc', /^rustc is missing: install Rust by rustup/],
    ['node', /^node is missing: install Node\.js 20\.10 or later/],
    ['npm', /^npm is missing/],
    ['make', /^make is missing \(on Debian: apt-get install make\)/],
    ['gcc', /^A C compiler is missing/],
  ]) test(`no ${program}`, () => assert.match(lastWord({ [program]: null }), pattern));

  test('Rust too old', () => {
    assert.match(lastWord({ rustc: 'echo "rustc 1.70.0 (x)"' }), /^Rust 1\.70\.0 is too old, 1\.95 or later is needed: run “rustup update stable”/);
  });

  test('Node too old', () => {
    assert.match(lastWord({ node: 'echo v18.19.0' }), /^Node\.js 18\.19\.0 is too old: 20\.10 or later is needed/);
  });

  test('no wasm target and no rustup', () => {
    assert.match(lastWord({ rustup: null, rustc: 'if [ "$1" = --print ]; then echo /nowhere; else echo "rustc 1.95.0"; fi' }), /^The target wasm32-unknown-unknown is missing and there is no rustup/);
  });

  test('no network for rustup', () => {
    const said = lastWord({
      rustup: 'echo "error: could not download file from some place: failed to connect" >&2; exit 1',
      rustc: 'if [ "$1" = --print ]; then echo /nowhere; else echo "rustc 1.95.0"; fi',
    });
    assert.match(said, /^rustup target add wasm32-unknown-unknown failed: the network or the registry could not be reached\. The whole log is in \.cache\/install-target\.log\.$/);
  });

  test('no network for cargo', () => {
    const said = lastWord({ cargo: 'echo "error: failed to download from x" >&2; echo "Could not resolve host: x" >&2; exit 101' });
    assert.match(said, /^cargo install wasm-bindgen-cli failed: the network or the registry could not be reached\./);
  });

  test('a disk that fills up while cargo installs', () => {
    assert.match(lastWord({ cargo: 'echo "error: No space left on device (os error 28)" >&2; exit 101' }), /^cargo install wasm-bindgen-cli failed: the disk is full\./);
  });

  test('a failure of an unknown kind shows its last line', () => {
    assert.match(lastWord({ cargo: 'echo "error: something odd" >&2; exit 101' }), /failed: its last line was: error: something odd\./);
  });

  test('too little space', () => {
    const said = lastWord({ df: 'echo "Filesystem 1024-blocks Used Available Capacity Mounted on"; echo "/dev/x 100 0 5120 5% /"' });
    assert.match(said, /^Not enough space: building wasm-bindgen-cli needs 2 GB in \S+, and 5 MB are free there\./);
  });

  test('a port in use is said before anything is installed', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address();
    const said = lastWord({ cargo: 'echo should not run >&2; exit 1' }, { args: ['--port'], env: { PORT: String(port) } });
    assert.match(said, new RegExp(`^Port ${port} is in use: `));
    other.close();
  });
});
