#include "inference/approximate/variational.h"

#include <algorithm>
#include <chrono>
#include <deque>

#include "inference/model/init.h"
#include "support/base/number_text.h"
#include "support/base/text.h"

namespace fermiac::inference {
namespace {

constexpr double kStepSequence[] = {100, 10, 1, 0.1, 0.01};
constexpr double kStepOffset = 1;   // tau of the adaptive step size
constexpr double kNewWeight = 0.1;  // of the latest squared gradient
constexpr int kMaxFailedDraws = 100;

}  // namespace

NormalFamily::NormalFamily(bool full_rank, std::size_t n)
    : full_rank_(full_rank), n_(n), mu_(n), scale_(full_rank ? n * n : n) {}

void NormalFamily::start(ConstSpan mu) {
  copy(mu, mu_);
  std::fill(scale_.begin(), scale_.end(), 0.0);
  if (full_rank_)
    for (std::size_t i = 0; i < n_; ++i) scale_[i * n_ + i] = 1;
}

double NormalFamily::entropy() const {
  double out = 0.5 * static_cast<double>(n_) * (1 + kLog2Pi);
  for (std::size_t i = 0; i < n_; ++i) {
    if (!full_rank_) out += scale_[i];
    if (full_rank_ && scale_[i * n_ + i] != 0) out += std::log(std::fabs(scale_[i * n_ + i]));
  }
  return out;
}

void NormalFamily::transform(ConstSpan eta, Span zeta) const {
  if (full_rank_)
    multiply_lower(scale_, n_, eta, zeta);
  else
    for (std::size_t i = 0; i < n_; ++i) zeta[i] = std::exp(scale_[i]) * eta[i];
  axpy(1, mu_, zeta);
}

void NormalFamily::add_gradient(ConstSpan eta, ConstSpan gradient, Span out) const {
  axpy(1, gradient, out.first(n_));
  const Span scale = out.subspan(n_);
  for (std::size_t i = 0; i < n_; ++i) {
    if (full_rank_)
      for (std::size_t j = 0; j <= i; ++j) scale[i * n_ + j] += gradient[i] * eta[j];
    else
      scale[i] += gradient[i] * eta[i] * std::exp(scale_[i]);
  }
}

void NormalFamily::add_entropy_gradient(Span out) const {
  const Span scale = out.subspan(n_);
  for (std::size_t i = 0; i < n_; ++i) {
    if (full_rank_)
      scale[i * n_ + i] += 1 / scale_[i * n_ + i];
    else
      scale[i] += 1;
  }
}

void NormalFamily::step(ConstSpan change) {
  axpy(1, change.first(n_), mu_);
  axpy(1, change.subspan(n_), scale_);
}

Advi::Advi(Target& target, const VariationalOptions& options, Rng& rng, Say say)
    : target_(target),
      options_(options),
      rng_(rng),
      say_(std::move(say)),
      family_(options.algorithm == VariationalOptions::Algorithm::FullRank, target.size()),
      eta_(options.eta),
      draw_(target.size()),
      zeta_(target.size()),
      density_gradient_(target.size()),
      gradient_(family_.parameters()),
      history_(family_.parameters()),
      step_(family_.parameters()) {}

/// Monte Carlo estimate of the evidence lower bound; draws outside the support are left out, NaN if all are.
double Advi::elbo() {
  double sum = 0;
  unsigned used = 0;
  for (unsigned i = 0; i < options_.elbo_samples; ++i) {
    rng_.normals(draw_);
    family_.transform(draw_, zeta_);
    const double lp = target_.value(zeta_);
    if (!std::isfinite(lp)) continue;
    sum += lp;
    ++used;
  }
  return used == 0 ? kNaN : sum / used + family_.entropy();
}

bool Advi::gradient(Span out) {
  std::fill(out.begin(), out.end(), 0.0);
  unsigned used = 0;
  for (int failed = 0; used < options_.grad_samples && failed < kMaxFailedDraws && !target_.stopped();) {
    rng_.normals(draw_);
    family_.transform(draw_, zeta_);
    const bool fine = std::isfinite(target_.gradient(zeta_, density_gradient_)) && all_finite(density_gradient_);
    failed += !fine;
    used += fine;
    if (fine) family_.add_gradient(draw_, density_gradient_, out);
  }
  if (used < options_.grad_samples) return false;
  for (double& x : out) x /= options_.grad_samples;
  family_.add_entropy_gradient(out);
  return true;
}

/// One step of size eta / sqrt(iteration), scaled per coordinate by a running mean of squared gradients.
bool Advi::ascend(unsigned iteration, double eta) {
  if (!gradient(gradient_)) return false;
  const double size = eta / std::sqrt(static_cast<double>(iteration));
  for (std::size_t i = 0; i < gradient_.size(); ++i) {
    const double square = gradient_[i] * gradient_[i];
    history_[i] = iteration == 1 ? square : kNewWeight * square + (1 - kNewWeight) * history_[i];
    step_[i] = size * gradient_[i] / (kStepOffset + std::sqrt(history_[i]));
  }
  family_.step(step_);
  return family_.finite();
}

/// Tries step sizes from large to small and keeps the one after which the bound gets worse.
Status Advi::adapt(ConstSpan init) {
  say_("Begin eta adaptation.\n");
  family_.start(init);
  const double at_start = elbo();
  const unsigned tries = std::size(kStepSequence), total = tries * options_.adapt_iterations;
  double best = -kInf, best_eta = 0;
  for (unsigned t = 0; t < tries; ++t) {
    family_.start(init);
    bool fine = true;
    for (unsigned i = 1; i <= options_.adapt_iterations && fine; ++i) {
      if (Status ended = target_.ended(); !ended) return ended;
      fine = ascend(i, kStepSequence[t]);
      const unsigned done = t * options_.adapt_iterations + i;
      if (options_.refresh > 0 && (done == 1 || i == options_.adapt_iterations))
        say_(formatted("Iteration: %3u / %u [%3u%%]  (Adaptation)\n", done, total, 100 * done / total));
    }
    const double reached = fine ? elbo() : -kInf;
    // A smaller step cannot be better once a larger one beat the start.
    if (best > at_start && !(reached > best)) break;
    if (reached > best) {
      best = reached;
      best_eta = kStepSequence[t];
    }
  }
  if (!(best > at_start) && !(std::isnan(at_start) && std::isfinite(best)))
    return Status::failed(
        "All proposed step-sizes failed. Your model may be either severely ill-conditioned or misspecified.");
  eta_ = best_eta;
  say_(formatted("Success! Found best value [eta = %g]%s.\n\n", eta_,
            eta_ > kStepSequence[tries - 1] ? " earlier than expected" : ""));
  return {};
}

Status Advi::climb() {
  say_("Begin stochastic gradient ascent.\n  iter             ELBO   delta_ELBO_mean   delta_ELBO_med   notes \n");
  const std::size_t window =
      std::max<std::size_t>(2, static_cast<std::size_t>(0.1 * options_.iterations / options_.eval_elbo));
  std::deque<double> changes;
  double before = 0;
  for (unsigned i = 1; i <= options_.iterations; ++i) {
    if (Status ended = target_.ended(); !ended) return ended;
    if (!ascend(i, eta_))
      return Status::failed("The density or its gradient could not be evaluated at " + std::to_string(kMaxFailedDraws) +
                          " draws of the approximation. Your model may be either severely ill-conditioned or "
                          "misspecified." +
                          (target_.last_message().empty() ? "" : "\n" + target_.last_message()));
    if (i % options_.eval_elbo != 0) continue;
    const double now = elbo();
    if (told_) told_(i, now);
    changes.push_back(std::fabs((now - before) / now));
    if (changes.size() > window) changes.pop_front();
    before = now;
    Vec sorted(changes.begin(), changes.end());
    std::sort(sorted.begin(), sorted.end());
    double mean = 0;
    for (const double c : sorted) mean += c / static_cast<double>(sorted.size());
    const double median = sorted[sorted.size() / 2];
    std::string notes;
    if (mean < options_.tol_rel_obj) notes += "   MEAN ELBO CONVERGED";
    if (median < options_.tol_rel_obj) notes += "   MEDIAN ELBO CONVERGED";
    if (changes.size() > 1 && (mean > 0.5 || median > 0.5) && i > 10 * options_.eval_elbo)
      notes += "   MAY BE DIVERGING... INSPECT ELBO";
    say_(formatted("%6u  %15.3f  %16.3f  %15.3f%s\n", i, now, mean, median, notes.c_str()));
    if (mean < options_.tol_rel_obj || median < options_.tol_rel_obj) return {};
  }
  say_(
      "Informational Message: The maximum number of iterations is reached! The algorithm may not have converged.\n"
      "This variational approximation is not guaranteed to be meaningful.\n");
  return {};
}

Status Advi::fit(ConstSpan init) {
  if (options_.adapt_engaged)
    if (Status bad = adapt(init); !bad) return bad;
  family_.start(init);
  return climb();
}

}  // namespace fermiac::inference
