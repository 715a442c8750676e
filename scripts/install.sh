#!/usr/bin/env bash
# Makes sure that everything is there to build the page; with `--browser` also to test it, with `--port` also that the
# port to serve on is free (before minutes of building, not after). Looks first, installs only what is missing or of another version, by the ordinary clients (rustup, cargo, npm, apt-get as root).
# When all is there: under a second. First time on two cores: see CONTRIBUTING.md.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

BROWSER=no
PORT_CHECK=no
for option in "$@"; do
  case "$option" in
    --browser) BROWSER=yes ;;
    --port) PORT_CHECK=yes ;;
    *) stop "scripts/install.sh knows --browser and --port, not “$option”." ;;
  esac
done

# The versions that were measured to work together. wasm-bindgen's program must equal its crate in Cargo.lock.
TRUNK="$(sed -nE 's/^trunk-version = "=([0-9.]+)"/\1/p' Trunk.toml)"
BINDGEN="$(awk '/^name = "wasm-bindgen"$/ { getline; gsub(/[^0-9.]/, ""); print; exit }' Cargo.lock)"
RUST="$(sed -nE 's/^rust-version = "([0-9.]+)"/\1/p' Cargo.toml)"
[ -n "$TRUNK" ] && [ -n "$BINDGEN" ] && [ -n "$RUST" ] || stop "Trunk.toml, Cargo.lock and Cargo.toml must name the versions of trunk, wasm-bindgen and Rust, and one of them does not."

# --- What cannot be installed here --------------------------------------------------------------------------------

have cargo || stop "cargo is missing: install Rust by rustup (it needs no administrator), then open a new shell."
have rustc || stop "rustc is missing: install Rust by rustup (it needs no administrator), then open a new shell."
RUSTC="$(rustc --version | awk '{ print $2 }')"
at_least "$RUSTC" "$RUST" || stop "Rust $RUSTC is too old, $RUST or later is needed: run “rustup update stable”."
have node || stop "node is missing: install Node.js 20.10 or later (on Debian: apt-get install nodejs npm)."
NODE="$(node --version | tr -d v)"
at_least "$NODE" 20.10 || stop "Node.js $NODE is too old: 20.10 or later is needed."
[ "$PORT_CHECK" = no ] || node scripts/serve.mjs --check || exit 1
have npm || stop "npm is missing: it belongs to Node.js (on Debian: apt-get install npm)."
have make || stop "make is missing (on Debian: apt-get install make)."
have cc || have gcc || stop "A C compiler is missing, which Rust links with (on Debian: apt-get install gcc libc6-dev)."

# --- The wasm32 target --------------------------------------------------------------------------------------------

if [ ! -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown/lib" ]; then
  have rustup || stop "The target wasm32-unknown-unknown is missing and there is no rustup to add it: install Rust by rustup, or the package of your system that brings this target."
  say "Adding the target wasm32-unknown-unknown…"
  quietly "rustup target add wasm32-unknown-unknown" "$CACHE/install-target.log" rustup target add wasm32-unknown-unknown
fi

# --- cargo's programs ---------------------------------------------------------------------------------------------

# version_of PROGRAM: the second word of its --version; empty when it is missing or cannot run.
version_of() { { "$1" --version 2>/dev/null || true; } | awk 'NR == 1 { print $2 }'; }

# Outside the project's target folder: tools are not part of it, and cargo removes its temporary one.
cargo_install() { env -u CARGO_TARGET_DIR -u RUSTFLAGS CARGO_PROFILE_DEV_DEBUG=0 cargo install --force "$@"; }

if [ "$(version_of wasm-bindgen)" != "$BINDGEN" ]; then
  need_space "${TMPDIR:-/tmp}" 2 "building wasm-bindgen-cli"
  say "Installing wasm-bindgen-cli $BINDGEN (once, 2 to 8 minutes)…"
  # Not --locked: its lock names a version that registries may have withdrawn. Optimised, as it works hard in each build.
  quietly "cargo install wasm-bindgen-cli" "$CACHE/install-wasm-bindgen.log" cargo_install wasm-bindgen-cli --version "$BINDGEN"
fi

if [ "$(version_of trunk)" != "$TRUNK" ]; then
  need_space "${TMPDIR:-/tmp}" 3 "building trunk"
  say "Installing trunk $TRUNK (once, 2 to 6 minutes)…"
  # --debug takes half the time to install, and it builds the page as quickly.
  quietly "cargo install trunk" "$CACHE/install-trunk.log" cargo_install trunk --version "$TRUNK" --debug --locked
fi

# --- npm's packages -----------------------------------------------------------------------------------------------

# npm writes node_modules/.package-lock.json last, so our stamp beside it means a complete installation of this lock.
STAMP="node_modules/.installed-from"
LOCK="$(cat package.json package-lock.json | sha256sum | cut -d ' ' -f 1)"
if [ ! -f "$STAMP" ] || [ "$(cat "$STAMP")" != "$LOCK" ]; then
  need_space "$ROOT" 1 "npm's packages"
  say "Installing npm's packages (10 to 60 seconds)…"
  quietly "npm ci" "$CACHE/install-npm.log" npm ci --no-audit --no-fund --loglevel=error
  printf '%s' "$LOCK" >"$STAMP"
fi

# --- The browser, for tests only ----------------------------------------------------------------------------------

if [ "$BROWSER" = yes ] && [ -z "${CHROMIUM:-}" ] && [ ! -x /usr/bin/chromium ] && [ ! -x /usr/bin/chromium-browser ] && [ ! -x /usr/bin/google-chrome ]; then
  have apt-get || stop "The browser tests need Chromium: install it and name its program in the variable CHROMIUM."
  [ "$(id -u)" = 0 ] || stop "The browser tests need Chromium; type: sudo apt-get install chromium"
  need_space /usr 1 "Chromium"
  say "Installing Chromium (once, about a minute)…"
  quietly "apt-get update" "$CACHE/install-chromium.log" apt-get update
  quietly "apt-get install chromium" "$CACHE/install-chromium.log" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium
fi

# --- A static host, for tests only ---------------------------------------------------------------------------------

# Without it the tests of docs/hosting.md are left out, and say so.
if [ "$BROWSER" = yes ] && ! have nginx && [ ! -x /usr/sbin/nginx ] && have apt-get && [ "$(id -u)" = 0 ]; then
  say "Installing nginx (once, for the tests of hosting)…"
  quietly "apt-get update" "$CACHE/install-nginx.log" apt-get update
  quietly "apt-get install nginx-light" "$CACHE/install-nginx.log" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends nginx-light
fi

# What packs analysis pages tightest; without it they are a third larger.
if ! have xz && have apt-get && [ "$(id -u)" = 0 ]; then
  say "Installing xz-utils (once)…"
  quietly "apt-get update" "$CACHE/install-xz.log" apt-get update
  quietly "apt-get install xz-utils" "$CACHE/install-xz.log" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends xz-utils
fi
