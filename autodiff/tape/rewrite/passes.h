// The rewriting passes, one file each.
#pragma once

#include <vector>

#include "autodiff/tape/ir/operands.h"
#include "autodiff/tape/ir/trace.h"
#include "autodiff/tape/ir/trace_graph.h"
#include "autodiff/tape/rewrite/rewrite.h"

namespace fermiac::ad {

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
/// Without those of exp.
Change apply_unlinked_peepholes(Trace& trace, TraceGraph& graph);
Change narrow_vectors(Trace& trace, TraceGraph& graph);
Change collect_statistics(Trace& trace, TraceGraph& graph);
Change collect_recurrences(Trace& trace, TraceGraph& graph);
Change group_scalar_ops(Trace& trace, TraceGraph& graph);
Change collect_diagonals(Trace& trace, TraceGraph& graph);
Change reduce_normal_likelihoods(Trace& trace, TraceGraph& graph);
Change tile_long_vectors(Trace& trace, TraceGraph& graph);
Change drop_unused_storage(Trace& trace, TraceGraph& graph);

/// Elements of a tile, and how many tiles are worth it.
struct TileLimits {
  std::uint32_t shortest = 64, longest = 1024, fewest = 4;
};
void tile_vectors(Trace& trace, const TileLimits& limits);

}  // namespace fermiac::ad
