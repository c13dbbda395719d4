#include "autodiff/tape/record/trace_sink.h"

#include "autodiff/tape/trace/operands.h"

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
  return result(op.d);
}

void TraceSink::guard(Compare compare, Ref a, Ref b, bool outcome) {
  push({.kind = OpKind::Guard, .test = {compare, outcome}, .x = {a, b}});
}

double TraceSink::sink(Op op) {
  const double sum = sum_of(op);
  push(op);
  return sum;
}

void TraceSink::target(Ref r, std::uint32_t n) { push({.kind = OpKind::Target, .ad_mask = 1, .n = n, .x = {r}}); }

/// Sinks keep no value, so they become ordinary results that are added to target one by one.
std::vector<Ref> TraceSink::terms() {
  std::vector<Ref> terms;
  Trace& t = r_.trace;
  const std::size_t count = t.ops.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (t.ops[i].kind == OpKind::Target) {
      for (std::uint32_t k = 0; k < t.ops[i].n; ++k) terms.push_back(t.ops[i].x[0] + k);
    } else if (keep_sink_value(t.ops[i])) {
      terms.push_back(t.ops[i].d);
      push({.kind = OpKind::Target, .x = {terms.back()}});
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
