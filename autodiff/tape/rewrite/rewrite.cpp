#include "autodiff/tape/rewrite/rewrite.h"

#include <fmt/format.h>

#include <algorithm>

#include "autodiff/tape/ir/trace.h"
#include "autodiff/tape/rewrite/passes.h"
#include "support/base/check.h"

namespace fermiac::ad {
namespace {

using enum Exactness;

constexpr RewritePass kPasses[] = {
    {"dead", "drops ops whose results reach neither target nor a guard, or keeps no more than their errors", Exact,
     "first: later passes leave ops unread that were computed in another way, and those may go", settle_dead_ops},
    {"checks", "drops checks of bounds that cannot fail, by intervals", Exact,
     "before anything copies the checks and what only they read", drop_certain_checks},
    {"split", "takes short vector ops of one source site apart, for group to join them across repetitions", Reordered,
     "before equal elements are looked for", split_short_vectors},
    {"cse", "computes equal subexpressions once", Exact, "before passes that match shapes: every number has one name then",
     share_common_subexpressions},
    {"guards", "keeps the strictest of the guards that compare one number with constants", Exact,
     "compares names, so after cse", merge_guards},
    {"eigen", "takes eigenvalues and eigenvectors of one matrix from one decomposition", Exact,
     "compares names, so after cse", share_decompositions},
    {"chains", "makes one kernel of a recurrence of log_sum_exp: the forward algorithm", Reworked,
     "before sums and products within its steps get other shapes", collect_log_chains},
    {"sums", "makes one sum of a chain of additions, or terms of target", Reordered,
     "before fma takes the additions", collect_sums},
    {"totals", "sums up what only a sum or target reads as it is computed", Reordered, "works on the sums just made",
     collect_totals},
    {"fma", "fuses a product with the sum that is its only reader", Reordered, "when no addition is wanted any more",
     fuse_multiply_add},
    {"narrow", "computes vectors that are read in parts for each part by itself", Reordered,
     "when products and sums are fused, before vectors are taken for a linear predictor", narrow_vectors},
    {"peephole", "small identities, and constants of densities computed once", Reworked,
     "looks at fused products", apply_peepholes},
    {"statistics", "sums up densities that are linear in log theta, log(1 - theta), log lambda, lambda", Reworked,
     "while densities are single: fewer are left to group", collect_statistics},
    {"recurrences", "makes one kernel of a recurrence x' = a x + c with one coefficient", Reworked,
     "while steps are scalars: the terms it writes out in front of the kernel are left to group", collect_recurrences},
    {"group", "joins isomorphic scalar ops of one source site into vector ops", Reordered,
     "after all that works on scalars", group_scalar_ops},
    {"diagonal", "adds to the diagonal of a matrix without copying the rest of it", Exact,
     "sees the additions of a loop only when they are grouped", collect_diagonals},
    {"linear", "replaces N normal observations with a known design by the triangle of their QR decomposition", Reworked,
     "sees the vectors of a loop only when they are grouped", reduce_normal_likelihoods},
    {"tile", "runs vector ops that end in target on a few hundred elements at a time, there and back", Reordered,
     "hides its ops from all others", tile_long_vectors},
    {"compact", "drops slots and constants that no op refers to any more", Exact, "last: takes what the others left behind",
     drop_unused_storage},
};

void check(const Trace& trace, std::string_view after) {
  const std::string broken = verify(trace);
  FERMIAC_CHECK(broken.empty(), fmt::format("the trace after {}: {}", after, broken));
}

Change run(const RewritePass& pass, Trace& trace, TraceGraph& graph, const RewriteOptions& options) {
  if (!options.links && pass.run == collect_statistics) return Change::None;
  if (!options.links && pass.run == apply_peepholes) return apply_unlinked_peepholes(trace, graph);
  if (pass.run != tile_long_vectors || !options.short_tiles) return pass.run(trace, graph);
  tile_vectors(trace, {.shortest = 8, .longest = 8, .fewest = 2});
  return Change::Edited;
}

}  // namespace

std::span<const RewritePass> rewrite_passes() {
  return kPasses;
}

void rewrite(Trace& trace, const RewriteOptions& options) {
  if (options.verify) check(trace, "recording");
  if (!options.enabled) return;
  TraceGraph graph(trace);
  for (const RewritePass& pass : kPasses) {
    if (std::find(options.skip.begin(), options.skip.end(), pass.name) != options.skip.end()) continue;
    const Change change = run(pass, trace, graph, options);
    if (change == Change::None) continue;
    if (change == Change::LeavesDeadOps) remove_dead_ops(trace);
    graph.changed();
    if (options.verify) check(trace, pass.name);
  }
}

}  // namespace fermiac::ad
