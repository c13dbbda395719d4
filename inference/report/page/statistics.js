// What figures show of draws. Nothing here is in the table: its numbers come with the page.

const finite = (values) => Array.from(values).filter(Number.isFinite);

function range(values) {
  let low = Infinity, high = -Infinity;
  for (const x of values) {
    if (!Number.isFinite(x)) continue;
    if (x < low) low = x;
    if (x > high) high = x;
  }
  return low <= high ? [low, high] : [0, 1];
}

/// A little wider on both sides, and never empty.
function widened([low, high], share = 0.04) {
  const extra = high > low ? (high - low) * share : Math.abs(low) * 0.05 || 0.5;
  return [low - extra, high + extra];
}

const mean = (values) => values.reduce((sum, x) => sum + x, 0) / values.length;

function deviation(values) {
  const m = mean(values);
  return Math.sqrt(values.reduce((sum, x) => sum + (x - m) ** 2, 0) / Math.max(1, values.length - 1));
}

function correlation(a, b) {
  const ma = mean(a), mb = mean(b);
  let ab = 0, aa = 0, bb = 0;
  for (let i = 0; i < a.length; ++i) {
    ab += (a[i] - ma) * (b[i] - mb);
    aa += (a[i] - ma) ** 2;
    bb += (b[i] - mb) ** 2;
  }
  return ab / Math.sqrt(aa * bb);
}

function counts(values, [low, high], bins) {
  const out = new Float64Array(bins);
  for (const x of values)
    if (x >= low && x <= high) ++out[Math.min(bins - 1, Math.floor(((x - low) / (high - low)) * bins))];
  return out;
}

/// A density by a normal kernel of Silverman's width, as points [x, y].
function density(values, limits, bins = 200) {
  const all = finite(values);
  if (all.length < 2) return [];
  const sorted = Float64Array.from(all).sort();
  const quartiles = (sorted[Math.floor(0.75 * (sorted.length - 1))] - sorted[Math.floor(0.25 * (sorted.length - 1))]) / 1.34;
  const spread = Math.min(deviation(all), quartiles > 0 ? quartiles : Infinity);
  const step = (limits[1] - limits[0]) / bins, width = Math.max(0.9 * spread * all.length ** -0.2, step) / step;
  const raw = counts(all, limits, bins), reach = Math.ceil(4 * width);
  const kernel = Array.from({length: 2 * reach + 1}, (_, k) => Math.exp(-0.5 * ((k - reach) / width) ** 2));
  const total = kernel.reduce((a, b) => a + b, 0) * all.length * step;
  return Array.from(raw, (_, i) => {
    let y = 0;
    for (let k = Math.max(0, i - reach); k <= Math.min(bins - 1, i + reach); ++k) y += raw[k] * kernel[k - i + reach];
    return [limits[0] + (i + 0.5) * step, y / total];
  });
}

/// Whole numbers of which there are few: values and their shares.
function masses(values) {
  const seen = new Map();
  for (const x of values) seen.set(x, (seen.get(x) || 0) + 1 / values.length);
  return Array.from(seen).sort((a, b) => a[0] - b[0]);
}

function isCountable(chains) {
  const seen = new Set();
  for (const chain of chains)
    for (const x of chain) {
      if (!Number.isInteger(x)) return false;
      seen.add(x);
      if (seen.size > 40) return false;
    }
  return true;
}

/// How often the draws of each chain have ranks, among those of all, in each of some equal bins.
function rankCounts(chains, bins) {
  const all = chains.flatMap((chain, c) => Array.from(chain, (x) => [x, c]));
  all.sort((a, b) => a[0] - b[0]);
  const out = chains.map(() => new Float64Array(bins));
  for (let begin = 0, end = 0; begin < all.length; begin = end) {
    while (end < all.length && (all[end][0] === all[begin][0] || end === begin)) ++end;
    const bin = Math.min(bins - 1, Math.floor((((begin + end) / 2) / all.length) * bins));  // ties share their mean rank
    for (let i = begin; i < end; ++i) ++out[all[i][1]][bin];
  }
  return out;
}
