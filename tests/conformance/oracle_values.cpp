#include "tests/conformance/oracle_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/base/json.h"

namespace fermiac::selfcheck::oracle {
namespace {

struct TypeName {
  std::string_view text;
  BaseType base;
};
constexpr TypeName kTypes[] = {
    {"int", BaseType::Int},         {"real", BaseType::Real},
    {"complex", BaseType::Complex}, {"vector", BaseType::Vector},
    {"row_vector", BaseType::RowVector}, {"matrix", BaseType::Matrix},
    {"complex_vector", BaseType::ComplexVector}, {"complex_row_vector", BaseType::ComplexRowVector},
    {"complex_matrix", BaseType::ComplexMatrix},
};

/// Slot types of `tuple(a, b)`, split at the outermost commas.
std::vector<std::string> slot_types(std::string_view type) {
  std::string_view inside = type.substr(6, type.size() - 7);
  std::vector<std::string> out(1);
  int depth = 0;
  for (const char c : inside) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ',' && depth == 0) out.emplace_back();
    else if (c != ' ' || !out.back().empty()) out.back() += c;
  }
  return out;
}

bool is_matrix_type(std::string_view type) { return type.ends_with("matrix"); }

std::uint32_t length_of(const Json& j) { return static_cast<std::uint32_t>(j.items.size()); }

/// Sizes from the lists themselves; a matrix without rows takes them from `dims`.
ExpectedType sized(std::string_view type, const Json& value, const Json* dims) {
  ExpectedType out;
  const Json* inner = &value;
  static const Json kNothing{.kind = Json::Kind::Array};
  if (type.starts_with("array[")) {
    const std::size_t close = type.find(']');
    for (std::size_t k = 0; k < close - 5; ++k) {
      out.array_dims.push_back(length_of(*inner));
      inner = inner->items.empty() ? &kNothing : &inner->items[0];
    }
    type.remove_prefix(close + 2);
  }
  for (const TypeName& t : kTypes)
    if (t.text == type) out.base = t.base;
  if (type.ends_with("row_vector")) out.cols = length_of(*inner);
  else if (type.ends_with("vector")) out.rows = length_of(*inner);
  if (!is_matrix_type(type)) return out;
  out.rows = length_of(*inner);
  out.cols = inner->items.empty() ? 0 : length_of(inner->items[0]);
  if (dims && dims->items.size() == 2 && dims->items[0].kind == Json::Kind::Number) {
    out.rows = static_cast<std::uint32_t>(dims->items[0].number);
    out.cols = static_cast<std::uint32_t>(dims->items[1].number);
  }
  return out;
}

std::string write(const Json& j) {
  if (j.kind == Json::Kind::Array) {
    std::string text;
    JsonGroup items(text, JsonGroup::Kind::Array, kJsonTight);
    for (const Json& item : j.items) items.item() += write(item);
    items.end();
    return text;
  }
  return json_number(to_double(j));
}

void append_flat(const Value& v, std::vector<double>& out, std::vector<bool>* complex) {
  switch (v.kind()) {
    case Value::Kind::Int: out.push_back(v.as_int()); break;
    case Value::Kind::Real: out.push_back(v.as_real()); break;
    case Value::Kind::Ints: out.insert(out.end(), v.int_data().begin(), v.int_data().end()); break;
    case Value::Kind::Reals: out.insert(out.end(), v.real_data().data(), v.real_data().data() + v.real_data().size()); break;
    case Value::Kind::Ref: break;
    case Value::Kind::Refs: break;
    case Value::Kind::None: break;
    case Value::Kind::Tuple:
    case Value::Kind::Tuples:
      for (const Value& slot : v.values()) append_flat(slot, out, complex);
      return;
  }
  if (complex) complex->insert(complex->end(), v.shape().scalars(), v.shape().complex);
}

OracleOutcome outcome(const Json& c, OracleOutcome::Kind kind, std::string message) {
  const std::string function = text_of(c, "fn", text_of(c, "transform", text_of(c, "unconstrain")));
  return {kind, text_of(c, "id"), function, text_of(c, "kind"), std::move(message)};
}

}  // namespace

const Json& member(const Json& object, std::string_view key) {
  const Json* found = object.find(key);
  if (!found) throw InputError(fmt::format("an oracle case lacks the member \"{}\"", key));
  return *found;
}

std::string text_of(const Json& object, std::string_view key, std::string_view otherwise) {
  const Json* found = object.find(key);
  return found && found->kind == Json::Kind::String ? found->string : std::string(otherwise);
}

double to_double(const Json& j) {
  if (j.kind == Json::Kind::Number) return j.number;
  const double inf = std::numeric_limits<double>::infinity();
  if (j.string == "Infinity" || j.string == "Inf") return inf;
  if (j.string == "-Infinity" || j.string == "-Inf") return -inf;
  if (j.string == "NaN") return std::numeric_limits<double>::quiet_NaN();
  throw InputError(fmt::format("an oracle case has \"{}\" where a number should be", j.string));
}

double number_of(const Json& object, std::string_view key, double otherwise) {
  const Json* found = object.find(key);
  return found ? to_double(*found) : otherwise;
}

bool flag(const Json& object, std::string_view key) {
  const Json* found = object.find(key);
  return found && found->kind == Json::Kind::Bool && found->number != 0;
}

Value to_value(const std::string& type, const Json& value, const Json* dims) {
  if (type.starts_with("tuple(")) {
    std::vector<Value> slots;
    const std::vector<std::string> types = slot_types(type);
    std::size_t matrices = 0;
    for (std::size_t k = 0; k < types.size(); ++k) {
      const bool sized_slot = dims && is_matrix_type(types[k]) && matrices < dims->items.size();
      slots.push_back(to_value(types[k], value.items[k], sized_slot ? &dims->items[matrices++] : nullptr));
    }
    return Value::tuple(std::move(slots));
  }
  const DataSource source = DataSource::parse(fmt::format("{{\"x\":{}}}", write(value)), "oracle value");
  return source.read("x", sized(type, value, dims));
}

Value to_value(const Json& typed) {
  return to_value(text_of(typed, "type"), member(typed, "value"), typed.find("dims"));
}

Value guess_value(const Json& value) {
  if (value.kind == Json::Kind::Number)
    return value.number == std::floor(value.number) ? Value(static_cast<std::int32_t>(value.number)) : Value(value.number);
  const bool matrix = !value.items.empty() && value.items[0].kind == Json::Kind::Array;
  return to_value(matrix ? "matrix" : "vector", value);
}

std::vector<double> flatten(const Value& v) {
  std::vector<double> out;
  append_flat(v, out, nullptr);
  return out;
}

Scalars scalars_of(const Value& v) {
  std::vector<double> out;
  Scalars s;
  append_flat(v, out, &s.complex);
  return s;
}

bool close(double ours, double theirs, double tol, double m, double atol) {
  if (std::isnan(theirs)) return std::isnan(ours);
  if (std::isinf(theirs) || std::isinf(ours)) return ours == theirs;
  return std::abs(ours - theirs) <= tol * std::max(std::abs(theirs), m) + atol;
}

double largest(const std::vector<double>& x) {
  double m = 0;
  for (const double v : x)
    if (std::isfinite(v)) m = std::max(m, std::abs(v));
  return m;
}

std::string list_text(const std::vector<double>& x) {
  std::string text;
  for (std::size_t k = 0; k < std::min<std::size_t>(x.size(), 12); ++k) text += fmt::format("{}{:.17g}", k ? ", " : "", x[k]);
  return x.size() > 12 ? text + fmt::format(", … ({} numbers)", x.size()) : text;
}

OracleOutcome passed(const Json& c) { return outcome(c, OracleOutcome::Kind::Passed, ""); }
OracleOutcome failed(const Json& c, std::string m) { return outcome(c, OracleOutcome::Kind::Failed, std::move(m)); }
OracleOutcome unsupported(const Json& c, std::string m) { return outcome(c, OracleOutcome::Kind::Unsupported, std::move(m)); }

}  // namespace fermiac::selfcheck::oracle
