#include "autodiff/tape/rewrite.h"

#include <algorithm>
#include <vector>

#include "autodiff/tape/passes.h"

namespace fermiac::ad {
namespace {

constexpr RewritePass kPasses[] = {
    {"dead", "drops ops whose results reach neither target nor a guard", remove_dead_ops},
    {"cse", "computes equal subexpressions once", share_common_subexpressions},
    {"fma", "fuses a product with the sum that is its only reader", fuse_multiply_add},
    {"peephole", "small identities, and constants of densities computed once", apply_peepholes},
    {"group", "joins isomorphic scalar ops of one source site into vector ops", group_scalar_ops},
    {"linear", "replaces N normal observations with a known design by the triangle of their QR decomposition",
     reduce_normal_likelihoods},
    {"compact", "drops slots and constants that no op refers to any more", drop_unused_storage},
};

}  // namespace

std::span<const RewritePass> rewrite_passes() {
  return kPasses;
}

void rewrite(Trace& trace, const RewriteOptions& options) {
  if (!options.enabled) return;
  for (const RewritePass& pass : kPasses)
    if (std::find(options.skip.begin(), options.skip.end(), pass.name) == options.skip.end()) pass.run(trace);
}

}  // namespace fermiac::ad
