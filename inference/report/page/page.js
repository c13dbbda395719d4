// Fills the page from its data.

const report = JSON.parse(document.querySelector("#report-data").textContent);
const draws = new Draws(document.querySelector("#draws-data").textContent.trim(), report.columns, report.chains.length, report.kept);
const columns = report.columns.filter((c) => !c.name.endsWith("__") || c.name === "lp__").map((c) => {
  const [avg, mcse, sd, mad, q5, q50, q95, bulk, tail, rhat] = c.stats.map(asNumber);
  return {...c, mean: avg, mcse, sd, mad, q5, q50, q95, bulk, tail, rhat, ess: Math.min(bulk, tail)};
});
const enough = 100 * report.chains.length;

function put(selector, html) {
  document.querySelector(selector).innerHTML = html;
}

function fillHeading() {
  document.querySelector("#model").textContent = document.title;
  const parts = [`${plural(report.chains.length, "chain")} of ${plural(report.draws, "draw")}`];
  if (report.warmup) parts.push(`after ${report.warmup} of warm-up`);
  if (report.thin > 1) parts.push(`every ${report.thin}th kept`);
  if (report.method) parts.push(`drawn with ${report.method}`);
  if (report.started) parts.push(report.started);
  document.querySelector("#run").textContent = parts.join(" · ");
  const thinned = report.stride > 1 ? ` Figures show every ${report.stride}th draw, numbers are of all.` : "";
  document.querySelector("#about").textContent = `${report.about}.${thinned}`;
  put("#legend", report.chains.map((chain, c) => `<i style="background:${chainColour(c)}"></i>chain ${chainNumber(chain, c)}`).join(""));
}

/// As its file has it: the configuration has that of the first chain in all of them.
function chainNumber(chain, c) {
  const found = /_(\d+)\.csv$/.exec(chain.file);
  return found ? Number(found[1]) : c + 1;
}

function tile(words, value, bad) {
  return `<div class="tile ${bad ? "bad" : "good"}"><b>${value}</b>${words}</div>`;
}

/// The worst of a kind, and whose it is.
function worstTile(words, key, sign, text, isBad) {
  const known = columns.filter((c) => Number.isFinite(c[key]) && !c.name.endsWith("__"));
  if (known.length === 0) return "";
  const worst = known.reduce((a, b) => (sign * b[key] > sign * a[key] ? b : a));
  return tile(`${words}, ${escapeText(worst.shown)}`, text(worst[key]), isBad(worst[key]));
}

function fillOverview() {
  const tiles = [worstTile("largest R-hat", "rhat", 1, (x) => x.toFixed(3), (x) => x > 1.01),
                 worstTile("smallest bulk ESS", "bulk", -1, (x) => fixedText(x, 0), (x) => x < enough),
                 worstTile("smallest tail ESS", "tail", -1, (x) => fixedText(x, 0), (x) => x < enough)];
  if (draws.has("divergent__")) tiles.push(tile("divergences", report.divergent, report.divergent > 0));
  if (draws.has("treedepth__")) tiles.push(tile(`at tree depth ${report.max_treedepth}`, report.at_max_treedepth, report.at_max_treedepth > 0));
  const ebfmi = report.ebfmi.map(asNumber).filter(Number.isFinite);
  if (ebfmi.length) tiles.push(tile("smallest E-BFMI", shortText(Math.min(...ebfmi), 2), Math.min(...ebfmi) < 0.3));
  put("#tiles", tiles.join(""));
  put("#verdict", report.verdict.map((line) => `<p>${escapeText(line)}</p>`).join(""));
  put("#agreement", agreementPlot(columns, enough));
  if (draws.has("energy__") && report.kept > 2) put("#energy", energyPlot(draws.of("energy__")));
}

function drawDetail(column, element) {
  const chains = draws.of(column.name);
  element.innerHTML = [densityPlot(chains), tracePlot(chains, report.stride), rankPlot(chains), growthPlot(column.growth, report.growth_at, enough)]
    .map((svg) => `<figure>${svg}</figure>`).join("");
}

/// How well the draws tell what they would be without one observation.
function fillLeaveOneOut() {
  if (!report.loo) return;
  for (const part of document.querySelectorAll("#loo, a[href='#loo']")) part.hidden = false;
  const {elpd, se, p, limit, points} = report.loo, k = points.map((point) => asNumber(point[1]));
  const bad = points.filter((_, i) => !(k[i] <= limit)).map((point) => point[0]);
  const shown = bad.slice(0, 10).join(", ") + (bad.length > 10 ? ", …" : "");
  const words = bad.length === 0
    ? `All ${points.length} tail shapes are at most ${fixedText(limit, 2)}.`
    : `${plural(bad.length, "tail shape")} of ${points.length} above ${fixedText(limit, 2)}: ${shown}. fermiac loo --moment-match and --reloo correct this.`;
  document.querySelector("#loo-words").textContent =
    `elpd ${fixedText(asNumber(elpd), 2)}, standard error ${fixedText(asNumber(se), 2)}; effective number of parameters ${fixedText(asNumber(p), 2)}. ${words}`;
  put("#shapes", shapePlot(points.map(([name, , lp], i) => ({name, k: k[i], elpd: asNumber(lp)})), limit));
}

const CHAIN_FIELDS = [  // title, of a chain and its number; a number that no chain has is left out
  ["Chain", chainNumber],
  ["Step size", (chain) => asNumber(chain.stepsize)],
  ["Acceptance", (_, c) => columnMean("accept_stat__", c)],
  ["Tree depth", (_, c) => columnMean("treedepth__", c)],
  ["Gradients per draw", (_, c) => columnMean("n_leapfrog__", c)],
  ["E-BFMI", (_, c) => asNumber(report.ebfmi[c] ?? NaN)],
  ["Warm-up, s", (chain) => asNumber(chain.seconds[0])],
  ["Sampling, s", (chain) => asNumber(chain.seconds[1])],
  ["Inverse metric, least to greatest", (chain) => chain.inv_metric.map((x) => shortText(asNumber(x), 3)).join(" to ")],
  ["File", (chain) => chain.file.split("/").pop()],
];

function columnMean(name, c) {
  return draws.has(name) ? mean(Array.from(draws.of(name)[c])) : NaN;
}

function fillSampler() {
  const cells = CHAIN_FIELDS.map(([title, of]) => [title, report.chains.map(of)]);
  const known = cells.filter(([, values]) => values.some((v) => v !== "" && !Number.isNaN(v)));
  const text = (v) => escapeText(typeof v === "number" ? shortText(v, 4) : v);
  const rows = report.chains.map((_, c) => `<tr>${known.map(([, values]) => `<td>${text(values[c])}</td>`).join("")}</tr>`);
  put("#chains", `<thead><tr>${known.map(([title]) => `<th>${title}</th>`).join("")}</tr></thead><tbody>${rows.join("")}</tbody>`);
  put("#settings", report.settings.map(([key, value]) => `<tr><td>${escapeText(key)}</td><td>${escapeText(value)}</td></tr>`).join(""));
}

function fillSource() {
  document.querySelector("#source-path").textContent = report.source
    ? `${report.source.path}, as it was when this page was made`
    : "The program is not beside the draws; fermiac report --model M.stan puts it here.";
  if (report.source) put("#program", report.source.text.split("\n").map((line) => `<li>${escapeText(line)}</li>`).join(""));
}

function switchTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches, root = document.documentElement;
  const now = root.dataset.theme || (dark ? "dark" : "light");
  root.dataset.theme = now === "dark" ? "light" : "dark";
}

document.querySelector("#theme").addEventListener("click", switchTheme);
fillHeading();
fillOverview();
const table = new QuantityTable(columns, enough, drawDetail);
const bad = columns.filter((c) => c.rhat > 1.01 || c.ess < enough).sort((a, b) => b.rhat - a.rhat);
const opened = bad[0] || columns.find((c) => c.name !== "lp__");
if (opened) table.toggle(opened.name);
document.querySelector("#agreement").addEventListener("click", (event) => {
  const circle = event.target.closest("circle");
  if (circle) table.show(circle.dataset.name);
});
const pairs = new PairMatrix(draws, columns, firstPairs(draws, columns));
fillLeaveOneOut();
fillSampler();
fillSource();
document.body.dataset.ready = "yes";
