#!/usr/bin/env bash
# Everything that has to hold: format, lints, Rust tests, the built page in a real browser, its weight.
# Stops at the first thing that fails and says which; the last line counts what passed.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

BEGAN=$SECONDS

# step NAME COMMAND…: runs one part, its output on the screen.
step() {
  local name="$1"
  shift
  printf '\n== %s\n' "$name"
  "$@" || stop "make test stopped: $name failed; what is above says where."
}

# Folders of real files that are not part of the project. Without them the tests check less, and nobody should miss that.
for pair in "SKILLSCOPE_CORPUS:../shared/samples:files of real agents" "SKILLSCOPE_VECTORS:../shared/vectors:answers of other programs"; do
  IFS=: read -r variable default what <<<"$pair"
  folder="${!variable:-$default}"
  if [ -d "$folder" ]; then
    say "$what: $folder"
  elif [ -n "${!variable:-}" ]; then
    stop "$variable names $folder, and there is no such folder."
  else
    say "NOTE: $what are not here ($folder), so the tests that read them check nothing. $variable names another folder."
  fi
done

step "format" cargo fmt --all --check
step "examples" node scripts/examples.mjs --check
# Type-checks the page and the worker on the host as well, with all features.
step "lints" cargo clippy --quiet --locked --all-targets --all-features -- -D warnings
step "Rust tests" bash -c 'set -o pipefail; cargo test --locked 2>&1 | tee "$0"' "$CACHE/test-rust.log"
step "the package" scripts/package.sh
# tsc proves that the arbitraries yield the types; vitest runs them.
step "types of the package tests" tsc -p tests/ts
step "package tests" bash -c 'set -o pipefail; vitest run --config tests/ts/vitest.config.mjs 2>&1 | tee "$0"' "$CACHE/test-package.log"
step "the page" scripts/build.sh
step "browser tests" bash -c 'set -o pipefail; node --test --test-reporter=spec --test-concurrency=1 tests/e2e/*.test.mjs 2>&1 | tee "$0"' "$CACHE/test-browser.log"

RUST="$(awk '/^test result: ok/ { passed += $4; skipped += $8 } END { print passed + 0 }' "$CACHE/test-rust.log")"
SKIPPED="$(awk '/^test result: ok/ { skipped += $8 } END { print skipped + 0 }' "$CACHE/test-rust.log")"
PACKAGE="$(awk '/^[0-9]+ passed, [0-9]+ failed$/ { print $1 }' "$CACHE/test-package.log" | tail -n 1)"
BROWSER="$(awk '$2 == "pass" { print $3 }' "$CACHE/test-browser.log" | tail -n 1)"
printf '\nAll passed: %s tests, %s of them in Rust (%s more ignored), %s on the package and %s on the built page, in %s s.\n' \
  "$((RUST + PACKAGE + BROWSER))" "$RUST" "$SKIPPED" "$PACKAGE" "$BROWSER" "$((SECONDS - BEGAN))"
