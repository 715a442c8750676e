// The ajv of the registry and our validator agree: on every generated document, on random mutants, on the mutation of
// every field and constraint that the Rust tests make, and on the examples.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalize, parse, serialize, toBasic, toProblem, validate, type Finding, type Kind } from "skillscope";
import { CODE_ONLY, KINDS, ajv, clone, documents, errors, get, mutant, supports } from "./documents";

/**
 * The one thing in which they differ: a colon in the first segment of a relative reference, which RFC 3986 (4.2) forbids
 * and ajv-formats takes. The validator of the Rust tests refuses it too.
 */
function onlyWeRefuse(finding: Finding, value: object): boolean {
  const path = finding.pointer.split("/").slice(1).map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  return finding.reason === "format_uri_reference" && /^[^/?#]*:/.test(String(get(value, path)));
}

/** Both give the same verdict, but for what only code can see. */
function agree(value: object, kind: Kind): void {
  for (const profile of ["core", "strict"] as const) {
    const judge = ajv(kind, profile);
    const theirs = judge(clone(value));
    const found = errors(validate(value, { supports, kind, profile }).findings);
    const ours = found.filter((f) => !CODE_ONLY.has(f.check) && !onlyWeRefuse(f, value));
    const said = () => `${profile} ${JSON.stringify(value)}\nours ${JSON.stringify(found)}\najv ${JSON.stringify(judge.errors)}`;
    if (ours.length > 0) expect(theirs, said()).toBe(false);
    if (!theirs) expect(found.length, said()).toBeGreaterThan(0);
  }
}

describe("ajv and our validator agree", () => {
  test.each(KINDS)("on documents and mutants: %s", (kind) => {
    fc.assert(fc.property(documents[kind], (value) => agree(value, kind)), { numRuns: 300 });
    fc.assert(fc.property(mutant(kind), (value) => agree(value, kind)), { numRuns: 700 });
  });

  const file = new URL("../../.cache/mutations.jsonl", import.meta.url);
  test.runIf(existsSync(file))("on the mutation of every field and constraint (cargo test writes them)", () => {
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect(lines.length).toBeGreaterThan(500);
    for (const line of lines) {
      const { kind, document, pointer, reason, house } = JSON.parse(line) as {
        kind: Kind; document: object; pointer: string; reason: string; house: boolean;
      };
      agree(document, kind);
      // One fault, one finding, here as there.
      const found = validate(document, { kind, profile: "strict" }).findings;
      expect(found.map((f) => [f.pointer, f.reason, f.house]), line).toEqual([[pointer, reason, house]]);
    }
  });
});

describe("the examples", () => {
  const folder = new URL("../fixtures/protocol/", import.meta.url);
  const read = (name: string) => readFileSync(new URL(`examples/${name}`, folder));
  const expected = JSON.parse(readFileSync(new URL("examples-expected.json", folder), "utf8")) as {
    [name: string]: { valid: boolean; errors: { rule: string; pointer: string; field: string; reason: string; message: string }[] };
  };
  test.each(readdirSync(new URL("examples/", folder)))("%s", (name) => {
    const judged = validate(new Uint8Array(read(name)), { descriptors: [new Uint8Array(read("valid-1-api-key.json"))] });
    const found = errors(judged.findings).map((f) => ({
      rule: f.check, pointer: f.pointer, field: f.field, reason: f.reason, message: f.message,
    }));
    expect(found).toEqual(expected[name]?.errors);
    expect(judged.valid).toBe(expected[name]?.valid);
  });
});

describe("what JSON would change in silence", () => {
  test("is refused", () => {
    for (const value of [NaN, Infinity, 1n, () => 0]) expect(() => serialize({ a: value })).toThrow(TypeError);
    expect(() => serialize({ a: "\ud800" })).toThrow(/surrogate/);
    expect(() => parse('{"a":1,"a":2}')).toThrow(/twice/);
    expect(() => parse('{"a":123456789012345678901234567890}')).toThrow(/readers/);
    expect(() => parse("[]")).toThrow(/object/);
    expect(() => parse("")).toThrow(/empty/);
  });

  test("a key __proto__ survives", () => {
    const text = serialize(JSON.parse('{"version":"1.0.0","__proto__":{"a":1}}') as object);
    expect(Object.keys(parse(text, { kind: "protocol-version" }))).toEqual(["version", "__proto__"]);
  });

  test("numbers are written as JavaScript writes them", () => {
    const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.bigInt(-(1n << 70n), 1n << 70n).map(Number));
    fc.assert(
      fc.property(number, (n) => {
        expect(canonicalize({ n })).toBe(JSON.stringify({ n }));
      }),
      { numRuns: 5000 },
    );
    for (const n of [1533540053110931.2, 5e-324, 2 ** 60, 1e21, -0]) expect(canonicalize({ n })).toBe(JSON.stringify({ n }));
  });

  test("findings come as 2020-12 basic output and as a problem document", () => {
    const request = { caller: { id: "a", type: "agent" }, inputs: {} };
    const basic = toBasic(request, { kind: "invocation-request" });
    expect(basic).toEqual({
      valid: false,
      errors: [{ keywordLocation: "/required", instanceLocation: "", error: '"skill_id" is required' }],
    });
    const problem = toProblem(request, { kind: "invocation-request" });
    expect(problem?.errors?.map((e) => e.pointer)).toEqual(["#/skill_id"]);
    expect(validate(problem ?? {}, { kind: "problem", profile: "strict" }).valid).toBe(true);
    expect(toBasic({ version: "1.0.0" }, { kind: "protocol-version" })).toEqual({ valid: true });
    expect(toProblem({ version: "1.0.0" }, { kind: "protocol-version" })).toBe(null);
  });

  test("sentences come in Chinese too", () => {
    const [finding] = validate({ version: "1.0" }, { kind: "protocol-version", lang: "zh-Hant" }).findings;
    expect(finding?.message).toContain("缺少 PATCH");
  });
});
