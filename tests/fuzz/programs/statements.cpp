// Declarations, assignments, branches.
#include <fmt/format.h>

#include "tests/fuzz/programs/writer.h"

namespace fermiac::fuzz {
namespace {

bool may_write(const Variable& v) {
  return v.writable && v.shape.kind != Kind::Int;
}

std::vector<Variable> writable(const std::vector<Variable>& scope) {
  std::vector<Variable> out;
  for (const Variable& v : scope)
    if (may_write(v)) out.push_back(v);
  return out;
}

}  // namespace

void Writer::declare(const std::string& type, const Variable& variable, const std::string& initial) {
  line(type + " " + variable.name + (initial.empty() ? "" : " = " + initial) + ";");
  add(variable);
}

void Writer::declaration() {
  if (choose.chance(15)) {  // an int that a branch may decide
    const Variable n{
        .name = fresh("k"), .shape = {.kind = Kind::Int, .array = {}, .sizes = {}, .slots = {}}, .low = 0, .high = 4};
    return declare("int", n, integer(0, 4, 2));
  }
  Variable v{.name = fresh("l"), .shape = shape(true), .writable = true};
  const std::string type = type_text(v.shape);
  if (choose.chance(70) || v.shape.kind == Kind::Tuple) {
    const std::string initial = place.random && choose.chance(30) && type == "real" ? random_draw(1) : tame(v.shape, 2);
    return declare(type, v, initial);
  }
  const std::string initial = tame(v.shape, 2);  // before it is in scope
  declare(type, v, "");
  line(v.name + " = " + initial + ";");
}

void Writer::whole_assignment() {
  const auto candidates = writable(scope);
  if (candidates.empty()) return declaration();
  const Variable v = choose.one(candidates);
  const bool compound = v.shape.kind != Kind::Tuple && v.shape.array.empty() && choose.chance(30);
  if (compound && choose.chance(50))
    line(fmt::format("{} *= {};", v.name, bounded(1)));
  else if (compound)
    line(fmt::format("{} {}= {};", v.name, choose.one({"+", "-"}), tame(v.shape, 1)));
  else
    line(v.name + " = " + tame(v.shape, 2) + ";");
}

void Writer::part_assignment() {
  std::vector<Variable> candidates;
  for (const Variable& v : writable(scope))
    if (v.shape.kind != Kind::Real || !v.shape.array.empty()) candidates.push_back(v);
  if (candidates.empty()) return declaration();
  const Variable v = choose.one(candidates);
  const auto everything = scope;
  std::erase_if(scope,
                [&](const Variable& other) { return other.name == v.name; });  // a destination may not read itself
  std::string path = v.name + indexes(v.shape.array);
  Shape s = v.shape;
  s.array.clear();
  while (s.kind == Kind::Tuple) {
    const int slot = choose.below(static_cast<int>(s.slots.size()));
    path += "." + std::to_string(slot + 1);
    s = Shape(s.slots[static_cast<std::size_t>(slot)]);
    path += indexes(s.array);
    s.array.clear();
  }
  const Shape real{};
  const bool element = s.kind == Kind::Real || choose.chance(50);
  if (element) path += indexes(s.sizes);
  const int n = element ? 1 : s.sizes[0].value, c = s.kind == Kind::Matrix ? s.sizes[1].value : 1;
  const std::string i = integer(1, n), j = integer(1, c);
  scope = everything;
  if (element) {
    if (choose.chance(30)) return line(fmt::format("{} {}= {};", path, choose.one({"+", "-", "*"}), bounded(1)));
    return line(path + " = " + tame(real, 2) + ";");
  }
  if (s.kind == Kind::Matrix) {
    if (choose.chance(50)) return line(fmt::format("{}[{}] = {};", path, i, tame({Kind::Row, {}, {{"", c}}, {}}, 2)));
    if (choose.chance(50))
      return line(fmt::format("{}[, {}] = {};", path, j, tame({Kind::Vector, {}, {{"", n}}, {}}, 2)));
    return line(fmt::format("{}[1:{}, {}] = {};", path, n, j, tame({Kind::Vector, {}, {{"", n}}, {}}, 1)));
  }
  const int count = choose.between(1, n), first = choose.between(1, n - count + 1);
  const std::string where = choose.chance(25) ? integers(count, 1, n) : fmt::format("{}:{}", first, first + count - 1);
  line(fmt::format("{}[{}] = {};", path, where, tame({s.kind, {}, {{"", count}}, {}}, 2)));
}

void Writer::enclosed(const std::string& head, int count) {
  const std::size_t before = scope.size();
  open(head);
  statements(count);
  scope.resize(before);
}

void Writer::branch() {
  enclosed("if (" + condition(1) + ")", 2);
  if (choose.chance(50)) {
    close("} else {");
    const std::size_t before = scope.size();
    ++indent_, ++place.nesting;
    statements(2);
    scope.resize(before);
  }
  close();
}

void Writer::tuple_unpacking() {
  const std::string a = fresh("l");
  declare("real", {.name = a, .writable = true}, bounded(1));
  const int n = size().value;
  const std::string b = fresh("l");
  declare("vector[" + std::to_string(n) + "]",
          {.name = b, .shape = {Kind::Vector, {}, {{std::to_string(n), n}}, {}}, .writable = true}, vector(n, 1));
  line(fmt::format("({}, {}) = ({}, {});", a, b, tame({}, 2), tame({Kind::Vector, {}, {{"", n}}, {}}, 1)));
}

void Writer::complex_numbers() {
  open("");
  line(fmt::format("complex z = to_complex({}, {});", bounded(2), positive(1)));
  line(fmt::format("z = {};", choose.one({"z * z", "exp(z) + 1", "z / (2 + 1i)", "conj(z) * 3i", "sqrt(z + 2)"})));
  if (place.target) line(fmt::format("target += {};", choose.one({"abs(z)", "get_real(z) * get_imag(z)", "norm(z)"})));
  close();
}

void Writer::print_statement() {
  if (!prints) return whole_assignment();
  line(fmt::format("print(\"at \", {}, \" \", {});", real(1), integer(0, 4)));
}

void Writer::statement() {
  --budget;
  const bool deep = place.nesting >= 3 || budget <= 0;
  const int t = place.target ? 1 : 0;
  switch (choose.weighted(
      {22, 10, 14, deep ? 0 : 10, deep ? 0 : 9, 12 * t, 12 * t, deep ? 0 : 3, 2, 2, 1, 3, place.loops > 0 ? 4 : 0})) {
    case 0:
      return declaration();
    case 1:
      return whole_assignment();
    case 2:
      return part_assignment();
    case 3:
      return loop();
    case 4:
      return branch();
    case 5:
      return line("target += " + real(2) + ";");
    case 6:
      return line(density_statement(2));
    case 7:
      enclosed(choose.chance(70) || place.function ? "" : "profile(\"part\")", 3);
      return close();
    case 8:
      return tuple_unpacking();
    case 9:
      return complex_numbers();
    case 10:
      return line(fmt::format("if ({} > 1e9) reject(\"too large \", {});", leaf(), leaf()));
    case 11:
      return print_statement();
    default:
      return jump();
  }
}

void Writer::statements(int count) {
  for (int i = choose.between(1, count); i > 0; --i) statement();
}

}  // namespace fermiac::fuzz
