// The rewriting passes, one file each.
#pragma once

#include <vector>

#include "autodiff/tape/rewrite.h"
#include "autodiff/tape/tiles.h"
#include "autodiff/tape/trace.h"
#include "autodiff/tape/trace_graph.h"

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

/// Drops ops whose results nothing reads.
void remove_dead_ops(Trace& trace);

// What each does stands in rewrite.cpp. The graph is that of the trace as it comes.
Change settle_dead_ops(Trace& trace, TraceGraph& graph);
Change drop_certain_checks(Trace& trace, TraceGraph& graph);
Change split_short_vectors(Trace& trace, TraceGraph& graph);
Change share_common_subexpressions(Trace& trace, TraceGraph& graph);
Change merge_guards(Trace& trace, TraceGraph& graph);
Change share_decompositions(Trace& trace, TraceGraph& graph);
Change collect_log_chains(Trace& trace, TraceGraph& graph);
Change collect_sums(Trace& trace, TraceGraph& graph);
Change collect_totals(Trace& trace, TraceGraph& graph);
Change fuse_multiply_add(Trace& trace, TraceGraph& graph);
Change apply_peepholes(Trace& trace, TraceGraph& graph);
Change collect_statistics(Trace& trace, TraceGraph& graph);
Change group_scalar_ops(Trace& trace, TraceGraph& graph);
Change reduce_normal_likelihoods(Trace& trace, TraceGraph& graph);
Change tile_long_vectors(Trace& trace, TraceGraph& graph);
Change drop_unused_storage(Trace& trace, TraceGraph& graph);

/// Elements of a tile, and how many tiles are worth it.
struct TileLimits {
  std::uint32_t shortest = 64, longest = 1024, fewest = 4;
};
void tile_vectors(Trace& trace, const TileLimits& limits);

}  // namespace fermiac::ad
