// The embedded Laplace approximation: theta ~ N(0, K), y ~ p(y | theta, phi), and log p(y | phi) from a normal
// approximation at the mode of theta.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "autodiff/solvers/laplace_likelihood.h"
#include "autodiff/solvers/solver_call.h"

namespace fermiac::ad {

struct LaplaceOptions {
  std::string_view name;                      // of the function in the language; static storage
  int block_size = 1;                         // of the likelihood's Hessian, which is block diagonal
  double tolerance = 1.4901161193847656e-08;  // change of the objective
  int max_steps = 500;
  int solver = 1;              // how the Newton systems are factored: by W, by K, or neither
  int max_line_search = 1000;  // step halvings
  bool fall_through = true;    // go on with the next solver when one fails
};

/// Log marginal density as an operation. Operands: K [n × n], theta0 [n] (a start: no derivatives), then phi in pieces.
std::shared_ptr<const SolverCall> make_laplace_call(const LaplaceOptions& options,
                                                    std::shared_ptr<const LikelihoodSource> likelihood);

/// The normal approximation of theta given y; covariance [n × n].
struct LatentNormal {
  std::vector<double> mean, covariance;
  /// mean + root * z has this distribution when z is standard normal; root is [n × n], column-major.
  std::vector<double> root;
};
LatentNormal laplace_latent(const LaplaceOptions& options, const LikelihoodSource& likelihood,
                            std::span<const KernelArg> operands);

}  // namespace fermiac::ad
