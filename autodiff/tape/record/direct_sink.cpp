#include "autodiff/tape/record/direct_sink.h"

#include <algorithm>

#include "autodiff/kernels/fail_domain.h"
#include "autodiff/tape/ir/operands.h"
#include "support/base/check.h"

namespace fermiac::ad {

void DirectSink::restart(bool with_gradient) {
  adjoints_.assign(padded(r_.trace.parameters) + 2 * kPad, 0.0);
  steps_.clear();
  scratch_.clear();
  scratch_at_.clear();
  pending_.clear();
  path_ = {};
  with_gradient_ = with_gradient;
}

void DirectSink::lend(Trail& t) {
  constexpr std::uint32_t kLittle = 32, kMuch = 8192;
  const std::uint32_t room = t.used > 0 && t.used == t.room ? std::min(4 * t.room, kMuch) : kLittle;
  take_back(t);
  t.first = r_.add_scalars(room);
  t.room = room;
  t.results = &r_.trace.values[t.first];
  const std::size_t before = steps_.size();
  steps_.resize(before + room);
  t.steps = &steps_[before];
  show(t);
}

void DirectSink::take_back(Trail& t) {
  r_.trace.values.resize(r_.trace.values.size() - (t.room - t.used));
  steps_.resize(steps_.size() - (with_gradient_ ? t.room - t.used : t.room));
  t.used = t.room = 0;
  show(t);
}

/// Where the numbers lie now.
void DirectSink::show(Trail& t) {
  const double* values = r_.trace.values.data();
  t.pools[0] = t.pools[1] = values;
  t.pools[2] = r_.trace.const_scalars.data();
  t.pools[3] = r_.trace.const_vectors.data();
  t.path = path_.place();
}

/// An adjoint for every number so far, and room for vector loops behind them.
void DirectSink::cover() {
  const std::size_t size = r_.trace.values.size() + 2 * kPad;
  if (adjoints_.size() < size) adjoints_.resize(size);
}

Ref DirectSink::constant_block(const double* values, std::uint32_t n) {
  return n > 0 ? r_.build.new_constant_block(values, n) : r_.build.constant_block(values, n);
}

Ref DirectSink::copy(std::span<const Ref> elements) {
  const Op op = r_.build.gather(elements);
  push(op);
  return op.d;
}

/// An op that is no scalar map, put at the trace's end.
void DirectSink::push(const Op& op) {
  r_.trace.ops.push_back(op);
  if (with_gradient_) steps_.push_back({.d = static_cast<std::uint32_t>(r_.trace.ops.size() - 1), .a = Ref::none()});
}

// ---- maps

/// Operands that take part hand derivatives on.
MapArgs DirectSink::bind_adjoints(const Op& op) {
  return bind_map(op, [&](int j) {
    const bool active = (op.ad_mask >> j & 1u) != 0 && !op.x[j].is_constant();
    return Address{numbers_at(r_.trace, op.x[j]), active ? adjoint(op.x[j]) : nullptr};
  });
}

/// The value at scalars x; take(j, partial) for the operands in `ad`, if a gradient is wanted.
template <class Take>
double DirectSink::evaluate(const MapOp& f, const double* x, std::uint8_t ad, Keep keep, Take take) const {
  check_domain(f, x);
  keep.ad &= ad;
  if (!with_gradient_) return f.value(x, keep);
  double d[kMaxMapArity];
  const double value = f.value_and_partials(x, keep, d);
  for (int j = 0; j < f.arity; ++j)
    if (ad >> j & 1u) take(j, d[j]);
  return value;
}

Ref DirectSink::map(Op& op, const double* x) {
  const Ref d = r_.new_scalar(0);
  const auto take = [&](int j, double partial) { step(d, op.x[j], partial); };
  return result(d) = evaluate(map_op(op.map), x, op.ad_mask, op.keep, take), d;
}

double DirectSink::settle() {
  if (with_gradient_) cover();
  return pending_.take(with_gradient_ ? adjoints_.data() : nullptr);
}

double DirectSink::sink_scalars(MapCode code, const double* x, const Ref* refs, std::uint8_t ad, Keep keep) {
  if (const MapOp& f = map_op(code); f.density && !f.product) {
    pending_.add(f, x, refs, ad, keep, r_.weight_now());
    return pending_.full() ? settle() : 0;
  }
  if (with_gradient_) cover();
  const double weight = r_.weight_now();
  return weight * evaluate(map_op(code), x, ad, keep, [&](int j, double d) { *adjoint(refs[j]) += weight * d; });
}

double DirectSink::sink(Op op) {
  const MapOp& f = map_op(op.map);
  if (with_gradient_) cover();
  double sum = 0;
  MapArgs m = bind_adjoints(op);
  m.g = r_.weight_now();
  if (!(with_gradient_ ? f.fused : f.reduce)(m, &sum)) explain_domain(f, m);
  return m.g * sum;
}

void DirectSink::target(Ref r, std::uint32_t n) {
  if (!with_gradient_) return;
  cover();
  for (std::uint32_t i = 0; i < n; ++i) *adjoint(r + i) += r_.weight_now();
}

std::vector<Ref> DirectSink::terms() { FERMIAC_CHECK(false, "the terms of target were kept"); }

// ---- kernels

KernelCall DirectSink::bind(const CallInfo& info, const double* out_a, std::size_t scratch) {
  call_args_.resize(info.count);
  KernelCall call = bind_call(info, r_.trace.call_operands, r_.trace.ints, call_args_, [&](const CallOperand& o) {
    const bool active = with_gradient_ && o.autodiff && !o.place.is_constant();
    return Address{numbers_at(r_.trace, o.place), active ? adjoint(o.place) : nullptr};
  });
  call.out = &result(info.out_place);
  call.out_a = out_a;
  call.scratch = scratch_.data() + scratch;
  return call;
}

/// The result goes to its place; scratch stays until the sweep.
void DirectSink::forward(std::uint32_t index) {
  const CallInfo& info = r_.trace.calls[index];
  if (with_gradient_) cover();
  const std::size_t first = with_gradient_ ? scratch_.size() : 0;
  scratch_at_.resize(index + 1);
  scratch_at_[index] = first;
  scratch_.resize(std::max(scratch_.size(), first + padded(info.scratch_size) + kPad));
  info.kernel->forward(bind(info, nullptr, first));
}

void DirectSink::call(std::uint32_t index) {
  forward(index);
  push(op_of_call(r_.trace, OpKind::Call, index));
}

/// Value and adjoints in one pass.
double DirectSink::fused(const CallInfo& info) {
  cover();
  const std::size_t first = scratch_.size();
  scratch_.resize(first + padded(info.scratch_size) + kPad);
  KernelCall call = bind(info, nullptr, first);
  call.g = r_.weight_now();
  const double value = call.g * info.kernel->fused(call);
  scratch_.resize(first);
  return value;
}

double DirectSink::call_sink(std::uint32_t index) {
  const CallInfo& info = r_.trace.calls[index];
  if (with_gradient_ && info.kernel->fused != nullptr) return fused(info);
  forward(index);
  if (with_gradient_) {
    *adjoint(info.out_place) += r_.weight_now();
    reverse_call(index);
  }
  return r_.weight_now() * result(info.out_place);
}

void DirectSink::reverse_call(std::uint32_t index) {
  const CallInfo& info = r_.trace.calls[index];
  if (info.kernel->reverse != nullptr) info.kernel->reverse(bind(info, adjoint(info.out_place), scratch_at_[index]));
}

// ---- the sweep

void DirectSink::scatter(const Op& op) {
  const Ref* index = &r_.trace.index[op.table()];
  for (std::uint32_t i = 0; i < op.n; ++i)
    if (!index[i].is_constant()) *adjoint(index[i]) += *adjoint(op.d + i);
}

void DirectSink::reverse_vector(const Op& op) {
  MapArgs m = bind_adjoints(op);
  m.out = &result(op.d);
  m.out_a = adjoint(op.d);
  if (op.kind == OpKind::Vector) return map_op(op.map).map_reverse(m);
  double unused = 0;
  m.g = *m.out_a;
  map_op(op.map).fused(m, &unused);
}

void DirectSink::reverse(const Op& op) {
  switch (op.kind) {
    case OpKind::Vector:
    case OpKind::VectorReduce: return reverse_vector(op);
    case OpKind::Gather: return scatter(op);
    case OpKind::Call: return reverse_call(op.table());
    default: break;
  }
  FERMIAC_CHECK(false, "an evaluation keeps nothing else");
}

void DirectSink::sweep_to(std::size_t step) {
  cover();
  for (std::size_t i = steps_.size(); i-- > step;) {
    const ScalarStep& s = steps_[i];
    if (s.a == Ref::none()) {
      reverse(r_.trace.ops[s.d]);
    } else if (const double g = adjoints_[s.d]; g != 0) {
      *adjoint(s.a) += g * s.da;
      if (s.b != Ref::none()) *adjoint(s.b) += g * s.db;
    }
  }
  steps_.resize(std::min(steps_.size(), step));
}

void DirectSink::pull_back(std::span<double> gradient) {
  sweep_to(0);
  std::copy_n(adjoints_.begin(), gradient.size(), gradient.begin());
}

}  // namespace fermiac::ad
