// Calls of the embedded Laplace approximation (autodiff/solvers/laplace.h). The covariance matrix is evaluated like any
// other expression; the likelihood becomes a tape of its own, or is one of the built-in ones.
#include <fmt/format.h>

#include <algorithm>

#include "autodiff/linalg/dense.h"
#include "autodiff/solvers/laplace.h"
#include "autodiff/tape/record/recorder.h"
#include "frontend/builtins/laplace.h"
#include "interp/exec/lowering/compiler.h"
#include "interp/exec/runs/solver_callback.h"
#include "interp/exec/runs/solver_operands.h"
#include "interp/value/numbers.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

using enum LaplaceResult;
using enum LaplaceLikelihood;

/// Arguments that are no functions, by place.
std::size_t leading(const LaplaceRow& row) {
  return row.likelihood == User ? 1 : row.likelihood == NegBinomial2Log ? 4 : 3;
}

Value call_with(const FunctionCode& function, const std::vector<Value>& args, Frame& f) {
  std::vector<Value> actual;
  for (std::size_t i = 0; i < args.size(); ++i)
    actual.push_back(promoted(args[i], function.formals.at(i), f.m.recorder));
  return call_with_adjoints(function, f, std::move(actual));
}

ad::LaplaceOptions options(const LaplaceRow& row, const Value& block, const Value& control) {
  ad::LaplaceOptions o{.name = row.name(), .block_size = block.as_int()};
  if (!row.control) return o;
  const std::vector<Value>& slots = control.values();
  o.tolerance = number(slots.at(1));
  o.max_steps = slots.at(2).as_int();
  o.solver = slots.at(3).as_int();
  o.max_line_search = slots.at(4).as_int();
  o.fall_through = slots.at(5).as_int() != 0;
  return o;
}

/// One call, arguments evaluated.
struct Problem {
  ad::LaplaceOptions options;
  std::shared_ptr<const ad::LikelihoodSource> likelihood;
  std::vector<Value> operands;
};

struct LaplaceNode final : ExprNode {
  LaplaceNode(const LaplaceRow& r, const FunctionCode* lik, const FunctionCode& cov, const Type& t, bool may,
              std::vector<ExprPtr> a)
      : ExprNode(t, may), row(r), likelihood(lik), covariance(cov), args(std::move(a)) {}

  Value eval(Frame& f) const override {
    const Problem problem = prepared(f);
    if (row.result == Density)
      return solve(row.name(), ad::make_laplace_call(problem.options, problem.likelihood), problem.operands, f);
    const PlainOperands plain(problem.operands, f);
    const ad::LatentNormal latent = ad::laplace_latent(problem.options, *problem.likelihood, plain.view());
    return row.result == Draw ? draw(latent, f) : moments(latent);
  }

  Problem prepared(Frame& f) const {
    std::vector<Value> values;
    for (const ExprPtr& arg : args) values.push_back(arg->eval(f));
    const std::size_t block = leading(row), k_args = block + 1, control = block + 2;
    Value k = call_with(covariance, values[k_args].values(), f);
    const std::uint32_t n = k.shape().rows;
    Value start =
        row.control ? without_refs(f.m.recorder, values[control].values().at(0)) : Value::reals(Shape::vector(n), 0.0);
    Problem p{.options = options(row, values[block], row.control ? values[control] : Value()),
              .likelihood = {},
              .operands = {std::move(k), std::move(start)}};
    if (likelihood)
      add_user_likelihood(p, values, n, f);
    else
      add_counts(p, values, n, f);
    return p;
  }

  void add_user_likelihood(Problem& p, const std::vector<Value>& values, std::uint32_t n, Frame& f) const {
    auto function = std::make_shared<const Callback>(
        *likelihood, Callback::Signature{.solver = row.name(), .varied = {Shape::vector(n)}, .outputs = 1},
        values[0].values(), f);
    p.operands.push_back(function->others());
    p.likelihood = ad::recorded_likelihood(row.name(), std::move(function));
  }
  void add_counts(Problem& p, const std::vector<Value>& values, std::uint32_t n, Frame& f) const {
    const bool dispersed = row.likelihood == NegBinomial2Log;
    const Value offset = promoted(values[dispersed ? 3 : 2], BaseType::Real, f.m.recorder);
    if (offset.shape().size() != n)
      throw ad::SizeError(fmt::format("{}: offset has {} elements, but there are {} latent values", row.name(),
                                      offset.shape().size(), n));
    p.operands.push_back(offset);
    if (dispersed) p.operands.push_back(promoted(values[2], BaseType::Real, f.m.recorder));
    const auto family =
        static_cast<ad::CountFamily>(static_cast<int>(row.likelihood) - static_cast<int>(BernoulliLogit));
    p.likelihood = ad::count_likelihood({.name = row.name(),
                                         .family = family,
                                         .y = values[0].int_data(),
                                         .group = values[1].int_data(),
                                         .latent = n,
                                         .dispersions = dispersed ? values[2].shape().size() : 0});
    if (dispersed) check_positive(without_refs(f.m.recorder, values[2]));
  }
  void check_positive(const Value& eta) const {
    for (std::size_t i = 0; i < eta.real_data().size(); ++i)
      if (!(eta.real_data()[i] > 0))
        throw ad::DomainError(
            fmt::format("{}: eta[{}] is {}, but must be positive!", row.name(), i + 1, eta.real_data()[i]));
  }

  Value draw(const ad::LatentNormal& latent, const Frame& f) const {
    if (!f.m.rng) throw ad::FatalError(fmt::format("{}: nothing can be drawn here", row.name()));
    const std::size_t n = latent.mean.size();
    RealBuffer theta(n);
    for (std::size_t i = 0; i < n; ++i) theta[i] = latent.mean[i];
    for (std::size_t j = 0; j < n; ++j) {
      const double z = f.m.rng->normal();
      for (std::size_t i = 0; i < n; ++i) theta[i] += latent.root[j * n + i] * z;
    }
    return Value::reals(Shape::vector(static_cast<std::uint32_t>(n)), std::move(theta));
  }
  /// The mean, and the lower Cholesky factor of the covariance.
  Value moments(const ad::LatentNormal& latent) const {
    const auto n = static_cast<std::uint32_t>(latent.mean.size());
    RealBuffer mean(n), factor(latent.covariance.size());
    std::ranges::copy(latent.mean, mean.data());
    std::ranges::copy(latent.covariance, factor.data());
    if (!ad::dense::cholesky(factor.data(), n))
      throw ad::DomainError(fmt::format("{}: the covariance of the latent values is not positive definite", row.name()));
    return Value::tuple(
        {Value::reals(Shape::vector(n), std::move(mean)), Value::reals(Shape::matrix(n, n), std::move(factor))});
  }

  const LaplaceRow& row;
  const FunctionCode* likelihood;  // null: a built-in one
  const FunctionCode& covariance;
  std::vector<ExprPtr> args;  // without the functions
};

}  // namespace

ExprPtr make_laplace_call(Builtin fn, const std::vector<const FunctionCode*>& functions, const Type& result,
                          std::vector<ExprPtr> args) {
  const LaplaceRow& row = *find_laplace(fn);
  const bool may_ref = row.result == Density && std::ranges::any_of(args, [](const ExprPtr& a) { return a->may_ref; });
  const FunctionCode* likelihood = row.likelihood == User ? functions.at(0) : nullptr;
  return std::make_unique<LaplaceNode>(row, likelihood, *functions.back(), result, may_ref, std::move(args));
}

}  // namespace fermiac::interp
