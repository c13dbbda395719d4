// The rewriting passes, one file each.
#pragma once

#include "autodiff/tape/trace.h"

namespace fermiac::ad {

/// Calls visit(ref, n) for every run of n numbers that op i reads.
template <class Visit>
void for_each_operand(const Trace& t, const Op& op, Visit visit) {
  switch (op.kind) {
    case OpKind::Map:
    case OpKind::MapSink:
    case OpKind::Vector:
    case OpKind::VectorReduce:
    case OpKind::VectorSink:
      for (int j = 0; j < map_op(op.map).arity; ++j) visit(op.x[j], op.vector_mask >> j & 1u ? op.n : 1u);
      return;
    case OpKind::Target: return visit(op.x[0], op.n);
    case OpKind::Guard:
      visit(op.x[0], 1u);
      return visit(op.x[1], 1u);
    case OpKind::Gather:
      for (std::uint32_t i = 0; i < op.n; ++i) visit(t.index[op.x[0] + i], 1u);
      return;
    case OpKind::Call:
    case OpKind::CallSink: {
      const CallInfo& c = t.calls[op.x[0]];
      for (std::uint32_t j = 0; j < c.count; ++j) {
        const CallOperand& o = t.call_operands[c.first + j];
        if (!o.ints) visit(o.ref, o.shape.size());
      }
      return;
    }
    default: return;  // the kinds of laid-out tapes
  }
}

void remove_dead_ops(Trace& trace);
void share_common_subexpressions(Trace& trace);
void fuse_multiply_add(Trace& trace);
void apply_peepholes(Trace& trace);
void group_scalar_ops(Trace& trace);
void reduce_normal_likelihoods(Trace& trace);
void drop_unused_storage(Trace& trace);

}  // namespace fermiac::ad
