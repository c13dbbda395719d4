// One figure as SVG text: a frame with axes, and what is put into it in the units of the data.

function ticks([low, high], about = 4) {
  const raw = (high - low) / about;
  if (!(raw > 0) || !Number.isFinite(raw)) return [];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.999);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const out = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i)
    out.push([i * step, Math.abs(high) >= 1e6 || decimals > 5 ? shortText(i * step, 3) : fixedText(i * step, decimals)]);
  return out;
}

class Figure {
  /// `x`, `y`: limits. `xTicks`, `yTicks`: [place, label] pairs; none are drawn for an empty list.
  constructor({title = "", xTitle = "", x, y, width = 360, height = 210, xTicks = ticks(x), yTicks = ticks(y, 3), left = 44}) {
    Object.assign(this, {x, y, width, height});
    this.box = {left: yTicks.length ? left : 10, right: width - 8, top: title ? 22 : 8, bottom: height - (xTitle ? 34 : 20)};
    this.parts = [`<path class="axis" d="M${this.box.left} ${this.box.bottom}H${this.box.right}"/>`];
    if (title) this.label(this.box.left, 13, title, "start", "title");
    for (const [at, text] of xTicks) this.xTick(this.X(at), text);
    for (const [at, text] of yTicks) this.label(this.box.left - 5, this.Y(at) + 4, text, "end");
    if (xTitle) this.label((this.box.left + this.box.right) / 2, height - 3, xTitle, "middle");
  }

  X(value) {
    const {left, right} = this.box;
    return left + ((value - this.x[0]) / (this.x[1] - this.x[0])) * (right - left);
  }
  Y(value) {
    const {top, bottom} = this.box;
    return bottom - ((value - this.y[0]) / (this.y[1] - this.y[0])) * (bottom - top);
  }

  add(part) {
    this.parts.push(part);
    return this;
  }
  xTick(at, text) {
    this.add(`<path class="axis" d="M${at.toFixed(1)} ${this.box.bottom}v4"/>`);
    this.label(at, this.box.bottom + 15, text, "middle");
  }
  label(x, y, text, anchor, kind = "") {
    return this.add(`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" class="${kind}">${escapeText(text)}</text>`);
  }

  point([x, y]) {
    return `${this.X(x).toFixed(1)} ${this.Y(y).toFixed(1)}`;
  }
  line(points, kind, chain) {
    const drawn = points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
    if (drawn.length === 0) return this;
    const colour = chain === undefined ? "" : ` stroke="${chainColour(chain)}"`;
    return this.add(`<path class="${kind}"${colour} d="M${drawn.map((p) => this.point(p)).join("L")}"/>`);
  }
  dots(points, kind) {
    const drawn = points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
    return drawn.length ? this.add(`<path class="${kind}" d="${drawn.map((p) => `M${this.point(p)}h0`).join("")}"/>`) : this;
  }
  across(y, kind = "limit") {
    return this.add(`<path class="${kind}" d="M${this.box.left} ${this.Y(y).toFixed(1)}H${this.box.right}"/>`);
  }
  upright(x, kind = "limit") {
    return this.add(`<path class="${kind}" d="M${this.X(x).toFixed(1)} ${this.box.top}V${this.box.bottom}"/>`);
  }

  svg() {
    return `<svg viewBox="0 0 ${this.width} ${this.height}" role="img">${this.parts.join("")}</svg>`;
  }
}

const chainColour = (chain) => `var(--c${chain % 8})`;
