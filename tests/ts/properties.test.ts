// The eleven correctness properties of chapter 12 on the built package, under its labels. Property 11 has its second
// direction, schema to types, in types.test.ts.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  SkillError, canonicalize, checkCompatibility, checkIndex, equals, filterByCapability, parse, serialize, validate,
  type CapabilityType, type SkillDescriptor, type SkillIndexEntry,
} from "skillscope";
import { invocationRequest, invocationResponse, protocolVersion, skillDescriptor, skillIndexEntry } from "./arbitraries";
import { CODE_ONLY, KINDS, RUNS, ajv, changed, clone, documents, errors, label, mutant, supports } from "./documents";

const numRuns = RUNS;

const REQUIRED = [
  ["protocol"], ["protocol", "version"], ["id"], ["name"], ["version"], ["capability_type"], ["description"], ["provider"],
  ["endpoint"], ["inputs"], ["output"], ["auth"], ["access"],
] as const;

test(label(1, "skill descriptor structural completeness"), () => {
  fc.assert(
    fc.property(skillDescriptor, fc.constantFrom(...REQUIRED), (descriptor, path) => {
      expect(errors(validate(descriptor, { supports }).findings)).toEqual([]);
      const found = errors(validate(changed(descriptor, path, undefined), { supports, kind: "skill-descriptor" }).findings);
      expect(found.map((f) => [f.pointer, f.reason, f.property])).toEqual([[`/${path.join("/")}`, "required", 1]]);
      const nulled = errors(validate(changed(descriptor, path, null), { supports, kind: "skill-descriptor" }).findings);
      expect(nulled.map((f) => [f.pointer, f.reason])).toEqual([[`/${path.join("/")}`, "null"]]);
    }),
    { numRuns },
  );
});

test(label(2, "enumerated field value domains"), () => {
  const lists = [
    { path: ["capability_type"], words: ["plugin", "api", "knowledge", "task"] },
    { path: ["access"], words: ["public", "restricted", "private"] },
    { path: ["auth", "type"], words: ["api_key", "oauth2", "custom", "none"] },
  ];
  const word = fc.oneof(fc.string(), fc.constantFrom("Public", " public", "ＡＰＩ", "", "API_KEY", "api"));
  fc.assert(
    fc.property(skillDescriptor, fc.constantFrom(...lists), word, (descriptor, { path, words }, value) => {
      const pointer = `/${path.join("/")}`;
      const found = errors(validate(changed(descriptor, path, value), { supports, kind: "skill-descriptor" }).findings);
      if (words.includes(value)) {
        expect(found.filter((f) => f.pointer === pointer)).toEqual([]);
        return;
      }
      expect(found.map((f) => [f.pointer, f.reason, f.property])).toEqual([[pointer, "enum", 2]]);
      for (const allowed of words) expect(found[0]?.message).toContain(JSON.stringify(allowed));
    }),
    { numRuns },
  );
});

test(label(3, "round-trip consistency"), () => {
  fc.assert(
    fc.property(skillDescriptor, (descriptor) => {
      const serialized = serialize(descriptor);
      const parsed = parse(serialized, { supports });
      expect(parsed).toStrictEqual(clone(descriptor));
      expect(serialize(parsed)).toBe(serialized);
      expect(equals(serialized, descriptor)).toBe(true);
      const turned = Object.fromEntries(Object.entries(descriptor).reverse());
      expect(canonicalize(turned)).toBe(canonicalize(descriptor));
      expect(JSON.parse(canonicalize(descriptor) ?? "")).toStrictEqual(clone(descriptor));
    }),
    { numRuns },
  );
});

test(label(4, "schema validation correctness"), () => {
  fc.assert(
    fc.property(skillDescriptor, mutant("skill-descriptor"), (descriptor, other) => {
      const good = validate(descriptor, { supports, kind: "skill-descriptor" });
      expect(good.valid && good.value).toStrictEqual(clone(descriptor));
      const judged = validate(other, { supports, kind: "skill-descriptor" });
      if (judged.valid) {
        expect(judged.value).toStrictEqual(clone(other));
        expect(ajv("skill-descriptor", "core")(other)).toBe(true);
        return;
      }
      const found = errors(judged.findings);
      expect(found.length).toBeGreaterThan(0);
      for (const finding of found) {
        expect(finding.reason).not.toBe("");
        expect(finding.message).not.toBe("");
        expect(finding.remedy).not.toBe("");
        // Only the document as a whole has no name.
        expect(finding.field !== "" || finding.pointer === "").toBe(true);
      }
      expect(() => parse(JSON.stringify(other), { supports, kind: "skill-descriptor" })).toThrow(SkillError);
    }),
    { numRuns },
  );
});

/** Entries with ids that differ, none of them private. */
const entries = fc
  .array(skillIndexEntry, { maxLength: 6 })
  .map((list) => list.map((entry, i): SkillIndexEntry => ({ ...entry, id: `com.example/${i}`, access: "public" })));

test(label(5, "skill identifier uniqueness"), () => {
  fc.assert(
    fc.property(entries, fc.nat(), fc.nat(), (skills, a, b) => {
      const index = { protocol: { version: "1.0.0" }, skills };
      expect(checkIndex(index).valid).toBe(true);
      if (skills.length < 2) return;
      const first = a % skills.length;
      const second = (first + 1 + (b % (skills.length - 1))) % skills.length;
      const twice = changed(index, ["skills", Math.max(first, second), "id"], `com.example/${Math.min(first, second)}`);
      const found = errors(checkIndex(twice).findings);
      expect(found.map((f) => [f.pointer, f.reason, f.property])).toEqual([
        [`/skills/${Math.max(first, second)}/id`, "duplicate_id", 5],
      ]);
      expect(found[0]?.message).toContain(`/skills/${Math.min(first, second)}/id`);
    }),
    { numRuns },
  );
});

const SERVED = ".well-known/skill-sharing";

/** A provider's files: the full set beside what is served of it. */
function provider(skills: readonly SkillDescriptor[]): { [path: string]: object } {
  const files: { [path: string]: object } = {};
  const index: SkillIndexEntry[] = [];
  skills.forEach((skill, i) => {
    files[`full/${i}.json`] = skill;
    if (skill.access === "private") return;
    const { id, name, capability_type, access } = skill;
    files[`${SERVED}/skills/${i}.json`] = skill;
    index.push({ id, name, capability_type, access, descriptor_url: `skills/${i}.json` });
  });
  files[`${SERVED}/index.json`] = { protocol: { version: "1.0.0" }, skills: index };
  return files;
}

const set = fc.array(skillDescriptor, { minLength: 1, maxLength: 4 }).map((list) =>
  list.map((skill, i): SkillDescriptor => {
    const { documentation_url: _, $schema: __, ...rest } = skill;
    return {
      ...rest,
      protocol: { version: "1.0.0" },
      id: `com.example/the-skill-number-${i}`,
      name: `The skill of number ${i}`,
      description: "Does what it does.",
      version: "1.0.0",
      endpoint: { url: `https://skills.example.com/invoke/number-${i}` },
    } as SkillDescriptor;
  }),
);

test(label(6, "skill index correctness and access control"), () => {
  fc.assert(
    fc.property(set, fc.nat(), (skills, pick) => {
      const of = (files: { [path: string]: object }) =>
        errors(checkIndex(files).findings).filter((f) => f.property === 5 || f.property === 6);
      const files = provider(skills);
      expect(of(files)).toEqual([]);
      const index = files[`${SERVED}/index.json`] as { skills: SkillIndexEntry[] };
      const shown = skills.filter((skill) => skill.access !== "private");
      const hidden = skills.filter((skill) => skill.access === "private");
      expect(index.skills.map((entry) => entry.id)).toEqual(shown.map((skill) => skill.id));
      const skill = skills[pick % skills.length];
      if (skill === undefined) throw new Error("an empty set");
      const at = index.skills.findIndex((entry) => entry.id === skill.id);
      if (at >= 0) {
        // One that is missing, and one whose descriptor is not there.
        const without = changed(files, [`${SERVED}/index.json`, "skills", at], undefined);
        expect(of(without).some((f) => f.check === "SSP-P6-COMPLETE" && f.message.includes(skill.id))).toBe(true);
        const broken = changed(files, [`${SERVED}/index.json`, "skills", at, "descriptor_url"], "skills/none.json");
        expect(of(broken).some((f) => f.check === "SSP-P6-LINK" && f.pointer === `/skills/${at}/descriptor_url`)).toBe(true);
      } else {
        // A private one that is listed.
        const { id, name, capability_type, access } = skill;
        const leaked = clone(files);
        (leaked[`${SERVED}/index.json`] as { skills: SkillIndexEntry[] }).skills.push({
          id, name, capability_type, access, descriptor_url: "skills/leaked.json",
        });
        expect(of(leaked).some((f) => f.check === "SSP-P6-PRIVATE-LISTED")).toBe(true);
      }
      for (const secret of hidden) {
        // Its id anywhere in what is served.
        const told = changed(files, [`${SERVED}/index.json`, "x-related"], [secret.id]);
        expect(of(told).some((f) => f.check === "SSP-P6-LEAK")).toBe(true);
      }
    }),
    { numRuns: 100 },
  );
});

test(label(7, "capability type filter correctness"), () => {
  const types: CapabilityType[] = ["plugin", "api", "knowledge", "task"];
  fc.assert(
    fc.property(fc.array(skillDescriptor, { maxLength: 8 }), fc.constantFrom(...types), fc.string(), (skills, type, word) => {
      const kept = filterByCapability(skills, type);
      // The same objects, in their order, as often as they stand there: sound and complete.
      expect(kept.every((skill, i) => skill === skills.filter((s) => s.capability_type === type)[i])).toBe(true);
      expect(kept.length).toBe(skills.filter((s) => s.capability_type === type).length);
      expect(filterByCapability(kept, type)).toEqual(kept);
      expect(types.reduce((sum, t) => sum + filterByCapability(skills, t).length, 0)).toBe(skills.length);
      if (types.includes(word as CapabilityType)) return;
      expect(() => filterByCapability(skills, word as CapabilityType)).toThrow(/capability_type/);
    }),
    { numRuns },
  );
});

test(label(8, "invocation message structural completeness"), () => {
  const request = [["caller"], ["caller", "id"], ["caller", "type"], ["skill_id"], ["inputs"]] as const;
  const response = [["execution_id"], ["status"], ["skill_id"], ["timestamps"]] as const;
  const message = fc.oneof(
    fc.record({ kind: fc.constant("invocation-request" as const), value: invocationRequest, path: fc.constantFrom(...request) }),
    fc.record({ kind: fc.constant("invocation-response" as const), value: invocationResponse, path: fc.constantFrom(...response) }),
  );
  fc.assert(
    fc.property(message, ({ kind, value, path }) => {
      expect(errors(validate(value, { supports, kind }).findings)).toEqual([]);
      const found = errors(validate(changed<object>(value, path, undefined), { supports, kind }).findings);
      expect(found.map((f) => [f.pointer, f.reason, f.property])).toEqual([[`/${path.join("/")}`, "required", 8]]);
    }),
    { numRuns },
  );
});

test(label(9, "protocol version SemVer format"), () => {
  const text = fc.oneof(
    protocolVersion.map((p) => p.version),
    fc.string(),
    fc.stringMatching(/^[ v+-]?[0-9]{1,3}\.[+-]?[0-9]{0,3}\.[0-9]{1,3}([.+ -][0-9a-z]{0,2})?$/),
    fc.constantFrom("1.0.0\n", "1.0.0 ", "１.0.0", "١.٠.٠", "1e3.0.0", "", "1.0", "01.0.0", "1.0.0-beta", `${"9".repeat(400)}.0.0`),
  );
  fc.assert(
    fc.property(text, (version) => {
      // SemVer by the language's own regular expressions, with digits of ASCII and a true end.
      const expected = /^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$/.test(version);
      const found = errors(validate({ version }, { kind: "protocol-version", supports: `${"9".repeat(500)}.0.0` }).findings);
      expect(found.length).toBe(expected ? 0 : 1);
      if (!expected) expect([found[0]?.property, found[0]?.pointer]).toEqual([9, "/version"]);
    }),
    { numRuns: 1000 },
  );
});

test(label(10, "version incompatibility detection"), () => {
  const major = fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(0n, 10n ** 40n));
  fc.assert(
    fc.property(skillDescriptor, major, major, fc.nat(9), fc.boolean(), (descriptor, theirs, ours, minor, spoilt) => {
      const version = `${theirs}.${minor}.0`;
      const own = `${ours}.1.0`;
      const report = checkCompatibility(version, { supports: own });
      expect(report.compatible).toBe(theirs <= ours);
      expect(report.verdict).toBe(
        theirs > ours ? "incompatible" : theirs < ours ? "older_major" : minor > 1 ? "newer_minor" : "compatible",
      );
      const document = { ...descriptor, protocol: { version }, ...(spoilt ? { access: 5 } : {}) };
      expect(checkCompatibility(document, { supports: own }).compatible).toBe(theirs <= ours);
      const found = validate(document, { supports: own, kind: "skill-descriptor" }).findings;
      if (theirs > ours) {
        // Before any other finding, naming both.
        expect([found[0]?.reason, found[0]?.property, errors(found).length]).toEqual(["protocol_incompatible", 10, 1]);
        expect(found[0]?.message).toContain(version);
        expect(found[0]?.message).toContain(own);
      } else {
        expect(errors(found).map((f) => f.pointer)).toEqual(spoilt ? ["/access"] : []);
        expect(found.some((f) => f.reason === "protocol_older_major")).toBe(theirs < ours);
      }
    }),
    { numRuns },
  );
  expect(checkCompatibility("1.0").verdict).toBe(null);
  expect(checkCompatibility("1.0").findings.map((f) => f.reason)).toEqual(["semver_parts"]);
});

test(label(11, "TypeScript and JSON Schema semantic consistency"), () => {
  // What the types let through, as far as the ledger goes, the schema of the registry's ajv and our checks let through.
  for (const kind of KINDS) {
    fc.assert(
      fc.property(documents[kind], (value) => {
        const judge = ajv(kind, "core");
        expect(judge(clone(value)), JSON.stringify(judge.errors)).toBe(true);
        const found = errors(validate(value, { supports, kind }).findings);
        expect(found.filter((f) => !CODE_ONLY.has(f.check))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  }
});
