#include "interp/io/print.h"

#include <fmt/format.h>

#include <cmath>

#include "interp/functions/builtin_tools.h"
#include "support/base/json.h"

namespace fermiac::interp {
namespace {

/// What differs between the two notations.
struct Notation {
  std::string (*number)(double x);
  char open_complex, close_complex;
  bool tuple_keys;  // tuples as objects
};

std::string six_digits(double x) {
  if (std::isnan(x)) return "nan";
  return fmt::format("{:g}", x);
}

class Writer {
 public:
  Writer(const CallContext& context, const Notation& notation) : context_(context), notation_(notation) {}

  void write(const Value& v) {
    if (v.is_int()) return append(fmt::format("{}", v.as_int()));
    if (v.kind() == Value::Kind::Tuple) return write_tuple(v);
    const Shape& s = v.shape();
    write_array(v, s, 0, 0);
  }
  std::string take() { return std::move(text_); }

 private:
  void append(std::string_view t) { text_ += t; }

  template <class Item>
  void list(char open, char close, std::uint32_t n, Item item) {
    text_ += open;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (i > 0) text_ += ',';
      if (i % kBetweenStops == kBetweenStops - 1) ad::stop_point();
      item(i);
    }
    text_ += close;
  }

  void write_tuple(const Value& v) {
    const auto n = static_cast<std::uint32_t>(v.values().size());
    list(notation_.tuple_keys ? '{' : '(', notation_.tuple_keys ? '}' : ')', n, [&](std::uint32_t i) {
      if (notation_.tuple_keys) append(json_quote(std::to_string(i + 1)) + ":");
      write(v.values()[i]);
    });
  }

  /// The part of an array from scalar `at` on, below array dimension `depth`.
  void write_array(const Value& v, const Shape& s, int depth, std::uint32_t at) {
    if (depth == s.rank) return write_element(v, s, at);
    std::uint32_t stride = s.inner_size();
    for (int i = depth + 1; i < s.rank; ++i) stride *= s.array_dims[i];
    list('[', ']', s.array_dims[depth], [&](std::uint32_t i) { write_array(v, s, depth + 1, at + i * stride); });
  }

  void write_element(const Value& v, const Shape& s, std::uint32_t at) {
    if (v.kind() == Value::Kind::Tuples) return write(v.values()[at]);
    switch (s.inner) {
      case ad::Inner::Scalar: return write_scalar(v, s, at);
      case ad::Inner::Vector:
      case ad::Inner::RowVector:
        return list('[', ']', s.inner_size(), [&](std::uint32_t i) { write_scalar(v, s, at + i); });
      case ad::Inner::Matrix:
        return list('[', ']', s.rows, [&](std::uint32_t i) {
          list('[', ']', s.cols, [&](std::uint32_t j) { write_scalar(v, s, at + j * s.rows + i); });
        });
    }
  }

  void write_scalar(const Value& v, const Shape& s, std::uint32_t at) {
    if (is_ints(v)) return append(fmt::format("{}", v.is_int() ? v.as_int() : v.int_data()[at]));
    if (!s.complex) return append(notation_.number(element_value(context_, v, at)));
    list(notation_.open_complex, notation_.close_complex, 2,
         [&](std::uint32_t i) { append(notation_.number(element_value(context_, v, 2 * at + i))); });
  }

  static constexpr std::uint32_t kBetweenStops = 1 << 14;
  const CallContext& context_;
  const Notation& notation_;
  std::string text_;
};

}  // namespace

std::string print_text(const CallContext& context, const Value& value) {
  static constexpr Notation kPrint{six_digits, '(', ')', false};
  Writer writer(context, kPrint);
  writer.write(value);
  return writer.take();
}

std::string json_text(const CallContext& context, const Value& value) {
  static constexpr Notation kJson{json_number, '[', ']', true};
  Writer writer(context, kJson);
  writer.write(value);
  return writer.take();
}

}  // namespace fermiac::interp
