// Cross-validation from draws: leave-one-out by Pareto-smoothed importance sampling (Vehtari, Gelman, Gabry 2017), WAIC, and
// K folds or single observations that are sampled again without.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "inference/diagnostics/summary.h"
#include "inference/model/observed_model.h"
#include "inference/model/result.h"

namespace fermiac::inference {

/// Log likelihoods of draws: by observation, the draws of all chains one after the other.
struct LogLik {
  std::vector<std::string> observations;
  std::vector<Vec> values;    // [observation][draw]
  std::size_t chains = 1;     // of equal length
  std::vector<std::string> of_what = {};  // ObservedModel::of_what; of files: log_lik
  std::vector<Vec> points = {};  // the draws, unconstrained; none where only their log likelihoods are known
  std::size_t draws() const { return values.empty() ? 0 : values[0].size(); }
};

/// Columns `log_lik…` of files; none: empty.
LogLik log_lik_columns(const ChainSet& chains);

struct CrossValidation {
  struct Point {
    std::string observation;
    double elpd = 0;
    double k = 0;     // tail shape of the weights; of a refit: of the likelihoods that are averaged
    double mcse = 0;  // of elpd
    double p = 0;     // share of the effective number of parameters
  };
  std::string kind;   // loo, waic, kfold
  std::vector<Point> points;
  std::vector<std::string> of_what;  // they are observations of
  std::vector<std::string> refitted, matched;  // sampled again without; draws moved (match_moments)
  double limit = 0;   // k above it is bad

  double elpd() const;
  double se() const;
  double p() const;
  std::vector<std::size_t> bad() const;
};

/// What importance sampling says of an observation.
struct LooPoint {
  double elpd, k, mcse;
};
/// From draws of log likelihood `log_lik` with `log_ratios` between the density without the observation and that which they are of.
LooPoint importance_point(const Vec& log_lik, Vec log_ratios, double r_eff);
/// From draws of the posterior without the observation: log of the average likelihood, and the tail shape of the likelihoods. A shape above
/// the limit says that a few draws make up the average.
LooPoint average_point(const Vec& log_lik, std::size_t chains);
/// log of the mean of exp(x), without overflow.
double log_mean_exp(ConstSpan x);
/// Of exp(ℓ), over the chains.
double relative_efficiency(const Vec& log_lik, std::size_t chains);

/// `r_eff`: relative efficiency of the draws; absent: that of exp(ℓ) over the chains. `k_threshold`: absent: min(1 - 1/log10 S, 0.7).
CrossValidation psis_loo(const LogLik& log_lik, std::optional<double> r_eff, std::optional<double> k_threshold);
CrossValidation waic(const LogLik& log_lik);

/// Log likelihoods at the draws of `chains` chains of equal length, one after the other.
Result log_lik_at(const ObservedModel& observed, const std::vector<Vec>& points, std::size_t chains, LogLik* out);
/// One JSON object on one line.
std::string cross_validation_json(const CrossValidation& result);
std::string cross_validation_text(const CrossValidation& result);

/// Does that for the bad observations of `out`, which is the result of psis_loo for `log_lik` with its points; those whose shape
/// becomes no smaller keep what they have. Costs, for each of them, an evaluation of the density and of all likelihoods at all draws for
/// every move that is tried (some four to ten). Covariances take at least ten draws for each coordinate.
Result match_moments(const ObservedModel& observed, const LogLik& log_lik, std::optional<double> r_eff, const std::atomic<bool>* stop,
                     CrossValidation* out);

}  // namespace fermiac::inference
