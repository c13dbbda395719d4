// What the ops of a trace read.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

template <class Place>
constexpr bool is_local(const BasicOp<Place>& tiled, int j) { return tiled.local.has_operand(j); }

/// Where the numbers of an operand lie, and their adjoints if they are added to.
struct Address {
  const double* value = nullptr;
  double* adjoint = nullptr;
};

/// The op of a map as the map takes it, but for results: at(j) is the Address of operand j.
template <class Place, class At>
MapArgs bind_map(const BasicOp<Place>& op, At at) {
  MapArgs m{.n = op.n, .vector_mask = op.vector_mask, .keep = op.keep};
  for (int j = 0; j < place_operands(op); ++j) {
    const Address address = at(j);
    m.x[j] = address.value;
    m.a[j] = address.adjoint;
  }
  return m;
}

/// The call as its kernel takes it, but for results and scratch space; its operands go to `args`, and at(operand) is the
/// Address of one that is not of ints.
template <class Place, class At>
KernelCall bind_call(const BasicCallInfo<Place>& info, std::span<const std::type_identity_t<BasicCallOperand<Place>>> operands,
                     std::span<const std::int32_t> ints, std::span<KernelArg> args, At at) {
  for (std::uint32_t j = 0; j < info.count; ++j) {
    const BasicCallOperand<Place>& o = operands[info.first + j];
    const Address address = o.ints ? Address{} : at(o);
    args[j] = {.shape = o.shape, .v = address.value, .a = address.adjoint,
               .i = o.ints ? ints.data() + o.int_offset : nullptr, .autodiff = o.autodiff};
  }
  return {.name = info.name, .in = args.first(info.count), .out_shape = info.out, .propto = info.propto,
          .context = info.context.get()};
}

/// Calls visit(ref, n) for every run of n numbers that the op reads.
template <class Visit>
void for_each_operand(const Trace& t, const Op& op, Visit visit) {
  const int places = place_operands(op);
  for (int j = 0; j < places; ++j)
    visit(op.x[j], op.kind == OpKind::Target || (op.vector_mask >> j & 1u) ? op.n : 1u);
  if (op.kind == OpKind::Gather)
    for (std::uint32_t i = 0; i < op.n; ++i) visit(t.index[op.table() + i], 1u);
  if (!is_call(op.kind)) return;
  const CallInfo& c = t.calls[op.table()];
  for (std::uint32_t j = 0; j < c.count; ++j) {
    const CallOperand& o = t.call_operands[c.first + j];
    if (!o.ints) visit(o.place, o.shape.size());
  }
}

/// The op of calls[index].
inline Op op_of_call(const Trace& t, OpKind kind, std::uint32_t index) {
  const CallInfo& info = t.calls[index];
  Op op{.kind = kind, .n = info.out.size(), .d = info.out_place};
  op.set_table(index);
  return op;
}

/// The numbers that a tiled op reads from outside its tile.
template <class Visit>
void for_each_outer_operand(const Op& op, Visit visit) {
  for (int j = 0; j < place_operands(op); ++j)
    if (!is_local(op, j)) visit(op.x[j], op.vector_mask >> j & 1u ? op.n : 1u);
}

}  // namespace fermiac::ad
