#!/usr/bin/env bash
# Builds the npm package into pkg/, or leaves it when nothing that goes into it has changed since the last build.
# Unchanged: half a second. First time: about three minutes on two cores.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

inputs() {
  {
    find src npm schemas/ssp .cargo Cargo.toml Cargo.lock scripts/package.sh -type f ! -path 'src/web/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
    rustc --version
  } | sha256sum | cut -d ' ' -f 1
}

NOW="$(inputs)"
if [ -f pkg/package.json ] && [ -f "$CACHE/package.inputs" ] && [ "$(cat "$CACHE/package.inputs")" = "$NOW" ]; then
  say "The package in pkg/ is up to date."
  exit 0
fi
rm -f "$CACHE/package.inputs"
TARGET="${CARGO_TARGET_DIR:-$ROOT/target}"
need_space "$TARGET" 2 "building the package"

say "Building the package…"
# A dynamic library of the crate as it is: the manifest names none, so that no other build makes one.
cargo rustc --quiet --locked --lib --crate-type cdylib --no-default-features --features npm --profile worker --target wasm32-unknown-unknown ||
  stop "The package was not built: the compiler's errors are above."
rm -rf pkg
mkdir -p pkg/schemas
quietly "wasm-bindgen" "$CACHE/package.log" wasm-bindgen "$TARGET/wasm32-unknown-unknown/worker/skillscope.wasm" \
  --target web --no-typescript --out-dir pkg --out-name skillscope_wasm
quietly "wasm-opt" "$CACHE/package.log" wasm-opt -Oz --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext \
  --enable-mutable-globals --enable-reference-types --enable-multivalue --enable-simd \
  pkg/skillscope_wasm_bg.wasm -o pkg/skillscope_wasm_bg.wasm
cp npm/api.js npm/node.js npm/browser.js npm/index.d.ts npm/README.md LICENSE pkg/
cp schemas/ssp/ssp.d.ts pkg/
cp schemas/ssp/*.schema.json pkg/schemas/
VERSION="$(sed -nE 's/^version = "([^"]+)"/\1/p' Cargo.toml | head -n 1)" node -e '
  const files = require("node:fs").readdirSync("pkg").sort();
  const manifest = {
    name: "skillscope",
    version: process.env.VERSION,
    description: "Documents of the Skill Sharing Protocol: read, check, write, compare.",
    license: "MIT",
    type: "module",
    types: "./index.d.ts",
    exports: {
      ".": { types: "./index.d.ts", node: "./node.js", default: "./browser.js" },
      "./schemas/*": "./schemas/*",
      "./package.json": "./package.json",
    },
    files,
    sideEffects: ["./node.js", "./browser.js"],
    engines: { node: ">=20" },
  };
  require("node:fs").writeFileSync("pkg/package.json", JSON.stringify(manifest, null, 2) + "\n");
'
printf '%s' "$NOW" >"$CACHE/package.inputs"
say "The package is in pkg/: $(gzip -c pkg/skillscope_wasm_bg.wasm | wc -c | awk '{ printf "%d KB", ($1 + 1023) / 1024 }') of WebAssembly after gzip."
