// The functions of the package: documents of the Skill Sharing Protocol read, checked, written and compared.
// Everything is decided by the wasm module beside this file; here are only objects, bytes and errors.

import * as wasm from "./skillscope_wasm.js";

const encoder = new TextEncoder();

/** A document was refused; `findings` say where and why. */
export class SkillError extends Error {
  constructor(findings) {
    const errors = findings.filter((finding) => finding.severity === "error");
    super(errors.map((finding) => (finding.pointer ? `${finding.pointer}: ${finding.message}` : finding.message)).join("\n"));
    this.name = "SkillError";
    this.findings = findings;
  }
}

/** JSON text of a value, or a TypeError where JSON would change it in silence. */
function textOf(value) {
  const text = JSON.stringify(value, (key, inner) => {
    if (typeof inner === "number" && !Number.isFinite(inner)) {
      throw new TypeError(`"${key}" is ${inner}, which JSON cannot say`);
    }
    if (typeof inner === "bigint" || typeof inner === "function" || typeof inner === "symbol") {
      throw new TypeError(`"${key}" is a ${typeof inner}, which JSON cannot say`);
    }
    return inner;
  });
  if (text === undefined) throw new TypeError("undefined is no document");
  return text;
}

/** The bytes of a document: of text, of bytes, or of a value. */
function bytesOf(input) {
  if (input instanceof Uint8Array) return input;
  const text = typeof input === "string" ? input : textOf(input);
  // An encoder would replace half a surrogate pair; as an escape it is seen and refused.
  return encoder.encode(text.replace(/[\ud800-\udfff]/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`));
}

const decoder = new TextDecoder();

/** The text of a document, of whatever it is given as. */
const documentText = (input) => decoder.decode(bytesOf(input));

function optionsText(options = {}) {
  const { descriptors, request, ...rest } = options;
  const more = {};
  if (descriptors !== undefined) more.descriptors = descriptors.map(documentText);
  if (request !== undefined) more.request = documentText(request);
  return textOf({ ...rest, ...more });
}

/** Checks a document: every finding, and the document itself when it is valid. */
export function validate(input, options) {
  const bytes = bytesOf(input);
  const answer = JSON.parse(wasm.check_document(bytes, optionsText(options)));
  if (answer.valid) answer.value = JSON.parse(decoder.decode(bytes));
  return answer;
}

/** The findings as the `basic` output of JSON Schema 2020-12. */
export function toBasic(input, options) {
  return JSON.parse(wasm.describe_document(bytesOf(input), optionsText(options), false));
}

/** The findings as an RFC 9457 problem document; null when there is no error. */
export function toProblem(input, options) {
  return JSON.parse(wasm.describe_document(bytesOf(input), optionsText(options), true));
}

/** Reads a document; throws a SkillError when it is not valid. */
export function parse(input, options) {
  const answer = validate(input, options);
  if (!answer.valid) throw new SkillError(answer.findings);
  return answer.value;
}

/** Writes a document: keys in their order, two spaces of indentation. */
export function serialize(value) {
  const answer = JSON.parse(wasm.serialize_document(bytesOf(value), false));
  if (answer.findings) throw new SkillError(answer.findings);
  return answer.text;
}

/** The canonical form of RFC 8785, for digests; null when a number in it has none. */
export function canonicalize(value) {
  const answer = JSON.parse(wasm.serialize_document(bytesOf(value), true));
  if (answer.findings) throw new SkillError(answer.findings);
  return answer.text;
}

/** Whether two documents are equal as JSON. */
export function equals(a, b) {
  return wasm.equal_documents(bytesOf(a), bytesOf(b));
}

/**
 * Checks an index alone, or the files of a provider by their paths: the full set, and what is served under
 * `.well-known/skill-sharing/`.
 */
export function checkIndex(input, options) {
  const single = typeof input === "string" || input instanceof Uint8Array || Array.isArray(input.skills);
  if (single) {
    const { valid, findings } = validate(input, { ...options, kind: "skill-index" });
    return { valid, complete: false, cases: [], findings };
  }
  const files = new wasm.Files();
  try {
    for (const [path, content] of Object.entries(input)) files.add(path, bytesOf(content));
    return JSON.parse(files.check(optionsText(options)));
  } finally {
    files.free();
  }
}

/** The skills of a capability type, in their order, the same objects; throws for a word that is none. */
export function filterByCapability(skills, capabilityType, options = {}) {
  const words = skills.map((skill) => String(skill.capability_type).replaceAll("\n", " ")).join("\n");
  const answer = JSON.parse(wasm.filter_indices(words, String(capabilityType), options.lang ?? "en"));
  if (!answer.indices) {
    const finding = {
      check: "SSP-P7-SOUND", severity: "error", property: 7, pointer: "/capability_type", field: answer.field,
      reason: "unknown_capability", message: answer.message, remedy: "", instanceLocation: "/capability_type",
      keywordLocation: "", house: false, line: 1, column: 1,
    };
    throw new SkillError([finding]);
  }
  return answer.indices.filter((index) => index < skills.length).map((index) => skills[index]);
}

/** Whether a consumer can read a document, given as a version or as the document. */
export function checkCompatibility(document, options = {}) {
  const version = typeof document === "string" ? document : document?.protocol?.version;
  const { verdict } = JSON.parse(wasm.compare_versions(String(version), optionsText(options)));
  const of = validate({ version }, { ...options, kind: "protocol-version" });
  return { compatible: verdict !== null && verdict !== "incompatible", verdict, findings: of.findings };
}
