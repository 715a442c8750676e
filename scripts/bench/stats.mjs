//! The arithmetic of the benchmarks: medians with an interval that assumes nothing about the shape of what was measured.

/** The middle value; the mean of the two middle ones for an even count. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** C(n, k) / 2^n summed over k ≤ limit: the chance that at most `limit` of `n` coins show heads. */
function tail(n, limit) {
  let term = 2 ** -n;
  let sum = 0;
  for (let k = 0; k <= limit; k += 1) {
    sum += term;
    term = (term * (n - k)) / (k + 1);
  }
  return sum;
}

/**
 * The median with the order-statistic interval that covers the true one in at least 90 of 100 cases (the sign test's);
 * with fewer than five values there is none, and both ends are null.
 */
export function interval(values) {
  const sorted = [...values].sort((a, b) => a - b);
  let skip = -1;
  while (tail(sorted.length, skip + 1) <= 0.05) skip += 1;
  const [low, high] = skip < 0 ? [null, null] : [sorted[skip], sorted[sorted.length - 1 - skip]];
  return { median: median(sorted), low, high, samples: sorted.length };
}

/** The same of ours/peer over pairs, with the medians of both sides. */
export function ratio(pairs) {
  return {
    ...interval(pairs.map(([ours, peer]) => ours / peer)),
    ours_ms: median(pairs.map(([ours]) => ours)),
    peer_ms: median(pairs.map(([, peer]) => peer)),
  };
}

/** Runs both sides `rounds` times, each time in a random order; before that once without counting, unless `practice` is off. */
export async function paired(rounds, ours, peer, { practice = true, chance = Math.random } = {}) {
  if (practice) {
    await ours();
    await peer();
  }
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    if (chance() < 0.5) {
      const first = await ours();
      pairs.push([first, await peer()]);
    } else {
      const first = await peer();
      pairs.push([await ours(), first]);
    }
  }
  return pairs;
}
