// Leave-one-out where the draws know an observation too well for their weights to be reliable: they are moved to where they would be
// without it (Paananen, Piironen, Bürkner & Vehtari 2021, "Implicitly adaptive importance sampling", algorithm 1 and section 3.3).
//
// A move is affine. It gives the draws the mean, then the spread of each coordinate, then the covariance that they have under the
// weights, and stays where it makes the tail shape smaller. With T all moves one after the other and p the target, T(draws) have the
// density p(T^-1 x) / |T|. In the end half of the draws are moved and half are not, so that they are of the mixture
//   q(x) = (p(x) + p(T^-1 x) / |T|) / 2
// which covers both, and weigh p(x) / (L(x) q(x)) for an observation of likelihood L.
#include <algorithm>
#include <cmath>
#include <utility>

#include "inference/diagnostics/loo.h"
#include "inference/math/psis.h"
#include "inference/model/target.h"

namespace fermiac::inference {
namespace {

constexpr int kMostMoves = 30;
constexpr std::size_t kDrawsPerCoordinate = 10;  // for a covariance

enum class Match { Mean, Spread, Covariance };

/// x -> to + factor (x - from), with factor = after before^-1, both lower triangular; diagonal ones have only the diagonal.
struct Move {
  Vec from, to;
  Vec before, after;  // empty: factor 1; n numbers: a diagonal; n × n: triangles
  double log_scale = 0;  // log |factor|
};

void scale(const Vec& by, const Vec& against, Span x) {
  const std::size_t n = x.size();
  if (by.empty()) return;
  if (by.size() == n) {
    for (std::size_t j = 0; j < n; ++j) x[j] *= by[j] / against[j];
    return;
  }
  solve_lower(against, n, x);
  const Vec solved(x.begin(), x.end());
  multiply_lower(by, n, solved, x);
}

void carry(const Move& m, Span x) {
  for (std::size_t j = 0; j < x.size(); ++j) x[j] -= m.from[j];
  scale(m.after, m.before, x);
  for (std::size_t j = 0; j < x.size(); ++j) x[j] += m.to[j];
}

void undo(const Move& m, Span x) {
  for (std::size_t j = 0; j < x.size(); ++j) x[j] -= m.to[j];
  scale(m.before, m.after, x);
  for (std::size_t j = 0; j < x.size(); ++j) x[j] += m.from[j];
}

/// Under weights that sum to one.
Vec mean_of(const std::vector<Vec>& points, const Vec& weights) {
  Vec out(points[0].size(), 0.0);
  for (std::size_t s = 0; s < points.size(); ++s)
    for (std::size_t j = 0; j < out.size(); ++j) out[j] += weights[s] * points[s][j];
  return out;
}

Vec spread_of(const std::vector<Vec>& points, const Vec& weights, const Vec& mean) {
  Vec out(mean.size(), 0.0);
  for (std::size_t s = 0; s < points.size(); ++s)
    for (std::size_t j = 0; j < out.size(); ++j) out[j] += weights[s] * (points[s][j] - mean[j]) * (points[s][j] - mean[j]);
  for (double& v : out) v = std::sqrt(v);
  return out;
}

/// The Cholesky factor of the covariance; empty if it has none.
Vec factor_of(const std::vector<Vec>& points, const Vec& weights, const Vec& mean) {
  const std::size_t n = mean.size();
  Vec out(n * n, 0.0);
  for (std::size_t s = 0; s < points.size(); ++s)
    for (std::size_t i = 0; i < n; ++i) {
      const double d = weights[s] * (points[s][i] - mean[i]);
      for (std::size_t j = 0; j <= i; ++j) out[i * n + j] += d * (points[s][j] - mean[j]);
    }
  return cholesky_in_place(out, n) ? out : Vec();
}

double log_of_diagonal(const Vec& triangle, std::size_t n) {
  double sum = 0;
  const std::size_t step = triangle.size() == n ? 1 : n + 1;
  for (std::size_t j = 0; j < n; ++j) sum += std::log(triangle[j * step]);
  return sum;
}

/// The draws of one observation, as far as they have been moved.
class Matcher {
 public:
  /// `lp`: of the target at the draws of `log_lik`.
  Matcher(const ObservedModel& observed, Target& target, const LogLik& log_lik, const Vec& lp, std::size_t observation, double r_eff)
      : observed_(observed), target_(target), log_lik_(log_lik), first_lp_(lp), observation_(observation), r_eff_(r_eff),
        equal_(lp.size(), 1 / static_cast<double>(lp.size())), row_(observed.observations().size()),
        draws_{log_lik.points, lp, log_lik.values[observation]} {
    k_ = weigh(draws_, &weights_);
  }

  /// Moves the draws as long as that makes the shape smaller and it is above `limit`.
  Status run(double limit) {
    for (int n = 0; n < kMostMoves && k_ > limit; ++n)
      if (!try_moves()) break;
    return target_.ended();
  }

  /// elpd, k and mcse from half of the draws moved; false if nothing was.
  bool split(CrossValidation::Point* out) {
    if (moves_.empty()) return false;
    const std::size_t n = first_lp_.size(), half = n / 2;
    double log_scale = 0;
    for (const Move& m : moves_) log_scale += m.log_scale;
    Vec log_lik = log_lik_.values[observation_], ratios(n);
    for (std::size_t s = 0; s < n; ++s) {
      const bool moved = s < half;
      if (moved) log_lik[s] = draws_.log_lik[s];
      const double here = moved ? draws_.lp[s] : first_lp_[s], there = moved ? first_lp_[s] : value_before(log_lik_.points[s]);
      ratios[s] = finite_or_none(here - log_lik[s] - log_sum_exp(here, there - log_scale));
    }
    const LooPoint p = importance_point(log_lik, ratios, r_eff_);
    out->k = p.k;
    out->elpd = p.elpd;
    out->mcse = p.mcse;
    return true;
  }

 private:
  struct Draws {
    std::vector<Vec> points;
    Vec lp, log_lik;
  };

  static double finite_or_none(double log_ratio) { return std::isnan(log_ratio) ? -kInf : log_ratio; }

  /// log p(T^-1 x).
  double value_before(Vec x) {
    for (auto m = moves_.rbegin(); m != moves_.rend(); ++m) undo(*m, x);
    return target_.value(x);
  }

  /// The tail shape, and the weights themselves.
  double weigh(const Draws& draws, Vec* weights) const {
    weights->resize(draws.lp.size());
    for (std::size_t s = 0; s < weights->size(); ++s)
      (*weights)[s] = finite_or_none(draws.lp[s] - draws.log_lik[s] - first_lp_[s]);
    const double k = psis_log_weights(*weights, r_eff_);
    for (double& w : *weights) w = std::exp(w);
    return k;
  }

  bool try_moves() {
    for (const Match match : {Match::Mean, Match::Spread, Match::Covariance}) {
      if (target_.stopped()) return false;
      if (match == Match::Covariance && equal_.size() < kDrawsPerCoordinate * draws_.points[0].size()) return false;
      if (Move move; make(match, &move) && accept(std::move(move))) return true;
    }
    return false;
  }

  bool make(Match match, Move* out) const {
    const std::vector<Vec>& x = draws_.points;
    const std::size_t n = x[0].size();
    out->from = mean_of(x, equal_);
    out->to = mean_of(x, weights_);
    if (!all_finite(out->to)) return false;
    if (match == Match::Mean) return true;
    out->before = match == Match::Spread ? spread_of(x, equal_, out->from) : factor_of(x, equal_, out->from);
    out->after = match == Match::Spread ? spread_of(x, weights_, out->to) : factor_of(x, weights_, out->to);
    if (out->before.empty() || out->after.empty()) return false;
    out->log_scale = log_of_diagonal(out->after, n) - log_of_diagonal(out->before, n);
    return std::isfinite(out->log_scale);
  }

  bool accept(Move move) {
    Draws moved;
    for (const Vec& point : draws_.points) {
      Vec x = point;
      carry(move, x);
      const double lp = all_finite(x) ? target_.value(x) : -kInf;
      const bool known = std::isfinite(lp) && observed_.pointwise(x, row_).kind == EvalStatus::Kind::Ok;
      moved.lp.push_back(known ? lp : -kInf);
      moved.log_lik.push_back(known ? row_[observation_] : 0);
      moved.points.push_back(std::move(x));
      if (target_.stopped()) return false;
    }
    Vec weights;
    const double k = weigh(moved, &weights);
    if (!(k < k_)) return false;
    draws_ = std::move(moved);
    weights_ = std::move(weights);
    k_ = k;
    moves_.push_back(std::move(move));
    return true;
  }

  const ObservedModel& observed_;
  Target& target_;
  const LogLik& log_lik_;
  const Vec& first_lp_;
  std::size_t observation_;
  double r_eff_, k_ = 0;
  Vec equal_, row_, weights_;
  Draws draws_;
  std::vector<Move> moves_;
};

}  // namespace

Status match_moments(const ObservedModel& observed, const LogLik& log_lik, std::optional<double> r_eff, const std::atomic<bool>* stop,
                     CrossValidation* out) {
  const std::vector<std::size_t> bad_ones = out->bad();
  if (bad_ones.empty()) return {};
  Target target(observed.model(), {}, stop);
  Vec lp;
  for (const Vec& theta : log_lik.points) lp.push_back(target.value(theta));
  for (const std::size_t i : bad_ones) {
    CrossValidation::Point& point = out->points[i];
    Matcher matcher(observed, target, log_lik, lp, i, r_eff ? *r_eff : relative_efficiency(log_lik.values[i], log_lik.chains));
    if (Status bad = matcher.run(out->limit); !bad) return bad;
    CrossValidation::Point moved = point;
    if (!matcher.split(&moved) || !(moved.k < point.k)) continue;
    moved.p = point.p + point.elpd - moved.elpd;
    point = moved;
    out->matched.push_back(point.observation);
  }
  return {};
}

}  // namespace fermiac::inference
