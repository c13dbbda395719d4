// Every map against itself: container forms against scalar values, partials against central differences, the
// instruction sets against each other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "autodiff/kernels/isa.h"
#include "autodiff/kernels/map_op.h"
#include "support/base/rng.h"
#include "tests/shared/on_instruction_set.h"

namespace fermiac::ad {
namespace {

constexpr std::uint32_t kElements = 21;  // full blocks and a tail for every lane count

bool ends_with_any(std::string_view name, std::initializer_list<const char*> endings) {
  for (const char* e : endings)
    if (name.ends_with(e)) return true;
  return false;
}

/// Operands that are ints, by function: they move in whole steps and have no derivative.
unsigned int_operands(std::string_view name) {
  static const std::map<std::string_view, unsigned> kSpecial = {
      {"bessel_first_kind", 1}, {"bessel_second_kind", 1}, {"modified_bessel_first_kind", 1},
      {"modified_bessel_second_kind", 1}, {"lmgamma", 1}, {"binary_log_loss", 1}, {"ldexp", 2}, {"choose", 3},
      {"rising_factorial", 2}, {"falling_factorial", 2}};
  if (const auto it = kSpecial.find(name); it != kSpecial.end()) return it->second;
  const std::string_view law = name.substr(0, name.rfind('_'));
  static const std::map<std::string_view, unsigned> kLaws = {
      {"bernoulli", 1}, {"bernoulli_logit", 1}, {"binomial", 3}, {"binomial_logit", 3}, {"beta_binomial", 3},
      {"beta_neg_binomial", 1}, {"neg_binomial", 1}, {"neg_binomial_2", 1}, {"neg_binomial_2_log", 1}, {"poisson", 1},
      {"poisson_log", 1}, {"yule_simon", 1}, {"discrete_range", 7}, {"hypergeometric", 15}};
  const auto it = kLaws.find(law);
  return it != kLaws.end() && ends_with_any(name, {"_lpmf", "_cdf", "_lcdf", "_lccdf"}) ? it->second : 0;
}

/// Draws operands until every rule holds and the value is a number; false when luck does not help.
bool draw_operands(const MapOp& op, Rng& rng, double* x) {
  const unsigned ints = int_operands(op.name);
  for (int attempt = 0; attempt < 3000; ++attempt) {
    for (int j = 0; j < op.arity; ++j) {
      if (ints >> j & 1u) x[j] = std::floor(6 * rng.uniform());
      else if (attempt % 3 == 0) x[j] = rng.uniform();
      else if (attempt % 3 == 1) x[j] = 4 * rng.uniform() + 0.05;
      else x[j] = 3 * rng.normal();
    }
    if (!op.valid(x)) continue;
    try {
      if (std::isfinite(op.value(x, Keep::everything()))) return true;
    } catch (const std::exception&) {
    }
  }
  return false;
}

struct Sample {
  std::vector<double> columns[kMaxMapArity];  // padded
};
Sample draw_sample(const MapOp& op, std::uint64_t seed) {
  Rng rng(seed);
  Sample s;
  for (auto& c : s.columns) c.assign(kElements + 8, 0);
  for (std::uint32_t i = 0; i < kElements + 8; ++i) {
    double x[kMaxMapArity];
    EXPECT_TRUE(draw_operands(op, rng, x)) << op.name << ": no operands in its domain found";
    for (int j = 0; j < op.arity; ++j) s.columns[j][i] = x[j];
  }
  return s;
}

struct Bound {
  MapArgs m;
  std::vector<double> adjoints[kMaxMapArity];
  std::vector<double> out = std::vector<double>(kElements + 8), out_a = std::vector<double>(kElements + 8);
  Bound(const MapOp& op, const Sample& s, unsigned mask) {
    m.n = kElements;
    m.vector_mask = static_cast<std::uint16_t>(mask);
    m.g = 0.75;
    for (int j = 0; j < op.arity; ++j) {
      adjoints[j].assign(kElements + 8, 0.5);
      m.x[j] = s.columns[j].data();
      m.a[j] = adjoints[j].data();
    }
    for (std::uint32_t i = 0; i < kElements; ++i) out_a[i] = std::cos(i);
    m.out = out.data();
    m.out_a = out_a.data();
  }
  double at(int j, std::uint32_t i) const { return m.x[j][m.vector_mask >> j & 1u ? i : 0]; }
};

bool close(double a, double b, double scale, double tol) {
  return a == b || std::fabs(a - b) <= tol * std::max(scale, 1.0) || (std::isnan(a) && std::isnan(b));
}

/// What the container forms must give, element by element from the scalar form.
struct Expected {
  double total = 0;
  bool defined = true;  // a mixture of operands may leave the domain
  std::vector<double> values;
  std::vector<double> adjoints[kMaxMapArity];
  Expected(const MapOp& op, const Bound& b) {
    for (auto& a : adjoints) a.assign(kElements + 8, 0.5);
    total = op.product ? 1 : 0;
    std::vector<std::vector<double>> partials;
    for (std::uint32_t i = 0; i < kElements; ++i) {
      double x[kMaxMapArity], d[kMaxMapArity]{};
      for (int j = 0; j < op.arity; ++j) x[j] = b.at(j, i);
      if (!op.valid(x)) {
        defined = false;
        return;
      }
      try {
        values.push_back(op.value_and_partials(x, Keep::everything(), d));
      } catch (const std::exception&) {
        defined = false;
        return;
      }
      partials.emplace_back(d, d + kMaxMapArity);
      total = op.product ? total * values.back() : total + values.back();
    }
    for (std::uint32_t i = 0; i < kElements; ++i)
      for (int j = 0; j < op.arity; ++j) {
        const double weight = !op.density ? b.out_a[i] : op.product ? 0.75 * total / values[i] : 0.75;
        adjoints[j][b.m.vector_mask >> j & 1u ? i : 0] += weight * partials[i][static_cast<std::size_t>(j)];
      }
  }
};

double magnitude(const std::vector<double>& v) {
  double m = 1;
  for (const double x : v)
    if (std::isfinite(x)) m = std::max(m, std::fabs(x));
  return m;
}

void compare_adjoints(const MapOp& op, const Bound& b, const Expected& e, const char* form) {
  for (int j = 0; j < op.arity; ++j) {
    const double scale = magnitude(e.adjoints[j]);
    const std::uint32_t n = b.m.vector_mask >> j & 1u ? kElements : 1;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (!std::isfinite(e.adjoints[j][i])) continue;
      EXPECT_TRUE(close(b.adjoints[j][i], e.adjoints[j][i], scale, 1e-11))
          << op.name << " " << form << " mask " << b.m.vector_mask << " operand " << j << " element " << i << ": "
          << b.adjoints[j][i] << " instead of " << e.adjoints[j][i];
    }
  }
}

void check_containers(const MapOp& op, const Sample& s, unsigned mask) {
  Bound b(op, s, mask);
  const Expected e(op, b);
  if (!e.defined) return;
  if (op.density) {
    double reduced = 0, fused = 0;
    EXPECT_TRUE(op.reduce(b.m, &reduced)) << op.name;
    EXPECT_TRUE(op.fused(b.m, &fused)) << op.name;
    const double scale = magnitude(e.values) * kElements;
    EXPECT_TRUE(close(reduced, e.total, scale, 1e-13)) << op.name << " reduce " << reduced << " " << e.total;
    EXPECT_TRUE(close(fused, e.total, scale, 1e-13)) << op.name << " fused " << fused << " " << e.total;
    compare_adjoints(op, b, e, "fused");
  } else {
    EXPECT_TRUE(op.map(b.m)) << op.name;
    for (std::uint32_t i = 0; i < kElements; ++i)
      EXPECT_TRUE(close(b.out[i], e.values[i], std::fabs(e.values[i]), 4e-14)) << op.name << " " << b.out[i] << " " << e.values[i];
    op.map_reverse(b.m);
    compare_adjoints(op, b, e, "map_reverse");
  }
}

TEST(MapBattery, ContainersAgreeWithScalars) {
  for (const MapOp& op : all_maps()) {
    SCOPED_TRACE(std::string(op.name));
    const Sample s = draw_sample(op, 11);
    for (unsigned mask = 1; mask < 1u << op.arity; ++mask) check_containers(op, s, mask);
    if (HasFailure()) break;
  }
}

/// Points from tiny to huge, of both signs, and the special ones.
std::vector<double> wide_grid() {
  const double inf = std::numeric_limits<double>::infinity();
  std::vector<double> grid = {0.0, -0.0, inf, -inf, 1.0, -1.0, 0.5, -0.5, 10.0, 710.0, -745.0, 5e-324, 1e-310};
  for (double m = 1e-20; m < 1e7; m *= 1.37)
    for (const double x : {m, -m, 1 + m, 1 - m}) grid.push_back(x);
  return grid;
}

/// Lanes against the scalar form for the first operand, the others at rest; agreement to `tol` relative to the value,
/// or to 1 where a function has a zero that only its scalar form resolves.
void check_lanes(const MapOp& op, const std::vector<double>& rest, double tol) {
  const std::vector<double> grid = wide_grid();
  for (const double point : grid) {
    std::vector<double> column(8, point), out(8), adjoint(8);
    MapArgs m;
    double x[kMaxMapArity] = {point}, d[kMaxMapArity]{};
    m.x[0] = column.data();
    for (int j = 1; j < op.arity; ++j) m.x[j] = &rest[static_cast<std::size_t>(j - 1)], x[j] = rest[static_cast<std::size_t>(j - 1)];
    m.a[0] = adjoint.data();
    m.vector_mask = 1;
    m.out = out.data();
    if (!op.valid(x)) continue;
    double expected = 0;
    try {
      expected = op.value_and_partials(x, Keep::everything(), d);
    } catch (const std::exception&) {
      continue;  // a pole
    }
    double got = 0;
    if (op.density) {
      op.fused(m, &got);
    } else {
      op.map(m);
      std::vector<double> ones(8, 1.0);
      m.out_a = ones.data();
      op.map_reverse(m);
      got = out[0];
    }
    EXPECT_TRUE(close(got, expected, std::fabs(expected), tol))
        << fmt::format("{}({}): {} instead of {}", op.name, point, got, expected);
    if (!std::isfinite(d[0])) continue;
    EXPECT_TRUE(close(adjoint[0], d[0], std::fabs(d[0]), 10 * tol))
        << fmt::format("slope of {}({}): {} instead of {}", op.name, point, adjoint[0], d[0]);
  }
}

TEST(MapBattery, LanesCoverTheWholeLine) {
  for (const MapOp& op : all_maps())
    if (op.arity == 1) check_lanes(op, {}, 2e-14);
  const std::vector<double> standard = {0.0, 1.0}, shapes = {1.3, 0.7}, freedom = {4.5, 0.0, 1.0};
  for (const char* name : {"normal_lpdf", "normal_lcdf", "normal_lccdf", "cauchy_lpdf", "logistic_lpdf", "logistic_lcdf",
                           "logistic_lccdf", "gumbel_lpdf", "lognormal_lpdf", "lognormal_lcdf", "lognormal_lccdf",
                           "double_exponential_lpdf"})
    check_lanes(map_op(find_map(name)), standard, 2e-14);
  for (const char* name : {"gamma_lpdf", "inv_gamma_lpdf", "weibull_lpdf", "weibull_lcdf", "weibull_lccdf", "beta_lpdf",
                           "exponential_lpdf", "exponential_lcdf", "exponential_lccdf", "frechet_lpdf", "pow"})
    check_lanes(map_op(find_map(name)), shapes, 2e-13);
  check_lanes(map_op(find_map("student_t_lpdf")), freedom, 2e-14);
}

/// Central difference of fourth order.
double difference(const MapOp& op, const double* at, int j, double h) {
  double x[kMaxMapArity];
  std::copy(at, at + op.arity, x);
  const auto f = [&](double step) {
    x[j] = at[j] + step;
    return op.valid(x) ? op.value(x, Keep::everything()) : std::nan("");
  };
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

TEST(MapBattery, PartialsAreDerivatives) {
  int checked = 0;
  for (const MapOp& op : all_maps()) {
    if (op.flat) continue;
    SCOPED_TRACE(std::string(op.name));
    const Sample s = draw_sample(op, 5);
    const unsigned ints = int_operands(op.name);
    for (std::uint32_t i = 0; i < kElements; ++i) {
      double x[kMaxMapArity], d[kMaxMapArity]{};
      for (int j = 0; j < op.arity; ++j) x[j] = s.columns[j][i];
      const double v = op.value_and_partials(x, Keep::everything(), d);
      for (int j = 0; j < op.arity; ++j) {
        if (ints >> j & 1u) continue;
        const double h = 1e-3 * std::min(std::max(std::fabs(x[j]), 1e-2), 1.0);
        const double coarse = difference(op, x, j, h), fine = difference(op, x, j, 0.5 * h);
        const double scale = std::max({std::fabs(d[j]), std::fabs(v), 1e-3});
        // Where the two differences disagree there is a kink, a pole or noise close by.
        if (!(std::fabs(coarse - fine) < 1e-7 * scale)) continue;
        EXPECT_NEAR(d[j], fine, 1e-6 * scale) << op.name << " operand " << j << " at " << fmt::format("{}", fmt::join(x, x + op.arity, ", "));
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 6000);
}

/// All results on this instruction set, one line of numbers per map.
std::string digest() {
  std::string text;
  for (const MapOp& op : all_maps()) {
    const Sample s = draw_sample(op, 23);
    text += std::string(op.name);
    Bound b(op, s, (1u << op.arity) - 1);
    double total = 0;
    if (op.density) {
      op.fused(b.m, &total);
      text += fmt::format(" {:.17g}", total);
    } else {
      op.map(b.m);
      op.map_reverse(b.m);
      for (std::uint32_t i = 0; i < kElements; ++i) text += fmt::format(" {:.17g}", b.out[i]);
    }
    for (int j = 0; j < op.arity; ++j)
      for (std::uint32_t i = 0; i < kElements; ++i) text += fmt::format(" {:.17g}", b.adjoints[j][i]);
    text += '\n';
  }
  return text;
}

std::string digest_on(std::string_view isa) {
  const std::string command = "FERMIAC_MAP_DIGEST=1 " + testing::command_on(isa, "MapBattery.Digest");
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe.get())) text.append(buffer, n);
  return text;
}

/// Not a test: prints the digest when a parent asks for it.
TEST(MapBattery, Digest) {
  if (std::getenv("FERMIAC_MAP_DIGEST") == nullptr) GTEST_SKIP() << "runs as a child only";
  fmt::print("DIGEST {}\n{}END\n", isa_name(active_isa()), digest());
}

/// Lines of numbers by map name.
std::map<std::string, std::vector<double>> parse(const std::string& text) {
  std::map<std::string, std::vector<double>> rows;
  std::istringstream in(text);
  std::string line;
  bool inside = false;
  while (std::getline(in, line)) {
    if (line.starts_with("DIGEST ")) inside = true;
    else if (line == "END") break;
    else if (inside) {
      std::istringstream words(line);
      std::string name, word;
      words >> name;
      while (words >> word) rows[name].push_back(std::strtod(word.c_str(), nullptr));
    }
  }
  return rows;
}

TEST(MapBattery, InstructionSetsAgree) {
  if (isa_names().size() == 1) GTEST_SKIP() << "there is one alone";
  const auto names = isa_names();
  const auto base = parse(digest_on(names[0]));
  EXPECT_EQ(base.size(), all_maps().size());
  for (const std::string_view isa : names.subspan(1)) {
    const auto other = parse(digest_on(isa));
    ASSERT_EQ(other.size(), base.size());
    for (const auto& [name, row] : base) {
      const std::vector<double>& there = other.at(name);
      ASSERT_EQ(row.size(), there.size()) << name;
      const double scale = magnitude(row);
      for (std::size_t i = 0; i < row.size(); ++i)
        EXPECT_TRUE(close(row[i], there[i], scale, 1e-12)) << name << " on " << isa << ": " << there[i] << " instead of " << row[i];
    }
  }
}

}  // namespace
}  // namespace fermiac::ad
