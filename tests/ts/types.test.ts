// Property 11, from the schema to the types: documents that are made from the schemas alone are accepted by tsc, mutants
// are refused, and what types cannot say is in the ledger.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Kind } from "skillscope";
import { LEDGER } from "./ledger";
import * as arbitraries from "./arbitraries";
import { KINDS, ajv, changed, label, places, schemaOf, type Json } from "./documents";

const root = fileURLToPath(new URL("../../", import.meta.url));
const tsc = `${root}node_modules/.bin/tsc`;

const TYPES: Record<Kind, string> = {
  "skill-descriptor": "SkillDescriptor",
  "skill-index": "SkillIndex",
  "invocation-request": "InvocationRequest",
  "invocation-response": "InvocationResponse",
  problem: "Problem",
  "protocol-version": "ProtocolVersion",
};

type Schema = { [key: string]: Json };

/** A text that a pattern or a format takes. The schema's own words; nothing of the table's arbitraries. */
function textFor(schema: Schema, random: () => number): string {
  const pick = (list: string[]) => list[Math.floor(random() * list.length)] ?? "";
  const samples = [
    "a", "some text", "字", "1.0.0", "10.20.30", "https://example.com/a?b#c", "urn:a:b", "a/b.json", "example.com",
    "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.5+08:00", `sha256:${"0a".repeat(32)}`, "/a/{b}", "com.example/a", "word",
  ];
  const pattern = typeof schema["pattern"] === "string" ? new RegExp(schema["pattern"], "u") : /(?:)/u;
  const format = schema["format"];
  const fits: { [format: string]: RegExp } = {
    uri: /^(https:|urn:)/, "uri-reference": /^(https:|urn:|a\/b)/, hostname: /^example\.com$/, "date-time": /^2026-/,
  };
  const formed = typeof format === "string" ? (fits[format] ?? /$^/) : /(?:)/;
  return pick(samples.filter((text) => pattern.test(text) && formed.test(text)));
}

/** Any value, of any type. */
function anything(random: () => number): Json {
  const list: Json[] = [null, true, 1.5, "text", [1, "a", null], { a: { b: [] } }, { __proto__: null, key: 1 }];
  return list[Math.floor(random() * list.length)] ?? null;
}

/** A value that a schema takes. */
function made(schema: Schema | boolean, whole: Schema, random: () => number): Json {
  if (typeof schema === "boolean") return anything(random);
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    const defs = whole["$defs"] as { [name: string]: Schema };
    return made(defs[reference.replace("#/$defs/", "")] ?? {}, whole, random);
  }
  const words = schema["enum"];
  if (Array.isArray(words)) return words[Math.floor(random() * words.length)] ?? null;
  switch (schema["type"]) {
    case "string": return textFor(schema, random);
    case "boolean": return random() < 0.5;
    case "integer": return Number(schema["minimum"] ?? 0) + Math.floor(random() * 100);
    case "array": {
      const count = Number(schema["minItems"] ?? 0) + Math.floor(random() * 3);
      const list = Array.from({ length: count }, () => made(schema["items"] as Schema, whole, random));
      return schema["uniqueItems"] === true ? [...new Map(list.map((v) => [JSON.stringify(v), v])).values()] : list;
    }
    case "object": {
      const out: { [key: string]: Json } = {};
      const fill = (part: Schema) => {
        for (const [key, inner] of Object.entries((part["properties"] ?? {}) as { [key: string]: Schema | boolean })) {
          const needed = (part["required"] as string[] | undefined)?.includes(key) ?? false;
          if (typeof inner !== "boolean" && !(key in out) && (needed || random() < 0.5)) out[key] = made(inner, whole, random);
        }
      };
      fill(schema);
      for (const rule of (schema["allOf"] ?? []) as { if: { properties: { type: { const: string } } }; then: Schema }[]) {
        if (out["type"] === rule.if.properties.type.const) fill(rule.then);
      }
      const more = schema["additionalProperties"];
      if (more !== false && random() < 0.4) {
        out["x-more"] = typeof more === "object" && more !== null ? made(more as Schema, whole, random) : anything(random);
      }
      if (Object.keys(out).length < Number(schema["minProperties"] ?? 0)) return made(schema, whole, random);
      return out;
    }
    default: return anything(random);
  }
}

/** A value as a literal on one line; a key __proto__ would set the prototype otherwise. */
function literal(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(([key, inner]) => `[${JSON.stringify(key)}]: ${literal(inner)}`);
  return `{ ${members.join(", ")} }`.replaceAll(/\["([a-z$_][a-z_]*)"\]:/g, (whole, key: string) => (key === "__proto__" ? whole : `"${key}":`));
}

/** Runs tsc on a file of its own; its complaints. */
function complaints(name: string, source: string): string {
  const folder = `${root}.cache/types/${name}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/check.ts`, source);
  const options = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: "es2022", module: "esnext", moduleResolution: "bundler", types: [] };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions: options, files: ["check.ts"] }));
  try {
    execFileSync(tsc, ["-p", folder], { encoding: "utf8", stdio: "pipe" });
    return "";
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? error);
  }
}

const HEAD = `import type * as ssp from "../../../schemas/ssp/ssp";\n`;

/** Documents of a kind that come from its schema alone; ajv takes each. */
function fromSchema(kind: Kind, count: number): Json[] {
  const whole = schemaOf(kind, "core");
  const values = fc.sample(fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })), { numRuns: count, seed: 11 });
  return values.map((stream) => {
    const value = made(whole, whole, () => stream.next().value as number);
    const judge = ajv(kind, "core");
    expect(judge(value), `${JSON.stringify(value)} ${JSON.stringify(judge.errors)}`).toBe(true);
    return value;
  });
}

test(label(11, "TypeScript and JSON Schema semantic consistency (what the schema takes, tsc takes)"), () => {
  const lines = KINDS.flatMap((kind) =>
    fromSchema(kind, kind === "skill-descriptor" ? 200 : 60).map((value, i) => `export const ${TYPES[kind]}${i}: ssp.${TYPES[kind]} = ${literal(value)};`),
  );
  expect(lines.length).toBeGreaterThanOrEqual(500);
  expect(complaints("accepted", HEAD + lines.join("\n"))).toBe("");
});

/** Changes that the types can see. */
function mutants(kind: Kind, value: object): object[] {
  const whole = schemaOf(kind, "core");
  const out: object[] = [];
  const of = (schema: Schema, at: readonly string[]): void => {
    const target = (schema["$ref"] ? (whole["$defs"] as { [name: string]: Schema })[String(schema["$ref"]).slice(8)] : schema) ?? {};
    for (const [key, inner] of Object.entries((target["properties"] ?? {}) as { [key: string]: Schema })) {
      const path = [...at, key];
      if (!places(value).some((place) => place.join("/") === path.join("/"))) continue;
      if ((target["required"] as string[] | undefined)?.includes(key)) out.push(changed(value, path, undefined));
      const resolved = (inner["$ref"] ? (whole["$defs"] as { [name: string]: Schema })[String(inner["$ref"]).slice(8)] : inner) ?? {};
      if (resolved["type"] === undefined && resolved["enum"] === undefined) continue;
      out.push(changed(value, path, null));
      out.push(changed(value, path, resolved["type"] === "object" ? "text" : resolved["type"] === "boolean" ? 5 : { a: 1 }));
      if (resolved["enum"]) out.push(changed(value, path, "no such word"));
      if (resolved["type"] === "object") of(inner, path);
    }
  };
  of(whole, []);
  return out;
}

test(label(11, "TypeScript and JSON Schema semantic consistency (what the schema refuses by type, tsc refuses)"), () => {
  const full: [Kind, object][] = [
    ["skill-descriptor", {
      protocol: { version: "1.0.0", name: "ssp" }, id: "a", name: "a", version: "1", capability_type: "api", description: "d",
      provider: { name: "p", id: "p", domain: "example.com", url: "https://example.com", contact: "c" },
      endpoint: { url: "https://example.com", method: "POST", binding: "ssp", path: "/a", timeout_ms: 1 },
      inputs: {}, output: {}, auth: { type: "none", description: "d" }, access: "public", tags: ["a"], license: "MIT",
      documentation_url: "https://example.com", annotations: { read_only: true }, deprecated: false,
      created_at: "2026-01-02T03:04:05Z", metadata: {},
    }],
    ["skill-index", { protocol: { version: "1.0.0" }, skills: [], next: "a", provider: { name: "p" } }],
    ["invocation-request", { caller: { id: "a", type: "agent" }, skill_id: "a", inputs: {}, timeout_ms: 1, request_id: "r" }],
    ["invocation-response", {
      execution_id: "e", status: "failed", skill_id: "a", timestamps: { created_at: "2026-01-02T03:04:05Z" },
      error: { title: "t", status: 500, retryable: true },
    }],
  ];
  const lines: string[] = [];
  let count = 0;
  const refuse = (kind: Kind, text: string) => {
    lines.push("// @ts-expect-error", `export const m${count}: ssp.${TYPES[kind]} = ${text};`);
    count += 1;
  };
  for (const [kind, value] of full) {
    const judge = ajv(kind, "core");
    expect(judge(value), JSON.stringify(judge.errors)).toBe(true);
    for (const mutant of mutants(kind, value)) {
      expect(judge(mutant), JSON.stringify(mutant)).toBe(false);
      refuse(kind, literal(mutant as Json));
    }
  }
  const descriptor = full[0]?.[1] as { [key: string]: Json };
  for (const auth of [
    { type: "api_key" }, { type: "api_key", in: "body", name: "a" }, { type: "oauth2" }, { type: "custom" }, { type: "bearer" },
    { type: "oauth2", token_url: "https://example.com", scopes: { read: 5 } },
  ]) {
    expect(ajv("skill-descriptor", "core")({ ...descriptor, auth }), JSON.stringify(auth)).toBe(false);
    refuse("skill-descriptor", literal({ ...descriptor, auth } as Json));
  }
  // Left out is not undefined.
  refuse("skill-descriptor", `{ ...${literal(descriptor)}, "license": undefined }`);
  expect(count).toBeGreaterThan(80);
  expect(complaints("refused", HEAD + lines.join("\n"))).toBe("");
});

/** The keywords of a schema that narrow further than a type can, by place. */
function narrowings(): { [place: string]: string[] } {
  const out: { [place: string]: string[] } = {};
  const KEYWORDS = ["pattern", "format", "minLength", "maxLength", "minimum", "maximum", "minItems", "uniqueItems", "minProperties"];
  const add = (place: string, keyword: string) => {
    const list = (out[place] ??= []);
    if (!list.includes(keyword)) list.push(keyword);
  };
  const known = new Set([
    ...KEYWORDS, "$schema", "$id", "$comment", "$defs", "$ref", "title", "description", "type", "enum", "const", "default",
    "examples", "required", "properties", "additionalProperties", "items", "allOf", "if", "then",
  ]);
  const walk = (schema: Json, place: string): void => {
    if (schema === null || typeof schema !== "object" || Array.isArray(schema)) return;
    for (const [keyword, value] of Object.entries(schema)) {
      // A keyword that nobody thought of is a gap that nobody stated.
      expect(known, `${place}: ${keyword}`).toContain(keyword);
      if (KEYWORDS.includes(keyword)) add(place, keyword);
      if (keyword === "type" && value === "integer") add(place, "integer");
      if (keyword === "properties") for (const [name, inner] of Object.entries(value as Schema)) walk(inner, `${place}.${name}`);
      if (keyword === "items") walk(value, `${place}[]`);
      if (keyword === "additionalProperties") walk(value, `${place}.*`);
      if (keyword === "allOf") for (const rule of value as { then: Json }[]) walk(rule.then, place);
    }
  };
  for (const kind of KINDS) {
    const schema = schemaOf(kind, "core");
    walk(schema, String(schema["title"]));
    for (const [name, inner] of Object.entries((schema["$defs"] ?? {}) as Schema)) walk(inner, name);
  }
  return out;
}

test("the ledger names every keyword that types cannot say, and no other", () => {
  expect(narrowings()).toEqual(LEDGER);
});

test("the arbitraries are as wide as the types", () => {
  const seen = new Set<string>();
  const sample = <T>(of: fc.Arbitrary<T>) => fc.sample(of, { numRuns: 400, seed: 7 });
  const note = (name: string, schema: Schema, whole: Schema, value: unknown): void => {
    if (value === null || typeof value !== "object" || Array.isArray(value)) return;
    const parts = [schema, ...((schema["allOf"] ?? []) as { if: { properties: { type: { const: string } } }; then: Schema }[])
      .filter((rule) => rule.if.properties.type.const === (value as Schema)["type"]).map((rule) => rule.then)];
    for (const part of parts) {
      for (const [key, inner] of Object.entries((part["properties"] ?? {}) as { [key: string]: Schema })) {
        const target = inner["$ref"] ? ((whole["$defs"] as { [name: string]: Schema })[String(inner["$ref"]).slice(8)] ?? {}) : inner;
        const there = Object.hasOwn(value, key);
        seen.add(`${name}.${key} ${there ? "present" : "absent"}`);
        if (there && Array.isArray(target["enum"])) seen.add(`${name}.${key} ${String((value as Schema)[key])}`);
        if (there) note(`${name}.${key}`, target, whole, (value as Schema)[key]);
      }
    }
  };
  const wanted: string[] = [];
  const want = (name: string, schema: Schema, whole: Schema): void => {
    const parts = [schema, ...((schema["allOf"] ?? []) as { then: Schema }[]).map((rule) => rule.then)];
    for (const part of parts) {
      for (const [key, inner] of Object.entries((part["properties"] ?? {}) as { [key: string]: Schema })) {
        const target = inner["$ref"] ? ((whole["$defs"] as { [name: string]: Schema })[String(inner["$ref"]).slice(8)] ?? {}) : inner;
        wanted.push(`${name}.${key} present`);
        if (!(part["required"] as string[] | undefined)?.includes(key)) wanted.push(`${name}.${key} absent`);
        for (const word of (target["enum"] ?? []) as string[]) wanted.push(`${name}.${key} ${word}`);
        if (target["title"] !== "JsonSchemaObject") want(`${name}.${key}`, target, whole);
      }
    }
  };
  const all: [Kind, fc.Arbitrary<object>][] = [
    ["skill-descriptor", arbitraries.skillDescriptor], ["invocation-request", arbitraries.invocationRequest],
    ["invocation-response", arbitraries.invocationResponse],
  ];
  for (const [kind, arbitrary] of all) {
    const whole = schemaOf(kind, "core");
    want(kind, whole, whole);
    for (const value of sample(arbitrary)) note(kind, whole, whole, value);
  }
  expect(wanted.filter((what) => !seen.has(what))).toEqual([]);
  expect(wanted.length).toBeGreaterThan(120);
});
