// The rewriting passes, one file each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "autodiff/tape/ir/operands.h"
#include "autodiff/tape/ir/trace.h"
#include "autodiff/tape/ir/trace_graph.h"

namespace fermiac::ad {

/// What a pass did. A trace that it left alone keeps its graph for the next one.
enum class Change : std::uint8_t { None, Edited, LeavesDeadOps };

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

// Ops that nothing reads, but that refuse points: what transformed parameters compute for the output alone may fail, and
// then the program refuses the point. They stay as sinks that add nothing to target and hand nothing back.

/// Whether some numbers make the op (which has a result) throw or leave its domain.
bool may_fail(const Trace& trace, const Op& op);
/// Makes such an op a check: a sink that computes the op's result forward, for its errors.
void make_check(Trace& trace, Op& op);

/// Sum of the map over the op's elements with these terms, every number that carries derivatives being x; without x
/// where the recording was. Nothing outside the domain. For constants of densities: their rounding errors must not depend
/// on where a tape was recorded.
std::optional<double> sum_at(const Trace& trace, const Op& op, Keep keep, std::optional<double> x);

}  // namespace fermiac::ad
