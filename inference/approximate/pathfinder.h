// The single-path algorithm of Pathfinder, without files: normal approximations along a quasi-Newton path.
#pragma once

#include <functional>
#include <string>

#include "inference/model/options.h"
#include "inference/model/target.h"

namespace fermiac::inference {

/// normal(mean, diag(alpha) + low rank) built from the last updates of a quasi-Newton path (Zhang, Carpenter, Gelman,
/// Vehtari 2022, algorithms 3 and 4).
class PathNormal {
 public:
  /// s and z are the changes of position and of the gradient of -lp, newest last; each entry is a vector of size n.
  /// False if the covariance is not positive definite in floating point.
  bool build(ConstSpan point, ConstSpan gradient, ConstSpan alpha, const std::vector<Vec>& s,
             const std::vector<Vec>& z);
  /// One draw; returns its log density under the approximation.
  double draw(Rng& rng, Span out);
  double log_determinant() const { return log_det_; }
  ConstSpan mean() const { return mean_; }
  /// The covariance is A^1/2 (Q L L' Q' + I - Q Q') A^1/2: L [rank × rank] by rows, Q [n × rank] by columns.
  ConstSpan factor() const { return factor_; }
  ConstSpan basis() const { return q_; }
  std::size_t rank() const { return rank_; }

 private:
  Vec mean_, root_alpha_, q_, factor_, u_, projected_, lifted_;
  std::size_t n_ = 0, rank_ = 0;
  double log_det_ = 0;
};

/// Next diagonal of the inverse Hessian after a step (Gilbert & Lemaréchal 1989).
void update_diagonal(ConstSpan s, ConstSpan z, Span alpha);

struct PathDraws {
  std::string error;        // empty: there are draws
  std::string log;          // progress lines
  std::string json;         // of every iteration; empty unless PathfinderOptions::record_paths
  std::vector<Vec> points;  // unconstrained
  Vec mean;                 // of the approximation that they are drawn from
  Vec lp_approx, lp;        // of each; lp with all constants, NaN if not asked for
  Vec path;                 // of each: the number of the path that it comes from
  double elbo = -kInf;
  std::uint64_t evaluations = 0;
};

/// `sampling` evaluates the full density of draws; `climbing` the one without constants.
PathDraws pathfinder_path(Target& climbing, Target& sampling, const PathfinderOptions& options, ConstSpan init,
                          Rng& rng);

}  // namespace fermiac::inference
