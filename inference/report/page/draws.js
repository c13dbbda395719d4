// The draws of the page: one text of equal pieces, a piece for each column, which are unpacked when they are looked at.

class Draws {
  /// `columns` have a centre each; draws are differences from it in 32 bits, chain after chain.
  constructor(text, columns, chains, perChain) {
    this.text = text;
    this.columns = columns;
    this.chains = chains;
    this.perChain = perChain;
    this.piece = columns.length ? text.length / columns.length : 0;
    this.index = new Map(columns.map((column, i) => [column.name, i]));
    this.unpacked = new Map();
  }

  has(name) {
    return this.index.has(name);
  }

  /// An array of draws for each chain.
  of(name) {
    if (!this.unpacked.has(name)) {
      if (this.unpacked.size > MOST_UNPACKED) this.unpacked.delete(this.unpacked.keys().next().value);
      this.unpacked.set(name, this.unpack(this.index.get(name)));
    }
    return this.unpacked.get(name);
  }

  /// Of all chains, one after the other.
  pooled(name) {
    return this.of(name).flatMap((chain) => Array.from(chain));
  }

  unpack(i) {
    const bytes = Uint8Array.from(atob(this.text.slice(i * this.piece, (i + 1) * this.piece)), (c) => c.charCodeAt(0));
    const view = new DataView(bytes.buffer), centre = asNumber(this.columns[i].centre);
    const value = (at) => centre + view.getFloat32(4 * at, true);
    return Array.from({length: this.chains}, (_, c) => Float64Array.from({length: this.perChain}, (_, k) => value(c * this.perChain + k)));
  }
}

const MOST_UNPACKED = 400;
