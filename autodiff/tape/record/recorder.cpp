#include "autodiff/tape/record/recorder.h"

#include <algorithm>
#include <array>
#include <utility>

#include "autodiff/errors.h"
#include "autodiff/kernels/known_kernels.h"
#include "autodiff/ops/scalar.h"
#include "autodiff/tape/record/expand.h"
#include "autodiff/tape/trace/hot_ops.h"
#include "autodiff/tape/trace/operands.h"
#include "autodiff/tape/trace/storage.h"
#include "support/check.h"

namespace fermiac::ad {

Recorder::Recorder(std::span<const double> theta) {
  trace_.parameters = static_cast<std::uint32_t>(theta.size());
  trace_.values.assign(theta.begin(), theta.end());
  trace_.values.resize(padded(trace_.parameters) + kPad);
}

void Recorder::evaluate(std::span<const double> theta, bool with_gradient, bool keeps_terms) {
  if (!direct_) direct_ = std::make_unique<Direct>();
  trace_.parameters = static_cast<std::uint32_t>(theta.size());
  trace_.values.assign(theta.begin(), theta.end());
  trace_.values.resize(padded(trace_.parameters) + kPad);
  trace_.const_scalars.clear();
  trace_.const_vectors.clear();
  trace_.ops.clear();
  trace_.index.clear();
  trace_.ints.clear();
  trace_.calls.clear();
  trace_.call_operands.clear();
  trace_.constant = target_value_ = 0;
  simplexes_.clear();
  terms_.clear();
  keeps_terms_ = keeps_terms;
  speculates_ = false;
  direct_->restart(trace_.parameters, with_gradient);
}

namespace {

/// Room for twice as many, which the limit on memory must allow.
template <class T>
void grow(std::vector<T>& all) {
  const std::size_t n = std::max<std::size_t>(64, 2 * all.size());
  memory_point(n * sizeof(T));
  all.reserve(n);
}

}  // namespace

void Recorder::grow_values() {
  check_addressable(trace_.values.size() + 1);
  grow(trace_.values);
}
void Recorder::grow_constants() {
  check_addressable(trace_.const_scalars.size() + 1);
  grow(trace_.const_scalars);
}
void Recorder::grow_ops() {
  grow(trace_.ops);
}

Ref Recorder::loop_constant(double value) {
  const Ref at = loop_constants_ + next_loop_constant_++ % kLoopConstants;
  trace_.const_scalars[at] = value;
  return kConstScalar | at;
}

Ref Recorder::constant_block(const double* values, std::uint32_t n) {
  if (direct_ && n > 0) return build_.new_constant_block(values, n);
  return build_.constant_block(values, n);
}

bool Recorder::is_passing(Ref r) const {
  return loop_constants_ != kRefMask && r - (kConstScalar | loop_constants_) < kLoopConstants;
}

void Recorder::push(Op op) {
  if (direct_) {
    trace_.ops.push_back(op);
    direct_->other(trace_);
    return;
  }
  if (loop_) leave_loop();
  // Passing constants stay now.
  for (int j = 0; op.map != kNoMap && j < map_op(op.map).arity; ++j)
    if (is_passing(op.x[j])) op.x[j] = constant(value(op.x[j]));
  if (trace_.ops.size() == trace_.ops.capacity()) grow_ops();
  trace_.ops.push_back(op);
  trace_.sites.push_back(site_);
}

MapArgs Recorder::bind(const Op& op) const {
  return bind_map(op, [&](int j) { return Address{pointer(op.x[j])}; });
}

/// Constant vectors have no adjoints, so an op that takes one of their elements by itself takes a constant scalar.
Ref Recorder::scalar(Ref r) { return is_const_vector(r) ? operand(value(r)) : r; }

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
    if (!is_constant(x[j])) op.ad_mask |= static_cast<std::uint8_t>(1u << j);
    v[j] = value(x[j]);
  }
  op.keep.ad &= op.ad_mask;
  const MapOp& f = map_op(code);
  if (direct_) {
    const Ref d = new_scalar(0);
    return trace_.values[d] = direct_->step(f, v, op.x, op.ad_mask, keep, d), d;
  }
  if (!f.rules.empty() && !f.valid(v)) explain_domain(f, bind(op));
  const double result = f.value(v, op.keep);
  if (!joins_loop(op)) {
    op.d = build_.allocate(1);
    push(op);
  }
  trace_.values[op.d] = result;
  return op.d;
}

Ref Recorder::map_vector(MapCode code, std::span<const Operand> x, std::uint32_t n, Keep keep) {
  Op op = make_map(OpKind::Vector, code, x, n, keep);
  op.d = build_.allocate_block(n);
  MapArgs m = bind(op);
  m.out = &trace_.values[op.d];
  if (!map_op(code).map(m)) explain_domain(map_op(code), m);
  push(op);
  return op.d;
}

Ref Recorder::reduce(MapCode code, std::span<const Operand> x, std::uint32_t n, Keep keep) {
  Op op = make_map(OpKind::VectorReduce, code, x, n, keep);
  double sum = 0;
  const MapArgs m = bind(op);
  if (!map_op(code).reduce(m, &sum)) explain_domain(map_op(code), m);
  op.d = build_.allocate(1);
  trace_.values[op.d] = sum;
  push(op);
  return op.d;
}

void Recorder::sink(MapCode code, std::span<const Operand> x, std::uint32_t n, Keep keep) {
  Op op = make_map(OpKind::VectorSink, code, x, n, keep);
  if (op.vector_mask == 0 && n == 1) op.kind = OpKind::MapSink;
  if (direct_ && keeps_terms_) return target(reduce(code, x, n, keep));
  if (direct_) {
    target_value_ += direct_->sink(trace_, op);
    return;
  }
  double sum = 0;
  const MapArgs m = bind(op);
  if (!map_op(code).reduce(m, &sum)) explain_domain(map_op(code), m);
  target_value_ += sum;
  if (!joins_loop(op)) push(op);
}

void Recorder::sink_now(MapCode code, const double* x, const Ref* refs, std::uint8_t ad, Keep keep) {
  if (!keeps_terms_) {
    target_value_ += direct_->sink(trace_, map_op(code), x, refs, ad, keep);
    return;
  }
  Operand operands[kMaxMapArity];
  const auto arity = static_cast<std::size_t>(map_op(code).arity);
  for (std::size_t j = 0; j < arity; ++j) {
    const bool active = ad >> j & 1u;
    operands[j] = {.ref = active ? refs[j] : new_constant(x[j]), .vector = false, .autodiff = active};
  }
  target(reduce(code, {operands, arity}, 1, keep));
}

Ref Recorder::gather(std::span<const Ref> elements) {
  if (const auto view = TraceBuilder::view(elements)) return *view;
  std::vector<Ref> scalars;
  std::span<const Ref> refs = elements;
  if (std::any_of(refs.begin(), refs.end(), is_const_vector)) {
    for (const Ref r : elements) scalars.push_back(is_const_vector(r) ? constant(value(r)) : r);
    refs = scalars;
  }
  if (direct_) {
    const Op op = build_.gather(refs);
    push(op);
    return op.d;
  }
  const auto [block, op] = build_.shared_gather(refs);
  if (op) push(*op);
  return block;
}

void Recorder::run_call(const CallInfo& info) {
  call_args_.resize(info.count);
  scratch_.resize(padded(info.scratch_size) + kPad);
  KernelCall call = bind_call(info, trace_.call_operands, trace_.ints, call_args_,
                              [&](const CallOperand& o) { return Address{pointer(o.ref)}; });
  call.out = trace_.values.data() + info.out_ref;
  call.scratch = scratch_.data();
  info.kernel->forward(call);
}

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
                                    bool propto, std::shared_ptr<const void> context) {
  if (const auto expanded = expand_small_call(*this, kernel, x)) return *expanded;
  const std::uint32_t index = build_.add_call(kernel, name, as_blocks(x), propto, std::move(context));
  if (direct_) direct_->call(trace_, index);
  else run_call(trace_.calls[index]);
  push({.kind = OpKind::Call, .n = trace_.calls[index].out.size(), .d = trace_.calls[index].out_ref, .x = {index}});
  return {trace_.calls[index].out, trace_.calls[index].out_ref};
}

void Recorder::call_sink(const Kernel& kernel, std::string_view name, std::span<const KernelOperand> x, bool propto) {
  if (const auto expanded = expand_small_call(*this, kernel, x)) return target(expanded->ref);  // a scalar
  if (direct_ && keeps_terms_) return target(call(kernel, name, x, propto).ref);
  const std::uint32_t index = build_.add_call(kernel, name, as_blocks(x), propto);
  const CallInfo& info = trace_.calls[index];
  FERMIAC_CHECK(info.out.is_scalar(), "only a scalar can go straight into target");
  if (direct_) {
    target_value_ += direct_->call_sink(trace_, index);
    return;
  }
  run_call(info);
  target_value_ += trace_.values[info.out_ref];
  push({.kind = OpKind::CallSink, .d = info.out_ref, .x = {index}});
}

void Recorder::target(Ref r, std::uint32_t n) {
  for (std::uint32_t i = 0; i < n; ++i) target_value_ += value(r + i);
  if (is_constant(r)) {
    for (std::uint32_t i = 0; i < n; ++i) trace_.constant += value(r + i), target_value_ -= value(r + i);
    return;
  }
  if (keeps_terms_)
    for (std::uint32_t i = 0; i < n; ++i) terms_.push_back(r + i);
  if (direct_) return direct_->target(trace_, r, n);
  Op op{.kind = OpKind::Target, .ad_mask = 1, .n = n, .x = {r}};
  if (!joins_loop(op)) push(op);
}

void Recorder::outputs(std::span<const Ref> results) {
  FERMIAC_CHECK(!direct_, "results of a function come from a tape");
  push({.kind = OpKind::Target, .n = static_cast<std::uint32_t>(results.size()), .x = {gather(results)}});
}

/// Sinks keep no value, so they become ordinary results that are added to target one by one.
Ref Recorder::target_ref() {
  FERMIAC_CHECK(!direct_ || keeps_terms_, "the terms of target were kept");
  if (direct_) return sum_of_terms(terms_);
  if (loop_) leave_loop();
  std::vector<Ref> terms;
  const std::size_t count = trace_.ops.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (trace_.ops[i].kind == OpKind::Target) {
      for (std::uint32_t k = 0; k < trace_.ops[i].n; ++k) terms.push_back(trace_.ops[i].x[0] + k);
    } else if (const auto kept = keep_sink_value(i)) {
      terms.push_back(*kept);
    }
  }
  return sum_of_terms(terms);
}

Ref Recorder::sum_of_terms(std::span<const Ref> terms) {
  Ref sum = constant(trace_.constant);
  static const MapCode kAdd = find_map("add");
  for (const Ref term : terms) {
    const Ref pair[] = {sum, term};
    sum = map(kAdd, pair);
  }
  return sum;
}

std::optional<Ref> Recorder::keep_sink_value(std::size_t i) {
  const OpKind kind = trace_.ops[i].kind;
  if (kind == OpKind::CallSink) {
    trace_.ops[i].kind = OpKind::Call;
  } else if (kind == OpKind::MapSink || kind == OpKind::VectorSink) {
    trace_.ops[i].kind = kind == OpKind::MapSink ? OpKind::Map : OpKind::VectorReduce;
    const Ref d = build_.allocate(1);
    trace_.ops[i].d = d;
    double sum = 0;
    map_op(trace_.ops[i].map).reduce(bind(trace_.ops[i]), &sum);
    trace_.values[d] = sum;
  } else {
    return std::nullopt;
  }
  const Ref value = trace_.ops[i].d;
  push({.kind = OpKind::Target, .x = {value}});
  return value;
}

bool Recorder::guard(Compare compare, Ref a, Ref b) {
  const bool outcome = ops::holds(compare, value(a), value(b));
  if (is_constant(a) && is_constant(b)) return outcome;
  if (direct_) {
    direct_->branch(outcome);
    return outcome;
  }
  push({.kind = OpKind::Guard, .outcome = static_cast<std::uint8_t>(static_cast<int>(compare) << 1 | (outcome ? 1 : 0)),
        .x = {a, b}});
  return outcome;
}

namespace {

using SelectCodes = std::array<MapCode, 3>;

const SelectCodes& select_codes() {  // as in Compare
#define FERMIAC_CODE(Name, ...) find_map(ops::Is##Name::kSelect),
  static const SelectCodes kCodes = {FERMIAC_COMPARES(FERMIAC_CODE)};
#undef FERMIAC_CODE
  return kCodes;
}

}  // namespace

MapCode select_map(Compare compare) {
  return select_codes()[static_cast<std::size_t>(compare)];
}

bool is_select(MapCode code) {
  const SelectCodes& codes = select_codes();
  return code == codes[0] || code == codes[1] || code == codes[2];
}

Ref Recorder::select(Compare compare, Ref a, Ref b, Ref yes, Ref no) {
  const Ref x[] = {a, b, yes, no};
  return map(select_map(compare), x);
}

// ---------------------------------------------------------------- long loops

LoopNest::Id Recorder::begin_loop(Site site, std::int64_t rounds) {
  if (loop_ || direct_) return 0;
  return nest_.begin(site, rounds);
}

void Recorder::next_round(LoopNest::Id loop) {
  nest_.next_round(loop);
  if (loop_ && nest_.by_columns() != loop) leave_loop();  // of an inner loop that an error ended
  if (!loop_ && nest_.wants_columns(loop, trace_.ops.size())) start_columns(loop);
  if (loop_) loop_->next_round();
}

void Recorder::start_columns(LoopNest::Id loop) {
  if (loop_constants_ == kRefMask) {
    loop_constants_ = static_cast<Ref>(trace_.const_scalars.size());
    trace_.const_scalars.resize(loop_constants_ + kLoopConstants);
  }
  loop_ = std::make_unique<LoopRecording>(trace_, nest_.start_columns(loop), sum_readers_);
}

void Recorder::end_loop(LoopNest::Id loop) {
  if (loop_ && nest_.by_columns() == loop) leave_loop(true);
  nest_.end(loop);
}

/// Whether the op became part of the loop's columns; if not, the loop is over.
bool Recorder::joins_loop(Op& op) {
  if (!loop_) return false;
  const bool scalar = op.kind == OpKind::Map || op.kind == OpKind::MapSink || (op.kind == OpKind::Target && op.n == 1);
  if (scalar && loop_->add(op, site_)) return true;
  leave_loop(loop_->learned());
  return false;
}

void Recorder::leave_loop(bool fits) {
  nest_.stop_columns(loop_->rounds(), fits);
  std::vector<LoopRecording::Level> levels = std::exchange(loop_, nullptr)->collect();
  std::size_t numbers = trace_.const_vectors.size();
  for (const auto& level : levels)
    for (const auto& c : level.columns)
      for (const NumberColumn& x : c.numbers) numbers += padded(x.list.size());
  // Of a nest, one row follows another: room for half as much again, or every row would move those before it.
  const std::size_t room = trace_.const_vectors.capacity();
  if (numbers > room) trace_.const_vectors.reserve(std::max(numbers, room + room / 2));
  const Site site = site_;
  for (auto& level : levels) {
    for (auto& c : level.columns) {
      emit(c);
      c = {};
    }
    for (const auto& sum : level.sums) emit(sum);
  }
  site_ = site;
}

void Recorder::emit(const LoopRecording::Sum& sum) {
  site_ = sum.site;
  if (sum.n == 1) return push({.kind = OpKind::Map, .ad_mask = static_cast<std::uint8_t>(is_constant(sum.terms.first) ? 1 : 3),
                               .map = static_cast<MapCode>(Hot::Add), .d = sum.d, .x = {sum.first, sum.terms.first}});
  const Kernel& kernel = *known_kernels().running_sum;
  const KernelOperand operands[] = {{.shape = Shape::scalar(), .ref = sum.first, .autodiff = true},
                                    {.shape = Shape::vector(sum.n), .ref = block(sum.terms, sum.n), .autodiff = true}};
  const std::uint32_t index = build_.add_call(kernel, kernel.name, operands, false, {}, sum.d);
  push({.kind = OpKind::Call, .n = sum.n, .d = sum.d, .x = {index}});
}

/// The n numbers of a column, side by side.
Ref Recorder::block(const RefColumn& x, std::uint32_t n) {
  if (x.form == RefColumn::Form::List) return gather(x.list);
  if (x.form == RefColumn::Form::Run && !is_constant(x.first)) return x.first;
  std::vector<Ref> refs(n);
  for (std::uint32_t i = 0; i < n; ++i) refs[i] = x.at(i);
  return gather(refs);
}

Ref Recorder::column(const LoopRecording::Collected& c, int j, bool as_vector) {
  const auto k = static_cast<std::size_t>(j);
  if (c.op.ad_mask >> j & 1u) {
    return as_vector ? block(c.refs[k], c.n) : c.refs[k].first;
  }
  const NumberColumn& x = c.numbers[k];
  if (!x.list.empty()) return constant_block(x.list.data(), c.n);
  return as_vector ? constant_block(std::vector<double>(c.n, x.first).data(), c.n) : constant(x.first);
}

void Recorder::emit(LoopRecording::Collected& c) {
  site_ = c.site;
  Op op = c.op;
  op.n = c.n;
  const int operands = ref_operands(op);
  for (int j = 0; j < operands && c.n > 1; ++j) {
    const auto k = static_cast<std::size_t>(j);
    const bool varies = op.ad_mask >> j & 1u ? c.refs[k].form != RefColumn::Form::Uniform : !c.numbers[k].list.empty();
    if (varies) op.vector_mask |= static_cast<std::uint8_t>(1u << j);
  }
  if (op.vector_mask == 0 && c.n > 1) op.vector_mask = 1;  // all rounds alike
  for (int j = 0; j < operands; ++j) op.x[j] = column(c, j, op.vector_mask >> j & 1u);
  if (op.kind == OpKind::Target) op.vector_mask = 0;
  else if (c.n > 1) op.kind = op.kind == OpKind::Map ? OpKind::Vector : OpKind::VectorSink;
  push(op);
}

Trace Recorder::finish() && {
  if (loop_) leave_loop();
  return std::move(trace_);
}

}  // namespace fermiac::ad
