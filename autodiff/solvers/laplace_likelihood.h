// Likelihoods log p(y | theta, phi) of latent values theta, with the derivatives that the embedded Laplace
// approximation needs: up to the third in theta.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "autodiff/solvers/function.h"

namespace fermiac::ad {

/// One thread's evaluations. x = [theta | phi], phi being what else may carry derivatives.
class LatentLikelihood {
 public:
  virtual ~LatentLikelihood() = default;
  /// The value; the gradient [size of x] goes to `grad`. Throws EvalError.
  virtual double gradient(std::span<const double> x, std::span<double> grad) = 0;
  /// Derivative of the gradient along v (for theta; as often as `order` says, 1 or 2), at x. `out` has the size of x.
  virtual void gradient_along(std::span<const double> x, std::span<const double> v, int order,
                              std::span<double> out) = 0;
};

/// Immutable, shared by threads.
class LikelihoodSource {
 public:
  virtual ~LikelihoodSource() = default;
  virtual std::unique_ptr<LatentLikelihood> start() const = 0;
};

/// A user function of [theta | phi] with one result. Second and third derivatives are differences, of order eight, of
/// the exact gradient.
std::shared_ptr<const LikelihoodSource> recorded_likelihood(std::string_view name,
                                                            std::shared_ptr<const FunctionSource> f);

enum class CountFamily : std::uint8_t { BernoulliLogit, PoissonLog, NegBinomial2Log };

/// Observation i has the linear predictor theta[g] + offset[g], g = group[i] (from 1); phi = [offset | dispersions].
struct Counts {
  std::string_view name;  // of the function in the language; static storage
  CountFamily family = CountFamily::PoissonLog;
  std::vector<std::int32_t> y, group;
  std::size_t latent = 0;
  std::size_t dispersions = 0;  // neg_binomial_2_log: 1, or one for each latent value
};
/// Throws DomainError, SizeError, IndexError when the counts do not fit.
std::shared_ptr<const LikelihoodSource> count_likelihood(Counts counts);

}  // namespace fermiac::ad
