#include "autodiff/tape/record/direct.h"

#include <algorithm>

#include "autodiff/kernels/fail_domain.h"
#include "autodiff/tape/trace/operands.h"
#include "autodiff/tape/trace/storage.h"
#include "support/check.h"

namespace fermiac::ad {
namespace {

/// Operand j of a map hands derivatives on.
bool is_active(const Op& op, int j) {
  return (op.ad_mask >> j & 1u) != 0 && !is_constant(op.x[j]);
}

}  // namespace

void Direct::restart(std::uint32_t parameters, bool with_gradient) {
  adjoints_.assign(padded(parameters) + 2 * kPad, 0.0);
  steps_.clear();
  scratch_.clear();
  scratch_at_.clear();
  path_ = {};
  with_gradient_ = with_gradient;
}

/// An adjoint for every number so far, and room for vector loops behind them.
void Direct::cover(const Trace& t) {
  const std::size_t size = t.values.size() + 2 * kPad;
  if (adjoints_.size() < size) adjoints_.resize(size);
}

MapArgs Direct::bind(const Trace& t, const Op& op) {
  return bind_map(op, [&](int j) { return Address{numbers_at(t, op.x[j]), is_active(op, j) ? adjoint(op.x[j]) : nullptr}; });
}

/// The value at scalars x; take(j, partial) for the operands in `ad`, if a gradient is wanted.
template <class Take>
double Direct::evaluate(const MapOp& f, const double* x, std::uint8_t ad, Keep keep, Take take) const {
  if (!f.rules.empty() && !f.valid(x)) [[unlikely]] fail_domain(f, x);
  keep.ad &= ad;
  if (!with_gradient_) return f.value(x, keep);
  double d[kMaxMapArity];
  const double value = f.value_and_partials(x, keep, d);
  for (int j = 0; j < f.arity; ++j)
    if (ad >> j & 1u) take(j, d[j]);
  return value;
}

double Direct::sink(const Trace& t, const MapOp& f, const double* x, const Ref* refs, std::uint8_t ad, Keep keep) {
  if (with_gradient_) cover(t);
  return evaluate(f, x, ad, keep, [&](int j, double d) { *adjoint(refs[j]) += d; });
}

double Direct::step(const MapOp& f, const double* x, const Ref* refs, std::uint8_t ad, Keep keep, Ref d) {
  return evaluate(f, x, ad, keep, [&](int j, double partial) { step(d, refs[j], partial); });
}

double Direct::sink(const Trace& t, const Op& op) {
  const MapOp& f = map_op(op.map);
  if (with_gradient_) cover(t);
  double sum = 0;
  const MapArgs m = bind(t, op);
  if (!(with_gradient_ ? f.fused : f.reduce)(m, &sum)) explain_domain(f, m);
  return sum;
}

void Direct::target(const Trace& t, Ref r, std::uint32_t n) {
  if (!with_gradient_) return;
  cover(t);
  for (std::uint32_t i = 0; i < n; ++i) *adjoint(r + i) += 1;
}

// ---- kernels

KernelCall Direct::bind(const Trace& t, const CallInfo& info, double* out, const double* out_a, std::size_t scratch) {
  call_args_.resize(info.count);
  KernelCall call = bind_call(info, t.call_operands, t.ints, call_args_, [&](const CallOperand& o) {
    const bool active = with_gradient_ && o.autodiff && !is_constant(o.ref);
    return Address{numbers_at(t, o.ref), active ? adjoint(o.ref) : nullptr};
  });
  call.out = out;
  call.out_a = out_a;
  call.scratch = scratch_.data() + scratch;
  return call;
}

void Direct::call(Trace& t, std::uint32_t index) {
  const CallInfo& info = t.calls[index];
  if (with_gradient_) cover(t);
  const std::size_t first = with_gradient_ ? scratch_.size() : 0;
  scratch_at_.resize(index + 1);
  scratch_at_[index] = first;
  scratch_.resize(std::max(scratch_.size(), first + padded(info.scratch_size) + kPad));
  info.kernel->forward(bind(t, info, &t.values[info.out_ref], nullptr, first));
}

double Direct::call_sink(Trace& t, std::uint32_t index) {
  const CallInfo& info = t.calls[index];
  const Kernel& kernel = *info.kernel;
  if (with_gradient_ && kernel.fused != nullptr) {
    cover(t);
    const std::size_t first = scratch_.size();
    scratch_.resize(first + padded(info.scratch_size) + kPad);
    const double value = kernel.fused(bind(t, info, &t.values[info.out_ref], nullptr, first));
    scratch_.resize(first);
    return value;
  }
  call(t, index);
  if (with_gradient_) {
    *adjoint(info.out_ref) += 1;
    reverse_call(t, index);
  }
  return t.values[info.out_ref];
}

void Direct::reverse_call(const Trace& t, std::uint32_t index) {
  const CallInfo& info = t.calls[index];
  if (info.kernel->reverse == nullptr) return;
  // A kernel reads its result while it sweeps back, and writes to adjoints only.
  double* const out = const_cast<double*>(numbers_at(t, info.out_ref));
  info.kernel->reverse(bind(t, info, out, adjoint(info.out_ref), scratch_at_[index]));
}

// ---- the sweep

void Direct::scatter(const Trace& t, const Op& op) {
  const Ref* index = &t.index[op.x[0]];
  for (std::uint32_t i = 0; i < op.n; ++i)
    if (!is_constant(index[i])) adjoints_[index[i]] += adjoints_[op.d + i];
}

void Direct::reverse(const Trace& t, const Op& op) {
  switch (op.kind) {
    case OpKind::Vector:
    case OpKind::VectorReduce: {
      MapArgs m = bind(t, op);
      m.out = const_cast<double*>(numbers_at(t, op.d));  // read only, as of kernels
      m.out_a = adjoint(op.d);
      double unused = 0;
      if (op.kind == OpKind::Vector) return map_op(op.map).map_reverse(m);
      m.g = *m.out_a;
      map_op(op.map).fused(m, &unused);
      return;
    }
    case OpKind::Gather: return scatter(t, op);
    case OpKind::Call: return reverse_call(t, op.x[0]);
    default: break;
  }
  FERMIAC_CHECK(false, "an evaluation keeps nothing else");
}

void Direct::pull_back(const Trace& t, std::span<double> gradient) {
  cover(t);
  for (std::size_t i = steps_.size(); i-- > 0;) {
    const Step& s = steps_[i];
    if (s.a == kNoRef) {
      reverse(t, t.ops[s.d]);
    } else if (const double g = adjoints_[s.d]; g != 0) {
      adjoints_[s.a] += g * s.da;
      if (s.b != kNoRef) adjoints_[s.b] += g * s.db;
    }
  }
  std::copy_n(adjoints_.begin(), gradient.size(), gradient.begin());
}

}  // namespace fermiac::ad
