// The figures of one quantity, and those of the run.

function densityPlot(chains) {
  const x = widened(range(chains.flatMap((c) => Array.from(c))), 0.02), discrete = isCountable(chains);
  const lines = chains.map((chain) => (discrete ? masses(chain) : density(chain, x)));
  const top = Math.max(...lines.flat().map((p) => p[1]), 1e-300);
  const figure = new Figure({title: discrete ? "Shares of the values, by chain" : "Density, by chain", x, y: [0, top * 1.05], yTicks: []});
  lines.forEach((points, c) => figure.line(points, "line", c));
  return figure.svg();
}

/// As many points as there are places for: of the draws that share one, the least and the greatest.
function thinnedTrace(chain, most = 600) {
  const share = Math.max(1, Math.ceil(chain.length / most)), out = [];
  for (let begin = 0; begin < chain.length; begin += share) {
    const part = chain.subarray(begin, begin + share), [low, high] = range(part);
    if (share === 1) out.push([begin, part[0]]);
    else out.push([begin, low], [begin + share / 2, high]);
  }
  return out;
}

function tracePlot(chains, stride) {
  const y = widened(range(chains.flatMap((c) => Array.from(c))));
  const figure = new Figure({title: "Trace", xTitle: "draw", x: [0, Math.max(1, chains[0].length * stride)], y});
  chains.forEach((chain, c) => figure.line(thinnedTrace(chain).map(([k, v]) => [k * stride, v]), "trace", c));
  return figure.svg();
}

/// A lane for each chain: bars that are level where the chain has seen what the others have.
function rankPlot(chains) {
  const bins = Math.max(2, Math.min(20, Math.floor(chains[0].length / 10))), shares = rankCounts(chains, bins);
  const expected = chains[0].length / bins, top = Math.max(2 * expected, ...shares.flatMap((s) => Array.from(s)));
  const lanes = chains.length;
  const figure = new Figure({title: "Ranks among all draws, by chain", xTitle: "rank", x: [0, 1], y: [0, lanes], yTicks: [],
                             xTicks: [[0, "lowest"], [0.5, "middle"], [1, "highest"]]});
  shares.forEach((share, c) => {
    const base = lanes - 1 - c, bar = (n, i) => [[i / bins, base + (0.9 * n) / top], [(i + 1) / bins, base + (0.9 * n) / top]];
    const outline = [[0, base], ...Array.from(share).flatMap(bar), [1, base]];
    figure.add(`<path fill="${chainColour(c)}" opacity=".75" d="M${outline.map((p) => figure.point(p)).join("L")}Z"/>`);
    figure.across(base + (0.9 * expected) / top);
  });
  return figure.svg();
}

function growthPlot(growth, at, target) {
  const bulk = growth.map(([b], i) => [at[i], asNumber(b)]), tail = growth.map(([, t], i) => [at[i], asNumber(t)]);
  const most = Math.max(target * 1.2, ...finite([...bulk, ...tail].map((p) => p[1])));
  const figure = new Figure({title: "Effective draws as the chains grow", xTitle: "draws of each chain", x: [0, at[at.length - 1] || 1], y: [0, most]});
  figure.across(target).line(bulk, "line", 0).line(tail, "line", 1).dots([], "");
  const end = (points) => points.filter((p) => Number.isFinite(p[1])).pop();
  for (const [points, name, c] of [[bulk, "bulk", 0], [tail, "tail", 1]])
    if (end(points)) figure.add(`<text x="${figure.box.left + 8 + 40 * c}" y="34" style="fill:${chainColour(c)}">${name}</text>`);
  return figure.svg();
}

/// R-hat against the effective draws, both on logarithmic scales: what is bad is at the top left.
function agreementPlot(columns, ess) {
  const known = columns.filter((c) => Number.isFinite(c.rhat) && Number.isFinite(c.ess) && c.ess > 0);
  if (known.length === 0) return "";
  const up = (rhat) => Math.log10(Math.max(rhat - 1, 1e-4)), right = (n) => Math.log10(n);
  const x = widened(range([...known.map((c) => right(c.ess)), right(ess)])), y = [-4.1, Math.max(-1.5, ...known.map((c) => up(c.rhat))) + 0.2];
  const powers = (limits) => Array.from({length: 12}, (_, k) => k - 4).filter((k) => k >= limits[0] && k <= limits[1]);
  const halves = Array.from({length: 9}, (_, k) => [1, 2, 5].map((m) => m * 10 ** k)).flat().filter((n) => right(n) >= x[0] && right(n) <= x[1]);
  const figure = new Figure({title: "R-hat and effective draws of every quantity", xTitle: "the smaller of bulk and tail ESS", width: 620, height: 240, x, y,
                             xTicks: halves.map((n) => [right(n), shortText(n)]),
                             yTicks: powers(y).map((k) => [k, k === -4 ? "≤ 1.0001" : shortText(1 + 10 ** k, 5)]), left: 60});
  figure.across(up(1.01)).upright(right(ess));
  const worst = known.slice().sort((a, b) => b.rhat - a.rhat), apart = worst.slice(0, MOST_CIRCLES);
  figure.dots(worst.slice(MOST_CIRCLES).map((c) => [right(c.ess), up(c.rhat)]), "dots");
  for (const c of apart.reverse()) {
    const bad = c.rhat > 1.01 || c.ess < ess ? " bad" : "", place = `cx="${figure.X(right(c.ess)).toFixed(1)}" cy="${figure.Y(up(c.rhat)).toFixed(1)}"`;
    const words = `${c.shown}: R-hat ${c.rhat.toFixed(3)}, ${Math.round(c.ess)} effective draws`;
    figure.add(`<circle class="quantity${bad}" ${place} r="3.5" data-name="${escapeText(c.name)}"><title>${escapeText(words)}</title></circle>`);
  }
  return figure.svg();
}

/// Tail shapes by observation; those above the limit are named.
function shapePlot(points, limit) {
  const known = points.map((p, i) => ({...p, at: i + 1})).filter((p) => Number.isFinite(p.k));
  const y = widened(range([0, limit, ...known.map((p) => 1.1 * p.k)])), bad = (p) => p.k > limit;  // room for names
  const figure = new Figure({title: "Tail shape k of each observation left out", xTitle: "observation", width: 620, height: 240,
                             x: [0, points.length + 1], y});
  figure.across(limit).dots(known.filter((p) => !bad(p)).map((p) => [p.at, p.k]), "shapes");
  const named = known.filter(bad).sort((a, b) => b.k - a.k);
  figure.dots(named.slice(MOST_CIRCLES).map((p) => [p.at, p.k]), "shapes");
  for (const p of named.slice(0, MOST_CIRCLES)) {
    const words = `${p.name}: k ${p.k.toFixed(2)}, elpd ${shortText(p.elpd)}`;
    figure.add(`<circle class="quantity bad" cx="${figure.X(p.at).toFixed(1)}" cy="${figure.Y(p.k).toFixed(1)}" r="3.5"><title>${escapeText(words)}</title></circle>`);
  }
  for (const p of named.slice(0, 5)) figure.label(figure.X(p.at), figure.Y(p.k) - 7, p.name, "middle");
  return figure.svg();
}

const MOST_CIRCLES = 400;

/// Energies about their mean, and their changes from draw to draw: the second much narrower, and tails are explored slowly.
function energyPlot(chains) {
  const centre = mean(chains.flatMap((c) => Array.from(c)));
  const levels = chains.flatMap((c) => Array.from(c, (e) => e - centre)), steps = chains.flatMap((c) => Array.from(c.subarray(1), (e, i) => e - c[i]));
  const x = widened(range([...levels, ...steps])), lines = [density(levels, x), density(steps, x)];
  const figure = new Figure({title: "Energy", xTitle: "difference", width: 620, height: 240, x, y: [0, 1.05 * Math.max(...lines.flat().map((p) => p[1]))], yTicks: []});
  lines.forEach((line, i) => figure.line(line, "line", i));
  ["about its mean", "from draw to draw"].forEach((words, i) =>
    figure.add(`<text x="${figure.box.right}" y="${34 + 16 * i}" text-anchor="end" style="fill:${chainColour(i)}">${words}</text>`));
  return figure.svg();
}
