#include "autodiff/tape/rewrite.h"

#include <algorithm>
#include <vector>

#include "autodiff/tape/passes.h"

namespace fermiac::ad {
namespace {

constexpr RewritePass kPasses[] = {
    {"dead", "drops ops whose results reach neither target nor a guard, or keeps no more than their errors", settle_dead_ops},
    {"checks", "drops checks of bounds that cannot fail, by intervals", drop_certain_checks},
    {"split", "takes short vector ops of one source site apart, for group to join them across repetitions",
     split_short_vectors},
    {"cse", "computes equal subexpressions once", share_common_subexpressions},
    {"guards", "keeps the strictest of the guards that compare one number with constants", merge_guards},
    {"eigen", "takes eigenvalues and eigenvectors of one matrix from one decomposition", share_decompositions},
    {"chains", "makes one kernel of a recurrence of log_sum_exp: the forward algorithm", collect_log_chains},
    {"sums", "makes one sum of a chain of additions, or terms of target", collect_sums},
    {"totals", "sums up what only a sum or target reads as it is computed", collect_totals},
    {"fma", "fuses a product with the sum that is its only reader", fuse_multiply_add},
    {"peephole", "small identities, and constants of densities computed once", apply_peepholes},
    {"statistics", "sums up densities that are linear in log theta, log(1 - theta), log lambda, lambda", collect_statistics},
    {"group", "joins isomorphic scalar ops of one source site into vector ops", group_scalar_ops},
    {"linear", "replaces N normal observations with a known design by the triangle of their QR decomposition",
     reduce_normal_likelihoods},
    {"tile", "runs vector ops that end in target on a few hundred elements at a time, there and back", tile_long_vectors},
    {"compact", "drops slots and constants that no op refers to any more", drop_unused_storage},
};

}  // namespace

std::span<const RewritePass> rewrite_passes() {
  return kPasses;
}

void rewrite(Trace& trace, const RewriteOptions& options) {
  if (!options.enabled) return;
  for (const RewritePass& pass : kPasses) {
    if (std::find(options.skip.begin(), options.skip.end(), pass.name) != options.skip.end()) continue;
    if (pass.run == tile_long_vectors && options.short_tiles) tile_vectors(trace, {.shortest = 8, .longest = 8, .fewest = 2});
    else pass.run(trace);
  }
}

}  // namespace fermiac::ad
