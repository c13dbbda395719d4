// Values of the files of known cases, as kernels and generators take them.
#pragma once

#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "autodiff/kernels/kernel.h"

namespace fermiac::battery {

using simdjson::dom::element;

/// A value of any type the cases use. Reals and integers both in `v`; `is_int` says which.
struct Value {
  ad::Shape shape;
  std::vector<double> v;
  bool is_int = false;
};

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

/// Values as arguments of a kernel or generator, which reads whole blocks.
struct Bound {
  std::vector<std::vector<std::int32_t>> ints;
  std::vector<std::vector<double>> values;
  std::vector<ad::KernelArg> args;

  explicit Bound(const std::vector<Value>& from) : ints(from.size()), values(from.size()) {
    for (std::size_t j = 0; j < from.size(); ++j) {
      const Value& a = from[j];
      ad::KernelArg k;
      k.shape = a.shape;
      if (a.is_int) {
        for (double x : a.v) ints[j].push_back(static_cast<std::int32_t>(x));
        ints[j].push_back(0);
        k.i = ints[j].data();
      } else {
        values[j] = a.v;
        values[j].resize((a.v.size() + 8) / 8 * 8, 0.0);
        k.v = values[j].data();
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

}  // namespace fermiac::battery
