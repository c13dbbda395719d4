// Constraining transforms against recorded values: constrained values, log Jacobians, gradients, inverses, errors.
#include <gtest/gtest.h>

#include "autodiff/kernels/map_op.h"
#include "autodiff/transforms/transforms.h"
#include "tests/battery/kernel_values.h"
#include "tests/conformance/oracle_values.h"
#include "tests/shared/unzipped.h"

namespace fermiac::battery {
namespace {

using ad::Shape;
using ad::Transform;

struct Sample {
  std::string id, name;
  bool inverse = false, throws = false, inverse_comparable = false;
  Shape constrained;
  Shape free;
  std::vector<double> free_values, values, grad, grad_log_j, inverse_values;
  std::vector<std::int32_t> sizes;
  std::vector<double> first, second;  // bounds: one number or one per element
  double log_j = 0, tol = 1e-10;
};

const std::pair<const char*, Transform> kNames[] = {
    {"lb", Transform::LowerBound}, {"ub", Transform::UpperBound}, {"lub", Transform::LowerUpperBound},
    {"offset_multiplier", Transform::OffsetMultiplier}, {"ordered", Transform::Ordered},
    {"positive_ordered", Transform::PositiveOrdered}, {"simplex_ilr", Transform::Simplex},
    {"unit_vector", Transform::UnitVector}, {"sum_to_zero", Transform::SumToZero},
    {"sum_to_zero_matrix", Transform::SumToZero}, {"cholesky_factor_corr", Transform::CholeskyFactorCorr},
    {"cholesky_factor_cov", Transform::CholeskyFactorCov}, {"corr_matrix", Transform::CorrMatrix},
    {"cov_matrix", Transform::CovMatrix}, {"stochastic_column", Transform::StochasticColumn},
    {"stochastic_row", Transform::StochasticRow}};

/// Bounds carry eight numbers of padding.
bool scalar(const std::vector<double>& bound) { return bound.size() <= 9; }

Transform kind_of(const Sample& s) {
  for (const auto& [name, kind] : kNames)
    if (s.name == name) return kind;
  ADD_FAILURE() << s.name;
  return Transform::Identity;
}

void read_params(element params, Sample& s) {
  element x;
  for (const char* key : {"lower", "offset", "upper", "multiplier"})
    if (params[key].get(x) == simdjson::SUCCESS) flatten(x, s.first.empty() ? s.first : s.second);
  for (auto* bound : {&s.first, &s.second}) bound->resize(std::max<std::size_t>(bound->size(), 1) + 8);
  const double k = optional_number(params, "K", -1), m = optional_number(params, "M", -1), n = optional_number(params, "N", -1);
  if (k >= 0) s.sizes = {static_cast<std::int32_t>(k)};
  if (m >= 0) s.sizes = {static_cast<std::int32_t>(m), static_cast<std::int32_t>(n)};
}

Sample read_sample(element e) {
  Sample s;
  element x;
  s.id = std::string(std::string_view(e["id"]));
  s.inverse = e["unconstrain"].get(x) == simdjson::SUCCESS;
  if (!s.inverse) x = e["transform"];
  s.name = std::string(std::string_view(x));
  s.throws = flag(e, "throws");
  s.tol = optional_number(e, "tol", 1e-10);
  read_params(e["params"], s);
  if (s.inverse) {
    const Value v = read_value(e["constrained"]);
    s.constrained = v.shape;
    s.values = v.v;
    if (e["result"].get(x) == simdjson::SUCCESS) s.inverse_values = read_value(x).v;
    return s;
  }
  flatten(e["unconstrained"], s.free_values);
  s.free = Shape::vector(static_cast<std::uint32_t>(s.free_values.size()));
  if (e["unconstrained_dims"].get(x) == simdjson::SUCCESS)
    s.free = Shape::matrix(static_cast<std::uint32_t>(std::int64_t(x.at(0))), static_cast<std::uint32_t>(std::int64_t(x.at(1))));
  if (s.throws) return s;
  const Value v = read_value(e["result"]);
  s.constrained = v.shape;
  s.values = v.v;
  s.log_j = number(e["log_jacobian"]);
  flatten(e["grad"], s.grad);
  flatten(e["grad_log_jacobian"], s.grad_log_j);
  s.inverse_comparable = e["unconstrain_of_result"].get(x) == simdjson::SUCCESS && x.is_array();
  if (s.inverse_comparable) flatten(x, s.inverse_values);
  return s;
}

std::vector<Sample> samples() {
  const simdjson::padded_string text{unzipped(std::string(FERMIAC_SOURCE_DIR) + "/tests/battery/data/transforms.jsonl.gz")};
  simdjson::dom::parser parser;
  std::vector<Sample> r;
  simdjson::dom::document_stream lines = parser.parse_many(text, 1 << 20);
  for (element e : lines) {
    Sample s = read_sample(e);
    // Nothing is declared as a stick-breaking simplex; what the file has wrong is in the list of known differences.
    if (s.name != "simplex" && selfcheck::oracle::known_difference(s.id) == nullptr) r.push_back(std::move(s));
  }
  return r;
}

struct Computed {
  std::vector<double> x, grad, grad_log_j;
  double log_j = 0;
};

std::vector<double> weights(std::size_t n) {
  std::vector<double> w(n + 8);
  for (std::size_t i = 0; i < n; ++i) w[i] = std::cos(i);
  return w;
}

/// Element-wise: the map and the map of log slopes.
Computed run_maps(const Sample& s) {
  const Transform t = kind_of(s);
  const std::size_t n = s.free_values.size(), padded = (n + 15) / 8 * 8;
  std::vector<double> y = s.free_values, x(padded), l(padded), ones(padded, 1.0), w = weights(n), a(padded), al(padded);
  y.resize(padded);
  w.resize(padded);
  ad::MapArgs m;
  m.x[0] = y.data();
  m.x[1] = s.first.data();
  m.x[2] = s.second.data();
  m.n = static_cast<std::uint32_t>(n);
  m.vector_mask = static_cast<std::uint16_t>(1 | (scalar(s.first) ? 0 : 2) | (scalar(s.second) ? 0 : 4));
  const ad::MapOp& map = ad::map_op(ad::find_map(ad::constrain_name(t)));
  const ad::MapOp& jacobian = ad::map_op(ad::find_map(ad::jacobian_name(t)));
  if (n == 0) {
    const double probe[] = {0, s.first[0], s.second[0]};
    if (!map.valid(probe)) throw std::runtime_error("bad bounds");
  }
  m.out = x.data();
  if (!map.map(m)) throw std::runtime_error("bad bounds");
  m.a[0] = a.data();
  m.out_a = w.data();
  map.map_reverse(m);
  m.out = l.data();
  jacobian.map(m);
  m.a[0] = al.data();
  m.out_a = ones.data();
  jacobian.map_reverse(m);
  Computed c;
  for (std::size_t i = 0; i < n; ++i) {
    c.x.push_back(x[i]);
    c.log_j += l[i];
    c.grad.push_back(a[i] + al[i]);
    c.grad_log_j.push_back(al[i]);
  }
  return c;
}

/// Structured: the kernel with the log Jacobian behind the values.
Computed run_kernel(const Sample& s) {
  const Transform t = kind_of(s);
  const ad::Kernel* k = ad::find_kernel(ad::jacobian_name(t));
  std::vector<ad::KernelArg> in(1 + s.sizes.size());
  std::vector<double> adjoint(s.free_values.size() + 8);
  in[0].shape = s.free;
  in[0].v = s.free_values.data();
  in[0].a = adjoint.data();
  in[0].autodiff = true;
  for (std::size_t j = 0; j < s.sizes.size(); ++j) in[j + 1].i = &s.sizes[j];
  if ((t == Transform::CorrMatrix || t == Transform::CovMatrix || t == Transform::CholeskyFactorCorr) && s.sizes.empty()) {
    static std::int32_t rows;
    rows = static_cast<std::int32_t>(s.constrained.rows);
    in.resize(2);
    in[1].i = &rows;
  }
  ad::KernelCall call;
  call.name = k->name;
  call.in = in;
  const ad::Plan plan = k->plan(call);
  call.out_shape = plan.out;
  const std::size_t n = plan.out.size() - 1;
  std::vector<double> out(n + 1), w = weights(n), scratch(plan.scratch, std::nan(""));
  call.out = out.data();
  call.scratch = scratch.data();
  k->forward(call);
  Computed c;
  c.x.assign(out.begin(), out.end() - 1);
  c.log_j = out[n];
  w[n] = 1;
  call.out_a = w.data();
  k->reverse(call);
  c.grad.assign(adjoint.begin(), adjoint.begin() + static_cast<std::ptrdiff_t>(s.free_values.size()));
  std::fill(adjoint.begin(), adjoint.end(), 0.0);
  std::fill(w.begin(), w.begin() + static_cast<std::ptrdiff_t>(n), 0.0);
  k->reverse(call);
  c.grad_log_j.assign(adjoint.begin(), adjoint.begin() + static_cast<std::ptrdiff_t>(s.free_values.size()));
  return c;
}

void expect_close(const std::vector<double>& got, const std::vector<double>& want, double tol, const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  const double scale = largest(want);
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!std::isnan(want[i])) {
      EXPECT_TRUE(close(got[i], want[i], tol, scale, 0)) << what << "[" << i << "] " << got[i] << " expected " << want[i];
    }
}

TEST(TransformOracle, ConstrainAndJacobian) {
  int run = 0;
  for (const Sample& s : samples()) {
    if (s.inverse) continue;
    ++run;
    const auto compute = [&] { return ad::is_elementwise(kind_of(s)) ? run_maps(s) : run_kernel(s); };
    if (s.throws) {
      EXPECT_THROW(compute(), std::runtime_error) << s.id;
      continue;
    }
    const Computed c = compute();
    expect_close(c.x, s.values, s.tol, s.id + " value");
    expect_close({c.log_j}, {s.log_j}, s.tol, s.id + " log Jacobian");
    expect_close(c.grad, s.grad, 1e-8, s.id + " gradient");
    expect_close(c.grad_log_j, s.grad_log_j, 1e-8, s.id + " gradient of the log Jacobian");
  }
  EXPECT_GT(run, 100);
}

std::vector<double> inverse(const Sample& s) {
  const Transform t = kind_of(s);
  std::vector<double> y(ad::free_shape(t, "x", s.constrained).size() + 1);
  ad::unconstrain(t, "x", s.constrained, s.values.data(), y.data(), {s.first.data(), scalar(s.first)},
                  {s.second.data(), scalar(s.second)});
  y.pop_back();
  return y;
}

TEST(TransformOracle, Unconstrain) {
  int run = 0;
  for (const Sample& s : samples()) {
    if (s.inverse && s.throws) {
      EXPECT_THROW(inverse(s), std::runtime_error) << s.id;
      ++run;
      continue;
    }
    if (!s.inverse && !s.inverse_comparable) continue;
    ++run;
    // Where the forward map saturates the inverse has lost its digits: it need only be as far off as the record is.
    double lost = 0;
    if (!s.inverse)
      for (std::size_t i = 0; i < s.inverse_values.size(); ++i) {
        const double d = std::abs(s.inverse_values[i] - s.free_values[i]);
        lost = std::max(lost, std::isfinite(d) ? d : HUGE_VAL);
      }
    std::vector<double> y;
    try {
      y = inverse(s);
    } catch (const std::runtime_error& e) {
      EXPECT_GT(lost, 1e-9) << s.id << " " << e.what();
      continue;
    }
    ASSERT_EQ(y.size(), s.inverse_values.size()) << s.id;
    const double tol = 2 * lost + 1e-9 * std::max(1.0, largest(s.inverse_values));
    for (std::size_t i = 0; i < y.size() && lost < 1; ++i)
      EXPECT_TRUE(close(y[i], s.inverse_values[i], 0, 0, tol)) << s.id << " " << y[i] << " " << s.inverse_values[i];
  }
  EXPECT_GT(run, 60);
}

TEST(TransformChecks, SayWhatIsViolatedWhere) {
  const auto message = [](Transform t, const Shape& s, const std::vector<double>& x, ad::Bound a = {}) -> std::string {
    try {
      ad::check_constrained(t, "y", s, x.data(), a);
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "";
  };
  const double zero = 0;
  EXPECT_EQ(message(Transform::Simplex, Shape::vector(2), {0.5, 0.7}),
            "y is not a valid simplex. sum(y) = 1.2, but should be 1");
  EXPECT_EQ(message(Transform::Simplex, Shape::vector(2), {-0.5, 1.5}),
            "y is not a valid simplex. y[1] = -0.5, but should be greater than or equal to 0");
  EXPECT_EQ(message(Transform::SumToZero, Shape::vector(2), {1, 2}), "y is not a valid sum-to-zero vector. sum(y) = 3, but should be 0");
  EXPECT_EQ(message(Transform::SumToZero, Shape::matrix(2, 2), {1, -1, 3, 0}),
            "y[,2] is not a valid sum-to-zero matrix column. sum(y[,2]) = 3, but should be 0");
  EXPECT_EQ(message(Transform::SumToZero, Shape::matrix(2, 2), {1, -1, 1, -1}),
            "y[1] is not a valid sum-to-zero matrix row. sum(y[1]) = 2, but should be 0");
  EXPECT_EQ(message(Transform::StochasticColumn, Shape::matrix(2, 2), {0.5, 0.5, 1, 2}),
            "y is not a valid column stochastic matrix. sum(y[,2]) = 3, but should be 1");
  EXPECT_EQ(message(Transform::StochasticRow, Shape::matrix(2, 2), {0.5, 1, 0.5, 2}),
            "y is not a valid row stochastic matrix. sum(y[2]) = 3, but should be 1");
  EXPECT_EQ(message(Transform::StochasticRow, Shape::matrix(2, 2), {0.5, 2, 0.5, -1}),
            "y is not a valid row stochastic matrix. y[2,2] = -1, but should be greater than or equal to 0");
  EXPECT_EQ(message(Transform::LowerBound, Shape::vector(2), {1, -1}, {&zero, true}),
            "y[2] is -1, but must be greater than or equal to 0!");
  EXPECT_EQ(message(Transform::Ordered, Shape::vector(2), {1, 1}),
            "y is not a valid ordered vector. The element at 2 is 1, but should be greater than the previous element, 1");
  EXPECT_EQ(message(Transform::CovMatrix, Shape::matrix(2, 2), {1, 2, 2, 1}), "y is not positive definite.");
  EXPECT_EQ(message(Transform::CorrMatrix, Shape::matrix(1, 1), {2}),
            "y is not a valid correlation matrix. y[1,1] is 2, but should be near 1");
  EXPECT_EQ(message(Transform::CholeskyFactorCov, Shape::matrix(2, 2), {1, 0, 0.5, 1}),
            "y is not lower triangular; y[1,2] = 0.5");
}

}  // namespace
}  // namespace fermiac::battery
