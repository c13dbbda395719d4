// Fills the page of a calibration from its data.

const report = JSON.parse(document.querySelector("#report-data").textContent);

function rankHistogram(ranks, bins, cells) {
  const counts = new Array(bins).fill(0), widths = new Array(bins).fill(0);
  for (let r = 0; r < cells; ++r) ++widths[Math.floor((r * bins) / cells)];
  for (const r of ranks) ++counts[Math.floor((r * bins) / cells)];
  const expected = ranks.length / cells, top = Math.max(...counts.map((n, i) => n / widths[i]), 2 * expected) * 1.05;
  const figure = new Figure({title: "Ranks", xTitle: "rank", x: [0, cells], y: [0, top], yTicks: [], xTicks: ticks([0, cells - 1])});
  let from = 0;
  for (let i = 0; i < bins; ++i) {
    const height = counts[i] / widths[i], left = figure.X(from), right = figure.X((from += widths[i]));
    figure.add(`<rect class="bar" x="${left.toFixed(1)}" y="${figure.Y(height).toFixed(1)}" width="${Math.max(0, right - left - 1).toFixed(1)}" ` +
               `height="${(figure.box.bottom - figure.Y(height)).toFixed(1)}"/>`);
  }
  return figure.across(expected).svg();
}

/// Shares below each rank, less what is expected.
function differencePlot(ranks, cells, inside) {
  const n = ranks.length, below = new Array(cells + 1).fill(0);
  for (const r of ranks) ++below[r + 1];
  for (let i = 1; i <= cells; ++i) below[i] += below[i - 1];
  const difference = (count, i) => [i, count / n - i / cells];
  const line = below.map(difference);
  const least = [[0, 0], ...report.least.map((k, i) => difference(k, i + 1)), [cells, 0]];
  const most = [[0, 0], ...report.most.map((k, i) => difference(k, i + 1)), [cells, 0]];
  const y = widened(range([...line, ...least, ...most].map((p) => p[1])));
  const figure = new Figure({title: `ECDF less the uniform one: ${inside ? "inside" : "outside"} of the band`, xTitle: "rank", x: [0, cells], y});
  figure.line(least, "limit").line(most, "limit").line(line, "line", inside ? 0 : 1);
  return figure.svg();
}

function fill() {
  const {quantities, simulations, draws, not_mixed, bins, probability} = report;
  document.querySelector("#model").textContent = document.title;
  document.querySelector("#run").textContent = `${plural(simulations, "simulation")}, ranks among ${plural(draws, "draw")}`;
  const outside = quantities.filter((q) => !q.inside).map((q) => q.name);
  const lines = [outside.length === 0
    ? `The ranks of all ${quantities.length} quantities stay inside of their bands of probability ${probability}.`
    : `Outside of the band of probability ${probability}: ${outside.join(", ")}.`];
  if (not_mixed > 0) lines.push(`${not_mixed} of ${simulations} simulations did not mix.`);
  document.querySelector("#verdict").innerHTML = lines.map((line) => `<p>${escapeText(line)}</p>`).join("");
  document.querySelector("#quantities").innerHTML = quantities.map((q) =>
    `<h3>${escapeText(q.name)} <span class="muted">χ² p ${fixedText(asNumber(q.p_chi2), 3)}</span></h3><div class="wide figures">` +
    `<figure>${rankHistogram(q.ranks, bins, draws + 1)}</figure><figure>${differencePlot(q.ranks, draws + 1, q.inside)}</figure></div>`).join("");
}

document.querySelector("#theme").addEventListener("click", () => {
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = (root.dataset.theme || (dark ? "dark" : "light")) === "dark" ? "light" : "dark";
});
fill();
document.body.dataset.ready = "yes";
