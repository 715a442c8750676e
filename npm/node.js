// Node.js: the module is read from the package's own folder.
import { readFileSync } from "node:fs";
import { initSync } from "./skillscope_wasm.js";

initSync({ module: readFileSync(new URL("./skillscope_wasm_bg.wasm", import.meta.url)) });

export * from "./api.js";
