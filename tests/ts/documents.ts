// What the suites share: labels, a consumer that reads every version, mutations, and the ajv of the registry.
import { readFileSync } from "node:fs";
import addFormats from "ajv-formats";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import type { Finding, Kind } from "skillscope";
import * as arbitraries from "./arbitraries";

/** The label that chapter 12 asks for. */
export const label = (property: number, description: string): string =>
  `Feature: skill-sharing-protocol, Property ${property}: ${description}`;

/** At least 100 runs, by chapter 12. */
export const RUNS = 200;

/** A consumer for whom every MAJOR is older. */
export const supports = `${"9".repeat(60)}.0.0`;

export const errors = (findings: readonly Finding[]): Finding[] => findings.filter((f) => f.severity === "error");

/** Checks that no schema can say: what code has to see. */
export const CODE_ONLY = new Set([
  "SSP-P4-EMBEDDED", "SSP-P4-EXAMPLE", "SSP-P5-DUPLICATE-ID", "SSP-P6-PRIVATE-LISTED", "SSP-P8-TIMES",
  "SSP-P3-NUMBER", "SSP-P3-SURROGATE",
]);

export const KINDS: readonly Kind[] = [
  "skill-descriptor", "skill-index", "invocation-request", "invocation-response", "problem", "protocol-version",
];

/** A valid document of each kind. */
export const documents: Record<Kind, fc.Arbitrary<object>> = {
  "skill-descriptor": arbitraries.skillDescriptor,
  "skill-index": arbitraries.skillIndex,
  "invocation-request": arbitraries.invocationRequest,
  "invocation-response": arbitraries.invocationResponse,
  problem: arbitraries.problem,
  "protocol-version": arbitraries.protocolVersion,
};

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export const clone = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export function schemaOf(kind: string, profile: "core" | "strict"): { [key: string]: Json } {
  const name = `${kind}${profile === "strict" ? ".strict" : ""}.schema.json`;
  return JSON.parse(readFileSync(new URL(`../../schemas/ssp/${name}`, import.meta.url), "utf8")) as { [key: string]: Json };
}

const compiled = new Map<string, ValidateFunction>();

/** The schema of a kind, compiled by ajv with formats asserted. */
export function ajv(kind: string, profile: "core" | "strict"): ValidateFunction {
  const name = `${kind} ${profile}`;
  let validator = compiled.get(name);
  if (!validator) {
    const instance = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, strictTypes: false });
    addFormats.default(instance);
    validator = instance.compile(schemaOf(kind, profile));
    compiled.set(name, validator);
  }
  return validator;
}

/** Every place of a value, as a path of keys. */
export function places(value: unknown, at: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  const inner: (readonly (string | number)[])[] = [];
  if (Array.isArray(value)) value.forEach((member, i) => inner.push(...places(member, [...at, i])));
  else if (value !== null && typeof value === "object") {
    for (const [key, member] of Object.entries(value)) inner.push(...places(member, [...at, key]));
  }
  return [at, ...inner];
}

export function get(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as { [key: string]: unknown })[key], value);
}

/** A copy of a value with one place changed; `undefined` removes it. */
export function changed<T>(value: T, path: readonly (string | number)[], to: unknown): T {
  const copy = clone(value);
  const last = path.at(-1);
  if (last === undefined) return to as T;
  const owner = get(copy, path.slice(0, -1)) as { [key: string]: unknown };
  if (to === undefined) {
    if (Array.isArray(owner)) owner.splice(Number(last), 1);
    else delete owner[last];
  } else Object.defineProperty(owner, last, { value: to, enumerable: true, configurable: true, writable: true });
  return copy;
}

const WRONG: readonly unknown[] = [
  undefined, null, 0, -1, 1.5, true, "", " ", "public", "Public", "api", "none", "oauth2", "1.0.0", "01.0.0", "a b",
  "/relative", "https://a.example/b", "2026-01-02T03:04:05Z", "2026-01-02 03:04:06", [], {}, ["a", "a"], { type: 5 },
];

/** A document of a kind with up to three places changed: often no longer valid. */
export const mutant = (kind: Kind): fc.Arbitrary<object> =>
  fc
    .tuple(documents[kind], fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 3 }))
    .map(([document, changes]) =>
      changes.reduce<object>((value, [where, what]) => {
        const all = places(value).slice(1);
        const path = all[where % Math.max(all.length, 1)];
        return path ? changed(value, path, WRONG[what % WRONG.length]) : value;
      }, document),
    );
