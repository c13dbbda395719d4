// Numbers and names as text.

/// Of a number as JSON has it: those that are not finite stand in quotes.
const asNumber = (value) => Number(value);

const minus = (text) => text.replace("-", "−");

/// What is not a number but a place on the line, or none at all.
const notFinite = (x) => (Number.isNaN(x) ? "–" : x > 0 ? "∞" : "−∞");

/// With so many decimals; very large and very small numbers as powers of ten.
function fixedText(x, decimals) {
  if (!Number.isFinite(x)) return notFinite(x);
  if (Math.abs(x) >= 1e9 || decimals > 6) return minus(x.toExponential(3));
  const text = x.toFixed(decimals);
  return minus(/^-0\.?0*$/.test(text) ? text.slice(1) : text);
}

/// With a few significant digits.
function shortText(x, digits = 4) {
  if (!Number.isFinite(x)) return notFinite(x);
  return minus(String(Number(x.toPrecision(digits))));
}

/// Of an error: two digits.
function errorText(x) {
  return x >= 1e-5 && x < 10 ? x.toPrecision(2) : shortText(x, 2);
}

const ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"};
const escapeText = (text) => String(text).replace(/[&<>"]/g, (c) => ESCAPES[c]);

const plural = (n, word, words = word + "s") => `${n} ${n === 1 ? word : words}`;
