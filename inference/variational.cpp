#include "inference/variational.h"

#include <algorithm>
#include <chrono>
#include <deque>

#include "inference/chain.h"
#include "inference/method_run.h"
#include "inference/methods.h"

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
Result Advi::adapt(ConstSpan init) {
  say_("Begin eta adaptation.\n");
  family_.start(init);
  const double at_start = elbo();
  const unsigned tries = std::size(kStepSequence), total = tries * options_.adapt_iterations;
  double best = -kInf, best_eta = 0;
  for (unsigned t = 0; t < tries; ++t) {
    family_.start(init);
    bool fine = true;
    for (unsigned i = 1; i <= options_.adapt_iterations && fine; ++i) {
      if (target_.stopped()) return Result::fail(target_.fatal() ? target_.fatal_message() : kInterrupted);
      fine = ascend(i, kStepSequence[t]);
      const unsigned done = t * options_.adapt_iterations + i;
      if (options_.refresh > 0 && (done == 1 || i == options_.adapt_iterations))
        say_(text("Iteration: %3u / %u [%3u%%]  (Adaptation)\n", done, total, 100 * done / total));
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
    return Result::fail(
        "All proposed step-sizes failed. Your model may be either severely ill-conditioned or misspecified.");
  eta_ = best_eta;
  say_(text("Success! Found best value [eta = %g]%s.\n\n", eta_,
            eta_ > kStepSequence[tries - 1] ? " earlier than expected" : ""));
  return {};
}

Result Advi::climb() {
  say_("Begin stochastic gradient ascent.\n  iter             ELBO   delta_ELBO_mean   delta_ELBO_med   notes \n");
  const std::size_t window =
      std::max<std::size_t>(2, static_cast<std::size_t>(0.1 * options_.iterations / options_.eval_elbo));
  std::deque<double> changes;
  double before = 0;
  for (unsigned i = 1; i <= options_.iterations; ++i) {
    if (target_.stopped()) return Result::fail(target_.fatal() ? target_.fatal_message() : kInterrupted);
    if (!ascend(i, eta_))
      return Result::fail("The density or its gradient could not be evaluated at " + std::to_string(kMaxFailedDraws) +
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
    say_(text("%6u  %15.3f  %16.3f  %15.3f%s\n", i, now, mean, median, notes.c_str()));
    if (mean < options_.tol_rel_obj || median < options_.tol_rel_obj) return {};
  }
  say_(
      "Informational Message: The maximum number of iterations is reached! The algorithm may not have converged.\n"
      "This variational approximation is not guaranteed to be meaningful.\n");
  return {};
}

Result Advi::fit(ConstSpan init) {
  if (options_.adapt_engaged)
    if (Result bad = adapt(init); !bad) return bad;
  family_.start(init);
  return climb();
}

namespace {

ConfigNode method_config(const VariationalOptions& o) {
  const bool full = o.algorithm == VariationalOptions::Algorithm::FullRank;
  const std::string name = full ? "fullrank" : "meanfield";
  return ConfigNode::choice(
      "method", "variational", "sample",
      {ConfigNode::group("variational",
                         {
                             ConfigNode::choice("algorithm", name, "meanfield", {ConfigNode::group(name)}),
                             ConfigNode::integer("iter", o.iterations, 10000),
                             ConfigNode::integer("grad_samples", o.grad_samples, 1),
                             ConfigNode::integer("elbo_samples", o.elbo_samples, 100),
                             ConfigNode::number("eta", o.eta, 1),
                             ConfigNode::group("adapt", {ConfigNode::boolean("engaged", o.adapt_engaged, true),
                                                         ConfigNode::integer("iter", o.adapt_iterations, 50)}),
                             ConfigNode::number("tol_rel_obj", o.tol_rel_obj, 0.01),
                             ConfigNode::integer("eval_elbo", o.eval_elbo, 100),
                             ConfigNode::integer("output_samples", o.output_samples, 1000),
                         })});
}

Result check(const VariationalOptions& o, const Model& model) {
  if (model.unconstrained_size() == 0) return Result::fail("the model has no parameters to approximate");
  if (o.grad_samples == 0 || o.elbo_samples == 0 || o.eval_elbo == 0 || o.iterations == 0)
    return Result::fail("iter, grad_samples, elbo_samples and eval_elbo must be positive");
  if (!(o.eta > 0) || !(o.tol_rel_obj > 0)) return Result::fail("eta and tol_rel_obj must be positive");
  if (o.adapt_engaged && o.adapt_iterations == 0) return Result::fail("adapt iter must be positive");
  return {};
}

/// The diagnostic file of a face: the bound and when it was reached.
class BoundFile {
 public:
  BoundFile(const MethodRun& run, const VariationalOptions& o) : run_(run), options_(o), csv_(o.sig_figs) {}

  Result open() {
    if (!wanted()) return {};
    if (Result bad = csv_.open(run_.face()->diagnostic[0], options_.overwrite); !bad) return bad;
    csv_.raw(diagnostic_prolog(run_.model(), run_.face()->config, options_));
    csv_.header({"iter", "time_in_seconds", "ELBO"});
    return {};
  }
  void add(unsigned iteration, double bound) {
    if (!wanted()) return;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start_;
    csv_.row(Vec{1.0 * iteration, taken.count(), bound}, {});
  }
  Result close() { return wanted() ? csv_.close() : Result{}; }

 private:
  bool wanted() const { return run_.face() && !run_.face()->diagnostic.empty(); }

  const MethodRun& run_;
  const VariationalOptions& options_;
  CsvWriter csv_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Result fit_and_draw(MethodRun& run, const Model& model, const VariationalOptions& o, const RunIo& io, CsvWriter& csv) {
  Target target(model, {.propto = false, .jacobian = true}, io.stop);
  Rng rng(run.seed(), o.id);
  Vec theta(model.unconstrained_size());
  std::optional<SlowWork> slow;
  run.watch(slow, target, "looking for the approximation");
  if (Result bad = run.initial_point(target, o.id, rng, theta); !bad) return bad;
  csv.header(columns_after({"lp__", "log_p__", "log_g__"}, model));
  if (run.face()) {
    Vec gradient(theta.size());
    const auto start = std::chrono::steady_clock::now();
    static_cast<void>(target.gradient(theta, gradient));
    run.narrate(gradient_time_text(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()));
  }
  Advi advi(target, o, rng, [&](const std::string& message) { run.narrate(message); });
  BoundFile bounds(run, o);
  if (Result bad = bounds.open(); !bad) return bad;
  advi.tell_bound([&](unsigned iteration, double bound) { bounds.add(iteration, bound); });
  if (Result bad = advi.fit(theta); !bad) return bad;
  if (Result bad = bounds.close(); !bad) return bad;
  if (o.adapt_engaged) csv.raw("# Stepsize adaptation complete.\n# eta = " + format_number(advi.eta(), 6) + "\n");

  slow.reset();
  DrawRows rows(model, target.workspace(), generated_rng(run.seed(), o.id), io, csv);
  bool going = rows.add(Vec{0, 0, 0}, advi.family().mean());  // first the mean of the approximation
  run.narrate(text("\nDrawing a sample of size %u from the approximate posterior... \n", o.output_samples));
  Vec eta(theta.size());
  for (unsigned i = 0; i < o.output_samples && going; ++i) {
    rng.normals(eta);
    advi.family().transform(eta, theta);
    going = rows.add(Vec{0, target.value(theta), -0.5 * dot(eta, eta)}, theta);
  }
  run.say(failures_text(rows.failures(), run.face() != nullptr));
  return rows.result();
}

Result variational(MethodRun& run, const Model& model, const VariationalOptions& o, const RunIo& io) {
  if (Result bad = check(o, model); !bad) return bad;
  CsvWriter csv(o.sig_figs);
  if (Result bad = run.open(method_config(o), "_variational.csv", &csv); !bad) return csv.end(bad);
  if (Result bad = csv.end(fit_and_draw(run, model, o, io, csv)); !bad) return bad;
  run.narrate("COMPLETED.\n");
  run.conclude_draws(csv.path(), 1);
  return {};
}

}  // namespace

int run_variational(const Model& model, const VariationalOptions& options, const RunIo& io) {
  MethodRun run(model, options, io);
  return run.finish(variational(run, model, options, io));
}

}  // namespace fermiac::inference
