// Functions that a header in C++ defines: the same values and gradients as where the program defines them, and messages where
// there is no way. Needs a C++ compiler.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/shared/bundle_library.h"
#include "tests/shared/child_process.h"
#include "tests/shared/run_fermiac.h"

namespace fermiac::testing {
namespace {

class UserHeader : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_.at(name)) << text; }
  /// Program and header become `file`.
  ProgramRun build(const std::string& program, const std::string& header, const std::string& file, const std::string& flags = {}) const {
    write("bernoulli_external.stan", program);
    write("external.hpp", header);
    return run_fermiac("bundle --user-header " + folder_.at("external.hpp") + " -o " + folder_.at(file) + " " +
                       folder_.at("bernoulli_external.stan") + flags);
  }
  std::string plain(const std::string& program, const std::string& file) const {
    write("plain.stan", program);
    const ProgramRun run = run_fermiac("bundle -o " + folder_.at(file) + " " + folder_.at("plain.stan"));
    EXPECT_EQ(run.status, 0) << run.text;
    return folder_.at(file);
  }
  OwnFolder folder_;
};

/// Value and gradient at points, from the header and from the same functions in Stan.
void expect_same(const BundledModel& external, const BundledModel& stan, const std::vector<Numbers>& points) {
  for (const Numbers& x : points)
    for (const bool propto : {false, true}) {
      const auto a = external.gradient(propto, true, x), b = stan.gradient(propto, true, x);
      EXPECT_EQ(a.error, "");
      EXPECT_NEAR(a.lp, b.lp, 1e-12 * std::fabs(b.lp));
      EXPECT_NEAR(a.lp, external.density(propto, true, x).lp, 1e-12 * std::fabs(b.lp));
      ASSERT_EQ(a.gradient.size(), x.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_NEAR(a.gradient[i], b.gradient[i], 1e-10 * (1 + std::fabs(b.gradient[i]))) << i;
        constexpr double kStep = 1e-6;
        Numbers up = x, down = x;
        up[i] += kStep, down[i] -= kStep;
        const double slope = (external.density(propto, true, up).lp - external.density(propto, true, down).lp) / (2 * kStep);
        EXPECT_NEAR(a.gradient[i], slope, 1e-6 * (1 + std::fabs(slope))) << i;
      }
    }
}

constexpr const char* kOdds = R"(#include <boost/math/tools/promotion.hpp>
#include <stan/model/model_header.hpp>
#include <ostream>
namespace bernoulli_external_model_namespace {
template <typename T0__, stan::require_all_t<stan::is_stan_scalar<T0__>>* = nullptr>
inline typename boost::math::tools::promote_args<T0__>::type make_odds(const T0__& theta, std::ostream* pstream__) {
  return theta / (1 - theta);
}
}
)";

TEST_F(UserHeader, ScalarsAsTheGuideHasThem) {
  const std::string rest = "parameters { real<lower=0, upper=1> theta; } model { make_odds(theta) ~ gamma(2, 1); }\n"
                           "generated quantities { real odds = make_odds(theta); }\n";
  const ProgramRun run = build("functions { real make_odds(real theta); }\n" + rest, kOdds, "m.so");
  ASSERT_EQ(run.status, 0) << run.text;
  const Library external(folder_.at("m.so"));
  const Library stan(plain("functions { real make_odds(real theta) { return theta / (1 - theta); } }\n" + rest, "p.so"));
  expect_same(BundledModel(external), BundledModel(stan), {{0.3}, {-2}, {4}});
}

/// Every kind of argument and result; the program has the same functions in Stan under the names that begin with s.
TEST_F(UserHeader, ContainersDensitiesAndLoops) {
  const std::string program = R"(functions {
  real f(int n, real a, array[] real x, array[,] int k);
  vector g(vector v, matrix m, data row_vector r);
  array[] vector h(array[] vector v);
  real w_lpdf(real y, real s);
  int sign_of(real x);
  real one();
)";
  const std::string in_stan = R"(functions {
  real f(int n, real a, array[] real x, array[,] int k) { return n * sqrt(a) + exp(x[1]) * x[2]^2 + k[1, 2] * k[2, 1]; }
  vector g(vector v, matrix m, data row_vector r) { return m * v + v * sum(r); }
  array[] vector h(array[] vector v) { return {2 * v[2], exp(v[1])}; }
  real w_lpdf(real y, real s) { return -y^2 / s - log(s); }
  int sign_of(real x) { return x > 0 ? 1 : -1; }
  real one() { return 1; }
)";
  const std::string rest = R"(}
transformed data { real t = 0; for (i in 1:3) t += f(i, 1, {0.5, i}, {{1, 2}, {3, 4}}); }
parameters { real<lower=0> a; array[2] real x; vector[2] v; matrix[2, 2] m; }
model {
  target += t + f(3, a, x, {{1, 2}, {3, 4}}) + sum(g(v, m, [1, 2])) * one();
  array[2] vector[2] u = h({v, v});
  target += -dot_self(u[1]) - sum(u[2]);
  a ~ w(2);
  for (i in 1:2) target += w_lpdf(x[i] | a);
}
generated quantities { int s = sign_of(x[1]); real q = 0; for (i in 1:2) q += f(i, a, x, {{1, 2}, {3, 4}}); }
)";
  const std::string header = R"(#include <Eigen/Dense>
#include <stan/math.hpp>
namespace bernoulli_external_model_namespace {
template <typename T, typename X>
inline auto f(int n, const T& a, const std::vector<X>& x, const std::vector<std::vector<int>>& k, std::ostream*) {
  return n * sqrt(a) + exp(x[0]) * stan::math::square(x[1]) + k[0][1] * k[1][0];
}
template <typename V, typename M>
Eigen::Matrix<stan::return_type_t<V, M>, -1, 1> g(const V& v, const M& m, const Eigen::Matrix<double, 1, -1>& r, std::ostream*) {
  return m * v + v * r.sum();
}
template <typename V>
std::vector<V> h(const std::vector<V>& v, std::ostream*) { return {2 * v[1], v[0].array().exp().matrix()}; }
template <bool propto, typename Y, typename S>
stan::return_type_t<Y, S> w_lpdf(const Y& y, const S& s, std::ostream*) { return -y * y / s - log(s); }
template <typename T>
int sign_of(const T& x, std::ostream*) { return x > 0 ? 1 : -1; }
}
double one(std::ostream*) { return 1; }
)";
  const ProgramRun run = build(program + rest, header, "m.so");
  ASSERT_EQ(run.status, 0) << run.text;
  const Library external(folder_.at("m.so")), stan(plain(in_stan + rest, "p.so"));
  expect_same(BundledModel(external), BundledModel(stan), {{0.1, 0.2, -0.3, 0.4, 0.5, 0.6, -0.7, 0.8, 0.9}, {1, -1, 2, -2, 0.1, 0.3, 0.2, 0.7, -1}});
}

TEST_F(UserHeader, TheTextOfACall) {
  write("m.stan", "functions { real f(array[] int n, data vector x, matrix m); real g_lpmf(int n, real p); }\n"
                  "parameters { matrix[2, 2] m; real p; } model { target += f({1}, [1, 2]', m); 3 ~ g(p); }\n");
  write("m.hpp", "template <class M> double f(const std::vector<int>&, const Eigen::VectorXd&, const M&, std::ostream*) { return 0; }\n"
                 "template <bool P, class T> T g_lpmf(int n, const T& p, std::ostream*) { return n * p; }\n");
  const ProgramRun run = run_fermiac("bundle --keep-cpp --user-header " + folder_.at("m.hpp") + " -o " + folder_.at("m") + " " + folder_.at("m.stan"));
  ASSERT_EQ(run.status, 0) << run.text;
  std::ifstream in(folder_.at("m.cpp"));
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  for (const char* part : {"#define FERMIAC_MATRICES\n", "namespace m_model_namespace {\nusing namespace stan::math;\n}\n",
                           "namespace m_model_namespace {\n"
                           "struct x0__ {\n"
                           "  template <class S__> using Result__ = S__;\n"
                           "  template <class S__> using Operands__ = std::tuple<std::vector<int>, Eigen::Matrix<double, -1, 1>, Eigen::Matrix<S__, -1, -1>>;\n"
                           "  template <class S__> using Others__ = std::tuple<>;\n"
                           "  template <bool P__, class... A__> static auto call__(A__&&... a__) -> decltype(f(a__...)) { return f(a__...); }\n"
                           "};\n",
                           "-> decltype(g_lpmf<P__>(a__...)) { return g_lpmf<P__>(a__...); }\n",
                           "{1, fermiac::external::value<m_model_namespace::x1__>, fermiac::external::pull_back_of<m_model_namespace::x1__>()}"})
    EXPECT_NE(text.find(part), std::string::npos) << part << text.substr(text.find("struct x0__"));
}

/// Terms, the log Jacobian, what is in target already; results beside them and none.
TEST_F(UserHeader, FunctionsAddToTarget) {
  const std::string program = R"(functions {
  void prior_lp(real a, vector v);
  real kernel_lp(vector v, data real scale);
  vector scaled_lp(vector v);
  int pieces_lp(real a);
  void bend_lp(real a);
  void shift_lp(data real x);
  real positive_jacobian(real x);
  void tell(real x);
)";
  const std::string in_stan = R"(functions {
  void prior_lp(real a, vector v) { a ~ normal(1, 2); target += -v.^2; target += {a, 2 * a}; }
  real kernel_lp(vector v, data real scale) { target += -dot_self(v) * scale; return v[1] * 3; }
  vector scaled_lp(vector v) { target += log(2); return 2 * v; }
  int pieces_lp(real a) { target += -a^4; return 2; }
  void shift_lp(data real x) { target += x; }
  void bend_lp(real a) { target += -0.01 * target()^2 * a; }
  real positive_jacobian(real x) { jacobian += x; return exp(x); }
  void tell(real x) { }
)";
  const std::string rest = R"(}
parameters { real x; vector[2] v; }
transformed parameters { real<lower=0> a = positive_jacobian(x); }
model {
  v ~ normal(0, 3);
  prior_lp(a, v);
  bend_lp(a);
  target += kernel_lp(v, 0.5);
  target += -sum(scaled_lp(v)) * pieces_lp(a) * 0.1;
  for (i in 1:2) prior_lp(v[i], v);
  shift_lp(0.25);
  tell(a);
}
)";
  const std::string header = R"(#include <stan/math.hpp>
template <bool propto, typename A, typename V, typename T_lp, typename T_lp_accum>
void prior_lp(const A& a, const V& v, T_lp& lp__, T_lp_accum& lp_accum__, std::ostream*) {
  if (!propto) lp_accum__.add(-0.91893853320467274178 - std::log(2.0));
  lp__ += -0.5 * stan::math::square((a - 1) / 2);
  lp_accum__.add((-v.array().square()).matrix());
  lp_accum__.add(std::vector<A>{a, 2 * a});
}
template <bool propto, typename V, typename T_lp, typename T_lp_accum>
typename V::Scalar kernel_lp(const V& v, const double& scale, T_lp& lp__, T_lp_accum& lp_accum__, std::ostream*) {
  lp_accum__.add(-v.squaredNorm() * scale);
  return v[0] * 3;
}
template <bool propto, typename V, typename T_lp, typename T_lp_accum>
V scaled_lp(const V& v, T_lp& lp__, T_lp_accum& lp_accum__, std::ostream*) {
  lp_accum__.add(std::log(2.0));
  return 2 * v;
}
template <bool propto, typename A, typename T_lp, typename T_lp_accum>
int pieces_lp(const A& a, T_lp& lp__, T_lp_accum& lp_accum__, std::ostream*) {
  lp_accum__.add(-pow(a, 4));
  return 2;
}
template <bool propto, typename T_lp, typename T_lp_accum>
void shift_lp(double x, T_lp& lp__, T_lp_accum& lp_accum__, std::ostream*) { lp_accum__.add(x); }
template <bool propto, typename A, typename T_lp, typename T_lp_accum>
void bend_lp(const A& a, T_lp& lp__, T_lp_accum& lp_accum__, std::ostream*) {
  lp_accum__.add(-0.01 * stan::math::square(stan::math::get_lp(lp__, lp_accum__)) * a);
}
template <bool jacobian, typename X, typename T_lp, typename T_lp_accum>
X positive_jacobian(const X& x, T_lp& lp__, T_lp_accum& lp_accum__, std::ostream*) {
  if constexpr (jacobian) lp__ += x;
  return exp(x);
}
template <typename X>
void tell(const X& x, std::ostream* out) { if (out) *out << "told\n"; }
)";
  const ProgramRun run = build(program + rest, header, "m.so");
  ASSERT_EQ(run.status, 0) << run.text;
  const Library external(folder_.at("m.so")), stan(plain(in_stan + rest, "p.so"));
  const BundledModel a(external), b(stan);
  ::testing::internal::CaptureStdout();
  expect_same(a, b, {{0.3, 0.5, -1}, {-1, 2, 0.7}});
  for (const bool jacobian : {false, true}) EXPECT_NEAR(a.gradient(false, jacobian, {0.3, 0.5, -1}).lp, b.gradient(false, jacobian, {0.3, 0.5, -1}).lp, 1e-12);
  EXPECT_NE(::testing::internal::GetCapturedStdout().find("told\n"), std::string::npos);
}

/// Slot by slot, there and back, also within one another and of ints.
TEST_F(UserHeader, TuplesAndComplexNumbers) {
  const std::string program = R"(functions {
  complex turn(complex z, real angle, data complex by);
  complex_vector spread(complex_vector v, complex_matrix m, array[] complex a);
  tuple(real, vector, tuple(int, complex)) parts(tuple(vector, int) x, tuple(real, tuple(array[] int, complex)) y);
  tuple(int, int) signs(real x);
)";
  const std::string in_stan = R"(functions {
  complex turn(complex z, real angle, data complex by) { return z * exp(to_complex(0, angle)) * by + to_complex(abs(z), 0) / z; }
  complex_vector spread(complex_vector v, complex_matrix m, array[] complex a) { return m * v + a[1] * v * a[2]; }
  tuple(real, vector, tuple(int, complex)) parts(tuple(vector, int) x, tuple(real, tuple(array[] int, complex)) y) {
    return (sum(x.1) * x.2, y.1 * x.1, (y.2.1[2], y.2.2 * y.1));
  }
  tuple(int, int) signs(real x) { return (x > 0 ? 1 : -1, 3); }
)";
  const std::string rest = R"(}
parameters { real x; vector[2] v; }
model {
  complex z = turn(to_complex(x, v[1]), v[2], to_complex(0.5, -1));
  complex_vector[2] w = spread(to_complex(v, x * v), to_complex([[x, 2], [v[1], x]], 0), {z, to_complex(1, x)});
  tuple(real, vector[2], tuple(int, complex)) p = parts((v, 3), (x, ({4, 5}, z)));
  target += -square(get_real(z)) - abs(get_imag(z)) - dot_self(get_real(w)) - sum(get_imag(w));
  target += p.1 - dot_self(p.2) * p.3.1 + get_imag(p.3.2) * signs(x).1 - x^2;
}
)";
  const std::string header = R"(#include <stan/math.hpp>
template <typename Z, typename A>
std::complex<stan::return_type_t<Z, A>> turn(const Z& z, const A& angle, const std::complex<double>& by, std::ostream*) {
  return z * exp(Z(0, angle)) * by + Z(abs(z), 0) / z;
}
template <typename V, typename M, typename C>
V spread(const V& v, const M& m, const std::vector<C>& a, std::ostream*) {
  V out(v.size());
  for (int i = 0; i < v.size(); ++i) {
    out[i] = a[0] * v[i] * a[1];
    for (int j = 0; j < v.size(); ++j) out[i] += m(i, j) * v[j];
  }
  return out;
}
template <typename X, typename Y, typename S = stan::return_type_t<X, Y>>
std::tuple<S, Eigen::Matrix<S, -1, 1>, std::tuple<int, std::complex<S>>> parts(const X& x, const Y& y, std::ostream*) {
  const auto& v = std::get<0>(x);
  const auto& inner = std::get<1>(y);
  return {v.sum() * std::get<1>(x), std::get<0>(y) * v, {std::get<0>(inner)[1], std::get<1>(inner) * std::get<0>(y)}};
}
template <typename X>
std::tuple<int, int> signs(const X& x, std::ostream*) { return {x > 0 ? 1 : -1, 3}; }
)";
  const ProgramRun run = build(program + rest, header, "m.so");
  ASSERT_EQ(run.status, 0) << run.text;
  const Library external(folder_.at("m.so")), stan(plain(in_stan + rest, "p.so"));
  expect_same(BundledModel(external), BundledModel(stan), {{0.3, 0.5, -1}, {-1, 2, 0.7}});
}

/// Its terms are not known one by one: nothing can be conditioned on some of them.
TEST_F(UserHeader, TermsOfAHeaderAreNoSites) {
  const std::string header = "template <bool P, class T, class L, class A> void f_lp(const T& x, L& lp, A& accum, std::ostream*) { accum.add(-x * x); }\n";
  ASSERT_EQ(build("functions { void f_lp(real x); } data { real y; } parameters { real x; } model { f_lp(x); y ~ normal(x, 1); }\n", header, "m.so").status, 0);
  const Library library(folder_.at("m.so"));
  const BundledModel model(library, R"({"y": 1})");
  EXPECT_NEAR(model.gradient(true, true, {0.5}).gradient.at(0), -0.5, 1e-15);
  const BundledModel conditioned(library, R"({"y": 1, "__conditioning": {"context": "prior"}})");
  EXPECT_NE(conditioned.construct_error().find("'f_lp' adds to target in a header in C++, where what it adds cannot be told apart"), std::string::npos)
      << conditioned.construct_error();
}

/// What it reads may matter at some points alone; the density then says so.
TEST_F(UserHeader, ReadingTargetAtSomePointsAlone) {
  const std::string header = "template <bool P, class T, class L, class A> void f_lp(const T& x, L& lp, A& accum, std::ostream*) {\n"
                             "  if (x > 0) accum.add(-accum.sum() * 0.5); }\n";
  ASSERT_EQ(build("functions { void f_lp(real x); } parameters { real x; } model { x ~ std_normal(); f_lp(x); }\n", header, "m.so").status, 0);
  const Library library(folder_.at("m.so"));
  const BundledModel below(library), above(library);
  EXPECT_EQ(below.gradient(true, true, {-1}).gradient, Numbers{1});
  EXPECT_NE(below.gradient(true, true, {1}).error.find("f_lp: it reads what is in target here, but did not where the density was recorded"), std::string::npos);
  EXPECT_EQ(above.gradient(true, true, {1}).gradient, Numbers{-0.5});
  EXPECT_EQ(above.gradient(true, true, {-1}).gradient, Numbers{1});
}

/// The name of the model is --name's, its namespace with it.
TEST_F(UserHeader, TheNamespaceIsThatOfTheName) {
  const std::string program = "functions { real one(); } generated quantities { real x = one(); }\n";
  const std::string header = "namespace other_model_namespace { double one(std::ostream*) { return 1; } }\n";
  EXPECT_EQ(build(program, header, "m", " -- --allow-undefined --name=other_model").status, 0);
  EXPECT_EQ(capi::read_payload(folder_.at("m")).name, "other_model");
}

TEST_F(UserHeader, WhatAHeaderPrintsAndThrows) {
  const ProgramRun run = build("functions { real f(real x); } parameters { real<lower=0> x; } model { target += f(x); }\n",
                               "template <class T> T f(const T& x, std::ostream* out) {\n"
                               "  if (out) *out << \"seen\\n\";\n"
                               "  stan::math::check_bounded(\"f\", \"x\", x, 0, 2);\n"
                               "  if (x > 1.5) throw std::runtime_error(\"too much\");\n"
                               "  return -x; }\n",
                               "m.so");
  ASSERT_EQ(run.status, 0) << run.text;
  const Library library(folder_.at("m.so"));
  const BundledModel model(library);
  ::testing::internal::CaptureStdout();
  const double lp = model.gradient(true, false, {0}).lp;
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "seen\n");  // when a tape is recorded
  EXPECT_EQ(lp, -1);
  ::testing::internal::CaptureStdout();
  model.gradient(true, false, {0.1});
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "seen\n");  // and when it is replayed
  ::testing::internal::CaptureStdout();
  EXPECT_NE(model.density(true, false, {1}).error.find("f: x is 2.71828, but must be in the interval [0, 2]! (in "), std::string::npos);
  EXPECT_NE(model.density(true, false, {0.5}).error.find("f: too much"), std::string::npos);
  ::testing::internal::GetCapturedStdout();
}

TEST_F(UserHeader, NumbersAloneTakeNoDerivatives) {
  const std::string header = "double f(const double& x, std::ostream*) { return x; }\n";
  ASSERT_EQ(build("functions { real f(real x); } parameters { real x; } model { target += f(x); }\n", header, "m.so").status, 0);
  const Library library(folder_.at("m.so"));
  EXPECT_NE(BundledModel(library).gradient(true, true, {1}).error.find("f: in the user's header it takes no numbers that carry derivatives"),
            std::string::npos);
  ASSERT_EQ(build("functions { real f(data real x); } parameters { real x; } model { x ~ normal(f(2), 1); }\n", header, "d.so").status, 0);
  const Library data(folder_.at("d.so"));
  EXPECT_EQ(BundledModel(data).gradient(true, true, {1}).gradient, Numbers{1});
}

/// The draws of the same functions in Stan, bit for bit, and what is wrong with their arguments.
TEST_F(UserHeader, FunctionsDraw) {
  const std::string uses = " parameters { real<lower=0> s; } model { s ~ exponential(1); }\n"
                           "generated quantities { real z = jitter_rng({1.5, 2}, s); array[2] int n = counts_rng(s); vector[2] v = pair_rng(z, s - 3); }\n";
  const std::string stan = "functions { real jitter_rng(array[] real x, real s) { return normal_rng(x[1] + x[2], s) + std_normal_rng(); }\n"
                           "array[] int counts_rng(real s) { return {poisson_rng(s), bernoulli_rng(0.5)}; }\n"
                           "vector pair_rng(real a, real b) { return [uniform_rng(a, a + 1), gamma_rng(2, b)]'; } }" + uses;
  const std::string declared = "functions { real jitter_rng(array[] real x, real s); array[] int counts_rng(real s); vector pair_rng(real a, real b); }" + uses;
  const std::string header = "template <class T, class RNG> double jitter_rng(const std::vector<T>& x, const double& s, RNG& base_rng, std::ostream*) {\n"
                             "  const double z = stan::math::normal_rng(x[0] + x[1], s, base_rng);\n  return z + stan::math::std_normal_rng(base_rng); }\n"
                             "inline std::vector<int> counts_rng(double s, stan::rng_t& rng, std::ostream*) {\n"
                             "  const int n = stan::math::poisson_rng(s, rng);\n  return {n, stan::math::bernoulli_rng(0.5, rng)}; }\n"
                             "template <class RNG> Eigen::VectorXd pair_rng(double a, double b, RNG& rng, std::ostream*) {\n"
                             "  Eigen::VectorXd out(2);\n  out[0] = stan::math::uniform_rng(a, a + 1, rng);\n  out[1] = stan::math::gamma_rng(2, b, rng);\n  return out; }\n";
  const ProgramRun run = build(declared, header, "m.so");
  ASSERT_EQ(run.status, 0) << run.text;
  const Library external(folder_.at("m.so")), plain_library(plain(stan, "p.so"));
  const BundledModel a(external), b(plain_library);
  const BundledRng rng_a(external, 11), rng_b(plain_library, 11);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(a.constrain(false, true, {1.5}, rng_a.get()).numbers, b.constrain(false, true, {1.5}, rng_b.get()).numbers);
  const std::string problem = a.constrain(false, true, {0}, rng_a.get()).error;
  EXPECT_NE(problem.find("gamma_rng: Inverse scale parameter is -2, but must be positive finite!"), std::string::npos) << problem;
}

TEST_F(UserHeader, SaysWhatThereIsNot) {
  const struct {
    const char *functions, *header, *message;
  } kCases[] = {
      {"real f(array[] tuple(int, real) x);", "", "'f(array[] tuple(int, real))' has 'array[] tuple(int, real)' among its types, which"},
      {"real f(real x);", "namespace m { double f(double x, std::ostream*) { return x; } }",
       "the header has no function 'f(real)' that takes these arguments and a std::ostream*, in namespace "
       "'bernoulli_external_model_namespace' or in none; docs/user/user-headers.md says what headers may use"},
      {"real f(real x);", "template <class T> T f(const T& x, std::ostream*) { return stan::math::bessel_first_kind(1, x); }",
       "there is no stan::math::bessel_first_kind here; docs/user/user-headers.md"},
      {"real f(real x);", "template <class T> T f(const T& x, std::ostream*) { return x }", "the C++ compiler refuses it; docs/user/user-headers.md"},
      {"real f(real x);", "double f(const double& x, std::ostream*);", "undefined symbol"},
      {"real f_rng(real x);", "double f_rng(double x, std::ostream*) { return x; }",
       "the header has no function 'f_rng(real)' that takes these arguments, a stan::rng_t& and a std::ostream*, in namespace "
       "'bernoulli_external_model_namespace' or in none; docs/user/"},
      {"void f_lp(real x);", "template <bool P, class T> void f_lp(const T& x, std::ostream*) {}",
       "the header has no function 'f_lp(real)' that takes these arguments, a T_lp__&, a T_lp_accum__& and a std::ostream*, in namespace "
       "'bernoulli_external_model_namespace' or in none; docs/user/"},
  };
  for (const auto& c : kCases) {
    const ProgramRun run = build("functions { " + std::string(c.functions) + " } parameters { real x; }\n", c.header, "m");
    EXPECT_EQ(run.status, 1) << c.functions;
    EXPECT_NE(run.text.find(c.message), std::string::npos) << run.text;
    EXPECT_FALSE(std::filesystem::exists(folder_.at("m")));
  }
  const ProgramRun without = run_fermiac("bundle --user-header " + folder_.at("external.hpp") + " " + folder_.at("bernoulli_external.stan"), "CXX=/nowhere/c++ ");
  EXPECT_EQ(without.status, 1);
  EXPECT_EQ(without.text, "fermiac: the C++ compiler that CXX names is not there: /nowhere/c++\n");
  const ProgramRun nowhere = run_fermiac("bundle --user-header /nowhere.hpp " + folder_.at("bernoulli_external.stan"));
  EXPECT_EQ(nowhere.status, 1);
  EXPECT_EQ(nowhere.text, "fermiac: there is no '/nowhere.hpp', the header in C++\n");
}

}  // namespace
}  // namespace fermiac::testing
