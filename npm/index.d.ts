// The types of the package. Those of the protocol are generated: ssp.d.ts.

import type { CapabilityType, InvocationRequest, InvocationResponse, Problem, ProtocolVersion, SkillDescriptor, SkillIndex } from "./ssp.js";

export type * from "./ssp.js";

export type Kind =
  | "skill-descriptor"
  | "skill-index"
  | "invocation-request"
  | "invocation-response"
  | "problem"
  | "protocol-version";

/** The type of each kind of document. */
export interface Documents {
  "skill-descriptor": SkillDescriptor;
  "skill-index": SkillIndex;
  "invocation-request": InvocationRequest;
  "invocation-response": InvocationResponse;
  problem: Problem;
  "protocol-version": ProtocolVersion;
}

/** A document: its text, its bytes, or the value itself. */
export type Input = string | Uint8Array | object;

export interface Options {
  /** What the document is; by its content when left out, and a descriptor when that says nothing. */
  kind?: Kind;
  /** `core` (default) is what the protocol asks, `strict` adds house rules. */
  profile?: "core" | "strict";
  /** The consumer's protocol version, 1.0.0 when left out. */
  supports?: string;
  /** Every MAJOR that the consumer takes; when left out older ones are taken with a warning. */
  supportedMajors?: string[];
  /** Whether an index is what a caller without credentials sees (default): private skills must not be in it. */
  anonymous?: boolean;
  /** Descriptors to judge messages by. */
  descriptors?: Input[];
  /** The request that a response answers. */
  request?: Input;
  /** Language of the sentences. */
  lang?: "en" | "zh-Hant";
}

export interface Finding {
  check: string;
  /** The property of chapter 12. */
  property: number;
  severity: "error" | "warning" | "info";
  /** JSON pointer of the field itself, also when it is missing. */
  pointer: string;
  field: string;
  /** Stable word. */
  reason: string;
  message: string;
  remedy: string;
  instanceLocation: string;
  keywordLocation: string;
  /** Only the strict profile asks for it. */
  house: boolean;
  line: number;
  column: number;
  /** Of a provider's files: which one. */
  file?: string;
}

export type Validation<T> =
  | { valid: true; kind: Kind; findings: Finding[]; value: T }
  | { valid: false; kind: Kind | null; findings: Finding[]; value?: undefined };

export interface IndexReport {
  valid: boolean;
  /** Whether every check that was expected could be made; a skipped check is no pass. */
  complete: boolean;
  cases: { check: string; subject: string; status: "pass" | "warn" | "fail" | "skipped" | "not_run"; why: string | null }[];
  findings: Finding[];
}

export interface CompatibilityReport {
  compatible: boolean;
  /** Null when one of the versions is none. */
  verdict: "compatible" | "newer_minor" | "older_major" | "incompatible" | null;
  findings: Finding[];
}

/** A document was refused. */
export declare class SkillError extends Error {
  readonly findings: Finding[];
  constructor(findings: Finding[]);
}

export declare function validate<K extends Kind = "skill-descriptor">(
  input: Input,
  options?: Options & { kind?: K },
): Validation<Documents[K]>;
export declare function parse<K extends Kind = "skill-descriptor">(
  input: string | Uint8Array,
  options?: Options & { kind?: K },
): Documents[K];
export declare function toBasic(
  input: Input,
  options?: Options,
): { valid: true } | { valid: false; errors: { keywordLocation: string; instanceLocation: string; error: string }[] };
export declare function toProblem(input: Input, options?: Options): Problem | null;
export declare function serialize(value: object): string;
export declare function canonicalize(value: object): string | null;
export declare function equals(a: Input, b: Input): boolean;
export declare function checkIndex(
  input: SkillIndex | string | Uint8Array | { [path: string]: string | Uint8Array | object },
  options?: Options,
): IndexReport;
export declare function filterByCapability<T extends { capability_type: string }>(
  skills: readonly T[],
  capabilityType: CapabilityType,
  options?: Pick<Options, "lang">,
): T[];
export declare function checkCompatibility(
  document: string | { protocol?: { version: string } },
  options?: Pick<Options, "supports" | "supportedMajors" | "lang">,
): CompatibilityReport;
