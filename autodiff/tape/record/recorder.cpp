#include "autodiff/tape/record/recorder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "autodiff/ops/scalar.h"
#include "autodiff/tape/record/term_sink.h"
#include "support/base/check.h"

namespace fermiac::ad {

Recorder::Recorder(std::span<const double> theta) { r_.start(theta); }

void Recorder::evaluate(std::span<const double> theta, bool with_gradient, bool keeps_terms) {
  r_.clear();
  r_.start(theta);
  target_value_ = 0;
  simplexes_.clear();
  weights_.clear();
  speculates_ = false;
  if (!direct_ || keeps_terms != keeps_terms_)
    direct_ = keeps_terms ? std::make_unique<TermSink>(r_) : std::make_unique<DirectSink>(r_);
  keeps_terms_ = keeps_terms;
  direct_->restart(with_gradient);
  sink_ = direct_.get();
}

// ---------------------------------------------------------------- maps

/// Blocks of constants have no adjoints, so an op that takes one of their elements by itself takes a constant scalar.
Ref Recorder::scalar(Ref r) { return r.is_const_vector() ? operand(value(r)) : r; }

Op Recorder::make_map(OpKind kind, MapCode code, std::span<const Operand> x, std::uint32_t n, Keep keep) {
  Op op{.kind = kind, .map = code, .keep = keep, .n = n};
  for (std::size_t j = 0; j < x.size(); ++j) {
    op.x[j] = x[j].vector ? x[j].ref : scalar(x[j].ref);
    if (x[j].vector) op.vector_mask |= static_cast<std::uint8_t>(1u << j);
    if (x[j].autodiff) op.ad_mask |= static_cast<std::uint8_t>(1u << j);
  }
  op.keep.ad &= op.ad_mask;
  return op;
}

Ref Recorder::map(MapCode code, std::span<const Ref> x, Keep keep) {
  Op op{.kind = OpKind::Map, .map = code, .keep = keep};
  double v[kMaxMapArity];
  for (std::size_t j = 0; j < x.size(); ++j) {
    op.x[j] = scalar(x[j]);
    if (!x[j].is_constant()) op.ad_mask |= static_cast<std::uint8_t>(1u << j);
    v[j] = value(x[j]);
  }
  op.keep.ad &= op.ad_mask;
  return sink_->map(op, v);
}

Ref Recorder::map_vector(MapCode code, std::span<const Operand> x, std::uint32_t n, Keep keep) {
  return sink_->map_vector(make_map(OpKind::Vector, code, x, n, keep));
}

Ref Recorder::reduce(MapCode code, std::span<const Operand> x, std::uint32_t n, Keep keep) {
  return sink_->reduce(make_map(OpKind::VectorReduce, code, x, n, keep));
}

void Recorder::sink(MapCode code, std::span<const Operand> x, std::uint32_t n, Keep keep) {
  Op op = make_map(OpKind::VectorSink, code, x, n, keep);
  if (op.vector_mask == 0 && n == 1) op.kind = OpKind::MapSink;
  op.set_weight(r_.weight);
  target_value_ += sink_->sink(op);
}

Ref Recorder::select(Compare compare, Ref a, Ref b, Ref yes, Ref no) {
  const Ref x[] = {a, b, yes, no};
  return map(select_map(compare), x);
}

bool Recorder::guard(Compare compare, Ref a, Ref b) {
  const bool outcome = ops::holds(compare, value(a), value(b));
  if (!a.is_constant() || !b.is_constant()) sink_->guard(compare, a, b, outcome);
  return outcome;
}

// ---------------------------------------------------------------- kernels

bool Recorder::is_simplex(const KernelOperand& x) const {
  const auto known = simplexes_.find(x.element(0));
  if (known == simplexes_.end() || known->second != x.shape.size()) return false;
  for (std::uint32_t i = 1; i < known->second; ++i)
    if (x.element(i) != x.element(0) + i) return false;
  return true;
}

std::vector<KernelOperand> Recorder::as_blocks(std::span<const KernelOperand> x) {
  std::vector<KernelOperand> blocks(x.begin(), x.end());
  for (KernelOperand& k : blocks)
    if (!k.list.empty()) k.ref = gather(std::exchange(k.list, {}));
  return blocks;
}

Recorder::CallResult Recorder::call(const Kernel& kernel, std::string_view name, std::span<const KernelOperand> x,
                                    Propto propto, std::shared_ptr<const void> context) {
  if (const auto expanded = expand_small_call(*this, kernel, x)) return *expanded;
  const std::uint32_t index = r_.build.add_call(kernel, name, as_blocks(x), propto, std::move(context));
  sink_->call(index);
  return {r_.trace.calls[index].out, r_.trace.calls[index].out_place};
}

void Recorder::call_sink(const Kernel& kernel, std::string_view name, std::span<const KernelOperand> x, Propto propto) {
  if (const auto expanded = expand_small_call(*this, kernel, x)) return target(expanded->ref);  // a scalar
  const std::uint32_t index = r_.build.add_call(kernel, name, as_blocks(x), propto);
  r_.trace.calls[index].weight = r_.weight;
  FERMIAC_CHECK(r_.trace.calls[index].out.is_scalar(), "only a scalar can go straight into target");
  target_value_ += sink_->call_sink(index);
}

// ---------------------------------------------------------------- target

void Recorder::target(Ref r, std::uint32_t n) {
  for (std::uint32_t i = 0; i < n; ++i)
    if (r.is_constant()) target_constant(value(r + i));
    else target_value_ += r_.weight_now() * value(r + i);
  if (!r.is_constant()) sink_->target(r, n);
}

void Recorder::declare_weights(std::span<const double> values) {
  FERMIAC_CHECK(r_.trace.weights.empty(), "weights that can be set come first");
  for (const double value : values) r_.trace.weights.push_back({.value = value});
  r_.trace.settable_weights = static_cast<std::uint32_t>(values.size());
}

Weight Recorder::constant_weight(double value) {
  FERMIAC_CHECK(value >= 0 && std::isfinite(value), "a weight is finite and not negative");
  if (value == 1) return kOne;
  const auto [known, is_new] = weights_.try_emplace(value, Weight{static_cast<std::uint32_t>(r_.trace.weights.size() + 1)});
  if (is_new) r_.trace.weights.push_back({.value = value});
  return known->second;
}

double Recorder::constants() const {
  double sum = r_.trace.constant;
  for (const WeightRow& row : r_.trace.weights) sum += row.value * row.constant;
  return sum;
}

void Recorder::outputs(std::span<const Ref> results) {
  FERMIAC_CHECK(!evaluates(), "results of a function come from a tape");
  sink_->push({.kind = OpKind::Target, .n = static_cast<std::uint32_t>(results.size()), .x = {gather(results)}});
}

Ref Recorder::target_ref() {
  static const MapCode kAdd = find_map("add");
  const std::vector<Ref> terms = sink_->terms();
  Ref sum = constant(constants());
  for (const WeightRow& row : r_.trace.weights) r_.trace.reads_weights |= row.constant != 0;
  for (const Ref term : terms) {
    const Ref pair[] = {sum, term};
    sum = map(kAdd, pair);
  }
  return sum;
}

Trace Recorder::finish() && {
  sink_->finish();
  return std::move(r_.trace);
}

}  // namespace fermiac::ad
