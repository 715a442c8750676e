// Browsers and bundlers: the module is fetched from beside this file before anything can be called.
import init from "./skillscope_wasm.js";

await init();

export * from "./api.js";
