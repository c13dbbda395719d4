// Quantities against each other, with the draws that diverged marked.

const MOST_PAIRED = 7;
const MOST_DOTS = 3000;

class PairMatrix {
  constructor(draws, columns, first) {
    Object.assign(this, {draws, columns, chosen: first.map((name) => ({name, log: false}))});
    this.divergent = draws.has("divergent__") ? draws.pooled("divergent__").map((x) => x > 0) : [];
    this.input = document.querySelector("#pair-name");
    this.input.addEventListener("change", () => this.add(this.input.value));
    document.querySelector("#names").innerHTML = columns.map((c) => `<option value="${escapeText(c.shown)}">`).join("");
    document.querySelector("#pair-names").addEventListener("click", (event) => this.change(event.target.closest("button")));
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some((e) => e.isIntersecting)) return;
      watch.disconnect();
      this.draw();
    }, {rootMargin: "300px"});
    watch.observe(document.querySelector("#pairs"));
  }

  add(shown) {
    const column = this.columns.find((c) => c.shown === shown.trim());
    if (!column || this.chosen.some((p) => p.name === column.name)) return;
    if (this.chosen.length === MOST_PAIRED) this.chosen.shift();
    this.chosen.push({name: column.name, log: false});
    this.input.value = "";
    this.draw();
  }

  change(button) {
    if (!button) return;
    const i = Number(button.dataset.at);
    if (button.dataset.does === "log") this.chosen[i].log = !this.chosen[i].log;
    else this.chosen.splice(i, 1);
    this.draw();
  }

  shown({name, log}) {
    const shown = this.columns.find((c) => c.name === name).shown;
    return log ? `log ${shown}` : shown;
  }
  values({name, log}) {
    const values = this.draws.pooled(name);
    return log ? values.map(Math.log) : values;
  }
  mayBeLog(pair) {
    return this.draws.pooled(pair.name).every((x) => x > 0);
  }

  draw() {
    const all = this.chosen.map((pair) => this.values(pair)), n = this.chosen.length, some = this.divergent.filter(Boolean).length;
    document.querySelector("#pair-names").innerHTML = this.chosen.map((pair, i) => this.buttons(pair, i)).join("");
    document.querySelector("#pair-words").textContent =
      n < 2 ? "Two quantities are needed for a pair." : some ? `${plural(some, "draw")} after a divergence, in red.` : "No draw came after a divergence.";
    const matrix = document.querySelector("#matrix");
    matrix.style.gridTemplateColumns = `repeat(${Math.max(n, 3)}, 1fr)`;
    matrix.innerHTML = n < 2 ? "" : all.flatMap((y, row) => all.map((x, column) => this.cell(row, column, x, y))).join("");
  }

  buttons(pair, i) {
    const log = pair.log || this.mayBeLog(pair) ? `<button type="button" data-at="${i}" data-does="log" title="its logarithm">${pair.log ? "plain" : "log"}</button>` : "";
    return `<button type="button" data-at="${i}" title="leave out">${escapeText(this.shown(pair))} ×</button>${log}`;
  }

  cell(row, column, x, y) {
    if (column > row) return `<p>${shortText(correlation(y, x), 2)}</p>`;
    const about = {width: 260, height: 200, x: widened(range(x)), title: column === 0 || row === column ? this.shown(this.chosen[row]) : "",
                   xTitle: row === this.chosen.length - 1 ? this.shown(this.chosen[column]) : ""};
    if (row === column) {
      const line = density(x, about.x);
      return new Figure({...about, y: [0, 1.05 * Math.max(1e-300, ...line.map((p) => p[1]))], yTicks: []}).line(line, "line", 0).svg();
    }
    const share = Math.max(1, Math.ceil(x.length / MOST_DOTS)), points = x.map((value, i) => [value, y[i]]);
    const figure = new Figure({...about, y: widened(range(y))});
    figure.dots(points.filter((_, i) => !this.divergent[i] && i % share === 0), "dots");
    return figure.dots(points.filter((_, i) => this.divergent[i]), "divergent").svg();
  }
}

/// Which to begin with: those that are away most where draws diverged, or else those with the fewest effective draws.
function firstPairs(draws, columns) {
  const most = 4, looked = columns.filter((c) => c.sd > 0).slice(0, 300);
  const divergent = draws.has("divergent__") ? draws.pooled("divergent__") : [], count = divergent.filter((x) => x > 0).length;
  const away = (c) => {
    const values = draws.pooled(c.name);
    return -Math.abs(mean(values.filter((_, i) => divergent[i] > 0)) - c.mean) / c.sd;
  };
  const rank = new Map(looked.map((c) => [c, count > 0 ? away(c) : c.ess]));
  const worst = looked.slice().sort((a, b) => rank.get(a) - rank.get(b)).slice(0, most);
  return looked.filter((c) => worst.includes(c)).map((c) => c.name);
}
