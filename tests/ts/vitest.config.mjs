// Runs the package's tests against the built package in pkg/ and closes with the line that counts them.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The last line: `N passed, N failed`. */
class Counts {
  onTestRunEnd(modules, errors) {
    let passed = 0;
    let failed = errors.length;
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        if (state === "failed") failed += 1;
      }
      if (module.state() === "failed" && module.errors().length > 0) failed += 1;
    }
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  }
}

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  resolve: { alias: { skillscope: fileURLToPath(new URL("../../pkg/node.js", import.meta.url)) } },
  test: { include: ["*.test.ts"], testTimeout: 120_000, reporters: ["verbose", new Counts()], cache: false },
});
