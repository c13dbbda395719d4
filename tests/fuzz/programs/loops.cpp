// Loops of the kinds that models have: fills, recurrences, sums of densities, mixtures.
#include <fmt/format.h>

#include "tests/fuzz/programs/writer.h"

namespace fermiac::fuzz {
namespace {

Variable counter(const std::string& name, int low, int high) {
  return {.name = name, .shape = {.kind = Kind::Int, .array = {}, .sizes = {}, .slots = {}}, .low = low, .high = high};
}

}  // namespace

/// A new container, element by element.
void Writer::filled_by_loop() {
  const Size n = size();
  const bool array = choose.chance(30);
  Variable v{.name = fresh("l"), .writable = true};
  v.shape = array ? Shape{Kind::Real, {n}, {}, {}} : Shape{choose.chance(80) ? Kind::Vector : Kind::Row, {}, {n}, {}};
  line(type_text(v.shape) + " " + v.name + ";");
  const std::string i = fresh("i");
  open(fmt::format("for ({} in 1:{})", i, n.text));
  ++place.loops;
  scope.push_back(counter(i, 1, n.value));
  line(fmt::format("{}[{}] = {};", v.name, i, tame({}, 2)));
  scope.pop_back();
  --place.loops;
  close();
  add(v);
}

void Writer::recurrence() {
  const Size n = size(2);
  const Variable v{.name = fresh("l"), .shape = {Kind::Vector, {}, {n}, {}}, .writable = true};
  line(fmt::format("vector[{}] {};", n.text, v.name));
  line(fmt::format("{}[1] = {};", v.name, bounded(1)));
  const std::string i = fresh("i");
  open(fmt::format("for ({} in 2:{})", i, n.text));
  ++place.loops;
  scope.push_back(counter(i, 2, n.value));
  const std::string last = fmt::format("{}[{} - 1]", v.name, i);
  switch (choose.below(4)) {
    case 0:
      line(fmt::format("{}[{}] = {} * {} + {};", v.name, i, bounded(1), last, bounded(2)));
      break;
    case 1:
      line(fmt::format("{}[{}] = {} + {} * square({}) ;", v.name, i, bounded(1), "0.2", last));
      break;
    case 2:
      line(fmt::format("{}[{}] = log_sum_exp({} + {}, {});", v.name, i, last, bounded(1), bounded(1)));
      break;
    default:
      line(fmt::format("real s0 = {};", bounded(2)));
      line(fmt::format("{}[{}] = {} + s0 * ({} - {});", v.name, i, last, bounded(1), last));
  }
  scope.pop_back();
  --place.loops;
  close();
  add(v);
}

void Writer::foreach_loop() {
  const int n = size().value;
  const std::string x = fresh("x");
  const bool over_array = choose.chance(40);
  const std::string over = over_array ? integers(n, 0, 4) : vector(n, 1);
  const std::size_t before = scope.size();
  open(fmt::format("for ({} in {})", x, over));
  ++place.loops;
  if (over_array)
    scope.push_back(counter(x, 0, 4));
  else
    scope.push_back({.name = x});
  statements(2);
  scope.resize(before);
  --place.loops;
  close();
}

void Writer::while_loop() {
  const std::string k = fresh("w");
  line(fmt::format("int {} = 0;", k));
  scope.push_back(counter(k, 0, 3));
  const std::size_t before = scope.size();
  open(fmt::format("while ({} < 3{})", k, choose.chance(40) ? " && " + condition(1) : ""));
  ++place.loops;
  line(k + " += 1;");
  statements(2);
  scope.resize(before);
  --place.loops;
  close();
}

/// A loop that only adds densities.
void Writer::density_loop() {
  const Size n = size();
  const std::string i = fresh("i");
  open(fmt::format("for ({} in 1:{})", i, n.text));
  ++place.loops;
  scope.push_back(counter(i, 1, n.value));
  for (int k = choose.weighted({0, 80, 20}); k > 0; --k) line(scalar_density(1));
  scope.pop_back();
  --place.loops;
  close();
}

void Writer::mixture() {
  const Size n = size();
  const std::string i = fresh("i");
  open(fmt::format("for ({} in 1:{})", i, n.text));
  ++place.loops;
  scope.push_back(counter(i, 1, n.value));
  const std::string lp = fresh("l");
  line(fmt::format("vector[2] {};", lp));
  for (int k = 1; k <= 2; ++k)
    line(fmt::format("{}[{}] = log({}) + normal_lpdf({} | {}, {});", lp, k, unit(1), real(1), real(1), positive(1)));
  line(fmt::format("target += log_sum_exp({});", lp));
  scope.pop_back();
  --place.loops;
  close();
}

/// Only ever under a condition, so that what follows is reached too.
void Writer::jump() {
  line(fmt::format("if ({}) {};", condition(1), choose.one({"break", "continue"})));
}

void Writer::loop() {
  const int t = place.target ? 1 : 0;
  switch (choose.weighted({20, 12, 10, 8, 14 * t, 5 * t, 25})) {
    case 0:
      return filled_by_loop();
    case 1:
      return recurrence();
    case 2:
      return foreach_loop();
    case 3:
      return while_loop();
    case 4:
      return density_loop();
    case 5:
      return mixture();
    default:
      break;
  }
  const Size n = size();
  const std::string i = fresh("i");
  const std::size_t before = scope.size();
  const int low = choose.chance(75) ? 1 : choose.between(1, n.value);
  open(fmt::format("for ({} in {}:{})", i, low, n.text));
  ++place.loops;
  scope.push_back(counter(i, low, n.value));
  statements(3);
  scope.resize(before);
  --place.loops;
  close();
}

}  // namespace fermiac::fuzz
