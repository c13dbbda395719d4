// Definitions of kernel_battery.h; included by one test program each.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "tests/battery/kernel_battery.h"
#include "tests/unzipped.h"

namespace fermiac::battery {
namespace {

using simdjson::dom::element;

inline double number(element e) {
  if (e.is_string()) {
    const std::string_view s = e.get_string();
    return s == "NaN" ? std::nan("") : s == "Infinity" ? HUGE_VAL : -HUGE_VAL;
  }
  return double(e);
}

/// Fills `to` with the scalars of nested lists, in order.
inline void flatten(element e, std::vector<double>& to) {
  if (!e.is_array()) return to.push_back(number(e));
  for (element x : e.get_array()) flatten(x, to);
}

inline bool starts(std::string_view s, std::string_view prefix) { return s.substr(0, prefix.size()) == prefix; }

inline Value read_value(element e) {
  Value r;
  std::string_view type = e["type"];
  int rank = 0;
  if (starts(type, "array[")) {
    const auto close = type.find(']');
    rank = 1 + static_cast<int>(std::count(type.begin(), type.begin() + static_cast<std::ptrdiff_t>(close), ','));
    type = type.substr(close + 2);
  }
  if (starts(type, "complex")) {
    r.shape.complex = true;
    type = type == "complex" ? "real" : type.substr(8);
  }
  r.is_int = type == "int";
  element list = e["value"];
  r.shape.rank = static_cast<std::uint8_t>(rank);
  element inner = list;
  bool reachable = true;
  for (int d = 0; d < rank; ++d) {
    const std::size_t n = reachable ? inner.get_array().value().size() : 0;
    r.shape.array_dims[static_cast<std::size_t>(d)] = static_cast<std::uint32_t>(n);
    reachable = n > 0;
    if (reachable) inner = inner.at(0);
  }
  const auto length = [&] { return static_cast<std::uint32_t>(reachable ? inner.get_array().value().size() : 0); };
  if (type == "vector") r.shape.inner = ad::Inner::Vector, r.shape.rows = length();
  if (type == "row_vector") r.shape.inner = ad::Inner::RowVector, r.shape.cols = length();
  if (type == "matrix") {
    r.shape.inner = ad::Inner::Matrix;
    element dims;
    if (rank == 0 && e["dims"].get(dims) == simdjson::SUCCESS) {
      r.shape.rows = static_cast<std::uint32_t>(std::int64_t(dims.at(0)));
      r.shape.cols = static_cast<std::uint32_t>(std::int64_t(dims.at(1)));
    } else {
      r.shape.rows = length();
      r.shape.cols = r.shape.rows ? static_cast<std::uint32_t>(inner.at(0).get_array().value().size()) : 0;
    }
  }
  flatten(list, r.v);
  if (type == "matrix") {  // lists of rows to columns
    const std::vector<double> rows = r.v;
    const std::size_t m = r.shape.rows, n = r.shape.cols, w = r.shape.complex ? 2 : 1;
    for (std::size_t b = 0; b + m * n * w <= rows.size() && m * n > 0; b += m * n * w)
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t k = 0; k < w; ++k) r.v[b + (i + j * m) * w + k] = rows[b + (i * n + j) * w + k];
  }
  return r;
}

inline double optional_number(element e, const char* key, double otherwise) {
  element x;
  return e[key].get(x) == simdjson::SUCCESS ? number(x) : otherwise;
}
inline bool flag(element e, const char* key) {
  bool b = false;
  return e[key].get(b) == simdjson::SUCCESS && b;
}

inline void read_grad(element e, Case& c) {
  element grad;
  c.has_grad = e["grad"].get(grad) == simdjson::SUCCESS;
  if (c.has_grad)
    for (element g : grad.get_array()) {
      c.grad.emplace_back();
      c.differentiated.push_back(!g.is_null());
      if (!g.is_null()) flatten(g, c.grad.back());
    }
  c.differentiated.resize(c.args.size(), false);
  c.grad.resize(c.args.size());
}

inline void read_suspects(element e, Case& c) {
  element x;
  c.has_suspect = e["suspect"].get(x) == simdjson::SUCCESS;
  if (c.has_suspect) {
    if (x.is_object()) x = x["value"];
    flatten(x, c.suspect);
  }
  if (e["suspect_grad"].get(x) != simdjson::SUCCESS) return;
  for (auto field : x.get_object()) {
    unsigned a = 0, k = 0;
    std::sscanf(std::string(field.key).c_str(), "%u:%u", &a, &k);
    c.suspect_grad.push_back({a, k, number(field.value)});
  }
}

inline Case read_case(element e) {
  Case c;
  c.id = std::string(std::string_view(e["id"]));
  c.fn = std::string(std::string_view(e["fn"]));
  for (element a : e["args"].get_array()) c.args.push_back(read_value(a));
  c.throws = flag(e, "throws");
  c.propto = flag(e, "propto");
  element x;
  if (e["result"].get(x) == simdjson::SUCCESS) c.result = read_value(x);
  if (e["up_to"].get(x) == simdjson::SUCCESS) c.up_to = std::string(std::string_view(x));
  c.check_grad = e["grad_note"].get(x) != simdjson::SUCCESS && e["grad_throws"].get(x) != simdjson::SUCCESS;
  read_grad(e, c);
  read_suspects(e, c);
  if (e["autodiff"].get(x) == simdjson::SUCCESS) {
    for (element b : x.get_array()) c.autodiff.push_back(bool(b));
  } else {
    c.autodiff = c.differentiated;
  }
  if (e["symmetric"].get(x) == simdjson::SUCCESS)
    for (element a : x.get_array()) c.symmetric.push_back(static_cast<std::size_t>(std::int64_t(a)));
  c.tol = optional_number(e, "tol", 1e-10);
  c.grad_tol = optional_number(e, "grad_tol", 1e-8);
  c.atol = optional_number(e, "atol", 0);
  c.suspect_grad_tol = optional_number(e, "suspect_grad_tol", c.grad_tol);
  return c;
}

/// Arguments of a case as a kernel takes them, with adjoints.
struct Bound {
  std::vector<std::vector<std::int32_t>> ints;
  std::vector<std::vector<double>> values, adjoints;
  std::vector<ad::KernelArg> args;

  explicit Bound(const Case& c) : ints(c.args.size()), values(c.args.size()), adjoints(c.args.size()) {
    for (std::size_t j = 0; j < c.args.size(); ++j) {
      const Value& a = c.args[j];
      ad::KernelArg k;
      k.shape = a.shape;
      k.autodiff = !a.is_int && j < c.autodiff.size() && c.autodiff[j];
      if (a.is_int) {
        for (double x : a.v) ints[j].push_back(static_cast<std::int32_t>(x));
        ints[j].push_back(0);
        k.i = ints[j].data();
      } else {
        values[j] = a.v;
        values[j].resize((a.v.size() + 8) / 8 * 8, 0.0);
        k.v = values[j].data();
        adjoints[j].assign(values[j].size(), 0.0);
        if (k.autodiff) k.a = adjoints[j].data();
      }
      args.push_back(k);
    }
  }
};

inline bool close(double x, double y, double tol, double scale, double atol) {
  if (std::isnan(y)) return std::isnan(x);
  if (std::isinf(y)) return x == y;
  return std::abs(x - y) <= tol * std::max(std::abs(y), scale) + atol;
}
inline double largest(const std::vector<double>& v) {
  double m = 0;
  for (double x : v)
    if (std::isfinite(x)) m = std::max(m, std::abs(x));
  return m;
}

inline std::string compare_values(const Case& c, const std::vector<double>& out) {
  if (out.size() != c.result.v.size()) return fmt::format("{} elements, expected {}", out.size(), c.result.v.size());
  const double scale = largest(c.result.v);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (close(out[i], c.result.v[i], c.tol, scale, c.atol)) continue;
    if (c.has_suspect && i < c.suspect.size() && close(out[i], c.suspect[i], std::max(c.tol, 1e-12), scale, c.atol)) continue;
    return fmt::format("result {} is {:.17g}, expected {:.17g}", i, out[i], c.result.v[i]);
  }
  return {};
}

/// The symmetric part of the gradient with respect to a square matrix.
inline void symmetrize_gradient(const ad::Shape& s, std::vector<double>& g) {
  for (std::size_t j = 0; j < s.cols; ++j)
    for (std::size_t i = 0; i < j; ++i)
      g[i + j * s.rows] = g[j + i * s.rows] = (g[i + j * s.rows] + g[j + i * s.rows]) / 2;
}

inline std::string compare_grad(Case c, std::vector<std::vector<double>> grad) {
  for (std::size_t a : c.symmetric) {
    if (!c.differentiated[a]) continue;
    symmetrize_gradient(c.args[a].shape, c.grad[a]);
    symmetrize_gradient(c.args[a].shape, grad[a]);
  }
  double scale = 0;
  for (const auto& g : c.grad) scale = std::max(scale, largest(g));
  for (std::size_t a = 0; a < c.args.size(); ++a) {
    if (!c.differentiated[a] || c.args[a].is_int) continue;
    for (std::size_t k = 0; k < c.grad[a].size(); ++k) {
      const double want = c.grad[a][k];
      if (!std::isfinite(want) || close(grad[a][k], want, c.grad_tol, scale, c.atol)) continue;
      bool excused = false;
      for (const auto& s : c.suspect_grad)
        excused |= s.arg == a && s.entry == k &&
                   (!std::isfinite(s.value) || close(grad[a][k], s.value, std::max(c.suspect_grad_tol, c.grad_tol), scale, c.atol));
      if (!excused) return fmt::format("grad of argument {}, entry {} is {:.17g}, expected {:.17g}", a, k, grad[a][k], want);
    }
  }
  return {};
}

/// Signs that make each column of `out` agree with `want`, spread over the elements.
inline std::vector<double> column_signs(const Case& c, const std::vector<double>& out) {
  std::vector<double> signs(out.size(), 1.0);
  const std::size_t m = c.result.shape.rows;
  for (std::size_t j = 0; m > 0 && (j + 1) * m <= out.size(); ++j) {
    double d = 0;
    for (std::size_t i = j * m; i < (j + 1) * m; ++i) d += out[i] * c.result.v[i];
    if (d < 0) std::fill_n(signs.begin() + static_cast<std::ptrdiff_t>(j * m), m, -1.0);
  }
  return signs;
}

}  // namespace

inline std::vector<Case> read_cases(const std::string& gz_path) {
  const simdjson::padded_string text{unzipped(gz_path)};
  simdjson::dom::parser parser;
  simdjson::dom::document_stream lines = parser.parse_many(text, 1 << 20);
  std::vector<Case> cases;
  for (element e : lines) cases.push_back(read_case(e));
  return cases;
}

inline Outcome evaluate(const ad::Kernel& k, const Case& c, const std::vector<double>& out_weights) {
  Outcome r;
  Bound b(c);
  try {
    ad::KernelCall call;
    call.name = k.name;
    call.in = b.args;
    call.propto = c.propto;
    const ad::Plan plan = k.plan(call);
    r.shape = call.out_shape = plan.out;
    std::vector<double> out(plan.out.size() + 8, std::nan("")), weights(plan.out.size() + 8, 0.0);
    std::vector<double> scratch(plan.scratch + 8, std::nan(""));
    call.out = out.data();
    call.scratch = scratch.data();
    k.forward(call);
    r.out.assign(out.begin(), out.begin() + plan.out.size());
    for (std::uint32_t i = 0; i < plan.out.size(); ++i)
      weights[i] = !out_weights.empty()    ? out_weights[i]
                   : plan.out.is_scalar() && !plan.out.complex ? 1.0
                   : plan.out.complex      ? std::cos(i / 2) * (i % 2 ? 0.5 : 1.0)
                                           : std::cos(i);
    call.out_a = weights.data();
    const bool any = std::any_of(b.args.begin(), b.args.end(), [](const auto& a) { return a.a != nullptr; });
    if (k.reverse && any) k.reverse(call);
    r.grad = b.adjoints;
    if (!k.fused) return r;
    for (auto& a : b.adjoints) std::fill(a.begin(), a.end(), 0.0);
    std::fill(scratch.begin(), scratch.end(), std::nan(""));
    r.fused_value = k.fused(call);
    r.fused_grad = b.adjoints;
  } catch (const std::runtime_error& e) {
    r.threw = true;
    r.error = e.what();
  }
  return r;
}

/// For complex vectors known up to order: puts the result into the recorded order, nearest numbers first served; returns
/// the weights that belong to the result's own order.
inline std::vector<double> match_order(const Case& c, std::vector<double>& out) {
  const std::size_t n = out.size() / 2;
  std::vector<double> sorted(out.size()), weights(out.size());
  std::vector<bool> used(n);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = n;
    const auto distance = [&](std::size_t i) {
      return std::hypot(out[2 * i] - c.result.v[2 * k], out[2 * i + 1] - c.result.v[2 * k + 1]);
    };
    for (std::size_t i = 0; i < n; ++i)
      if (!used[i] && (best == n || distance(i) < distance(best))) best = i;
    used[best] = true;
    for (std::size_t part = 0; part < 2; ++part) {
      sorted[2 * k + part] = out[2 * best + part];
      weights[2 * best + part] = std::cos(k) * (part ? 0.5 : 1.0);
    }
  }
  out = sorted;
  return weights;
}

inline std::string compare(const ad::Kernel& k, const Case& c) {
  Outcome r = evaluate(k, c);
  if (c.throws) {
    if (r.threw || c.has_suspect) return {};
    return r.out.empty() ? "no error" : fmt::format("no error, but {}", r.out[0]);
  }
  if (r.threw) return "threw " + r.error;
  if (c.up_to == "column_sign") {
    std::vector<double> w = column_signs(c, r.out);
    for (std::size_t i = 0; i < r.out.size(); ++i) r.out[i] *= w[i];
    for (std::size_t i = 0; i < w.size(); ++i) w[i] *= std::cos(i);
    r.grad = evaluate(k, c, w).grad;
  }
  if (c.up_to == "order" && r.out.size() == c.result.v.size()) r.grad = evaluate(k, c, match_order(c, r.out)).grad;
  if (std::string bad = compare_values(c, r.out); !bad.empty()) return bad;
  if (k.fused && c.up_to.empty()) {
    if (std::string bad = compare_values(c, {r.fused_value}); !bad.empty()) return "fused: " + bad;
    if (c.has_grad && c.check_grad)
      if (std::string bad = compare_grad(c, r.fused_grad); !bad.empty()) return "fused: " + bad;
  }
  return c.has_grad && c.check_grad && k.reverse ? compare_grad(c, r.grad) : std::string();
}

/// The direction of differences: symmetric for arguments that are, so that checks of symmetry still hold.
inline double direction_of(const Value& a, std::size_t arg, std::size_t i) {
  std::size_t at = i;
  const std::size_t n = a.shape.rows;
  if (a.shape.rank == 0 && a.shape.inner == ad::Inner::Matrix && n == a.shape.cols && !a.shape.complex) {
    bool symmetric = true;
    for (std::size_t k = 0; k < n * n; ++k) symmetric &= a.v[k] == a.v[k / n + (k % n) * n];
    if (symmetric) at = std::min(i, i / n + (i % n) * n);
  }
  return std::sin(1.0 + 1.7 * static_cast<double>(at) + 0.9 * static_cast<double>(arg));
}

inline std::string compare_with_differences(const ad::Kernel& k, const Case& c, double h, double tol) {
  if (c.throws || !c.check_grad || k.reverse == nullptr) return {};
  for (double x : c.result.v)
    if (!std::isfinite(x)) return {};  // beyond what differences can tell
  const Outcome at = evaluate(k, c);
  if (at.threw) return {};
  double slope = 0, size = 0;
  Case up = c, down = c;
  for (std::size_t a = 0; a < c.args.size(); ++a) {
    if (c.args[a].is_int || !c.autodiff[a]) continue;
    for (std::size_t i = 0; i < c.args[a].v.size(); ++i) {
      const double direction = direction_of(c.args[a], a, i);
      const double step = h * std::max(1.0, std::abs(c.args[a].v[i]));
      up.args[a].v[i] += step * direction;
      down.args[a].v[i] -= step * direction;
      slope += at.grad[a][i] * direction * step;
      size += std::abs(at.grad[a][i] * direction * step);
    }
  }
  const Outcome plus = evaluate(k, up), minus = evaluate(k, down);
  if (plus.threw || minus.threw) return {};
  double difference = 0;
  for (std::size_t i = 0; i < at.out.size(); ++i) {
    const double w = at.out.size() == 1 && at.shape.is_scalar() ? 1 : at.shape.complex ? std::cos(i / 2) * (i % 2 ? .5 : 1) : std::cos(i);
    difference += w * (plus.out[i] - minus.out[i]) / 2;
    size += std::abs(w * at.out[i]) * 1e-10;
  }
  if (!std::isfinite(difference) || !std::isfinite(slope)) return {};
  if (std::abs(difference - slope) <= tol * size + 1e-14) return {};
  return fmt::format("slope by adjoints {:.10g}, by differences {:.10g}", slope, difference);
}

}  // namespace fermiac::battery
