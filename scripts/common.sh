#!/usr/bin/env bash
# What the other shell scripts share: where things are, and how a failure ends in one sentence.
# Sourced, never run. Costs a few milliseconds.

set -euo pipefail

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$ROOT"

# cargo's own programs, and wasm-opt from npm, before anything else of these names.
export PATH="$ROOT/node_modules/.bin:${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"

# Logs and stamps of this checkout. Not committed, and `make clean` removes it.
CACHE="$ROOT/.cache"
mkdir -p "$CACHE"

# stop SENTENCE: the last line that the user reads says what is wrong and what to do.
stop() {
  printf '\n%s\n' "$*" >&2
  exit 1
}

say() { printf '%s\n' "$*"; }

# have PROGRAM: is it there?
have() { command -v "$1" >/dev/null 2>&1; }

# at_least HAVE WANT: compares versions by their numbers.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# need_space FOLDER GIGABYTES WHAT: refuses early, since a full disk shows itself as anything at all.
need_space() {
  local folder="$1" free
  while [ ! -d "$folder" ]; do folder="$(dirname "$folder")"; done
  free="$(df -Pk "$folder" | awk 'NR == 2 { print $4 }')"
  [ "$free" -ge $(($2 * 1024 * 1024)) ] || stop "Not enough space: $3 needs $2 GB in $1, and $((free / 1024)) MB are free there."
}

# cause LOG: what went wrong, as far as the log of a failed command says it.
cause() {
  if grep -qiE 'no space left|ENOSPC' "$1"; then
    echo "the disk is full"
  elif grep -qiE 'could not resolve|couldn.t resolve|temporary failure|name or service not known|failed to connect|could not connect|connection (refused|timed out|reset)|network is unreachable|timed out|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|spurious network error|failed to download|download of .* failed|error sending request|could not download' "$1"; then
    echo "the network or the registry could not be reached"
  elif grep -qiE 'killed|signal: 9|out of memory|cannot allocate memory' "$1"; then
    echo "the machine ran out of memory"
  elif grep -qiE 'permission denied|EACCES' "$1"; then
    echo "a folder may not be written"
  else
    echo "its last line was: $(grep -vE '^\s*$' "$1" | tail -n 1 | cut -c 1-200)"
  fi
}

# quietly WHAT LOG COMMAND…: runs a long command with its output in a log; on failure one sentence tells why.
quietly() {
  local what="$1" log="$2" began=$SECONDS
  shift 2
  if "$@" >"$log" 2>&1; then
    say "  done in $((SECONDS - began)) s"
  else
    stop "$what failed: $(cause "$log"). The whole log is in ${log#"$ROOT"/}."
  fi
}
