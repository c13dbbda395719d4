// Hidden Markov models with the states summed out: forward and backward recursions on scaled probabilities.
//   log_omegas (K x N): log likelihoods of the observations; Gamma (K x K): transitions from row to column; rho: start.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "autodiff/linalg/kernel_tools.h"
#include "support/base/errors.h"
#include "support/base/stop.h"

namespace fermiac::ad {
namespace {

using dense::t;
using dense::view;

/// scratch: alpha (K x N, each column summing to 1), omega (K x N, each column scaled to a largest of 1), beta and a buffer.
struct Hmm {
  Index k, n;
  const KernelArg &log_omega, &gamma, &rho;
  double *alpha, *omega, *norm, *beta, *next;
  explicit Hmm(const KernelCall& c)
      : k(c.in[0].shape.rows), n(c.in[0].shape.cols), log_omega(c.in[0]), gamma(c.in[1]), rho(c.in[2]), alpha(c.scratch),
        omega(alpha + k * n), norm(omega + k * n), beta(norm + n), next(beta + k) {}
  dense::View transitions() const { return view(gamma.v, k, k); }
};

template <bool Density>
Plan hmm_plan(const KernelCall& c) {
  const std::uint64_t k = c.in[0].shape.rows, n = c.in[0].shape.cols;
  check_square(c.name, "Gamma", c.in[1].shape);
  check_nonempty(c.name, "log_omegas", size_of(c.in[0]));
  check_sizes_match(c.name, "Columns of Gamma", c.in[1].shape.cols, "Rows of log_omegas", c.in[0].shape.rows);
  check_sizes_match(c.name, "Size of rho", size_of(c.in[2]), "Rows of log_omegas", c.in[0].shape.rows);
  return {Density ? Shape::scalar() : Shape::matrix(c.in[0].shape.rows, c.in[0].shape.cols), 2 * k * n + n + 2 * k};
}

void check_hmm(const KernelCall& c, const Hmm& h) {
  check_simplex(c.name, "rho", h.rho.v, h.k);
  for (Index i = 0; i < h.k; ++i) {
    for (Index j = 0; j < h.k; ++j) h.next[j] = h.gamma.v[i + j * h.k];
    check_simplex(c.name, fmt::format("Gamma[{}]", i + 1), h.next, h.k);
  }
}

/// Fills alpha, omega and norm = Σ alpha before scaling; returns the log of the marginal likelihood.
double filter(const Hmm& h) {
  double lp = 0;
  for (Index s = 0; s < h.n; ++s) {
    if (s % 64 == 63) stop_point();
    double *a = h.alpha + s * h.k, *o = h.omega + s * h.k;
    const double* log_o = h.log_omega.v + s * h.k;
    const double high = *std::max_element(log_o, log_o + h.k);
    if (s == 0) std::copy_n(h.rho.v, h.k, a);
    else dense::product(t(h.transitions()), view(a - h.k, h.k, 1), a);
    double sum = 0;
    for (Index j = 0; j < h.k; ++j) {
      o[j] = std::exp(log_o[j] - high);
      sum += a[j] *= o[j];
    }
    for (Index j = 0; j < h.k; ++j) a[j] /= sum;
    h.norm[s] = sum;
    lp += high + std::log(sum);
  }
  return lp;
}

/// One step back: beta_{s-1} = Gamma (omega_s ∘ beta_s) / norm_s. `next` keeps omega_s ∘ beta_s / norm_s.
void step_back(const Hmm& h, Index s) {
  if (s % 64 == 63) stop_point();
  for (Index j = 0; j < h.k; ++j) h.next[j] = h.omega[j + s * h.k] * h.beta[j] / h.norm[s];
  dense::product(h.transitions(), view(h.next, h.k, 1), h.beta);
}

double hmm_marginal(const KernelCall& c, double g) {
  const Hmm h(c);
  check_hmm(c, h);
  const double lp = filter(h);
  if (g == 0) return lp;
  std::fill_n(h.beta, h.k, 1.0);
  for (Index s = h.n - 1; s >= 0; --s) {
    if (h.log_omega.a)  // the derivative is the probability of the state given everything
      for (Index j = 0; j < h.k; ++j) h.log_omega.a[j + s * h.k] += g * h.alpha[j + s * h.k] * h.beta[j];
    step_back(h, s);
    if (s > 0 && h.gamma.a)
      dense::add_product(g, view(h.alpha + (s - 1) * h.k, h.k, 1), view(h.next, 1, h.k), h.gamma.a);
    if (s == 0 && h.rho.a) dense::axpy(h.k, g, h.next, h.rho.a);
  }
  return lp;
}

void hidden_state_prob(const KernelCall& c) {
  const Hmm h(c);
  check_hmm(c, h);
  filter(h);
  std::fill_n(h.beta, h.k, 1.0);
  for (Index s = h.n - 1; s >= 0; --s) {
    for (Index j = 0; j < h.k; ++j) c.out[j + s * h.k] = h.alpha[j + s * h.k] * h.beta[j];
    step_back(h, s);
  }
}

}  // namespace

FERMIAC_EXPORT_KERNELS(hmm_kernels, one_function<hmm_marginal>("hmm_marginal", hmm_plan<true>),
                       {"hmm_hidden_state_prob", hmm_plan<false>, hidden_state_prob, nullptr})

}  // namespace fermiac::ad
