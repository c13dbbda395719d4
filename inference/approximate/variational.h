// Automatic differentiation variational inference without files: a normal family on the unconstrained scale, fitted by
// stochastic gradient ascent on the evidence lower bound (Kucukelbir, Tran, Ranganath, Gelman, Blei 2017).
#pragma once

#include <functional>
#include <string>

#include "inference/model/options.h"
#include "inference/model/target.h"

namespace fermiac::inference {

/// zeta = mu + L eta, eta standard normal; L = diag(exp(omega)) for mean field, else lower triangular.
class NormalFamily {
 public:
  NormalFamily(bool full_rank, std::size_t n);
  void start(ConstSpan mu);

  std::size_t size() const { return n_; }
  std::size_t parameters() const { return n_ + scale_.size(); }
  ConstSpan mean() const { return mu_; }
  double entropy() const;
  void transform(ConstSpan eta, Span zeta) const;
  /// Adds to `out` [parameters()] the gradient of the expected density carried by one draw.
  void add_gradient(ConstSpan eta, ConstSpan gradient, Span out) const;
  /// Adds the gradient of the entropy.
  void add_entropy_gradient(Span out) const;
  void step(ConstSpan change);
  bool finite() const { return all_finite(mu_) && all_finite(scale_); }

 private:
  bool full_rank_;
  std::size_t n_;
  Vec mu_, scale_;  // scale: omega [n], or row-major lower triangle [n × n]
};

class Advi {
 public:
  using Say = std::function<void(const std::string&)>;
  Advi(Target& target, const VariationalOptions& options, Rng& rng, Say say);
  /// Hears of the bound [nats] after an iteration of the ascent, every eval_elbo of them.
  void tell_bound(std::function<void(unsigned iteration, double bound)> told) { told_ = std::move(told); }

  /// Fits from `init`. Errors: no step size works, or the density cannot be evaluated.
  Status fit(ConstSpan init);
  const NormalFamily& family() const { return family_; }
  double eta() const { return eta_; }

 private:
  double elbo();
  bool gradient(Span out);
  bool ascend(unsigned iteration, double eta);
  Status adapt(ConstSpan init);
  Status climb();

  Target& target_;
  const VariationalOptions& options_;
  Rng& rng_;
  Say say_;
  std::function<void(unsigned, double)> told_;
  NormalFamily family_;
  double eta_;
  Vec draw_, zeta_, density_gradient_, gradient_, history_, step_;
};

}  // namespace fermiac::inference
