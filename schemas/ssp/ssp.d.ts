// Generated from src/skill/table.rs. UPDATE_DOCS=1 cargo test --test skill_table writes it anew.

/** ASCII, compared byte for byte. Human text goes into name. */
export type SkillId = string;
export type CapabilityType = "plugin" | "api" | "knowledge" | "task";
export type Access = "public" | "restricted" | "private";
/** A JSON Schema; 2020-12 unless $schema says otherwise. */
export interface JsonSchemaObject {
  $schema?: string;
  [k: string]: unknown;
}
/** What a skill does, where it is and how to call it. */
export interface SkillDescriptor {
  /** For editors; opaque to readers. */
  $schema?: string;
  /** Protocol that the descriptor follows. */
  protocol: ProtocolVersion;
  /** Identifier, unique in its index. */
  id: SkillId;
  /** Display name. */
  name: string;
  /** Version of the skill; SemVer 2.0.0 is a strict-profile rule. */
  version: string;
  /** What kind of ability it is. */
  capability_type: CapabilityType;
  /** What it does and when to use it. */
  description: string;
  /** Who offers it. */
  provider: Provider;
  /** Where it is invoked. */
  endpoint: Endpoint;
  /** JSON Schema of the inputs. */
  inputs: JsonSchemaObject;
  /** JSON Schema of the output; {} declares nothing. */
  output: JsonSchemaObject;
  /** How to authenticate. */
  auth: Auth;
  /** public: listed, no permission needed. restricted: listed, needs permission. private: never listed to anonymous callers. */
  access: Access;
  /** Words to find it by. */
  tags?: string[];
  /** Licence of the skill. */
  license?: string;
  /** Human documentation. */
  documentation_url?: string;
  /** Calls with their answers. */
  examples?: Example[];
  /** Untrusted hints. */
  annotations?: Annotations;
  /** Should no longer be used. */
  deprecated?: boolean;
  /** RFC 3339. */
  created_at?: string;
  /** RFC 3339. */
  updated_at?: string;
  /** Anything else. */
  metadata?: { [k: string]: unknown };
  [k: string]: unknown;
}
/** The protocol's version. Numbers of any length; compared as decimal text. */
export interface ProtocolVersion {
  /** MAJOR.MINOR.PATCH, three non-negative integers, no leading zero, no suffix (SemVer 2.0.0 clause 2). */
  version: string;
  /** Name of the protocol. */
  name?: string;
  [k: string]: unknown;
}
/** Who offers the skill. */
export interface Provider {
  /** Who answers for the skill. */
  name: string;
  /** Identifier of the provider. */
  id?: string;
  /** DNS name whose well-known index lists the skill. */
  domain?: string;
  /** Home page. */
  url?: string;
  /** How to reach the provider. */
  contact?: string;
  [k: string]: unknown;
}
/** Where the skill is invoked. */
export interface Endpoint {
  /** Absolute URI that takes invocations. */
  url: string;
  /** HTTP method. */
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** How to speak to url: ssp (default: POST an InvocationRequest), http, mcp, a2a, file, or a URI. */
  binding?: string;
  /** RFC 6570 level 1 template appended to url, for imported HTTP operations such as /board/{row}. */
  path?: string;
  /** How long a caller should wait. */
  timeout_ms?: number;
  [k: string]: unknown;
}
/** How to authenticate. Never holds a secret. */
export type Auth = ApiKeyAuth | OAuth2Auth | CustomAuth | NoAuth;
export interface ApiKeyAuth {
  /** How a caller proves who it is. */
  type: "api_key";
  /** For people. */
  description?: string;
  /** Where the key travels. */
  in: "header" | "query" | "cookie";
  /** Header, query or cookie name that carries the key. */
  name: string;
  /** Text put before the key, for example "Bearer ". */
  prefix?: string;
  [k: string]: unknown;
}
export interface OAuth2Auth {
  /** How a caller proves who it is. */
  type: "oauth2";
  /** For people. */
  description?: string;
  /** Token endpoint. */
  token_url: string;
  /** RFC 8414 authorization server metadata. */
  metadata_url?: string;
  /** Authorization endpoint. */
  authorization_url?: string;
  /** Grants that the server takes. */
  grant_types?: string[];
  /** Scope name to what it allows. */
  scopes?: { [k: string]: string };
  [k: string]: unknown;
}
export interface CustomAuth {
  /** How a caller proves who it is. */
  type: "custom";
  /** For people. */
  description?: string;
  /** Name or URI of the scheme, for example http-bearer, mtls, openid-connect. */
  scheme: string;
  /** What the scheme needs to know. */
  params?: { [k: string]: unknown };
  [k: string]: unknown;
}
export interface NoAuth {
  /** How a caller proves who it is. */
  type: "none";
  /** For people. */
  description?: string;
  [k: string]: unknown;
}
/** A call and its answer, checked against the descriptor's two schemas. */
export interface Example {
  /** For people. */
  description?: string;
  /** Inputs that the skill takes. */
  inputs: { [k: string]: unknown };
  /** What comes back for them. */
  output?: unknown;
  [k: string]: unknown;
}
/** Untrusted hints, as in MCP ToolAnnotations. */
export interface Annotations {
  /** Changes nothing. */
  read_only?: boolean;
  /** May delete or overwrite. */
  destructive?: boolean;
  /** The same call twice does no more than once. */
  idempotent?: boolean;
  /** Reaches beyond the provider. */
  open_world?: boolean;
  [k: string]: unknown;
}
/** The skills of a provider, served at a well-known address. */
export interface SkillIndex {
  /** For editors; opaque to readers. */
  $schema?: string;
  /** Protocol that the index follows. */
  protocol: ProtocolVersion;
  /** Who offers the skills. */
  provider?: Provider;
  /** The skills; ids differ. */
  skills: SkillIndexEntry[];
  /** Next page. */
  next?: string;
  /** RFC 3339. */
  updated_at?: string;
  [k: string]: unknown;
}
/** One skill of an index. */
export interface SkillIndexEntry {
  /** The descriptor's id. */
  id: SkillId;
  /** Display name. */
  name: string;
  /** The descriptor's version. */
  version?: string;
  /** What it does. */
  description?: string;
  /** Equals the descriptor's. */
  capability_type: CapabilityType;
  /** Equals the descriptor's. */
  access: Access;
  /** Resolved against the index URL (RFC 3986 section 5). */
  descriptor_url: string;
  /** sha256 of the descriptor's bytes as served. */
  digest?: string;
  /** Words to find it by. */
  tags?: string[];
  [k: string]: unknown;
}
/** A call of a skill. */
export interface InvocationRequest {
  /** Protocol that the request follows. */
  protocol?: ProtocolVersion;
  /** Given back by the response. */
  request_id?: string;
  /** Who calls. */
  caller: Caller;
  /** The skill. */
  skill_id: SkillId;
  /** Version that the caller read. */
  skill_version?: string;
  /** Arguments; must match the descriptor's inputs schema. */
  inputs: { [k: string]: unknown };
  /** How long the caller waits. */
  timeout_ms?: number;
  /** Anything else. */
  metadata?: { [k: string]: unknown };
  [k: string]: unknown;
}
/** Who calls a skill. */
export interface Caller {
  /** Who calls. */
  id: string;
  /** Known: user, agent, service. Open word list (iFay, coFay and the like pass). */
  type: string;
  [k: string]: unknown;
}
/** What came of a call. */
export interface InvocationResponse {
  /** Protocol that the response follows. */
  protocol?: ProtocolVersion;
  /** The request's. */
  request_id?: string;
  /** Identifier of this execution. */
  execution_id: string;
  /** Known: pending, running, input_required, auth_required, succeeded, failed, cancelled, rejected. Open word list; an unknown word is not terminal. */
  status: string;
  /** The skill. */
  skill_id: SkillId;
  /** When it was accepted, began, changed and ended. */
  timestamps: Timestamps;
  /** Any JSON value; must match the descriptor's output schema when status is succeeded. */
  output?: unknown;
  /** What went wrong. */
  error?: Problem;
  /** Anything else. */
  metadata?: { [k: string]: unknown };
  [k: string]: unknown;
}
/** When an execution did what. */
export interface Timestamps {
  /** Execution accepted. */
  created_at?: string;
  /** Work began. */
  started_at?: string;
  /** Last change of status. */
  updated_at?: string;
  /** Terminal status reached. */
  completed_at?: string;
  [k: string]: unknown;
}
/** RFC 9457 problem details; code, retryable and errors are extension members. */
export interface Problem {
  /** Kind of problem; about:blank when left out. */
  type?: string;
  /** What went wrong, the same for every problem of the kind. */
  title: string;
  /** What went wrong this time. */
  detail?: string;
  /** This occurrence. */
  instance?: string;
  /** HTTP status. */
  status?: number;
  /** Stable word. */
  code?: string;
  /** Whether the same call may succeed later. */
  retryable?: boolean;
  /** Faults one by one. */
  errors?: ProblemFault[];
  [k: string]: unknown;
}
/** One fault of a request. */
export interface ProblemFault {
  /** Where the fault is (RFC 6901). */
  pointer: string;
  /** What is wrong. */
  detail: string;
  /** Stable word. */
  code?: string;
  [k: string]: unknown;
}
