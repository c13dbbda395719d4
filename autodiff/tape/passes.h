// The rewriting passes, one file each.
#pragma once

#include <vector>

#include "autodiff/tape/tiles.h"
#include "autodiff/tape/trace.h"

namespace fermiac::ad {

/// Calls visit(ref, n) for every run of n numbers that op i reads.
template <class Visit>
void for_each_operand(const Trace& t, const Op& op, Visit visit) {
  for (int j = 0; j < ref_operands(op); ++j)
    visit(op.x[j], op.kind == OpKind::Target || (op.vector_mask >> j & 1u) ? op.n : 1u);
  if (op.kind == OpKind::Gather)
    for (std::uint32_t i = 0; i < op.n; ++i) visit(t.index[op.x[0] + i], 1u);
  if (op.kind != OpKind::Call && op.kind != OpKind::CallSink) return;
  const CallInfo& c = t.calls[op.x[0]];
  for (std::uint32_t j = 0; j < c.count; ++j) {
    const CallOperand& o = t.call_operands[c.first + j];
    if (!o.ints) visit(o.ref, o.shape.size());
  }
}

/// The numbers that a tiled op reads from outside its tile.
template <class Visit>
void for_each_outer_operand(const Op& op, Visit visit) {
  for (int j = 0; j < ref_operands(op); ++j)
    if (!is_local(op, j)) visit(op.x[j], op.vector_mask >> j & 1u ? op.n : 1u);
}

/// Drops the ops without a mark.
void keep_ops(Trace& trace, const std::vector<bool>& keep);

void drop_certain_checks(Trace& trace);
void merge_guards(Trace& trace);
void share_decompositions(Trace& trace);
void collect_log_chains(Trace& trace);
void collect_statistics(Trace& trace);
void collect_sums(Trace& trace);
void collect_totals(Trace& trace);
void remove_dead_ops(Trace& trace);
/// The same for a program as it was recorded: ops that may refuse a point stay as checks (dead_check.h). What rewriting
/// leaves unread has been computed in another way.
void settle_dead_ops(Trace& trace);
void split_short_vectors(Trace& trace);
void share_common_subexpressions(Trace& trace);
void fuse_multiply_add(Trace& trace);
void apply_peepholes(Trace& trace);
void group_scalar_ops(Trace& trace);
void reduce_normal_likelihoods(Trace& trace);
void tile_long_vectors(Trace& trace);
/// Elements of a tile, and how many tiles are worth it.
struct TileLimits {
  std::uint32_t shortest = 64, longest = 1024, fewest = 4;
};
void tile_vectors(Trace& trace, const TileLimits& limits);
void drop_unused_storage(Trace& trace);

}  // namespace fermiac::ad
