#include "autodiff/tape/record/trace_sink.h"

#include "autodiff/tape/ir/operands.h"

namespace fermiac::ad {

Ref TraceSink::copy(std::span<const Ref> elements) {
  const auto [block, op] = r_.build.shared_gather(elements);
  if (op) push(*op);
  return block;
}

void TraceSink::run(const CallInfo& info) {
  call_args_.resize(info.count);
  scratch_.resize(padded(info.scratch_size) + kPad);
  KernelCall call = bind_call(info, r_.trace.call_operands, r_.trace.ints, call_args_,
                              [&](const CallOperand& o) { return Address{numbers_at(r_.trace, o.place)}; });
  call.out = &result(info.out_place);
  call.scratch = scratch_.data();
  info.kernel->forward(call);
}

void TraceSink::call(std::uint32_t index) {
  run(r_.trace.calls[index]);
  push(op_of_call(r_.trace, OpKind::Call, index));
}

double TraceSink::call_sink(std::uint32_t index) {
  run(r_.trace.calls[index]);
  const Op op = op_of_call(r_.trace, OpKind::CallSink, index);
  push(op);
  return r_.weight_now() * result(op.d);
}

void TraceSink::guard(Compare compare, Ref a, Ref b, bool outcome) {
  push({.kind = OpKind::Guard, .test = {compare, outcome}, .x = {a, b}});
}

double TraceSink::sink(Op op) {
  const double sum = weighed_sum_of(op);
  push(op);
  return sum;
}

void TraceSink::target(Ref r, std::uint32_t n) {
  push({.kind = OpKind::Target, .ad_mask = 1, .n = n, .d = Ref::weight(r_.weight), .x = {r}});
}

/// Sinks keep no value, so they become ordinary results that are added to target one by one.
std::vector<Ref> TraceSink::terms() {
  std::vector<Ref> terms;
  Trace& t = r_.trace;
  const std::size_t count = t.ops.size();
  const auto take = [&](Ref term, Weight weight) {
    t.reads_weights |= weight != kOne;
    terms.push_back(weighed(term, ad::value_of(t, weight)));
  };
  for (std::size_t i = 0; i < count; ++i) {
    const Op op = t.ops[i];
    if (op.kind == OpKind::Target) {
      for (std::uint32_t k = 0; k < op.n; ++k) take(op.x[0] + k, op.weight());
    } else if (keep_sink_value(t.ops[i])) {
      const Ref value = t.ops[i].d;
      const Weight weight = is_call(op.kind) ? t.calls[op.table()].weight : op.weight();
      push({.kind = OpKind::Target, .d = Ref::weight(weight), .x = {value}});
      take(value, weight);
    }
  }
  return terms;
}

/// Makes an op with a result of a sink; nothing of others.
bool TraceSink::keep_sink_value(Op& op) {
  if (op.kind == OpKind::CallSink) return op.kind = OpKind::Call, true;
  if (op.kind != OpKind::MapSink && op.kind != OpKind::VectorSink) return false;
  op.kind = op.kind == OpKind::MapSink ? OpKind::Map : OpKind::VectorReduce;
  op.d = r_.build.allocate(1);
  result(op.d) = sum_of(op);
  return true;
}

}  // namespace fermiac::ad
