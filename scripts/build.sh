#!/usr/bin/env bash
# Builds the page into dist/, or leaves it when nothing that goes into it has changed since the last build.
# Unchanged: half a second. Our code changed: about a minute. First time: 4 to 8 minutes on two cores.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Everything that the built page depends on, by content: a fresh checkout has fresh times but the same contents.
inputs() {
  {
    find src style public schemas .cargo scripts/assets.mjs scripts/finish.mjs scripts/parts.mjs scripts/split.mjs scripts/sections.mjs scripts/relocations.mjs scripts/policy.mjs scripts/first scripts/share.mjs scripts/share Cargo.toml Cargo.lock Trunk.toml index.html package-lock.json \
      -type f ! -name '.*' -print0 2>/dev/null | LC_ALL=C sort -z | xargs -0 sha256sum
    rustc --version
  } | sha256sum | cut -d ' ' -f 1
}

NOW="$(inputs)"
if [ -f dist/index.html ] && [ -f "$CACHE/page.inputs" ] && [ "$(cat "$CACHE/page.inputs")" = "$NOW" ]; then
  say "The page in dist/ is up to date."
  exit 0
fi
rm -f "$CACHE/page.inputs"
need_space "${CARGO_TARGET_DIR:-$ROOT/target}" 3 "building the page"

say "Building the page…"
LOG="$CACHE/build.log"
# The log goes to the screen as well: an error of the compiler is for the reader, our sentence only closes it.
# Trunk asks for news of itself otherwise, and reads NO_COLOR=1, which others set, as a wrong boolean.
export TRUNK_SKIP_VERSION_CHECK=true
unset NO_COLOR
if ! trunk --quiet build --release 2>&1 | tee "$LOG"; then
  stop "The page was not built: $(grep -qE '^error(\[|:)' "$LOG" && echo "the compiler's errors are above" || cause "$LOG")."
fi
printf '%s' "$NOW" >"$CACHE/page.inputs"
