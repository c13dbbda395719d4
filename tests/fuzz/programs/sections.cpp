// The blocks of a program, and its data.
#include <fmt/format.h>

#include <utility>

#include "tests/fuzz/programs/generate.h"
#include "tests/fuzz/programs/writer.h"

namespace fermiac::fuzz {
namespace {

/// JSON of nested lists, outermost dimension first; `number` is asked for every entry.
template <class Number>
std::string nested(const std::vector<Size>& dims, std::size_t level, const Number& number) {
  if (level == dims.size()) return number();
  std::string out = "[";
  for (int i = 0; i < dims[level].value; ++i) out += (i ? ", " : "") + nested(dims, level + 1, number);
  return out + "]";
}

std::vector<Size> all_sizes(const Shape& shape) {
  std::vector<Size> dims = shape.array;
  dims.insert(dims.end(), shape.sizes.begin(), shape.sizes.end());
  return dims;
}

void add_member(std::string& json, const std::string& name, const std::string& value) {
  json += (json.empty() ? "" : ", ") + fmt::format("\"{}\": {}", name, value);
}

}  // namespace

std::string Writer::finished(const std::string& block) {
  return block + " {\n" + std::exchange(text_, "") + "}\n";
}

void Writer::data_integers(int low, int high) {
  const Size n = sizes[static_cast<std::size_t>(choose.below(static_cast<int>(sizes.size())))];
  Variable v{.name = fresh("n"), .shape = {Kind::Int, {n}, {}, {}}, .low = low, .high = high};
  add_member(data, v.name, nested(v.shape.array, 0, [&] { return std::to_string(choose.between(low, high)); }));
  declare(type_text(v.shape, fmt::format("<lower={}, upper={}>", low, high)), v, "");
}

void Writer::data_variable() {
  Variable v{.name = fresh("d"), .shape = shape(false)};
  const bool above = choose.chance(25);
  v.domain = above ? Domain::Positive : Domain::Any;
  const auto number = [&] {
    const double x = 4 * choose.uniform() - 2;
    return fmt::format("{:.3g}", above ? 0.1 + x * x : x);
  };
  add_member(data, v.name, nested(all_sizes(v.shape), 0, number));
  declare(type_text(v.shape, above ? "<lower=0>" : ""), v, "");
}

void Writer::data_block() {
  for (const char* name : {"N", "K", "M"}) {
    const bool longest = name[0] == 'N';
    const int n = longest && choose.chance(long_programs) ? choose.between(65, 90) : choose.between(longest ? 3 : 2, longest ? 12 : 4);
    line(fmt::format("int<lower=1> {};", name));
    add_member(data, name, std::to_string(n));
    sizes.push_back({name, n});
  }
  data_integers(0, 1);
  data_integers(0, 8);
  data_integers(1, 2);
  data_integers(0, 4);
  for (int i = choose.between(2, 5); i > 0; --i) data_variable();
}

/// Functions see their arguments only.
void Writer::function(int number) {
  Function f;
  const auto outer_scope = std::exchange(scope, {});
  const auto outer_sizes = std::exchange(sizes, {});
  const Place outer = std::exchange(place, {.function = true});
  const int kind = choose.weighted({45, 18, 14, 14, 9});  // real, vector, density, changes target, random
  f.name = fmt::format("f{}{}", number, kind == 2 ? "_lpdf" : kind == 3 ? "_lp" : kind == 4 ? "_rng" : "");
  f.random = place.random = kind == 4;
  f.changes_target = place.target = kind == 3;
  std::string formals;
  for (int i = choose.between(kind == 2 ? 2 : 1, 3); i > 0; --i) {
    Variable v{.name = fresh("a")};
    if (choose.chance(20) && kind != 2) {
      v.shape.kind = Kind::Int, v.low = 1, v.high = 3;
    } else if (choose.chance(45)) {
      const Size& n = choose.one(outer_sizes);
      v.shape = {Kind::Vector, {}, {{"size(" + v.name + ")", n.value}}, {}};
    }
    formals += (formals.empty() ? "" : ", ") +
               std::string(v.shape.kind == Kind::Int      ? "int "
                           : v.shape.kind == Kind::Vector ? "vector "
                                                          : "real ") +
               v.name;
    if (!v.shape.sizes.empty()) sizes.push_back(v.shape.sizes[0]);
    f.formals.push_back(add(v));
  }
  sizes.push_back({"3", 3});
  if (kind == 1) f.result = {Kind::Vector, {}, {sizes[0]}, {}};
  open(fmt::format("{} {}({})", kind == 1 ? "vector" : "real", f.name, formals));
  budget = 6;
  statements(4);
  if (choose.chance(35)) line(fmt::format("if ({}) return {};", condition(1), tame(f.result, 1)));
  statements(2);
  line("return " + tame(f.result, 2) + ";");
  close();
  scope = outer_scope;
  sizes = outer_sizes;
  place = outer;
  functions.push_back(std::move(f));
}

void Writer::parameter() {
  const std::string name = fresh("p");
  const Size n = size(2);
  Variable v{.name = name};
  switch (choose.weighted({30, 18, 8, 6, 22, 5, 7, 5, 3, 5, 4, 3})) {
    case 0:
      return declare("real", v, "");
    case 1:
      v.domain = Domain::Positive;
      return declare("real<lower=0>", v, "");
    case 2:
      v.domain = Domain::Unit;
      return declare("real<lower=0, upper=1>", v, "");
    case 3:
      return declare("real<offset=0.5, multiplier=2>", v, "");
    case 4:
      v.shape = {Kind::Vector, {}, {n}, {}};
      return declare(type_text(v.shape), v, "");
    case 5:
      v.shape = {choose.chance(50) ? Kind::Row : Kind::Matrix, {}, {n}, {}};
      if (v.shape.kind == Kind::Matrix) v.shape.sizes.push_back(size());
      return declare(type_text(v.shape), v, "");
    case 6:
      v.shape = {choose.chance(50) ? Kind::Real : Kind::Vector, {size()}, {}, {}};
      if (v.shape.kind == Kind::Vector) v.shape.sizes.push_back(n);
      v.domain = Domain::Positive;
      return declare(type_text(v.shape, "<lower=0>"), v, "");
    case 7:
      v.shape = {Kind::Vector, {}, {n}, {}};
      v.domain = Domain::Simplex;
      return declare("simplex[" + n.text + "]", v, "");
    case 8:
      v.shape = {Kind::Vector, {}, {n}, {}};
      return declare(choose.one({"ordered", "sum_to_zero_vector", "unit_vector"}) + "[" + n.text + "]", v, "");
    case 9:
      v.shape = {Kind::Matrix, {}, {n, n}, {}};
      return declare(choose.one({"cholesky_factor_corr", "cov_matrix", "corr_matrix"}) + "[" + n.text + "]", v, "");
    case 10:
      return declare("real<upper=1.5>", v, "");
    default:
      v.shape.kind = Kind::Tuple;
      v.shape.slots = {Shape{}, Shape{Kind::Vector, {}, {n}, {}}};
      return declare(fmt::format("tuple(real<lower=0>, vector[{}])", n.text), v, "");
  }
}

void Writer::priors() {
  const std::vector<Variable> all = scope;
  for (const Variable& v : all) {
    if (v.name[0] != 'p' || v.shape.kind == Kind::Tuple || choose.chance(40)) continue;
    if (v.shape.kind == Kind::Matrix) {
      line(fmt::format("target += -0.5 * sum(square({}));", v.name));
    } else if (!v.shape.array.empty()) {
      line(fmt::format("for (r in {}) target += -0.5 * {};", v.name,
                       v.shape.kind == Kind::Real ? "square(r)" : "dot_self(r)"));
    } else {
      line(fmt::format("{} ~ {}(0, 2);", v.name, choose.one({"normal", "cauchy", "logistic"})));
    }
  }
}

/// Declarations that are output or shared, some of them filled by statements.
void Writer::top_declarations(const std::string& prefix, int count) {
  for (int i = choose.between(0, count); i > 0; --i) {
    Variable v{.name = fresh(prefix), .shape = shape(prefix != "t"), .writable = true};
    const std::string initial = place.random && choose.chance(40) && v.shape.kind == Kind::Real && v.shape.array.empty()
                                    ? random_draw(1)
                                    : tame(v.shape, 3);
    declare(type_text(v.shape), v, initial);
  }
}

std::string Writer::program() {
  prints = choose.chance(8);
  data_block();
  const std::string data_text = finished("data");
  for (int i = choose.between(0, 3); i > 0; --i) function(i);
  const std::string functions_text = finished("functions");
  top_declarations("t", 2);
  budget = 5;
  if (choose.chance(50)) {
    enclosed("", 3);
    close();
  }
  for (Variable& v : scope) v.writable = false;
  const std::string transformed_data = finished("transformed data");
  for (int i = choose.between(2, 5); i > 0; --i) parameter();
  const std::string parameters = finished("parameters");
  top_declarations("q", 3);
  budget = 6;
  if (choose.chance(60)) {
    enclosed("", 4);
    close();
  }
  for (Variable& v : scope) v.writable = false;
  const std::string transformed = finished("transformed parameters");
  const std::size_t before = scope.size();
  place.target = true;
  priors();
  budget = choose.between(6, 22);
  while (budget > 0) statement();
  scope.resize(before);
  const std::string model = finished("model");
  place = {.random = true};
  top_declarations("g", 3);
  budget = 5;
  if (choose.chance(50)) {
    enclosed("", 4);
    close();
  }
  return functions_text + data_text + transformed_data + parameters + transformed + model +
         finished("generated quantities");
}

GeneratedProgram generate_program(std::uint64_t seed, int long_programs) {
  Writer writer(seed);
  writer.long_programs = long_programs;
  std::string source = writer.program();
  return {std::move(source), "{" + writer.data + "}"};
}

}  // namespace fermiac::fuzz
