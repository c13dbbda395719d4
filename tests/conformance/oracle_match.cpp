#include "tests/conformance/oracle_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

#include "interp/functions/functions.h"

namespace fermiac::selfcheck::oracle {

Alignment::Alignment(std::size_t n) : from(n), factor(n, 1.0) {
  std::iota(from.begin(), from.end(), std::size_t{0});
}

std::vector<double> Alignment::apply(const std::vector<double>& ours) const {
  std::vector<double> out(from.size());
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = factor[k] * ours[from[k]];
  return out;
}

namespace {

using C = std::complex<double>;

struct Comparison {
  double tol, atol;
};

/// Largest element of each tuple slot; a plain value is one slot.
std::vector<double> scales(const Value& theirs) {
  std::vector<double> out;
  if (theirs.kind() != Value::Kind::Tuple) {
    const std::vector<double> x = flatten(theirs);
    return std::vector<double>(x.size(), x.size() == 1 ? 0 : largest(x));
  }
  for (const Value& slot : theirs.values()) {
    const auto part = scales(slot);
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

/// Distribution functions that the reference rounds to 0 or 1 before taking logs or derivatives: its 0 stands for
/// anything below the spacing of doubles at 1.
constexpr double kRounding = 2.3e-16;
bool rounds_to_zero(std::string_view name, double ours, double theirs) {
  return theirs == 0 && std::abs(ours) < kRounding && name.find("cdf") != std::string_view::npos;
}

/// Vector loops compute logarithms of numbers near 1, and differences of them, to within a few spacings at 1.
constexpr double kLaneRounding = 2e-15;

bool all_close(const std::vector<double>& ours, const std::vector<double>& theirs, const std::vector<double>& m,
               Comparison how) {
  if (ours.size() != theirs.size()) return false;
  for (std::size_t k = 0; k < ours.size(); ++k)
    if (!close(ours[k], theirs[k], how.tol, m[k], how.atol)) return false;
  return true;
}

bool all_finite(const std::vector<double>& x) {
  return std::ranges::all_of(x, [](double v) { return std::isfinite(v); });
}

/// Equal but for elements that are NaN in the file.
bool nan_is_refined(const std::vector<double>& ours, const std::vector<double>& theirs, Comparison how) {
  for (std::size_t k = 0; k < ours.size(); ++k)
    if (!std::isnan(theirs[k]) && !close(ours[k], theirs[k], how.tol, 0, how.atol)) return false;
  return true;
}

/// C99 says what complex functions are at infinity and at their poles; the file has NaN there.
bool infinite_complex_argument(const std::vector<Value>& args) {
  return std::ranges::any_of(
      args, [](const Value& v) { return is_complex(v) && (!all_finite(flatten(v)) || std::abs(flatten(v)[0]) == 1); });
}

std::vector<C> complex_scalars(const Value& v) {
  const std::vector<double> x = flatten(v);
  std::vector<C> out;
  const std::size_t width = v.shape().complex ? 2 : 1;
  for (std::size_t k = 0; k < x.size(); k += width) out.emplace_back(x[k], width == 2 ? x[k + 1] : 0);
  return out;
}

// ---- unique up to signs of columns, or to the order of complex numbers

void turn_columns(const Value& ours, const Value& theirs, std::size_t first, Alignment& a) {
  const std::vector<double> x = flatten(ours), y = flatten(theirs);
  const std::size_t rows = theirs.shape().rows;
  for (std::size_t column = 0; rows > 0 && column + rows <= y.size(); column += rows) {
    const double dot = std::inner_product(x.begin() + static_cast<std::ptrdiff_t>(column),
                                          x.begin() + static_cast<std::ptrdiff_t>(column + rows),
                                          y.begin() + static_cast<std::ptrdiff_t>(column), 0.0);
    if (dot < 0) std::fill_n(a.factor.begin() + static_cast<std::ptrdiff_t>(first + column), rows, -1.0);
  }
}

Alignment by_signs(const Value& ours, const Value& theirs) {
  Alignment a(flatten(theirs).size());
  const bool tuple = theirs.kind() == Value::Kind::Tuple;
  std::size_t first = 0;
  for (std::size_t k = 0; k < (tuple ? theirs.values().size() : 1); ++k) {
    const Value& y = tuple ? theirs.values()[k] : theirs;
    if (y.shape().inner == ad::Inner::Matrix) turn_columns(tuple ? ours.values()[k] : ours, y, first, a);
    first += flatten(y).size();
  }
  return a;
}

/// To each of their numbers the nearest of ours that is left.
Alignment by_order(const Value& ours, const Value& theirs) {
  const std::vector<C> x = complex_scalars(ours), y = complex_scalars(theirs);
  std::vector<std::size_t> left(x.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  Alignment a(2 * y.size());
  for (std::size_t k = 0; k < y.size(); ++k) {
    const auto nearest = std::ranges::min_element(left, {}, [&](std::size_t i) { return std::abs(x[i] - y[k]); });
    a.from[2 * k] = 2 * *nearest;
    a.from[2 * k + 1] = 2 * *nearest + 1;
    left.erase(nearest);
  }
  return a;
}

// ---- unique up to phases

/// Columns of ours turned by a phase agree with theirs, in some order.
bool columns_agree(const Value& ours, const Value& theirs, double tol) {
  const std::vector<C> x = complex_scalars(ours), y = complex_scalars(theirs);
  const std::size_t rows = theirs.shape().rows, cols = theirs.shape().cols;
  if (x.size() != y.size()) return false;
  const auto agree = [&](std::size_t i, std::size_t j) {  // |<x_i, y_j>| = |x_i| |y_j|
    C dot = 0;
    double a = 0, b = 0;
    for (std::size_t k = 0; k < rows; ++k) {
      dot += std::conj(x[i * rows + k]) * y[j * rows + k];
      a += std::norm(x[i * rows + k]);
      b += std::norm(y[j * rows + k]);
    }
    return std::abs(a - b) <= 1e3 * tol * b && std::abs(std::abs(dot) - b) <= 1e3 * tol * b;
  };
  for (std::size_t j = 0; j < cols; ++j) {
    bool found = agree(j, j);
    for (std::size_t i = 0; i < cols && !found; ++i) found = agree(i, j);
    if (!found) return false;
  }
  return true;
}

bool same_set(const Value& ours, const Value& theirs, double tol) {
  std::vector<C> x = complex_scalars(ours);
  const std::vector<C> y = complex_scalars(theirs);
  const double m = largest(flatten(theirs));
  for (const C& value : y) {
    const auto it =
        std::ranges::find_if(x, [&](const C& z) { return std::abs(z - value) <= 1e2 * tol * std::max(m, 1e-300); });
    if (it == x.end()) return false;
    x.erase(it);
  }
  return x.empty();
}

bool agree_up_to_phases(const Value& ours, const Value& theirs, double tol) {
  if (theirs.kind() == Value::Kind::Tuple) {
    for (std::size_t k = 0; k < theirs.values().size(); ++k)
      if (!agree_up_to_phases(ours.values()[k], theirs.values()[k], tol)) return false;
    return true;
  }
  return theirs.shape().inner == ad::Inner::Matrix ? columns_agree(ours, theirs, tol) : same_set(ours, theirs, tol);
}

/// U T U^H = A with U unitary and T upper triangular.
bool is_schur(const Value& a) {
  CallContext context;
  const auto apply = [&](std::string_view name, std::initializer_list<Value> args) {
    return LibraryFunction::find(name)->apply(context, {args.begin(), args.size()});
  };
  const Value u = apply("complex_schur_decompose_u", {a}), t = apply("complex_schur_decompose_t", {a});
  const Value uh = apply("transpose", {apply("conj", {u})});
  const Value z = a.shape().complex ? a : apply("to_complex", {a});
  const Value back = apply("multiply", {apply("multiply", {u, t}), uh}), one = apply("multiply", {u, uh});
  const std::vector<C> product = complex_scalars(back), wanted = complex_scalars(z), unit = complex_scalars(one);
  const std::vector<C> triangle = complex_scalars(t);
  const std::size_t n = a.shape().rows;
  const double m = std::max(largest(flatten(z)), 1e-300);
  for (std::size_t k = 0; k < product.size(); ++k) {
    if (std::abs(product[k] - wanted[k]) > 1e-8 * m) return false;
    if (std::abs(unit[k] - (k % n == k / n ? 1.0 : 0.0)) > 1e-8) return false;
    if (k % n > k / n && std::abs(triangle[k]) > 1e-8 * m) return false;
  }
  return true;
}

// ---- results

/// w_i = cos(i) over scalars, half as much for an imaginary part; a scalar result has weight 1.
std::vector<double> file_weights(const Value& result) {
  const std::vector<bool> complex = scalars_of(result).complex;
  std::vector<double> out;
  for (std::size_t i = 0; i < complex.size(); ++i) {
    const double w = complex.size() == 1 && !complex[0] ? 1 : std::cos(static_cast<double>(i));
    out.push_back(w);
    if (complex[i]) out.push_back(w / 2);
  }
  return out;
}

Match matched(const Value& theirs, const Alignment& a) {
  const std::vector<double> w = file_weights(theirs);
  Match m{.ok = true, .gradient = true, .weights = std::vector<double>(w.size())};
  for (std::size_t k = 0; k < w.size(); ++k) m.weights[a.from[k]] = w[k] * a.factor[k];
  return m;
}

/// The reference truncates results of ints.
void truncate(std::vector<double>& x, Rules& rules) {
  for (double& v : x) {
    if (std::trunc(v) != v) rules.note(Rule::IntResult);
    v = std::trunc(v);
  }
}

/// The true numbers, where the file gives them.
bool is_suspect_value(const FunctionCase& c, const std::vector<double>& x, Comparison how) {
  const Json* suspect = c.json().find("suspect");
  if (!suspect) return false;
  std::vector<double> truth;
  if (suspect->kind != Json::Kind::Array) truth = {to_double(*suspect)};
  for (const Json& j : suspect->items) truth.push_back(to_double(j));
  const double m = suspect->kind == Json::Kind::Array ? largest(truth) : 0;
  return all_close(x, truth, std::vector<double>(truth.size(), m), how);
}

Comparison comparison(const FunctionCase& c) {
  return {c.number("tol", 1e-8), c.number("atol", 0)};
}

/// The rule by which numbers agree that are not those of the file.
bool match_numbers(const FunctionCase& c, const std::vector<double>& x, Rules& rules) {
  const Comparison how = comparison(c);
  const std::vector<double> y = flatten(c.result());
  if (all_close(x, y, scales(c.result()), how)) return true;
  if (is_suspect_value(c, x, how)) {
    rules.note(Rule::SuspectValue);
    return true;
  }
  const bool rounded = x.size() == 1 && y.size() == 1 && rounds_to_zero(c.name(), x[0], y[0]);
  if (rounded) rules.note(Rule::RoundedProbability);
  return rounded;
}

Match match_up_to(const FunctionCase& c, const Value& ours, Rules& rules) {
  const std::string up_to = text_of(c.json(), "up_to");
  if (up_to == "column_sign" || up_to == "order") {
    const Alignment a = up_to == "order" ? by_order(ours, c.result()) : by_signs(ours, c.result());
    if (!all_close(a.apply(flatten(ours)), flatten(c.result()), scales(c.result()), comparison(c))) return {};
    rules.note(Rule::UniqueUpToSign);
    return matched(c.result(), a);
  }
  const bool ok = c.name().starts_with("complex_schur")
                      ? is_schur(c.args()[0])
                      : agree_up_to_phases(ours, c.result(), std::max(comparison(c).tol, 1e-9));
  if (ok) rules.note(Rule::UniqueUpToPhase);
  return {.ok = ok};
}

}  // namespace

bool same_form(const Value& ours, const Value& theirs) {
  if (ours.kind() == Value::Kind::Tuple || theirs.kind() == Value::Kind::Tuple) {
    if (ours.kind() != theirs.kind() || ours.values().size() != theirs.values().size()) return false;
    for (std::size_t k = 0; k < ours.values().size(); ++k)
      if (!same_form(ours.values()[k], theirs.values()[k])) return false;
    return true;
  }
  if (is_ints(ours) && !is_ints(theirs) && !is_plain_scalar(ours)) return false;
  return ours.shape() == theirs.shape() || ours.shape().size() + theirs.shape().size() == 0;
}

Match match_result(const FunctionCase& c, const Value& ours, Rules& rules) {
  if (!same_form(ours, c.result())) return {};
  std::vector<double> x = flatten(ours);
  if (is_ints(c.result()) && !is_ints(ours)) truncate(x, rules);
  if (match_numbers(c, x, rules)) return matched(c.result(), Alignment(x.size()));
  if (infinite_complex_argument(c.args()) && nan_is_refined(x, flatten(c.result()), comparison(c))) {
    rules.note(Rule::NanInFile);
    return {.ok = true};
  }
  return c.json().find("up_to") ? match_up_to(c, ours, rules) : Match{};
}

bool match_number(const FunctionCase& c, double ours, Form form, Rules& rules) {
  if (match_numbers(c, {ours}, rules)) return true;
  const std::vector<double> theirs = flatten(c.result());
  const bool rounded = form == Form::Lanes && theirs.size() == 1 && std::abs(ours - theirs[0]) < kLaneRounding;
  if (rounded) rules.note(Rule::LaneRounding);
  return rounded;
}

// ---- gradients

namespace {

/// Entry k of an argument: ours, theirs and where ours begins.
struct Entry {
  std::size_t arg, k, first;
};

bool mirrored_sums_agree(const FunctionCase& c, const Entry& e, const std::vector<double>& ours, double allowed) {
  const std::size_t n = c.args()[e.arg].shape().rows, mirror = e.k % n * n + e.k / n;
  const std::vector<Json>& theirs = member(c.json(), "grad").items[e.arg].items;
  return std::abs(ours[e.first + e.k] + ours[e.first + mirror] - to_double(theirs[e.k]) - to_double(theirs[mirror])) <=
         2 * allowed;
}

struct GradientComparison {
  const FunctionCase& c;
  const std::vector<double>& ours;
  Form form;
  Rules& rules;
  double m = 0, tol = 0, suspect_tol = 0;

  bool noted(Rule rule) const {
    rules.note(rule);
    return true;
  }
  /// That of an argument, if the file has one.
  double scale(std::size_t arg) const {
    const Json* own = c.json().find("grad_scale");
    return own ? to_double(own->items.at(arg)) : m;
  }
  bool agrees(const Entry& e, double want) const {
    const double have = ours[e.first + e.k];
    const auto truth = c.suspect_gradient(e.arg, e.k);
    if (!std::isfinite(want) && !truth) return noted(Rule::InfiniteInFile);
    if (std::isfinite(want) && close(have, want, tol, scale(e.arg), 0)) return true;
    if (rounds_to_zero(c.name(), have, want)) return noted(Rule::RoundedProbability);
    if (truth && close(have, *truth, suspect_tol, std::isfinite(*truth) ? std::abs(*truth) : 0, 0))
      return noted(Rule::SuspectGradient);
    if (form == Form::Lanes && std::abs(have - want) < kLaneRounding) return noted(Rule::LaneRounding);
    return c.symmetric_argument(e.arg) && mirrored_sums_agree(c, e, ours, tol * m) && noted(Rule::MirroredGradient);
  }
  std::string difference(const Entry& e, double want) const {
    const auto truth = c.suspect_gradient(e.arg, e.k);
    return fmt::format("gradient of argument {}, entry {} is {:.17g}, expected {:.17g}{}", e.arg + 1, e.k + 1,
                       ours[e.first + e.k], want, truth ? fmt::format(" or {:.17g}", *truth) : "");
  }
};

double gradient_scale(const Json& grad) {
  std::vector<double> theirs;
  for (const Json& arg : grad.items)
    for (const Json& entry : arg.items) theirs.push_back(to_double(entry));
  return theirs.size() == 1 ? 0 : largest(theirs);
}

}  // namespace

std::string gradient_difference(const FunctionCase& c, const std::vector<double>& ours, Form form, Rules& rules) {
  const Json& grad = member(c.json(), "grad");
  const double tol = c.number("grad_tol", 1e-6);
  const GradientComparison compare{c, ours, form, rules, gradient_scale(grad), tol, c.number("suspect_grad_tol", tol)};
  std::size_t first = 0;
  for (std::size_t j = 0; j < c.args().size(); ++j) {
    if (!c.differentiated(j)) continue;
    const std::vector<Json>& entries = grad.items[j].items;
    const std::size_t n = flatten(c.args()[j]).size();
    for (std::size_t k = 0; k < n && k < entries.size(); ++k) {
      const double want = to_double(entries[k]);
      if (!compare.agrees({j, k, first}, want)) return compare.difference({j, k, first}, want);
    }
    first += n;
  }
  return {};
}

}  // namespace fermiac::selfcheck::oracle
