// Uniform draws from the sets that structured parameters live on: what a parameter without a distribution has.
#include <cmath>

#include "interp/functions/functions.h"
#include "interp/queries/generators.h"
#include "interp/value/value.h"
#include "support/base/check.h"

namespace fermiac::interp {
namespace {

using Kind = mir::TransformKind;
using Doubles = std::vector<double>;

Doubles simplex(std::size_t n, Rng& rng) {
  Doubles x(n);
  double sum = 0;
  for (double& v : x) sum += v = rng.exponential();
  for (double& v : x) v /= sum;
  return x;
}

/// On the unit sphere.
Doubles direction(std::size_t n, Rng& rng) {
  Doubles x(n);
  double squares = 0;
  for (double& v : x) v = rng.normal(), squares += v * v;
  for (double& v : x) v /= std::sqrt(squares);
  return x;
}

Doubles correlations(std::uint32_t n, Rng& rng) {
  CallContext context{.rng = &rng};
  const Value args[] = {static_cast<std::int32_t>(n), 1.0};
  const Value out = LibraryFunction::find(Builtin::lkj_corr_rng)->apply(context, args);
  return {out.real_data().data(), out.real_data().data() + out.real_data().size()};
}

/// Row k is uniform in the ball of k - 1 dimensions.
Doubles correlation_factor(std::uint32_t n, Rng& rng) {
  Doubles out(std::size_t{n} * n);
  out[0] = 1;
  for (std::uint32_t k = 1; k < n; ++k) {
    const Doubles at = direction(k, rng);
    const double radius = std::pow(rng.uniform(), 1.0 / k);
    for (std::uint32_t c = 0; c < k; ++c) out[c * n + k] = radius * at[c];
    out[k * n + k] = std::sqrt(1 - radius * radius);
  }
  return out;
}

Doubles stochastic(std::uint32_t rows, std::uint32_t cols, bool by_columns, Rng& rng) {
  Doubles out(std::size_t{rows} * cols);
  for (std::uint32_t k = 0; k < (by_columns ? cols : rows); ++k) {
    const Doubles one = simplex(by_columns ? rows : cols, rng);
    for (std::uint32_t i = 0; i < one.size(); ++i) out[by_columns ? k * rows + i : i * rows + k] = one[i];
  }
  return out;
}

Doubles one(Kind kind, const ad::Shape& shape, Rng& rng) {
  switch (kind) {
    case Kind::Simplex: return simplex(shape.inner_size(), rng);
    case Kind::UnitVector: return direction(shape.inner_size(), rng);
    case Kind::Correlation: return correlations(shape.rows, rng);
    case Kind::CholeskyCorr: return correlation_factor(shape.rows, rng);
    case Kind::StochasticColumn: return stochastic(shape.rows, shape.cols, true, rng);
    case Kind::StochasticRow: return stochastic(shape.rows, shape.cols, false, rng);
    default: FERMIAC_CHECK(false, "only bounded sets have a uniform distribution");
  }
}

}  // namespace

bool has_uniform(Kind kind) {
  return kind == Kind::Simplex || kind == Kind::UnitVector || kind == Kind::Correlation || kind == Kind::CholeskyCorr ||
         kind == Kind::StochasticColumn || kind == Kind::StochasticRow;
}

std::vector<double> uniform_on(Kind kind, const ad::Shape& shape, Rng& rng) {
  Doubles out;
  for (std::uint32_t k = 0; k < shape.count(); ++k) {
    const Doubles element = one(kind, shape, rng);
    out.insert(out.end(), element.begin(), element.end());
  }
  return out;
}

}  // namespace fermiac::interp
