#include "autodiff/tape/rewrite/emit.h"

#include <algorithm>
#include <numeric>

#include "autodiff/tape/ir/storage.h"
#include "autodiff/tape/rewrite/passes.h"
#include "support/base/check.h"

namespace fermiac::ad {

Emitter::Emitter(const Trace& old) : old_(old), new_slot_(old.values.size()) {
  new_.parameters = old.parameters;
  new_.const_scalars = old.const_scalars;
  new_.const_vectors = old.const_vectors;
  new_.constant = old.constant;
  new_.weights = old.weights;
  new_.settable_weights = old.settable_weights;
  new_.reads_weights = old.reads_weights;
  new_.values.reserve(old.values.size() + 2 * kPad);  // seldom more: nothing moves while it grows
  new_.values.assign(old.values.begin(), old.values.begin() + old.parameters);
  new_.values.resize(padded(old.parameters) + kPad);
  std::iota(new_slot_.begin(), new_slot_.begin() + old.parameters, Ref::slot(0));
}

void Emitter::push(Op op, Site site) {
  if (op.map != kNoMap)
    for (int j = 0; j < place_operands(op); ++j)
      if (op.x[j].is_constant()) op.ad_mask &= static_cast<std::uint8_t>(~(1u << j));
  new_.ops.push_back(op);
  new_.sites.push_back(site);
}

Ref Emitter::block(Ref old, std::uint32_t n) {
  if (old.is_constant()) return old;
  std::vector<Ref> refs(n);
  std::iota(refs.begin(), refs.end(), old);
  return block(refs);
}

Ref Emitter::block(std::span<const Ref> old) {
  std::vector<Ref> refs(old.size());
  std::transform(old.begin(), old.end(), refs.begin(), [&](Ref r) { return mapped(r); });
  return gathered(std::move(refs));
}

Ref Emitter::block_with_adjoints(Ref old, std::uint32_t n) {
  std::vector<Ref> refs(n);
  std::iota(refs.begin(), refs.end(), old);
  return block_with_adjoints(refs);
}

Ref Emitter::block_with_adjoints(std::span<const Ref> old) {
  const Ref result = block(old);
  if (!result.is_constant() || old.empty()) return result;
  std::vector<Ref> refs(old.size());
  std::transform(old.begin(), old.end(), refs.begin(), [&](Ref r) { return mapped(r); });
  return gathered_with_adjoints(std::move(refs));
}

/// Elements of blocks of constants are taken as scalar constants: those have adjoints.
Ref Emitter::gathered_with_adjoints(std::vector<Ref> refs) {
  for (Ref& r : refs)
    if (r.is_const_vector()) r = constant(value(r));
  const auto [block, op] = build_.shared_gather(refs);
  if (op) push(*op, site_);
  return block;
}

KernelOperand Emitter::vector(const std::vector<Ref>& now) {
  return {.shape = Shape::vector(static_cast<std::uint32_t>(now.size())), .ref = gathered(now),
          .autodiff = !std::ranges::all_of(now, &Ref::is_constant)};
}

Ref Emitter::gathered(std::vector<Ref> refs) {
  if (const auto view = TraceBuilder::view(refs)) return *view;
  if (!std::ranges::all_of(refs, &Ref::is_constant)) return gathered_with_adjoints(std::move(refs));
  std::vector<double> values(refs.size());
  std::transform(refs.begin(), refs.end(), values.begin(), [&](Ref r) { return value(r); });
  return constant_block(values);
}

void Emitter::copy(std::uint32_t i) {
  copy_op(old_.ops[i], old_.sites[i]);
}

Ref Emitter::copy_as(std::uint32_t i, const Op& op) {
  copy_op(op, old_.sites[i]);
  return has_result(op.kind) ? mapped(op.d) : Ref::none();
}

double Emitter::value(Ref now) const {
  return *numbers_at(new_, now);
}

Ref Emitter::push_map(MapCode code, std::initializer_list<Ref> operands, Site site) {
  Op op{.kind = OpKind::Map, .map = code};
  int j = 0;
  for (const Ref r : operands) {
    if (!r.is_constant()) op.ad_mask |= static_cast<std::uint8_t>(1u << j);
    op.x[j++] = r;
  }
  op.keep.ad = op.ad_mask;
  return push_result(op, site);
}

Ref Emitter::push_result(Op op, Site site) {
  double x[kMaxMapArity] = {};
  for (int j = 0; j < map_arity(op.map); ++j) x[j] = value(op.x[j]);
  op.d = allocate(1);
  set_value(op.d, map_op(op.map).value(x, op.keep));
  push(op, site);
  return op.d;
}

void Emitter::copy_op(Op op, Site site) {
  site_ = site;
  switch (op.kind) {
    case OpKind::Map:
    case OpKind::MapSink:
    case OpKind::Vector:
    case OpKind::VectorReduce:
    case OpKind::VectorSink:
      for (int j = 0; j < map_arity(op.map); ++j)
        op.x[j] = op.vector_mask >> j & 1u ? block(op.x[j], op.n) : mapped(op.x[j]);
      break;
    case OpKind::Gather: {  // block() makes the gather, or finds that it is a view by now
      const Ref source = block(std::span(old_.index).subspan(op.table(), op.n));
      for (std::uint32_t k = 0; k < op.n; ++k) map_slot(op.d + k, source + k);
      return;
    }
    case OpKind::Target:
      op.x[0] = block_with_adjoints(op.x[0], op.n);
      break;
    case OpKind::Guard:
      op.x[0] = mapped(op.x[0]);
      op.x[1] = mapped(op.x[1]);
      break;
    case OpKind::Call:
    case OpKind::CallSink:
      return copy_call(op, site_);
    default:
      FERMIAC_CHECK(false, "a trace has no laid-out ops");
  }
  if (has_result(op.kind)) {
    const std::uint32_t n = op.n_results();
    const Ref d = op.kind == OpKind::Vector ? build_.allocate_block(n) : allocate(n);
    for (std::uint32_t k = 0; k < n; ++k) map_slot(op.d + k, d + k);
    op.d = d;
  }
  push(op, site_);
}

Ref Emitter::constant_block(std::span<const double> values) {
  return build_.constant_block(values.data(), static_cast<std::uint32_t>(values.size()));
}

std::uint32_t Emitter::add_call(const Kernel& kernel, std::string_view name, std::span<const KernelOperand> operands) {
  std::vector<KernelOperand> all(operands.begin(), operands.end());
  for (KernelOperand& o : all) o.autodiff = o.autodiff && !o.ref.is_const_vector();
  return build_.add_call(kernel, name, all);
}

Ref Emitter::push_call(const Kernel& kernel, std::string_view name, std::span<const KernelOperand> operands, Site site) {
  const std::uint32_t index = add_call(kernel, name, operands);
  push(op_of_call(new_, OpKind::Call, index), site);
  return new_.calls[index].out_place;
}

void Emitter::push_call_sink(const Kernel& kernel, std::string_view name, std::span<const KernelOperand> operands,
                             Site site, Weight weight) {
  const std::uint32_t index = add_call(kernel, name, operands);
  new_.calls[index].weight = weight;
  push(op_of_call(new_, OpKind::CallSink, index), site);
}

Ref Emitter::call_operand(const CallOperand& o) {
  const std::uint32_t n = o.shape.size();
  if (n != 1) return o.autodiff ? block_with_adjoints(o.place, n) : block(o.place, n);
  const Ref r = mapped(o.place);
  return o.autodiff && r.is_const_vector() ? constant(value(r)) : r;
}

void Emitter::copy_call(const Op& op, Site site) {
  CallInfo info = old_.calls[op.table()];
  const auto first = static_cast<std::uint32_t>(new_.call_operands.size());
  for (std::uint32_t j = 0; j < info.count; ++j) {
    CallOperand o = old_.call_operands[info.first + j];
    if (o.ints) {
      const std::int32_t* ints = old_.ints.data() + o.int_offset;
      o.int_offset = static_cast<std::uint32_t>(new_.ints.size());
      new_.ints.insert(new_.ints.end(), ints, ints + o.shape.size());
    } else {
      o.place = call_operand(o);
    }
    new_.call_operands.push_back(o);
  }
  info.first = first;
  const std::uint32_t n = info.out.size();
  const Ref d = info.out.is_scalar() && !info.out.complex ? allocate(1) : build_.allocate_block(n);
  for (std::uint32_t k = 0; k < n; ++k) map_slot(info.out_place + k, d + k);
  info.out_place = d;
  new_.calls.push_back(info);
  Op call = op;
  call.d = d;
  call.set_table(static_cast<std::uint32_t>(new_.calls.size() - 1));
  push(call, site);
}

Trace Emitter::finish() && {
  return std::move(new_);
}

}  // namespace fermiac::ad
