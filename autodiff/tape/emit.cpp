#include "autodiff/tape/emit.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "autodiff/tape/passes.h"
#include "autodiff/tape/storage.h"
#include "support/check.h"

namespace fermiac::ad {
namespace {

std::uint64_t hash_refs(std::span<const Ref> refs) {
  std::uint64_t h = refs.size();
  for (const Ref r : refs) {
    h = (h ^ r) * 0x9e3779b97f4a7c15ULL;
    h ^= h >> 31;
  }
  return h;
}

constexpr Ref kNoRef = ~0u;

bool consecutive(std::span<const Ref> refs) {
  if (is_constant(refs[0]) && !is_const_vector(refs[0])) return false;
  for (std::size_t i = 1; i < refs.size(); ++i)
    if (refs[i] != refs[0] + i) return false;
  return true;
}

}  // namespace

Emitter::Emitter(const Trace& old) : old_(old), new_slot_(old.values.size(), 0) {
  new_.parameters = old.parameters;
  new_.const_scalars = old.const_scalars;
  new_.const_vectors = old.const_vectors;
  new_.constant = old.constant;
  new_.values.reserve(old.values.size() + 2 * kPad);  // seldom more: nothing moves while it grows
  new_.values.assign(old.values.begin(), old.values.begin() + old.parameters);
  new_.values.resize(padded(old.parameters) + kPad);
  std::iota(new_slot_.begin(), new_slot_.begin() + old.parameters, 0u);
}

Ref Emitter::allocate(std::uint32_t n) {
  return allocate_slots(new_, n);
}

void Emitter::push(Op op, Site site) {
  if (op.map != kNoMap)
    for (int j = 0; j < ref_operands(op); ++j)
      if (is_constant(op.x[j])) op.ad_mask &= static_cast<std::uint8_t>(~(1u << j));
  new_.ops.push_back(op);
  new_.sites.push_back(site);
}

Ref Emitter::block(Ref old, std::uint32_t n) {
  if (is_constant(old)) return old;
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
  if (!is_constant(result) || old.empty()) return result;
  std::vector<Ref> refs(old.size());
  std::transform(old.begin(), old.end(), refs.begin(), [&](Ref r) { return constant(value(mapped(r))); });
  return new_gather(refs);
}

Ref Emitter::known_gather(std::uint64_t hash, const std::vector<Ref>& refs) const {
  const auto [first, last] = gathers_.equal_range(hash);
  for (auto it = first; it != last; ++it)
    if (it->second.second == refs) return it->second.first;
  return kNoRef;
}

Ref Emitter::new_constants(const std::vector<Ref>& refs) {
  std::vector<double> values(refs.size());
  std::transform(refs.begin(), refs.end(), values.begin(), [&](Ref r) { return value(r); });
  return constant_block(values);
}

/// Elements of blocks of constants are taken as scalar constants: those have adjoints.
Ref Emitter::new_gather(std::vector<Ref> refs) {
  for (Ref& r : refs)
    if (is_const_vector(r)) r = constant(value(r));
  const auto n = static_cast<std::uint32_t>(refs.size());
  const Ref result = allocate(n == 1 ? kPad : n);
  push({.kind = OpKind::Gather, .n = n, .d = result, .x = {static_cast<std::uint32_t>(new_.index.size())}}, site_);
  new_.index.insert(new_.index.end(), refs.begin(), refs.end());
  for (std::uint32_t i = 0; i < n; ++i) new_.values[result + i] = value(refs[i]);
  return result;
}

Ref Emitter::gathered(std::vector<Ref> refs) {
  if (refs.empty()) return kConstVector;
  if (consecutive(refs)) return refs[0];
  const std::uint64_t hash = hash_refs(refs);
  if (const Ref known = known_gather(hash, refs); known != kNoRef) return known;
  const Ref result = std::all_of(refs.begin(), refs.end(), is_constant) ? new_constants(refs) : new_gather(refs);
  gathers_.emplace(hash, std::pair{result, std::move(refs)});
  return result;
}

void Emitter::copy(std::uint32_t i) {
  copy_op(old_.ops[i], old_.sites[i]);
}

Ref Emitter::copy_as(std::uint32_t i, const Op& op) {
  copy_op(op, old_.sites[i]);
  return mapped(op.d);
}

Ref Emitter::constant(double value) {
  const auto [it, inserted] = constants_.try_emplace(std::bit_cast<std::uint64_t>(value), 0);
  if (inserted) {
    it->second = kConstScalar | static_cast<Ref>(new_.const_scalars.size());
    new_.const_scalars.push_back(value);
  }
  return it->second;
}

double Emitter::value(Ref now) const {
  return *numbers_at(new_, now);
}

Ref Emitter::push_map(MapCode code, std::initializer_list<Ref> operands, Site site) {
  Op op{.kind = OpKind::Map, .map = code};
  int j = 0;
  for (const Ref r : operands) {
    if (!is_constant(r)) op.ad_mask |= static_cast<std::uint8_t>(1u << j);
    op.x[j++] = r;
  }
  op.keep.ad = op.ad_mask;
  return push_result(op, site);
}

Ref Emitter::push_result(Op op, Site site) {
  double x[kMaxMapArity] = {};
  for (int j = 0; j < map_op(op.map).arity; ++j) x[j] = value(op.x[j]);
  op.d = allocate(1);
  new_.values[op.d] = map_op(op.map).value(x, op.keep);
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
      for (int j = 0; j < map_op(op.map).arity; ++j)
        op.x[j] = op.vector_mask >> j & 1u ? block(op.x[j], op.n) : mapped(op.x[j]);
      break;
    case OpKind::Gather: {  // block() makes the gather, or finds that it is a view by now
      const Ref source = block(std::span(old_.index).subspan(op.x[0], op.n));
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
    const Ref d = allocate(op.kind == OpKind::Vector && n == 1 ? kPad : n);
    for (std::uint32_t k = 0; k < n; ++k) map_slot(op.d + k, d + k);
    op.d = d;
  }
  push(op, site_);
}

Ref Emitter::constant_block(std::span<const double> values) {
  const auto offset = static_cast<std::uint32_t>(new_.const_vectors.size());
  new_.const_vectors.insert(new_.const_vectors.end(), values.begin(), values.end());
  new_.const_vectors.resize(offset + padded(static_cast<std::uint32_t>(values.size())));
  return kConstVector | offset;
}

std::uint32_t Emitter::add_call(const Kernel& kernel, std::string_view name, std::span<const NewOperand> operands) {
  CallInfo info{.kernel = &kernel,
                .name = name,
                .first = static_cast<std::uint32_t>(new_.call_operands.size()),
                .count = static_cast<std::uint32_t>(operands.size())};
  std::vector<KernelArg> args;
  for (const NewOperand& o : operands) {
    new_.call_operands.push_back({.shape = o.shape,
                                  .ref = o.ref,
                                  .autodiff = o.autodiff && !is_const_vector(o.ref),
                                  .ints = o.ints != nullptr,
                                  .int_offset = static_cast<std::uint32_t>(new_.ints.size())});
    if (o.ints != nullptr) new_.ints.insert(new_.ints.end(), o.ints, o.ints + o.shape.size());
    args.push_back({.shape = o.shape, .i = o.ints, .autodiff = new_.call_operands.back().autodiff});
  }
  const Plan plan = checked_plan(kernel, {.name = name, .in = args});
  info.out = plan.out;
  info.scratch_size = static_cast<std::uint32_t>(plan.scratch);
  info.out_ref = allocate(plan.out.is_scalar() ? 1 : std::max(plan.out.size(), kPad));
  new_.calls.push_back(info);
  return static_cast<std::uint32_t>(new_.calls.size() - 1);
}

Ref Emitter::push_call(const Kernel& kernel, std::string_view name, std::span<const NewOperand> operands, Site site) {
  const std::uint32_t index = add_call(kernel, name, operands);
  const CallInfo& info = new_.calls[index];
  push({.kind = OpKind::Call, .n = info.out.size(), .d = info.out_ref, .x = {index}}, site);
  return info.out_ref;
}

void Emitter::push_call_sink(const Kernel& kernel, std::string_view name, std::span<const NewOperand> operands,
                             Site site) {
  const std::uint32_t index = add_call(kernel, name, operands);
  push({.kind = OpKind::CallSink, .d = new_.calls[index].out_ref, .x = {index}}, site);
}

Ref Emitter::call_operand(const CallOperand& o) {
  const std::uint32_t n = o.shape.size();
  if (n != 1) return o.autodiff ? block_with_adjoints(o.ref, n) : block(o.ref, n);
  const Ref r = mapped(o.ref);
  return o.autodiff && is_const_vector(r) ? constant(value(r)) : r;
}

void Emitter::copy_call(const Op& op, Site site) {
  CallInfo info = old_.calls[op.x[0]];
  const auto first = static_cast<std::uint32_t>(new_.call_operands.size());
  for (std::uint32_t j = 0; j < info.count; ++j) {
    CallOperand o = old_.call_operands[info.first + j];
    if (o.ints) {
      const std::int32_t* ints = old_.ints.data() + o.int_offset;
      o.int_offset = static_cast<std::uint32_t>(new_.ints.size());
      new_.ints.insert(new_.ints.end(), ints, ints + o.shape.size());
    } else {
      o.ref = call_operand(o);
    }
    new_.call_operands.push_back(o);
  }
  info.first = first;
  const std::uint32_t n = info.out.size();
  const Ref d = allocate(info.out.is_scalar() && !info.out.complex ? 1 : std::max(n, kPad));
  for (std::uint32_t k = 0; k < n; ++k) map_slot(info.out_ref + k, d + k);
  info.out_ref = d;
  new_.calls.push_back(info);
  Op call = op;
  call.d = d;
  call.x[0] = static_cast<std::uint32_t>(new_.calls.size() - 1);
  push(call, site);
}

Trace Emitter::finish() && {
  return std::move(new_);
}

}  // namespace fermiac::ad
