//! Synthetic skill descriptors, each valid: the shape of a small provider's, in words, sizes and parameters of their own.

import { random, sentence } from './random.mjs';

/** `count` descriptors as values. `base` is a valid one: what is not varied stays as it is there. */
export function descriptors(base, { count, seed = 1 }) {
  const rng = random(seed);
  return Array.from({ length: count }, (_, index) => {
    const skill = structuredClone(base);
    skill.description = `${sentence(rng, rng.between(8, 60))}.`;
    for (const key of ['inputs', 'output']) {
      const schema = skill[key];
      if (!schema || typeof schema !== 'object' || !schema.properties) continue;
      for (let more = rng.between(1, 10); more > 0; more -= 1) {
        schema.properties[`field_${index}_${more}`] = { type: rng.pick(['string', 'number', 'boolean']), description: sentence(rng, rng.between(3, 14)) };
      }
    }
    return skill;
  });
}
