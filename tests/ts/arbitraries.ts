// Generated from src/skill/table.rs. UPDATE_DOCS=1 cargo test --test skill_table writes it anew.

import type { SkillDescriptor, ProtocolVersion, Provider, Endpoint, Auth, Example, Annotations, SkillIndex, SkillIndexEntry, InvocationRequest, Caller, InvocationResponse, Timestamps, Problem, ProblemFault, JsonSchemaObject, SkillId } from "../../schemas/ssp/ssp";
import type { ApiKeyAuth, OAuth2Auth, CustomAuth, NoAuth } from "../../schemas/ssp/ssp";
import fc from "fast-check";

const graphemes = (minLength: number, max: number): fc.Arbitrary<string> =>
  fc.string({ unit: "grapheme", minLength, maxLength: Math.max(minLength, Math.min(max, 24)) });
const visible = (max: number): fc.Arbitrary<string> => graphemes(1, max).filter((text) => /\S/.test(text));
const id: fc.Arbitrary<SkillId> = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:/@+~%-]{0,40}$/);
const token: fc.Arbitrary<string> = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.-]{0,20}$/);
const digest: fc.Arbitrary<string> = fc.stringMatching(/^sha256:[0-9a-f]{64}$/);
const path: fc.Arbitrary<string> = fc.stringMatching(/^\/[a-z{}/]{0,20}$/);
const number: fc.Arbitrary<string> = fc.oneof(fc.nat(3).map(String), fc.bigInt(0n, 10n ** 40n).map(String));
const protocolText: fc.Arbitrary<string> = fc.tuple(number, number, number).map((parts) => parts.join("."));
const uri: fc.Arbitrary<string> = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom("pkg:npm/a@1.0.0", "urn:example:skill", "http://[::1]:8080/a", "mailto:a@example.com"),
);
const uriReference: fc.Arbitrary<string> = fc.oneof(uri, fc.constantFrom("a.json", "./a/b.json", "../c", "/d?e=f#g", "//h/i"));
const hostname: fc.Arbitrary<string> = fc.domain();
const dateTime: fc.Arbitrary<string> = fc
  .date({ min: new Date("1970-01-01T00:00:00Z"), max: new Date("9998-12-31T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString());
const key: fc.Arbitrary<string> = fc.oneof(fc.string({ unit: "grapheme", maxLength: 12 }), fc.constant("__proto__"));
/** One JSON pass: what a document can hold, without -0. */
const json: fc.Arbitrary<unknown> = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const open: fc.Arbitrary<{ [k: string]: unknown }> = fc.dictionary(key, json, { maxKeys: 4, noNullPrototype: true });
const texts: fc.Arbitrary<{ [k: string]: string }> = fc.dictionary(key, fc.string(), { maxKeys: 4, noNullPrototype: true });
const schema: fc.Arbitrary<JsonSchemaObject> = fc.constantFrom<JsonSchemaObject>(
  {},
  { type: "object" },
  { type: "object", properties: { text: { type: "string" }, to: { type: "string", pattern: "^[a-z]{2}$" } }, required: ["text"] },
  { type: "object", $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } }, $ref: "#/$defs/node" },
  { $schema: "http://json-schema.org/draft-07/schema#", type: ["array", "null"], items: { type: "integer", minimum: 0 } },
  { $schema: "http://json-schema.org/draft-04/schema#", type: "number", minimum: 0, exclusiveMinimum: true },
);
const extension: fc.Arbitrary<unknown> = json;

export const protocolVersion: fc.Arbitrary<ProtocolVersion> = fc.record(
  {
    version: protocolText,
    name: graphemes(1, 24),
    "x-note": extension,
  },
  { requiredKeys: ["version"] },
);

export const provider: fc.Arbitrary<Provider> = fc.record(
  {
    name: visible(256),
    id: graphemes(1, 24),
    domain: hostname,
    url: uri,
    contact: graphemes(1, 24),
    "x-note": extension,
  },
  { requiredKeys: ["name"] },
);

export const endpoint: fc.Arbitrary<Endpoint> = fc.record(
  {
    url: uri,
    method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
    binding: graphemes(1, 24),
    path: path,
    timeout_ms: fc.integer({ min: 1, max: 2147483647 }),
    "x-note": extension,
  },
  { requiredKeys: ["url"] },
);

export const apiKeyAuth: fc.Arbitrary<ApiKeyAuth> = fc.record(
  {
    type: fc.constant("api_key" as const),
    description: graphemes(0, 24),
    in: fc.constantFrom("header", "query", "cookie"),
    name: visible(256),
    prefix: graphemes(0, 24),
    "x-note": extension,
  },
  { requiredKeys: ["type", "in", "name"] },
);

export const oAuth2Auth: fc.Arbitrary<OAuth2Auth> = fc.record(
  {
    type: fc.constant("oauth2" as const),
    description: graphemes(0, 24),
    token_url: uri,
    metadata_url: uri,
    authorization_url: uri,
    grant_types: fc.uniqueArray(graphemes(1, 24), { minLength: 1, maxLength: 4 }),
    scopes: texts,
    "x-note": extension,
  },
  { requiredKeys: ["type", "token_url"] },
);

export const customAuth: fc.Arbitrary<CustomAuth> = fc.record(
  {
    type: fc.constant("custom" as const),
    description: graphemes(0, 24),
    scheme: visible(256),
    params: open,
    "x-note": extension,
  },
  { requiredKeys: ["type", "scheme"] },
);

export const noAuth: fc.Arbitrary<NoAuth> = fc.record(
  {
    type: fc.constant("none" as const),
    description: graphemes(0, 24),
    "x-note": extension,
  },
  { requiredKeys: ["type"] },
);

export const auth: fc.Arbitrary<Auth> = fc.oneof(apiKeyAuth, oAuth2Auth, customAuth, noAuth);

export const example: fc.Arbitrary<Example> = fc.record(
  {
    description: graphemes(0, 24),
    inputs: open,
    output: json,
    "x-note": extension,
  },
  { requiredKeys: ["inputs"] },
);

export const annotations: fc.Arbitrary<Annotations> = fc.record(
  {
    read_only: fc.boolean(),
    destructive: fc.boolean(),
    idempotent: fc.boolean(),
    open_world: fc.boolean(),
    "x-note": extension,
  },
  { requiredKeys: [] },
);

export const skillDescriptor: fc.Arbitrary<SkillDescriptor> = fc.record(
  {
    $schema: uri,
    protocol: protocolVersion,
    id: id,
    name: visible(256),
    version: visible(255),
    capability_type: fc.constantFrom("plugin", "api", "knowledge", "task"),
    description: visible(8192),
    provider: provider,
    endpoint: endpoint,
    inputs: schema,
    output: schema,
    auth: auth,
    access: fc.constantFrom("public", "restricted", "private"),
    tags: fc.uniqueArray(graphemes(1, 24), { minLength: 0, maxLength: 4 }),
    license: graphemes(1, 24),
    documentation_url: uri,
    examples: fc.array(example, { minLength: 0, maxLength: 3 }),
    annotations: annotations,
    deprecated: fc.boolean(),
    created_at: dateTime,
    updated_at: dateTime,
    metadata: open,
    "x-note": extension,
  },
  { requiredKeys: ["protocol", "id", "name", "version", "capability_type", "description", "provider", "endpoint", "inputs", "output", "auth", "access"] },
);

export const skillIndexEntry: fc.Arbitrary<SkillIndexEntry> = fc.record(
  {
    id: id,
    name: visible(256),
    version: graphemes(1, 255),
    description: graphemes(1, 8192),
    capability_type: fc.constantFrom("plugin", "api", "knowledge", "task"),
    access: fc.constantFrom("public", "restricted", "private"),
    descriptor_url: uriReference,
    digest: digest,
    tags: fc.uniqueArray(graphemes(1, 24), { minLength: 0, maxLength: 4 }),
    "x-note": extension,
  },
  { requiredKeys: ["id", "name", "capability_type", "access", "descriptor_url"] },
);

export const skillIndex: fc.Arbitrary<SkillIndex> = fc.record(
  {
    $schema: uri,
    protocol: protocolVersion,
    provider: provider,
    skills: fc.array(skillIndexEntry, { minLength: 0, maxLength: 3 }),
    next: uriReference,
    updated_at: dateTime,
    "x-note": extension,
  },
  { requiredKeys: ["protocol", "skills"] },
);

export const caller: fc.Arbitrary<Caller> = fc.record(
  {
    id: visible(256),
    type: token,
    "x-note": extension,
  },
  { requiredKeys: ["id", "type"] },
);

export const invocationRequest: fc.Arbitrary<InvocationRequest> = fc.record(
  {
    protocol: protocolVersion,
    request_id: graphemes(1, 256),
    caller: caller,
    skill_id: id,
    skill_version: graphemes(1, 255),
    inputs: open,
    timeout_ms: fc.integer({ min: 1, max: 2147483647 }),
    metadata: open,
    "x-note": extension,
  },
  { requiredKeys: ["caller", "skill_id", "inputs"] },
);

export const timestamps: fc.Arbitrary<Timestamps> = fc.record(
  {
    created_at: dateTime,
    started_at: dateTime,
    updated_at: dateTime,
    completed_at: dateTime,
    "x-note": extension,
  },
  { requiredKeys: [] },
).filter((value) => Object.keys(value).length >= 1);

export const problemFault: fc.Arbitrary<ProblemFault> = fc.record(
  {
    pointer: graphemes(0, 24),
    detail: graphemes(0, 24),
    code: graphemes(0, 24),
    "x-note": extension,
  },
  { requiredKeys: ["pointer", "detail"] },
);

export const problem: fc.Arbitrary<Problem> = fc.record(
  {
    type: uriReference,
    title: graphemes(1, 24),
    detail: graphemes(0, 24),
    instance: uriReference,
    status: fc.integer({ min: 100, max: 599 }),
    code: token,
    retryable: fc.boolean(),
    errors: fc.array(problemFault, { minLength: 0, maxLength: 3 }),
    "x-note": extension,
  },
  { requiredKeys: ["title"] },
);

export const invocationResponse: fc.Arbitrary<InvocationResponse> = fc.record(
  {
    protocol: protocolVersion,
    request_id: graphemes(1, 256),
    execution_id: visible(256),
    status: token,
    skill_id: id,
    timestamps: timestamps,
    output: json,
    error: problem,
    metadata: open,
    "x-note": extension,
  },
  { requiredKeys: ["execution_id", "status", "skill_id", "timestamps"] },
);

