// Variables in scope, and the ways to get at a part of one.
#include <algorithm>

#include "tests/fuzz/programs/writer.h"

namespace fermiac::fuzz {

std::string size_list(const std::vector<Size>& sizes) {
  std::string out;
  for (const Size& s : sizes) out += (out.empty() ? "" : ", ") + s.text;
  return out;
}

std::string type_text(const Shape& shape, const std::string& constraint) {
  std::string out = shape.array.empty() ? "" : "array[" + size_list(shape.array) + "] ";
  switch (shape.kind) {
    case Kind::Int:
      return out + "int" + constraint;
    case Kind::Real:
      return out + "real" + constraint;
    case Kind::Vector:
      return out + "vector" + constraint + "[" + size_list(shape.sizes) + "]";
    case Kind::Row:
      return out + "row_vector" + constraint + "[" + size_list(shape.sizes) + "]";
    case Kind::Matrix:
      return out + "matrix" + constraint + "[" + size_list(shape.sizes) + "]";
    case Kind::Tuple:
      break;
  }
  out += "tuple(";
  for (std::size_t i = 0; i < shape.slots.size(); ++i) out += (i ? ", " : "") + type_text(shape.slots[i]);
  return out + ")";
}

bool same_shape(const Shape& a, const Shape& b) {
  const auto same = [](const std::vector<Size>& x, const std::vector<Size>& y) {
    return std::ranges::equal(x, y, [](const Size& s, const Size& t) { return s.value == t.value; });
  };
  return a.kind == b.kind && same(a.array, b.array) && same(a.sizes, b.sizes) &&
         std::ranges::equal(a.slots, b.slots, same_shape);
}

Variable& Writer::add(Variable variable) {
  scope.push_back(std::move(variable));
  return scope.back();
}

/// The first free name, so that sibling scopes use the same names.
std::string Writer::fresh(const std::string& prefix) const {
  for (int k = 1;; ++k) {
    const std::string name = prefix + std::to_string(k);
    if (std::ranges::none_of(scope, [&](const Variable& v) { return v.name == name; })) return name;
  }
}

Size Writer::size(int low) {
  if (choose.chance(75))
    for (int tries = 0; tries < 4; ++tries)
      if (const Size& s = choose.one(sizes); s.value >= low) return s;
  const int n = choose.between(std::max(low, 2), 4);
  return {std::to_string(n), n};
}

Shape Writer::shape(bool with_tuples) {
  Shape out;
  if (with_tuples && choose.chance(12)) {
    out.kind = Kind::Tuple;
    for (int i = 0; i < 2; ++i) out.slots.push_back(shape(false));
    if (choose.chance(30)) out.array = {size()};
    return out;
  }
  out.kind = std::vector{Kind::Real, Kind::Vector, Kind::Row,
                         Kind::Matrix}[static_cast<std::size_t>(choose.weighted({40, 35, 10, 15}))];
  if (out.kind != Kind::Real) out.sizes.push_back(size());
  if (out.kind == Kind::Matrix) out.sizes.push_back(size());
  for (int dims = choose.weighted({70, 22, 8}); dims > 0; --dims) out.array.push_back(size());
  return out;
}

std::string Writer::indexes(const std::vector<Size>& dims) {
  std::string out;
  for (const Size& d : dims) out += (out.empty() ? "" : ", ") + integer(1, d.value);
  return out.empty() ? "" : "[" + out + "]";
}

std::string Writer::slice(const std::string& path, int size, int wanted) {
  if (size == wanted && choose.chance(85)) return path;
  if (size == wanted) return path + "[:]";
  if (choose.chance(25)) return path + "[" + integers(wanted, 1, size) + "]";
  const int first = choose.between(1, size - wanted + 1), last = first + wanted - 1;
  if (last == size && choose.chance(40)) return path + "[" + std::to_string(first) + ":]";
  if (first == 1 && choose.chance(40)) return path + "[:" + std::to_string(last) + "]";
  return path + "[" + std::to_string(first) + ":" + std::to_string(last) + "]";
}

std::string Writer::reach_into(const std::string& path, const Shape& shape, Kind kind, const std::vector<int>& wanted) {
  const std::string inner = path + indexes(shape.array);
  if (shape.kind == Kind::Tuple) {
    const int slot = choose.below(static_cast<int>(shape.slots.size()));
    return reach_into(inner + "." + std::to_string(slot + 1), shape.slots[static_cast<std::size_t>(slot)], kind,
                      wanted);
  }
  if (shape.kind == Kind::Int) return "";
  if (kind == Kind::Real) return inner + indexes(shape.sizes);
  const auto have = [&](std::size_t i) { return shape.sizes[i].value; };
  if (shape.kind == kind && kind != Kind::Matrix && kind != Kind::Real)
    return have(0) >= wanted[0] ? slice(inner, have(0), wanted[0]) : "";
  if (shape.kind != Kind::Matrix) return "";
  if (kind == Kind::Vector) return have(0) == wanted[0] ? inner + "[, " + integer(1, have(1)) + "]" : "";
  if (kind == Kind::Row) return have(1) == wanted[0] ? inner + "[" + integer(1, have(0)) + "]" : "";
  if (have(0) == wanted[0] && have(1) == wanted[1]) return inner;
  if (have(0) < wanted[0] || have(1) < wanted[1]) return "";
  return inner + "[1:" + std::to_string(wanted[0]) + ", " + std::to_string(have(1) - wanted[1] + 1) + ":]";
}

std::string Writer::reach(Kind kind, const std::vector<int>& wanted, Domain domain) {
  for (int tries = 0; tries < 8 && !scope.empty(); ++tries) {
    const Variable& v = scope[static_cast<std::size_t>(choose.below(static_cast<int>(scope.size())))];
    const bool fits = domain == Domain::Any || v.domain == domain ||
                      (domain == Domain::Positive && (v.domain == Domain::Unit || v.domain == Domain::Simplex)) ||
                      (domain == Domain::Unit && v.domain == Domain::Simplex);
    if (!fits || (domain == Domain::Simplex && v.shape.sizes[0].value != wanted[0])) continue;
    if (std::string found = reach_into(v.name, v.shape, kind, wanted); !found.empty()) return found;
  }
  return "";
}

/// A variable of exactly this shape.
std::string Writer::whole(const Shape& shape) {
  std::vector<std::string> fit;
  for (const Variable& v : scope)
    if (same_shape(v.shape, shape)) fit.push_back(v.name);
  return fit.empty() ? "" : choose.one(fit);
}

}  // namespace fermiac::fuzz
