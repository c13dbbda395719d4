#include <algorithm>

#include "inference/approximate/path_record.h"
#include "inference/approximate/pathfinder.h"
#include "inference/approximate/quasi_newton.h"
#include "support/base/text.h"

namespace fermiac::inference {
namespace {

/// Thin QR of the n × m column vectors by Gram-Schmidt, twice for orthogonality. A column that depends on the earlier
/// ones gets a zero q and a zero diagonal, which leaves the product right. q is [m][n] (vectors in rows), r [m × m].
void thin_qr(std::vector<Vec>& columns, Vec* r) {
  const std::size_t m = columns.size();
  r->assign(m * m, 0);
  for (std::size_t j = 0; j < m; ++j) {
    const double before = norm(columns[j]);
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t i = 0; i < j; ++i) {
        const double c = dot(columns[i], columns[j]);
        (*r)[i * m + j] += c;
        axpy(-c, columns[i], columns[j]);
      }
    const double after = norm(columns[j]);
    const bool dependent = !(after > 1e-12 * before);
    (*r)[j * m + j] = dependent ? 0 : after;
    for (double& x : columns[j]) x = dependent ? 0 : x / after;
  }
}

/// Inverse of an upper triangular m × m matrix.
Vec invert_upper(const Vec& r, std::size_t m) {
  Vec out(m * m, 0.0);
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = j + 1; i-- > 0;) {
      double sum = i == j ? 1 : 0;
      for (std::size_t k = i + 1; k <= j; ++k) sum -= r[i * m + k] * out[k * m + j];
      out[i * m + j] = sum / r[i * m + i];
    }
  return out;
}

/// a [p × q] times b [q × r], each possibly read transposed.
Vec product(const Vec& a, bool ta, const Vec& b, bool tb, std::size_t p, std::size_t q, std::size_t r) {
  Vec out(p * r, 0.0);
  for (std::size_t i = 0; i < p; ++i)
    for (std::size_t k = 0; k < q; ++k)
      for (std::size_t j = 0; j < r; ++j)
        out[i * r + j] += (ta ? a[k * p + i] : a[i * q + k]) * (tb ? b[j * q + k] : b[k * r + j]);
  return out;
}

/// The middle matrix gamma of the compact representation, [2m × 2m].
Vec middle_matrix(ConstSpan alpha, const std::vector<Vec>& s, const std::vector<Vec>& z) {
  const std::size_t m = s.size(), w = 2 * m;
  Vec r(m * m, 0.0), core(m * m, 0.0), scaled(alpha.size());
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = 0; i <= j; ++i) r[i * m + j] = dot(s[i], z[j]);
    for (std::size_t k = 0; k < alpha.size(); ++k) scaled[k] = alpha[k] * z[j][k];
    for (std::size_t i = 0; i < m; ++i) core[i * m + j] = dot(z[i], scaled);
    core[j * m + j] += r[j * m + j];
  }
  const Vec inverse = invert_upper(r, m);
  const Vec corner = product(product(inverse, true, core, false, m, m, m), false, inverse, false, m, m, m);
  Vec gamma(w * w, 0.0);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j) {
      gamma[i * w + m + j] = -inverse[i * m + j];
      gamma[(m + i) * w + j] = -inverse[j * m + i];
      gamma[(m + i) * w + m + j] = corner[i * m + j];
    }
  return gamma;
}

}  // namespace

void update_diagonal(ConstSpan s, ConstSpan z, Span alpha) {
  double a = 0, c = 0;
  const double b = dot(s, z);
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    a += alpha[i] * z[i] * z[i];
    c += s[i] * s[i] / alpha[i];
  }
  for (std::size_t i = 0; i < alpha.size(); ++i)
    alpha[i] = 1 / (a / (b * alpha[i]) + z[i] * z[i] / b - a * s[i] * s[i] / (b * c * alpha[i] * alpha[i]));
}

bool PathNormal::build(ConstSpan point, ConstSpan gradient, ConstSpan alpha, const std::vector<Vec>& s,
                       const std::vector<Vec>& z) {
  n_ = point.size();
  rank_ = 2 * s.size();
  const std::size_t m = s.size();
  root_alpha_.resize(n_);
  u_.resize(n_);
  log_det_ = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    if (!(alpha[i] > 0) || !std::isfinite(alpha[i])) return false;
    root_alpha_[i] = std::sqrt(alpha[i]);
    log_det_ += std::log(alpha[i]);
  }
  // Sigma = A^1/2 (I + B gamma B') A^1/2 with B = A^-1/2 [A Z, S] = Q R, so that I + Q (R gamma R') Q' has the square
  // root Q L Q' + I - Q Q' where L L' = I + R gamma R'.
  std::vector<Vec> b(rank_, Vec(n_));
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = 0; i < n_; ++i) {
      b[j][i] = root_alpha_[i] * z[j][i];
      b[m + j][i] = s[j][i] / root_alpha_[i];
    }
  Vec r;
  thin_qr(b, &r);
  q_.clear();
  for (const Vec& column : b) q_.insert(q_.end(), column.begin(), column.end());
  const Vec gamma = middle_matrix(alpha, s, z);
  factor_ = product(product(r, false, gamma, false, rank_, rank_, rank_), false, r, true, rank_, rank_, rank_);
  const Vec update = factor_;
  for (std::size_t i = 0; i < rank_; ++i) factor_[i * rank_ + i] += 1;
  if (!cholesky_in_place(factor_, rank_)) return false;
  for (std::size_t i = 0; i < rank_; ++i) log_det_ += 2 * std::log(factor_[i * rank_ + i]);

  // mean = point + Sigma gradient.
  Vec scaled(n_);
  for (std::size_t i = 0; i < n_; ++i) scaled[i] = root_alpha_[i] * gradient[i];
  projected_.assign(rank_, 0);
  for (std::size_t j = 0; j < rank_; ++j) projected_[j] = dot(ConstSpan(q_).subspan(j * n_, n_), scaled);
  lifted_.assign(rank_, 0);
  for (std::size_t i = 0; i < rank_; ++i) lifted_[i] = dot(ConstSpan(update).subspan(i * rank_, rank_), projected_);
  for (std::size_t j = 0; j < rank_; ++j) axpy(lifted_[j], ConstSpan(q_).subspan(j * n_, n_), scaled);
  mean_.assign(point.begin(), point.end());
  for (std::size_t i = 0; i < n_; ++i) mean_[i] += root_alpha_[i] * scaled[i];
  return std::isfinite(log_det_) && all_finite(mean_);
}

double PathNormal::draw(Rng& rng, Span out) {
  rng.normals(u_);
  const double log_density = -0.5 * (log_det_ + dot(u_, u_) + static_cast<double>(n_) * kLog2Pi);
  for (std::size_t j = 0; j < rank_; ++j) projected_[j] = dot(ConstSpan(q_).subspan(j * n_, n_), u_);
  multiply_lower(factor_, rank_, projected_, lifted_);
  for (std::size_t j = 0; j < rank_; ++j) axpy(lifted_[j] - projected_[j], ConstSpan(q_).subspan(j * n_, n_), u_);
  for (std::size_t i = 0; i < n_; ++i) out[i] = mean_[i] + root_alpha_[i] * u_[i];
  return log_density;
}

namespace {

struct Draws {
  std::vector<Vec> points;
  Vec lp, lp_approx;
};

class Path {
 public:
  Path(Target& climbing, Target& sampling, const PathfinderOptions& options, Rng& rng)
      : climbing_(climbing),
        sampling_(sampling),
        options_(options),
        rng_(rng),
        alpha_(climbing.size(), 1.0),
        recorded_(out_.json, JsonGroup::Kind::Object) {}

  PathDraws run(ConstSpan init) {
    QuasiNewton climber(climbing_, {.search = options_.search, .max_iterations = options_.max_lbfgs_iters});
    if (!climber.start(init)) {
      out_.error = "the density is not finite at the initial point";
      return std::move(out_);
    }
    out_.log = formatted("Initial log joint density = %f\n", climber.lp());
    Vec before(init.begin(), init.end()), gradient(climber.gradient().begin(), climber.gradient().end());
    StepStatus status = StepStatus::Going;
    record(climber, status, nullptr);
    while (status == StepStatus::Going) {
      status = climber.step();
      if (status == StepStatus::Stopped || status == StepStatus::LineSearchFailed) break;
      take_step(before, gradient, climber);
      copy(climber.position(), before);
      copy(climber.gradient(), gradient);
      try_approximation(climber);
    }
    if (status == StepStatus::LineSearchFailed) record(climber, status, nullptr);
    recorded_.end();
    report(climber, status);
    if (status == StepStatus::Stopped) out_.error = kInterruptedText;
    if (out_.error.empty() && best_iteration_ == 0)
      out_.error = "no step of the path gave a usable approximation (" + std::string(status_text(status)) + ")";
    if (out_.error.empty()) draw_all();
    out_.evaluations = climbing_.evaluations() + sampling_.evaluations();
    return std::move(out_);
  }

 private:
  void take_step(const Vec& before, const Vec& gradient, const QuasiNewton& climber) {
    Vec s(before.size()), z(before.size());
    subtract(climber.position(), before, s);
    subtract(gradient, climber.gradient(), z);
    if (!(dot(s, z) > 1e-12 * dot(z, z))) return;
    update_diagonal(s, z, alpha_);
    if (s_.size() == std::max(1U, options_.search.history_size)) {
      s_.erase(s_.begin());
      z_.erase(z_.begin());
    }
    s_.push_back(std::move(s));
    z_.push_back(std::move(z));
  }

  void try_approximation(const QuasiNewton& climber) {
    PathNormal normal;
    const bool built = normal.build(climber.position(), climber.gradient(), alpha_, s_, z_);
    record(climber, StepStatus::Going, built ? &normal : nullptr);
    if (!built) return;
    Draws draws;
    double sum = 0;
    for (unsigned k = 0; k < options_.num_elbo_draws; ++k) {
      draw(normal, true, draws);
      sum += draws.lp.back() - draws.lp_approx.back();
    }
    last_elbo_ = sum / options_.num_elbo_draws;
    if (!(last_elbo_ > out_.elbo)) return;
    out_.elbo = last_elbo_;
    best_draws_ = std::move(draws);
    best_iteration_ = climber.iteration();
    best_ = std::move(normal);
  }

  void record(const QuasiNewton& climber, StepStatus status, const PathNormal* normal) {
    if (!options_.record_paths) return;
    const bool climbed = !is_failure(status), tried = climbed && climber.iteration() > 0;
    const unsigned iteration = climber.iteration() + (climbed ? 0 : 1);
    if (iteration < next_record_) return;  // at a point without a gradient no step is made
    next_record_ = iteration + 1;
    append_record({.iteration = iteration,
                   .position = climber.position(),
                   .gradient = climber.gradient(),
                   .alpha = alpha_,
                   .history = s_.size(),
                   .climbed = climbed,
                   .normal = normal,
                   .note = climbed ? std::string_view(climber.note()) : status_text(status),
                   .error = tried && !normal ? "the covariance is not positive definite" : ""},
                  recorded_);
  }

  void report(const QuasiNewton& climber, StepStatus status) {
    out_.log +=
        "Iter      log prob        ||dx||      ||grad||     alpha      alpha0      # evals       ELBO    Best "
        "ELBO        Notes \n";
    out_.log += formatted("%6u  %14.3e  %10.3e  %10.3e  %8.3e  %8.3e  %10llu  %10.3e  %10.3e  %s\n", climber.iteration(),
                     climber.lp(), climber.step_norm(), climber.gradient_norm(), climber.alpha(), climber.alpha0(),
                     static_cast<unsigned long long>(climbing_.evaluations() + sampling_.evaluations()), last_elbo_,
                     out_.elbo, is_failure(status) ? std::string(status_text(status)).c_str() : "");
    out_.log += formatted("Best Iter: [%u] ELBO (%f) evaluations: (%llu)\n", best_iteration_, out_.elbo,
                     static_cast<unsigned long long>(climbing_.evaluations() + sampling_.evaluations()));
  }

  /// One more draw of the approximation; without `density` its log density is NaN.
  void draw(PathNormal& normal, bool density, Draws& out) {
    Vec point(alpha_.size());
    out.lp_approx.push_back(normal.draw(rng_, point));
    out.lp.push_back(density ? sampling_.value(point) : kNaN);
    out.points.push_back(std::move(point));
  }

  /// Those that the bound was computed from are draws too, with densities that are known.
  void draw_all() {
    Draws& all = best_draws_;
    const std::size_t n = options_.num_draws;
    while (all.points.size() < n && !sampling_.stopped()) draw(best_, options_.calculate_lp, all);
    const std::size_t kept = std::min(n, all.points.size());
    all.points.resize(kept);
    all.lp.resize(kept);
    all.lp_approx.resize(kept);
    out_.points = std::move(all.points);
    out_.mean.assign(best_.mean().begin(), best_.mean().end());
    out_.lp = std::move(all.lp);
    out_.lp_approx = std::move(all.lp_approx);
  }

  Target& climbing_;
  Target& sampling_;
  const PathfinderOptions& options_;
  Rng& rng_;
  Vec alpha_;
  std::vector<Vec> s_, z_;
  PathNormal best_;
  Draws best_draws_;
  unsigned best_iteration_ = 0;
  double last_elbo_ = -kInf;
  PathDraws out_;
  JsonGroup recorded_;  // at the end of out_.json
  unsigned next_record_ = 0;
};

}  // namespace

PathDraws pathfinder_path(Target& climbing, Target& sampling, const PathfinderOptions& options, ConstSpan init,
                          Rng& rng) {
  return Path(climbing, sampling, options, rng).run(init);
}

}  // namespace fermiac::inference
