#include "repl/session/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "inference/output/posterior_table.h"

namespace fermiac::repl {

using ad::Inner;
using ad::Shape;
using interp::Value;

namespace {

constexpr std::uint32_t kMost = 12;   // longer lists are abridged to
constexpr std::uint32_t kHead = 6;    // so many at the start
constexpr std::uint32_t kTail = 3;    // and so many at the end
constexpr std::size_t kWidth = 100;   // of a line that holds a whole matrix

std::string list(char open, char close, std::uint32_t n, const std::function<std::string(std::uint32_t)>& item) {
  std::string out(1, open);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (i > 0) out += ", ";
    if (n > kMost && i == kHead) {
      out += "…, ";
      i = n - kTail;
    }
    out += item(i);
  }
  return out + close;
}

std::string scalar_text(const Value& v, const Shape& s, std::uint32_t at) {
  switch (v.kind()) {
    case Value::Kind::Int: return fmt::format("{}", v.as_int());
    case Value::Kind::Ints: return fmt::format("{}", v.int_data()[at]);
    case Value::Kind::Real: return number_text(v.as_real());
    default: break;
  }
  const auto& x = v.real_data();
  if (!s.complex) return number_text(x[at]);
  const double im = x[2 * at + 1];
  return fmt::format("{}{}{}i", number_text(x[2 * at]), std::signbit(im) ? "-" : "+", number_text(std::fabs(im)));
}

std::string nested(const Value& v);

std::string element_text(const Value& v, const Shape& s, std::uint32_t at) {
  if (v.kind() == Value::Kind::Tuples) return nested(v.values()[at]);
  switch (s.inner) {
    case Inner::Scalar: return scalar_text(v, s, at);
    case Inner::Matrix:
      return list('[', ']', s.rows, [&](std::uint32_t i) {
        return list('[', ']', s.cols, [&](std::uint32_t j) { return scalar_text(v, s, at + j * s.rows + i); });
      });
    default: return list('[', ']', s.inner_size(), [&](std::uint32_t i) { return scalar_text(v, s, at + i); });
  }
}

std::string array_text(const Value& v, const Shape& s, int depth, std::uint32_t at) {
  if (depth == s.rank) return element_text(v, s, at);
  std::uint32_t stride = v.kind() == Value::Kind::Tuples ? 1 : s.inner_size();
  for (int i = depth + 1; i < s.rank; ++i) stride *= s.array_dims[i];
  return list('{', '}', s.array_dims[depth], [&](std::uint32_t i) { return array_text(v, s, depth + 1, at + i * stride); });
}

std::string nested(const Value& v) {
  if (v.is_none()) return "?";
  if (v.kind() == Value::Kind::Tuple) {
    const auto& slots = v.values();
    return list('(', ')', static_cast<std::uint32_t>(slots.size()), [&](std::uint32_t i) { return nested(slots[i]); });
  }
  return array_text(v, v.shape(), 0, 0);
}

/// A matrix with aligned columns, one row a line.
std::string matrix_text(const Value& v, const Shape& s) {
  const auto picked = [](std::uint32_t n) {
    std::vector<std::int64_t> out;  // -1: the gap
    for (std::uint32_t i = 0; i < n; ++i) {
      if (n > kMost && i == kHead) {
        out.push_back(-1);
        i = n - kTail;
      }
      out.push_back(i);
    }
    return out;
  };
  const auto rows = picked(s.rows), cols = picked(s.cols);
  const auto cell = [&](std::int64_t i, std::int64_t j) -> std::string {
    if (i < 0 || j < 0) return "…";
    return scalar_text(v, s, static_cast<std::uint32_t>(j) * s.rows + static_cast<std::uint32_t>(i));
  };
  std::vector<std::size_t> width;
  for (const std::int64_t j : cols) {
    std::size_t w = 0;
    for (const std::int64_t i : rows) w = std::max(w, columns_of(cell(i, j)));
    width.push_back(w);
  }
  std::string out;
  for (const std::int64_t i : rows) {
    out += "\n  [";
    for (std::size_t k = 0; k < cols.size(); ++k) out += (k ? ", " : "") + padded(cell(i, cols[k]), width[k], true);
    out += "]";
  }
  return out;
}

/// An array of containers, an element a line.
std::string array_lines(const Value& v, const Shape& s) {
  std::uint32_t stride = v.kind() == Value::Kind::Tuples ? 1 : s.inner_size();
  for (int i = 1; i < s.rank; ++i) stride *= s.array_dims[i];
  const std::uint32_t n = s.array_dims[0];
  const std::size_t width = std::to_string(n).size() + 2;
  std::string out;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (n > kMost && i == kHead) {
      out += "\n  …";
      i = n - kTail;
    }
    out += "\n  " + padded(fmt::format("[{}]", i + 1), width) + " " + one_line(array_text(v, s, 1, i * stride), 2 * kWidth);
  }
  return out;
}

bool has_rows(const Type& type, const Value& v) {
  if (!type.is(BaseType::Matrix) && !type.is(BaseType::ComplexMatrix)) return false;
  return v.shape().rows > 1 && v.shape().cols > 0;
}

}  // namespace

std::string number_text(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  return fmt::format("{:g}", x);
}

std::string hanging(std::string_view text, std::size_t width, std::size_t indent) {
  constexpr std::size_t kLeast = 20;
  if (width < indent + kLeast) return std::string(text);
  std::string out;
  for (const char c : inference::filled(text, width - indent)) {
    out += c;
    if (c == '\n') out += std::string(indent, ' ');
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == '\n')) out.pop_back();
  return out;
}

std::string lines_that_fit(std::string_view text, std::size_t width) {
  const auto is_prose = [&](std::string_view line) {
    const bool begins = !line.empty() && (std::isalpha(static_cast<unsigned char>(line[0])) != 0 || line[0] == '\'' || line[0] == '"');
    return begins && columns_of(line) > width && line.find('\x1b') == line.npos;
  };
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    out += is_prose(line) ? inference::filled(line, width) : std::string(line);
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

std::string trimmed_end(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? text : text + "\n";
}

std::vector<std::string> grouped_numbers(std::span<const std::string> names, std::span<const double> values,
                                         NumberList style) {
  const auto stem = [&](std::size_t i) { return std::string_view(names[i]).substr(0, names[i].find('[')); };
  const auto number = [&](std::size_t i) {
    return std::isfinite(values[i]) ? fmt::format("{:.{}g}", values[i], style.digits) : number_text(values[i]);
  };
  std::vector<std::string> out;
  for (std::size_t i = 0, end = 0; i < names.size(); i = end) {
    const bool container = stem(i).size() < names[i].size();
    for (end = i + 1; container && end < names.size() && stem(end) == stem(i);) ++end;
    const auto zero = [](double v) { return v == 0; };
    const auto part = values.subspan(i, end - i);
    if (!style.zeros && std::ranges::all_of(part, zero)) continue;
    const std::string text = container ? list('[', ']', static_cast<std::uint32_t>(end - i), [&](std::uint32_t k) { return number(i + k); })
                                       : number(i);
    out.push_back(std::string(stem(i)) + std::string(style.equals) + text);
  }
  return out;
}

std::string wrapped(std::string first, const std::vector<std::string>& items, std::size_t width) {
  std::string out = std::move(first);
  std::size_t column = columns_of(out);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? "," : "");
    if (column + 1 + columns_of(item) > width && column > 4) {
      out += "\n   ";
      column = 3;
    }
    out += " " + item;
    column += 1 + columns_of(item);
  }
  return out + "\n";
}

std::string shape_text(const Type& type, const Value& value) {
  if (value.is_none()) return type.str();
  if (type.base() == BaseType::Tuple && !type.is_array()) {
    std::string out = "tuple(";
    for (std::size_t i = 0; i < type.slots().size(); ++i)
      out += (i ? ", " : "") + shape_text(type.slots()[i], value.values()[i]);
    return out + ")";
  }
  std::string out;
  const Shape s = value.shape();
  if (type.is_array()) {
    out = "array[";
    for (int i = 0; i < s.rank; ++i) out += (i ? "," : "") + std::to_string(s.array_dims[i]);
    out += "] ";
  }
  out += type.with_array_dims(0).str();
  if (type.base() == BaseType::Tuple) return out;
  if (s.inner == Inner::Matrix) return out + fmt::format("[{},{}]", s.rows, s.cols);
  return s.inner == Inner::Scalar ? out : out + fmt::format("[{}]", s.inner_size());
}

std::string value_text(const Type& type, const Value& value) {
  return has_rows(type, value) ? matrix_text(value, value.shape()) : nested(value);
}

std::string show(std::string_view name, const Type& type, const Value& value) {
  const std::string shape = shape_text(type, value);
  std::string text = value_text(type, value);
  const std::string left = name.empty() ? "" : std::string(name) + " ";
  if (text.starts_with('\n')) return left + (left.empty() ? "" : ": ") + shape + (left.empty() ? ":" : " =") + text;
  const bool nested_array = type.is_array() && value.kind() != Value::Kind::Tuple &&
                            (value.shape().rank > 1 || value.shape().inner != Inner::Scalar || value.kind() == Value::Kind::Tuples);
  if (columns_of(text) > kWidth && nested_array)
    return left + (left.empty() ? "" : ": ") + shape + (left.empty() ? ":" : " =") + array_lines(value, value.shape());
  if (columns_of(text) > kWidth && type.is_array()) text = one_line(text, 4 * kWidth);
  return left + (left.empty() ? "" : "= ") + text + " : " + shape;
}

}  // namespace fermiac::repl
