// The table of quantities: search, order, and figures below a row that is opened.

const FIELDS = [  // title, key, what it is
  ["Mean", "mean", "mean of the draws"],
  ["MCSE", "mcse", "Monte Carlo standard error of the mean"],
  ["StdDev", "sd", "standard deviation"],
  ["MAD", "mad", "median absolute deviation, scaled to that of a normal distribution"],
  ["5%", "q5", "5 % quantile"],
  ["50%", "q50", "median"],
  ["95%", "q95", "95 % quantile"],
  ["ESS bulk", "bulk", "how many independent draws these are worth, for the middle"],
  ["ESS tail", "tail", "the same for the 5 % and 95 % quantiles"],
  ["R-hat", "rhat", "1.000 where the chains agree"],
];
const ROWS_AT_ONCE = 40;

class QuantityTable {
  /// `enough`: effective draws below which a number is marked. `detail(column, element)` draws the figures of a column.
  constructor(columns, enough, detail) {
    Object.assign(this, {columns, enough, detail, shown: ROWS_AT_ONCE, key: "", down: true, open: new Set()});
    this.head = document.querySelector("#table thead");
    this.body = document.querySelector("#table tbody");
    this.watch = new IntersectionObserver((entries) => this.drawVisible(entries), {rootMargin: "300px"});
    this.listen();
    this.draw();
  }

  listen() {
    document.querySelector("#search").addEventListener("input", () => this.restart());
    document.querySelector("#more").addEventListener("click", () => this.draw((this.shown += ROWS_AT_ONCE * 5)));
    this.head.addEventListener("click", (event) => this.sortBy(event.target.closest("th")));
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest("tr.quantity");
      if (row) this.toggle(row.dataset.name);
    });
  }

  restart() {
    this.shown = ROWS_AT_ONCE;
    this.draw();
  }

  /// First the worst, then the other way round, then as declared.
  sortBy(cell) {
    if (!cell) return;
    const key = cell.dataset.key, first = key !== "bulk" && key !== "tail" && key !== "name";
    if (this.key !== key) Object.assign(this, {key, down: first});
    else if (this.down === first) this.down = !first;
    else this.key = "";
    this.restart();
  }

  toggle(name) {
    if (!this.open.delete(name)) this.open.add(name);
    this.draw();
  }

  /// Opens a quantity wherever it is in the list, and goes there.
  show(name) {
    this.open.add(name);
    document.querySelector("#search").value = this.columns.find((c) => c.name === name).shown;
    this.restart();
    document.querySelector("#quantities").scrollIntoView({behavior: "smooth"});
  }

  matching() {
    const words = document.querySelector("#search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.columns.filter((c) => words.length === 0 || words.some((w) => c.shown.toLowerCase().includes(w)));
    if (!this.key) return found;
    const value = (c) => (this.key === "name" ? c.shown : c[this.key]), sign = this.down ? -1 : 1;
    const unknown = (c) => this.key !== "name" && Number.isNaN(c[this.key]);
    return found.sort((a, b) => unknown(a) - unknown(b) || (value(a) < value(b) ? -sign : value(a) > value(b) ? sign : 0));
  }

  draw() {
    const rows = this.matching(), part = rows.slice(0, this.shown);
    this.watch.disconnect();
    this.head.innerHTML = `<tr>${[["Quantity", "name", "name"], ...FIELDS].map((f) => this.title(f)).join("")}</tr>`;
    const decimals = Math.max(0, ...part.map((c) => (c.decimals <= 6 ? c.decimals : 0)));
    this.body.innerHTML = part.map((c) => this.row(c, decimals)).join("");
    for (const element of this.body.querySelectorAll("tr.detail")) this.watch.observe(element);
    const all = plural(this.columns.length, "quantity", "quantities");
    document.querySelector("#found").textContent = rows.length === this.columns.length ? all : `${rows.length} of ${all}`;
    const more = document.querySelector("#more");
    more.hidden = rows.length <= part.length;
    more.textContent = `${rows.length - part.length} more rows`;
  }

  title([text, key, about]) {
    const mark = this.key === key ? (this.down ? " ↓" : " ↑") : "";
    return `<th data-key="${key}" title="${about}" class="${mark ? "sorted" : ""}">${text}${mark}</th>`;
  }

  row(column, decimals) {
    const cells = FIELDS.map(([, key]) => this.cell(column, key, decimals)).join("");
    const open = this.open.has(column.name), name = escapeText(column.name);
    const detail = open ? `<tr class="detail" data-name="${name}"><td colspan="${FIELDS.length + 1}"><div class="figures"></div></td></tr>` : "";
    return `<tr class="quantity${open ? " open" : ""}" data-name="${name}"><td>${open ? "▾" : "▸"} ${escapeText(column.shown)}</td>${cells}</tr>${detail}`;
  }

  /// Points below each other: a number with fewer decimals than others has unseen ones.
  cell(column, key, decimals) {
    const x = column[key];
    if (key === "rhat") return `<td class="${x > 1.01 ? "bad" : ""}">${Number.isFinite(x) ? x.toFixed(3) : notFinite(x)}</td>`;
    if (key === "bulk" || key === "tail") return `<td class="${x < this.enough ? "bad" : ""}">${fixedText(x, 0)}</td>`;
    if (key === "mcse") return `<td>${errorText(x)}</td>`;
    const text = fixedText(x, column.decimals), missing = decimals - column.decimals;
    const pad = missing > 0 && /^[−\d.]+$/.test(text) ? (column.decimals === 0 ? "." : "") + "0".repeat(missing) : "";
    return `<td>${text}<span class="pad">${pad}</span></td>`;
  }

  drawVisible(entries) {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      this.watch.unobserve(entry.target);
      this.detail(this.columns.find((c) => c.name === entry.target.dataset.name), entry.target.querySelector(".figures"));
    }
  }
}
