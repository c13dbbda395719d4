#include "autodiff/forward_over_reverse/moving_calls.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "autodiff/linalg/linear_recurrence.h"

namespace fermiac::ad {
namespace {

using Numbers = std::vector<double>;

std::size_t results(const MovingCall& c) { return c.call.out_shape.size(); }

/// The call with other operands: results and scratch space of its own.
class OtherCall {
 public:
  explicit OtherCall(const MovingCall& c) : kernel_(*c.kernel), call_(c.call), args_(c.call.in.begin(), c.call.in.end()) {
    call_.in = args_;
    out_.assign(results(c) + kPad, 0.0);
    scratch_.assign(kernel_.plan(call_).scratch + kPad, 0.0);
    call_.out = out_.data();
    call_.scratch = scratch_.data();
  }
  KernelArg& operand(std::size_t k) { return args_[k]; }
  const double* forward() { return kernel_.forward(call_), out_.data(); }
  /// Behind forward().
  void reverse() { kernel_.reverse(call_); }

 private:
  static constexpr std::size_t kPad = 8;  // vector loops run over ends
  const Kernel& kernel_;
  KernelCall call_;
  std::vector<KernelArg> args_;
  Numbers out_, scratch_;
};

/// What is linear in the adjoints of the results: the kernel's own reverse for their speed.
void reverse_of_speed(const MovingCall& c) {
  KernelCall call = c.call;
  call.out_a = c.out_a_speed;
  c.kernel->reverse(call);
}

/// Operands as they move; what stands still is 0.
class Speeds {
 public:
  Speeds(const MovingCall& c, OtherCall& other) : zeros_(c.call.in.size()) {
    for (std::size_t k = 0; k < c.call.in.size(); ++k) {
      if (c.call.in[k].i) continue;
      zeros_[k].assign(c.speeds[k] ? 0 : c.call.in[k].shape.size() + 8, 0.0);
      other.operand(k).v = c.speeds[k] ? c.speeds[k] : zeros_[k].data();
    }
  }

 private:
  std::vector<Numbers> zeros_;
};

// ---- f(x) linear in all operands together

void linear_forward(const MovingCall& c) {
  OtherCall other(c);
  const Speeds speeds(c, other);
  std::copy_n(other.forward(), results(c), c.out_speed);
}

// ---- linear in each operand: multiply(a, b)

void multilinear_forward(const MovingCall& c) {
  std::fill_n(c.out_speed, results(c), 0.0);
  for (std::size_t k = 0; k < c.speeds.size(); ++k) {
    if (!c.speeds[k]) continue;
    OtherCall other(c);
    other.operand(k).v = c.speeds[k];
    const double* part = other.forward();
    for (std::size_t i = 0; i < results(c); ++i) c.out_speed[i] += part[i];
  }
}
/// The adjoint of one operand moves when another does.
void multilinear_reverse(const MovingCall& c) {
  reverse_of_speed(c);
  for (std::size_t k = 0; k < c.speeds.size(); ++k) {
    if (!c.speeds[k]) continue;
    OtherCall other(c);
    other.operand(k).v = c.speeds[k];
    other.operand(k).a = nullptr;
    other.forward();
    other.reverse();
  }
}

// ---- a square of all operands together: f(s x) = s² f(x), as dot_self

double largest(const double* x, std::size_t n) {
  double most = 0;
  for (std::size_t i = 0; i < n; ++i) most = std::fmax(most, std::fabs(x[i]));
  return most;
}

/// (f(x + s t) - f(x - s t)) / 2s, which is exact whatever s; rounding is least where both parts are of one size.
void square_forward(const MovingCall& c) {
  double size = 0, speed = 0;
  for (std::size_t k = 0; k < c.speeds.size(); ++k) {
    if (!c.speeds[k]) continue;
    size = std::fmax(size, largest(c.call.in[k].v, c.call.in[k].shape.size()));
    speed = std::fmax(speed, largest(c.speeds[k], c.call.in[k].shape.size()));
  }
  const double s = size > 0 && speed > 0 ? size / speed : 1;
  std::fill_n(c.out_speed, results(c), 0.0);
  for (const double side : {1.0, -1.0}) {
    OtherCall other(c);
    std::vector<Numbers> at(c.speeds.size());
    for (std::size_t k = 0; k < c.speeds.size(); ++k) {
      if (!c.speeds[k]) continue;
      const std::size_t n = c.call.in[k].shape.size();
      at[k].assign(n + 8, 0.0);
      for (std::size_t i = 0; i < n; ++i) at[k][i] = c.call.in[k].v[i] + side * s * c.speeds[k][i];
      other.operand(k).v = at[k].data();
    }
    const double* f = other.forward();
    for (std::size_t i = 0; i < results(c); ++i) c.out_speed[i] += side * f[i] / (2 * s);
  }
}
/// Its adjoints are linear in the operands.
void square_reverse(const MovingCall& c) {
  reverse_of_speed(c);
  OtherCall other(c);
  const Speeds speeds(c, other);
  other.forward();
  other.reverse();
}

// ---- exponentials over their sum

double weighted(const double* w, const double* x, std::size_t n) {
  double s = 0;
  for (std::size_t i = 0; i < n; ++i) s += w[i] * x[i];
  return s;
}
/// exp(x - total); NaN where no element has a share.
Numbers shares(const double* x, double total, std::size_t n) {
  Numbers p(n, std::isfinite(total) ? 0 : std::numeric_limits<double>::quiet_NaN());
  if (std::isfinite(total)) std::transform(x, x + n, p.begin(), [&](double v) { return std::exp(v - total); });
  return p;
}

void log_sum_exp_forward(const MovingCall& c) {
  const std::size_t n = c.call.in[0].shape.size();
  *c.out_speed = weighted(shares(c.call.in[0].v, *c.call.out, n).data(), c.speeds[0], n);
}
/// x̄ += ȳ p, p' = p ∘ (x' - y').
void log_sum_exp_reverse(const MovingCall& c) {
  const std::size_t n = c.call.in[0].shape.size();
  const Numbers p = shares(c.call.in[0].v, *c.call.out, n);
  for (std::size_t i = 0; i < n; ++i)
    c.call.in[0].a[i] += p[i] * (*c.out_a_speed + *c.call.out_a * (c.speeds[0][i] - *c.out_speed));
}

/// f(first, n) for every element of an array, or once.
template <class F>
void each_element(const MovingCall& c, F f) {
  const std::size_t n = c.call.in[0].shape.inner_size();
  for (std::size_t at = 0; n > 0 && at < results(c); at += n) f(at, n);
}
void softmax_forward(const MovingCall& c) {
  each_element(c, [&](std::size_t at, std::size_t n) {
    const double mean = weighted(c.call.out + at, c.speeds[0] + at, n);
    for (std::size_t i = at; i < at + n; ++i) c.out_speed[i] = c.call.out[i] * (c.speeds[0][i] - mean);
  });
}
/// x̄ += y ∘ (ȳ - y·ȳ).
void softmax_reverse(const MovingCall& c) {
  each_element(c, [&](std::size_t at, std::size_t n) {
    const double *y = c.call.out + at, *a = c.call.out_a + at, *dy = c.out_speed + at, *da = c.out_a_speed + at;
    const double d = weighted(y, a, n), dd = weighted(dy, a, n) + weighted(y, da, n);
    for (std::size_t i = 0; i < n; ++i) c.call.in[0].a[at + i] += dy[i] * (a[i] - d) + y[i] * (da[i] - dd);
  });
}
void log_softmax_forward(const MovingCall& c) {
  each_element(c, [&](std::size_t at, std::size_t n) {
    const double mean = weighted(shares(c.call.out + at, 0, n).data(), c.speeds[0] + at, n);
    for (std::size_t i = at; i < at + n; ++i) c.out_speed[i] = c.speeds[0][i] - mean;
  });
}
/// x̄ += ȳ - p Σ ȳ, p' = p ∘ y'.
void log_softmax_reverse(const MovingCall& c) {
  each_element(c, [&](std::size_t at, std::size_t n) {
    const Numbers p = shares(c.call.out + at, 0, n), ones(n, 1.0);
    const double s = weighted(ones.data(), c.call.out_a + at, n), ds = weighted(ones.data(), c.out_a_speed + at, n);
    for (std::size_t i = 0; i < n; ++i)
      c.call.in[0].a[at + i] += c.out_a_speed[at + i] - p[i] * (ds + s * c.out_speed[at + i]);
  });
}

// ---- x_t = a x_{t-1} + c_t: both ways a recurrence moves like one with other terms

/// Of the terms, and first of x_0: their adjoints, if those of the numbers are x_a. Adds to `slope` what that of a is.
Numbers recurrence_adjoints(const MovingCall& c, const double* x_a, double* slope) {
  Numbers g(results(c), 0.0);
  double more = 0;
  g[0] = FERMIAC_FOR_ACTIVE_ISA(kLinearRecurrenceLoops).reverse(*c.call.in[0].v, c.call.out, x_a, results(c) - 1, g.data() + 1, &more);
  *slope += more;
  return g;
}
double speed_of(const MovingCall& c, std::size_t operand, std::size_t i = 0) { return c.speeds[operand] ? c.speeds[operand][i] : 0; }

/// x'_t = a x'_{t-1} + (a' x_{t-1} + c'_t)
void recurrence_forward(const MovingCall& c) {
  Numbers terms(results(c) - 1);
  for (std::size_t t = 0; t < terms.size(); ++t) terms[t] = speed_of(c, 0) * c.call.out[t] + speed_of(c, 2, t);
  c.out_speed[0] = speed_of(c, 1);
  FERMIAC_FOR_ACTIVE_ISA(kLinearRecurrenceLoops).forward(*c.call.in[0].v, terms.data(), terms.size(), c.out_speed);
}
/// g'_t = x̄'_t + a g'_{t+1} + a' g_{t+1}
void recurrence_reverse(const MovingCall& c) {
  const std::size_t n = results(c);
  const KernelArg &a = c.call.in[0], &start = c.call.in[1], &additions = c.call.in[2];
  double unmoved = 0, slope = 0;
  const Numbers g = recurrence_adjoints(c, c.call.out_a, &unmoved);
  Numbers x_a(c.out_a_speed, c.out_a_speed + n);
  for (std::size_t t = 0; t + 1 < n; ++t) x_a[t] += speed_of(c, 0) * g[t + 1];
  const Numbers dg = recurrence_adjoints(c, x_a.data(), &slope);
  for (std::size_t t = 0; t + 1 < n; ++t) slope += g[t + 1] * c.out_speed[t];
  if (a.a) *a.a += slope;
  if (start.a) *start.a += dg[0];
  for (std::size_t t = 0; additions.a && t + 1 < n; ++t) additions.a[t] += dg[t + 1];
}

// ---- which kernels

constexpr CallTangents kLinear{linear_forward, reverse_of_speed};
constexpr CallTangents kMultilinear{multilinear_forward, multilinear_reverse};
constexpr CallTangents kSquare{square_forward, square_reverse};

struct Row {
  std::string_view kernel;
  CallTangents tangents;
};
constexpr Row kRows[] = {
    {"linear_recurrence__", {recurrence_forward, recurrence_reverse}},
    {"sum", kLinear},
    {"mean", kLinear},
    {"cumulative_sum", kLinear},
    {"running_sum__", kLinear},
    {"trace", kLinear},
    {"add_diag", kLinear},
    {"csr_to_dense_matrix", kLinear},
    {"multiply", kMultilinear},
    {"dot_product", kMultilinear},
    {"rows_dot_product", kMultilinear},
    {"columns_dot_product", kMultilinear},
    {"diag_pre_multiply", kMultilinear},
    {"diag_post_multiply", kMultilinear},
    {"trace_dot", kMultilinear},
    {"csr_matrix_times_vector", kMultilinear},
    {"dot_self", kSquare},
    {"rows_dot_self", kSquare},
    {"columns_dot_self", kSquare},
    {"crossprod", kSquare},
    {"tcrossprod", kSquare},
    {"multiply_lower_tri_self_transpose", kSquare},
    {"squared_distance", kSquare},
    {"variance", kSquare},
    {"log_sum_exp", {log_sum_exp_forward, log_sum_exp_reverse}},
    {"softmax", {softmax_forward, softmax_reverse}},
    {"log_softmax", {log_softmax_forward, log_softmax_reverse}},
};

}  // namespace

const CallTangents* call_tangents(const Kernel* kernel, std::span<const KernelArg> in) {
  static const auto all = [] {
    std::unordered_map<const Kernel*, const CallTangents*> by_kernel;
    for (const Row& row : kRows) by_kernel[find_kernel(row.kernel)] = &row.tangents;
    return by_kernel;
  }();
  if (const auto found = all.find(kernel); found != all.end()) return found->second;
  return linear_model_tangents(kernel, in);
}

}  // namespace fermiac::ad
