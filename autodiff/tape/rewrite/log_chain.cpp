#include "autodiff/tape/rewrite/log_chain.h"

#include <algorithm>
#include <cmath>

#include "autodiff/kernels/isa.h"
#include "autodiff/tape/ir/storage.h"

namespace fermiac::ad {
namespace {

enum Operand { kStart, kTransitions, kAdditions, kLayout };

std::size_t states(const KernelCall& call) { return static_cast<std::size_t>(call.in[kLayout].i[0]); }
std::size_t steps(const KernelCall& call) { return static_cast<std::size_t>(call.in[kLayout].i[1]); }
std::size_t matrices(const KernelCall& call) { return call.in[kTransitions].shape.size() / (states(call) * states(call)); }

Plan plan(const KernelCall& call) {
  const std::size_t n = states(call), t = steps(call), row = padded(n);
  const std::size_t scratch = 1 + matrices(call) * n * row + (t + 1) * row + t * row + (t + 2) * row + t;
  return {Shape::vector(checked_count(n * t, call.name)), scratch};
}

LogChain bind(const KernelCall& call) {
  LogChain c{.states = states(call), .steps = steps(call), .start = call.in[kStart].v,
             .transitions = call.in[kTransitions].v, .matrices = matrices(call),
             .additions = call.in[kAdditions].shape.size() > 0 ? call.in[kAdditions].v : nullptr, .out = call.out,
             .out_a = call.out_a, .start_a = call.in[kStart].a, .transitions_a = call.in[kTransitions].a,
             .additions_a = call.in[kAdditions].shape.size() > 0 ? call.in[kAdditions].a : nullptr};
  const std::size_t row = padded(c.states);
  c.e = call.scratch + 1;
  c.p = c.e + c.matrices * c.states * row;
  c.s = c.p + (c.steps + 1) * row;
  c.factors = c.s + c.steps * row;
  c.units = c.factors + (c.steps + 2) * row;
  return c;
}
/// Whether the forward sweep went along the log scale: not 0.
double& is_slow(const KernelCall& call) { return call.scratch[0]; }

// ---- on the log scale: for states far apart, infinities and NaN

const double* state(const LogChain& c, std::size_t t) { return t == 0 ? c.start : c.out + (t - 1) * c.states; }
const double* transitions(const LogChain& c, std::size_t t) {
  return c.transitions + (c.matrices > 1 ? t * c.states * c.states : 0);
}
double addition(const LogChain& c, std::size_t i) { return c.additions != nullptr ? c.additions[i] : 0; }

double log_sum(const LogChain& c, const double* x, const double* a, std::size_t k) {
  const std::size_t n = c.states;
  double high = x[0] + a[k];
  for (std::size_t j = 1; j < n; ++j) {
    const double u = x[j] + a[j * n + k];
    if (!(u <= high)) high = u;
  }
  if (std::isinf(high)) return high;
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) sum += std::exp(x[j] + a[j * n + k] - high);
  return high + std::log(sum);
}

void slow_forward(const LogChain& c) {
  for (std::size_t t = 0; t < c.steps; ++t)
    for (std::size_t k = 0; k < c.states; ++k)
      c.out[t * c.states + k] = log_sum(c, state(c, t), transitions(c, t), k) + addition(c, t * c.states + k);
}

void slow_reverse(const LogChain& c) {
  const std::size_t n = c.states;
  double* g = c.factors;
  double* carried = c.factors + padded(n);
  std::fill_n(carried, n, 0.0);
  for (std::size_t t = c.steps; t-- > 0;) {
    const double* x = state(c, t);
    const double* a = transitions(c, t);
    for (std::size_t k = 0; k < n; ++k) g[k] = carried[k] + c.out_a[t * n + k];
    if (c.additions_a != nullptr)
      for (std::size_t k = 0; k < n; ++k) c.additions_a[t * n + k] += g[k];
    std::fill_n(carried, n, 0.0);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) {
        const double d = g[k] * std::exp(x[j] + a[j * n + k] - (c.out[t * n + k] - addition(c, t * n + k)));
        carried[j] += d;
        if (c.transitions_a != nullptr) c.transitions_a[(a - c.transitions) + static_cast<std::ptrdiff_t>(j * n + k)] += d;
      }
  }
  if (c.start_a != nullptr)
    for (std::size_t k = 0; k < n; ++k) c.start_a[k] += carried[k];
}

void forward(const KernelCall& call) {
  const LogChain c = bind(call);
  is_slow(call) = FERMIAC_FOR_ACTIVE_ISA(kLogChainLoops).forward(c) ? 0 : 1;
  if (is_slow(call) != 0) slow_forward(c);
}

void reverse(const KernelCall& call) {
  const LogChain c = bind(call);
  if (is_slow(call) != 0) return slow_reverse(c);
  FERMIAC_FOR_ACTIVE_ISA(kLogChainLoops).reverse(c);
}

}  // namespace

const Kernel kLogChain{"log_chain__", plan, forward, reverse};

}  // namespace fermiac::ad
