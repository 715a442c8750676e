//! The arithmetic of the benchmarks: medians of paired ratios with an interval that assumes nothing about their shape.

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
 * Median of ours/peer over the pairs, with the order-statistic interval that covers the true median in at least 90 of
 * 100 cases (the sign test's); with fewer than five pairs there is none, and both ends are null.
 */
export function ratio(pairs) {
  const ratios = pairs.map(([ours, peer]) => ours / peer).sort((a, b) => a - b);
  let skip = -1;
  while (tail(ratios.length, skip + 1) <= 0.05) skip += 1;
  const [low, high] = skip < 0 ? [null, null] : [ratios[skip], ratios[ratios.length - 1 - skip]];
  return { median: median(ratios), low, high, ours: median(pairs.map(([o]) => o)), peer: median(pairs.map(([, p]) => p)), pairs: pairs.length };
}

/** Runs both sides `rounds` times, each time in a random order, after one round that does not count. */
export async function paired(rounds, ours, peer) {
  await ours();
  await peer();
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    if (Math.random() < 0.5) {
      const first = await ours();
      pairs.push([first, await peer()]);
    } else {
      const first = await peer();
      pairs.push([await ours(), first]);
    }
  }
  return pairs;
}
