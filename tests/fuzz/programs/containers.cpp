// Vectors, rows, matrices, arrays and tuples.
#include <fmt/format.h>

#include "tests/fuzz/programs/writer.h"

namespace fermiac::fuzz {

std::string Writer::elementwise(const std::string& argument, int depth) {
  if (depth <= 0 || choose.chance(40)) return "tanh(" + argument + ")";
  const std::string name = choose.one({"exp(tanh(", "inv_logit((", "sin((", "square(tanh(", "log1p_exp((", "cos((",
                                       "sqrt(exp(", "log1p(square(", "expm1(sin(", "abs(tanh("});
  return name == "sqrt(exp(" ? "sqrt(exp(tanh(" + argument + ")))" : name + argument + "))";
}

std::string Writer::vector(int n, int depth) {
  if (depth <= 0 || choose.chance(35))
    if (std::string found = reach(Kind::Vector, {n}); !found.empty()) return found;
  if (depth <= 0) return fmt::format("rep_vector({}, {})", leaf(), n);
  const auto v = [&] { return vector(n, depth - 1); };
  switch (choose.below(20)) {
    case 0:
    case 1:
      return fmt::format("({} + {})", v(), v());
    case 2:
      return fmt::format("({} - {})", v(), v());
    case 3:
      return fmt::format("({} * {})", bounded(depth - 1), v());
    case 4:
      return fmt::format("({} .* {})", elementwise(v(), 0), v());
    case 5:
      return fmt::format("({} ./ exp(tanh({})))", v(), v());
    case 6:
    case 7: {
      const int k = size().value;
      return fmt::format("({} * {})", matrix(n, k, depth - 1), vector(k, depth - 1));
    }
    case 8:
      return fmt::format("({} + {} * {})", real(depth - 1), bounded(depth - 1), v());
    case 9:
      return "cumulative_sum(" + v() + ")";
    case 10:
      return "softmax(" + v() + ")";
    case 11:
      return row(n, depth - 1) + "'";
    case 12:
      return "reverse(" + v() + ")";
    case 13:
      if (n < 2) return v();
      return fmt::format("append_row({}, {})", real(depth - 1), vector(n - 1, depth - 1));
    case 14: {
      std::string items;
      for (int i = 0; i < n; ++i) items += (i ? ", " : "") + real(depth - 2);
      return "[" + items + "]'";
    }
    case 15:
      return fmt::format("({} ? {} : {})", condition(depth - 1), v(), v());
    case 16:
      return fmt::format("head({}, {})", vector(n + 1, depth - 1), n);
    case 17:
      return fmt::format("log_softmax({})", v());
    default:
      return elementwise(v(), depth);
  }
}

std::string Writer::row(int n, int depth) {
  if (depth <= 0 || choose.chance(35))
    if (std::string found = reach(Kind::Row, {n}); !found.empty()) return found;
  if (depth <= 0) return fmt::format("rep_row_vector({}, {})", leaf(), n);
  switch (choose.below(5)) {
    case 0:
      return fmt::format("({} + {})", row(n, depth - 1), row(n, depth - 1));
    case 1:
      return elementwise(row(n, depth - 1), depth);
    case 2: {
      const int k = size().value;
      return fmt::format("({} * {})", row(k, depth - 1), matrix(k, n, depth - 1));
    }
    default:
      return vector(n, depth - 1) + "'";
  }
}

std::string Writer::matrix(int r, int c, int depth) {
  if (depth <= 0 || choose.chance(50))
    if (std::string found = reach(Kind::Matrix, {r, c}); !found.empty()) return found;
  if (depth <= 0) return fmt::format("rep_matrix({}, {}, {})", leaf(), r, c);
  switch (choose.below(8)) {
    case 0:
      return fmt::format("({} * {})", vector(r, depth - 1), row(c, depth - 1));
    case 1:
      return fmt::format("({} + {})", matrix(r, c, depth - 1), matrix(r, c, depth - 1));
    case 2:
      return fmt::format("({} * {})", bounded(depth - 1), matrix(r, c, depth - 1));
    case 3:
      return matrix(c, r, depth - 1) + "'";
    case 4:
      return fmt::format("rep_matrix({}, {})", vector(r, depth - 1), c);
    case 5: {
      const int k = size().value;
      return fmt::format("({} * {})", matrix(r, k, depth - 1), matrix(k, c, depth - 1));
    }
    case 6:
      if (r == c) return fmt::format("diag_matrix({})", vector(r, depth - 1));
      return fmt::format("diag_pre_multiply({}, {})", vector(r, depth - 1), matrix(r, c, depth - 1));
    default:
      return elementwise(matrix(r, c, depth - 1), depth);
  }
}

std::string Writer::array_literal(const Shape& shape, int depth) {
  Shape element = shape;
  element.array.erase(element.array.begin());
  if (choose.chance(40)) {
    const std::string one = value(element, depth - 1);
    return element.array.empty() && element.kind != Kind::Tuple
               ? fmt::format("rep_array({}, {})", one, shape.array[0].text)
               : "{" +
                     [&] {
                       std::string items = one;
                       for (int i = 1; i < shape.array[0].value; ++i) items += ", " + one;
                       return items;
                     }() +
                     "}";
  }
  std::string items;
  for (int i = 0; i < shape.array[0].value; ++i) items += (i ? ", " : "") + value(element, depth - 1);
  return "{" + items + "}";
}

std::string Writer::value(const Shape& shape, int depth) {
  if (shape.array.empty()) switch (shape.kind) {
      case Kind::Int:
        return integer(0, 4);
      case Kind::Real:
        return real(depth);
      case Kind::Vector:
        return vector(shape.sizes[0].value, depth);
      case Kind::Row:
        return row(shape.sizes[0].value, depth);
      case Kind::Matrix:
        return matrix(shape.sizes[0].value, shape.sizes[1].value, depth);
      case Kind::Tuple:
        break;
    }
  if (std::string found = whole(shape); !found.empty() && choose.chance(40)) return found;
  if (!shape.array.empty()) return array_literal(shape, depth);
  std::string items;
  for (const Shape& slot : shape.slots) items += (items.empty() ? "" : ", ") + value(slot, depth - 1);
  return "(" + items + ")";
}

std::string Writer::tame(const Shape& shape, int depth) {
  const std::string plain = value(shape, depth);
  const bool function = shape.kind != Kind::Tuple && shape.kind != Kind::Int;
  if (!function || (place.loops == 0 && choose.chance(30))) return plain;
  if (shape.kind == Kind::Real && shape.array.empty() && choose.chance(30))
    return fmt::format("0.4 * {} + {}", bounded(depth), bounded(depth));
  return choose.one({"tanh(", "sin(", "inv_logit("}) + plain + ")";
}

std::string Writer::vectorised(Domain domain, int n, int depth) {
  if (choose.chance(45)) return scalar(domain, depth);
  std::string v = vector(n, depth);
  if (domain == Domain::Positive) v = "exp(tanh(" + v + "))";
  if (domain == Domain::Unit) v = "inv_logit(tanh(" + v + "))";
  if (choose.chance(10)) return "to_array_1d(" + v + ")";
  if (choose.chance(10)) return "to_row_vector(" + v + ")";
  return v;
}

std::string Writer::integers(int n, int low, int high) {
  std::vector<std::string> fit;
  for (const Variable& v : scope)
    if (v.shape.kind == Kind::Int && v.shape.array.size() == 1 && v.low >= low && v.high <= high) {
      const int have = v.shape.array[0].value;
      if (have == n) fit.push_back(v.name);
      if (have > n) fit.push_back(v.name + "[1:" + std::to_string(n) + "]");
    }
  if (!fit.empty() && choose.chance(80)) return choose.one(fit);
  std::string items;
  for (int i = 0; i < n; ++i) items += (i ? ", " : "") + std::to_string(choose.between(low, high));
  return "{" + items + "}";
}

}  // namespace fermiac::fuzz
