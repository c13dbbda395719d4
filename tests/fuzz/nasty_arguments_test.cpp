// Scalar functions, maps and random draws take any numbers at all: they read nothing outside memory and end soon, whatever
// their domain. Drivers compute lanes that break a domain rule like all others, and padding too. The sanitizers see what
// goes wrong (docs/howto/add-a-function.md says how to build this with them); without, the wrong numbers and the time show.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "autodiff/distributions/detail/rng.h"
#include "autodiff/kernels/half_steps.h"
#include "autodiff/kernels/incomplete.h"
#include "autodiff/kernels/isa.h"
#include "autodiff/kernels/large_order.h"
#include "autodiff/kernels/map_op.h"
#include "autodiff/kernels/special_scalar.h"
#include "autodiff/kernels/to_int.h"
#include "autodiff/multivariate/rng.h"
#include "support/base/errors.h"
#include "support/base/rng.h"
#include "tests/shared/on_instruction_set.h"

namespace fermiac::ad {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t kSeed = 20250611;

constexpr double kNasty[] = {
    kNan, kInf, -kInf, 0, -0.0, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1.5, 0.3, 10, -10, 171, 1023, 1024, 1025, -1024, 5e-324,
    -5e-324, 1e-320, 2.2250738585072014e-308, 1e-300, -1e-300, 1e-16, 700, -745, 1e5, -1e5, 1e8, -1e8, 1e16, -1e16, 1e17, 1e20,
    1e100, -1e100, 1.7e308, -1.7e308, 1e154, 2147483647, -2147483648.0, 2147483648.0, 4294967296.0, 9.3e18, -9.3e18, 3.5e7};
constexpr std::size_t kCount = std::size(kNasty);

double any_number(Rng& rng) { return kNasty[rng() % kCount]; }

/// Processor time of this thread, seconds.
double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

#if defined(FERMIAC_SANITIZED)
constexpr double kMostSeconds = 20;
#else
constexpr double kMostSeconds = 1;
#endif

/// Runs it; fails when it takes long. What a function throws about its arguments is its answer.
template <class F>
void in_time(F f, const std::function<std::string()>& what) {
  const double start = now();
  try {
    f();
  } catch (const std::exception&) {
  }
  EXPECT_LT(now() - start, kMostSeconds) << what() << " takes too long";
}

/// So many rounds; FERMIAC_NASTY_ROUNDS in the environment multiplies them.
int rounds(int n) {
  const char* factor = std::getenv("FERMIAC_NASTY_ROUNDS");
  return factor ? n * std::max(1, std::atoi(factor)) : n;
}

volatile double sink;  // keeps what is computed

// ---------------------------------------------------------------- scalar functions

struct Unary {
  const char* name;
  double (*f)(double);
};
struct Binary {
  const char* name;
  double (*f)(double, double);
};
constexpr Unary kUnary[] = {
    {"lgamma", scalar::lgamma}, {"digamma", scalar::digamma}, {"trigamma", scalar::trigamma}, {"tgamma", scalar::tgamma},
    {"log_factorial", scalar::log_factorial}, {"stirling_correction", scalar::stirling_correction},
    {"stirling_slope", scalar::stirling_slope}, {"log1pmx", scalar::log1pmx}, {"inv_logit", scalar::inv_logit},
    {"log1p_exp", scalar::log1p_exp}, {"log1m_exp", scalar::log1m_exp}, {"erfcx", scalar::erfcx},
    {"log_Phi", scalar::log_Phi}, {"log_Phi_slope", scalar::log_Phi_slope}, {"Phi", scalar::Phi},
    {"std_normal_density", scalar::std_normal_density}, {"inv_Phi", scalar::inv_Phi},
    {"std_normal_log_qf", scalar::std_normal_log_qf}, {"inv_erfc", scalar::inv_erfc}, {"lambert_w0", scalar::lambert_w0},
    {"lambert_wm1", scalar::lambert_wm1}, {"log_bessel_i0", scalar::log_bessel_i0}, {"bessel_ratio", scalar::bessel_ratio},
    {"airy", [](double x) { return scalar::airy(x).ai; }}, {"to_int", [](double x) { return double{1} * to_int(x, -5, 5); }}};
constexpr Binary kBinary[] = {
    {"lgamma_difference", scalar::lgamma_difference}, {"digamma_difference", scalar::digamma_difference},
    {"lbeta", scalar::lbeta}, {"log_choose", scalar::log_choose}, {"log_sum_exp", scalar::log_sum_exp},
    {"log_diff_exp", scalar::log_diff_exp}, {"owens_t", scalar::owens_t}, {"bessel_first_kind", scalar::bessel_first_kind},
    {"bessel_second_kind", scalar::bessel_second_kind}, {"modified_bessel_first_kind", scalar::modified_bessel_first_kind},
    {"modified_bessel_second_kind", scalar::modified_bessel_second_kind},
    {"log_bessel_i", [](double v, double x) { return scalar::log_bessel_i(v, x); }},
    {"lgamma_half_steps", [](double x, double n) { return scalar::lgamma_half_steps(x, std::fmax(0, std::floor(n))); }},
    {"digamma_half_steps", [](double x, double n) { return scalar::digamma_half_steps(x, std::fmax(0, std::floor(n))); }}};

TEST(NastyArguments, ScalarFunctions) {
  for (const Unary& u : kUnary)
    for (const double x : kNasty) in_time([&] { sink = u.f(x); }, [&] { return fmt::format("{}({})", u.name, x); });
  for (const Binary& b : kBinary)
    for (const double x : kNasty)
      for (const double y : kNasty) in_time([&] { sink = b.f(x, y); }, [&] { return fmt::format("{}({}, {})", b.name, x, y); });
}

TEST(NastyArguments, ToIntClamps) {
  EXPECT_EQ(to_int(2.9, 0, 10), 2);
  EXPECT_EQ(to_int(-2.9, -10, 10), -2);
  EXPECT_EQ(to_int(1e300, 0, 10), 10);
  EXPECT_EQ(to_int(-kInf, 0, 10), 0);
  EXPECT_EQ(to_int(kNan, 0, 10), 0);
}

TEST(NastyArguments, IncompleteFunctions) {
  Rng rng(kSeed);
  for (int k = 0; k < rounds(100); ++k) {
    const double a = any_number(rng), b = any_number(rng), x = any_number(rng), p = rng.uniform();
    const auto what = [&] { return fmt::format("tails or quantile for {}, {}, {}, {}", a, b, x, p); };
    in_time([&] { sink = scalar::gamma_tail(a, x, k % 2 == 0).log; }, what);
    in_time([&] { sink = scalar::beta_tail(a, b, x, 1 - x, k % 2 == 0).log; }, what);
    in_time([&] { sink = scalar::log_beta_kernel(a, b, x, 1 - x); }, what);
    in_time([&] { sink = scalar::inv_inc_beta(a, b, k % 2 == 0 ? x : p); }, what);
  }
}

// ---------------------------------------------------------------- maps

constexpr std::uint32_t kElements = 13;

/// For operand j of a map. The tails of two laws are sums over counts, which are ints: they have stop points instead of a bound.
double operand_for(const MapOp& op, int j, Rng& rng) {
  const double x = any_number(rng);
  const bool sums = op.name.starts_with("beta_binomial_") || op.name.starts_with("beta_neg_binomial_");
  return sums && j < 2 && x > 1e5 ? 1e5 : x;
}

struct Columns {
  std::vector<double> x[kMaxMapArity], a[kMaxMapArity];
  std::vector<double> out = std::vector<double>(16), out_a = std::vector<double>(16, 1.0);
  MapArgs m;
  Columns(const MapOp& op, Rng& rng) {
    m.n = kElements;
    m.vector_mask = static_cast<std::uint16_t>(rng() % (std::uint64_t{1} << op.arity));
    for (int j = 0; j < op.arity; ++j) {
      x[j].resize(16);
      a[j].assign(16, 0);
      for (double& v : x[j]) v = operand_for(op, j, rng);
      m.x[j] = x[j].data();
      if (rng() % 4 != 0) m.a[j] = a[j].data();
    }
    m.out = out.data();
    m.out_a = out_a.data();
  }
};

void apply_scalar(const MapOp& op, const double* x) {
  double d[kMaxMapArity]{};
  const auto what = [&] {
    std::string text(op.name);
    for (int j = 0; j < op.arity; ++j) text += fmt::format(" {}", x[j]);
    return text;
  };
  sink = op.valid(x);
  in_time([&] { sink = op.value(x, Keep::everything()); }, what);
  in_time([&] { sink = op.value_and_partials(x, Keep::everything(), d); }, what);
}

void apply_lanes(const MapOp& op, Rng& rng) {
  Columns c(op, rng);
  double sum = 0;
  const auto what = [&] { return fmt::format("{} of {} elements", op.name, c.m.n); };
  in_time([&] {
    if (op.map(c.m)) op.map_reverse(c.m);
  }, what);
  in_time([&] { sink = op.reduce(c.m, &sum); }, what);
  in_time([&] { sink = op.fused(c.m, &sum); }, what);
}

TEST(NastyArguments, Maps) {
  Rng rng(kSeed);
  for (const MapOp& op : all_maps()) {
    double x[kMaxMapArity];
    for (int k = 0; k < rounds(12); ++k) {
      for (int j = 0; j < op.arity; ++j) x[j] = operand_for(op, j, rng);
      apply_scalar(op, x);
    }
    for (int k = 0; k < rounds(2); ++k) apply_lanes(op, rng);
  }
}

TEST(NastyArguments, MapsOnOtherInstructionSets) {
  fermiac::testing::expect_passes_on_other_instruction_sets("NastyArguments.Maps");
}

// ---------------------------------------------------------------- random draws

TEST(NastyArguments, ScalarDraws) {
  Rng rng(kSeed), draws(kSeed + 1);
  for (const RngOp& op : all_rngs())
    for (int k = 0; k < rounds(100); ++k) {
      double x[kMaxMapArity]{};
      for (int j = 0; j < op.arity; ++j) x[j] = any_number(rng);
      // Counts and bounds are ints: nothing else gets so far.
      if (op.name == "discrete_range_rng" || op.name == "hypergeometric_rng" || op.name.find("binomial_rng") == 0 ||
          op.name == "beta_binomial_rng")
        for (double& v : x)
          if (op.name == "discrete_range_rng" || op.name == "hypergeometric_rng" || &v == x) v = to_int(v, -2147483647 - 1, 2147483647);
      in_time([&] { sink = draw(op, draws, x); },
              [&] { return fmt::format("{}({}, {}, {})", op.name, x[0], x[1], x[2]); });
    }
}

/// Draws of a multivariate law; the message where it refuses.
std::string draw_multi(std::string_view name, std::vector<KernelArg> in) {
  const MultiRng* r = find_multi_rng(name);
  Rng rng(kSeed);
  std::string text;
  in_time([&] {
    try {
      std::vector<double> out(r->plan(in).size());
      r->draw(rng, in, out.data());
      for (const double x : out) text += fmt::format("{} ", x);
    } catch (const std::exception& e) {
      text = e.what();
    }
  }, [&] { return std::string(name); });
  return text;
}

struct Operand {
  std::vector<double> v;
  std::int32_t i = 0;
  KernelArg arg;
  static Operand real(double x) { return Operand(Shape::scalar(), {x}); }
  static Operand integer(std::int32_t n) {
    Operand o(Shape::scalar(), {});
    o.i = n;
    return o;
  }
  static Operand vector(std::vector<double> x) {
    const auto n = static_cast<std::uint32_t>(x.size());
    return Operand(Shape::vector(n), std::move(x));
  }
  static Operand identity(std::uint32_t n) {
    std::vector<double> x(n * n);
    for (std::uint32_t k = 0; k < n; ++k) x[k * n + k] = 1;
    return Operand(Shape::matrix(n, n), std::move(x));
  }
  operator KernelArg() const {  // NOLINT: as operands are given
    KernelArg a;
    a.shape = arg.shape;
    if (v.empty()) a.i = &i;
    else a.v = v.data();
    return a;
  }

 private:
  Operand(Shape s, std::vector<double> x) : v(std::move(x)) { arg.shape = s; }
};

TEST(NastyArguments, MatrixDraws) {
  const Operand s = Operand::identity(3), five = Operand::integer(5);
  for (const double x : kNasty) {
    const Operand nu = Operand::real(x);
    for (const char* name : {"wishart_rng", "wishart_cholesky_rng", "inv_wishart_rng", "inv_wishart_cholesky_rng"}) {
      const std::string text = draw_multi(name, {nu, s});
      const bool refused = text.find("Degrees of freedom parameter is") != std::string::npos;
      EXPECT_EQ(refused, !(x > 2) || std::isinf(x)) << name << text;
    }
    for (const char* name : {"lkj_corr_rng", "lkj_corr_cholesky_rng"}) {
      const std::string text = draw_multi(name, {five, nu});
      const bool refused = text.find("Shape parameter is") != std::string::npos;
      EXPECT_EQ(refused, !(x > 0) || std::isinf(x)) << text;
      EXPECT_TRUE(refused || text.find("nan") == std::string::npos) << name << " " << x << ": " << text;
    }
  }
}

TEST(NastyArguments, TinyShapesLeaveTheCorners) {
  const Operand alpha = Operand::vector({1e-310, 5e-324, 1e-320});
  EXPECT_EQ(draw_multi("dirichlet_rng", {alpha}), "1 0 0 ");
  const Operand many = Operand::integer(2147483647);
  EXPECT_EQ(draw_multi("dirichlet_multinomial_rng", {alpha, many}), "2147483647 0 0 ");
  Rng rng(kSeed);
  int ones = 0;
  for (int k = 0; k < 2000; ++k) {
    const double x = draw_beta(rng, 3e-310, 1e-310);
    EXPECT_TRUE(x == 0 || x == 1) << x;
    ones += x == 1;
  }
  EXPECT_NEAR(ones, 1500, 100);
}

TEST(NastyArguments, MultinomialOfManyTrials) {
  const Operand p = Operand::vector({0.2, 0.5, 0, 0.3, 0}), n = Operand::integer(2147483647);
  const std::vector<KernelArg> in = {p, n};
  Rng rng(kSeed);
  const double total = 2147483647;
  double x[5], mean[5]{}, square[5]{};
  constexpr int kDraws = 400;
  for (int k = 0; k < kDraws; ++k) {
    find_multi_rng("multinomial_rng")->draw(rng, in, x);
    EXPECT_EQ(x[0] + x[1] + x[2] + x[3] + x[4], total);
    for (int j = 0; j < 5; ++j) mean[j] += x[j] / kDraws, square[j] += (x[j] - total * p.v[j]) * (x[j] - total * p.v[j]) / kDraws;
  }
  for (int j = 0; j < 5; ++j) {
    const double variance = total * p.v[j] * (1 - p.v[j]);
    EXPECT_NEAR(mean[j], total * p.v[j], 4 * std::sqrt(variance / kDraws));
    EXPECT_NEAR(square[j], variance, 0.3 * variance);
  }
}

TEST(NastyArguments, VonMisesOfHugeConcentration) {
  Rng rng(kSeed);
  const RngOp& op = *find_rng("von_mises_rng");
  for (const double kappa : {1e13, 1e17, 1.7e308}) {
    const double x[] = {1.0, kappa};
    double square = 0;
    for (int k = 0; k < 1000; ++k) square += std::pow(draw(op, rng, x) - 1, 2) / 1000;
    EXPECT_NEAR(square, 1 / kappa, 0.2 / kappa + 1e-30) << kappa;  // as near as numbers next to 1 are
  }
}

}  // namespace
}  // namespace fermiac::ad
