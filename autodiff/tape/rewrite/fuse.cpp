// Fusion: a product whose only reader is a sum becomes one fused multiply-add, for scalars and vectors alike.
#include "autodiff/tape/ir/hot_ops.h"
#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

constexpr auto kAdd = map_of(Hot::Add);
constexpr auto kMultiply = map_of(Hot::Multiply);
constexpr auto kFma = map_of(Hot::Fma);

class Fuser {
 public:
  Fuser(Trace& t, const TraceGraph& graph) : t_(t), graph_(graph) {}

  bool run() {
    bool found = false;
    for (Op& op : t_.ops) {
      if (!is(op, kAdd)) continue;
      // Of two products the deeper one, so that a recurrence becomes one op per step.
      const int first = graph_.depth(op.x[1]) > graph_.depth(op.x[0]) ? 1 : 0;
      found |= fuse(op, first) || fuse(op, 1 - first);
    }
    return found;
  }

 private:
  static bool is(const Op& op, MapCode code) { return op.map == code && (op.kind == OpKind::Map || op.kind == OpKind::Vector); }

  /// Replaces `op` by a fused op if its operand j is a product that nothing else reads.
  bool fuse(Op& op, int j) {
    const Op* const product = graph_.maker(op.x[j]);
    if (product == nullptr || !is(*product, kMultiply) || product->d != op.x[j]) return false;
    const bool is_vector = op.vector_mask >> j & 1u;
    if (is_vector != (product->kind == OpKind::Vector) || (is_vector && product->n != op.n)) return false;
    if (!graph_.read_once(op.x[j], is_vector ? op.n : 1)) return false;
    const int other = 1 - j;
    op.map = kFma;
    op.x[2] = op.x[other];
    op.x[0] = product->x[0];
    op.x[1] = product->x[1];
    op.vector_mask = static_cast<std::uint8_t>(product->vector_mask | (op.vector_mask >> other & 1u) << 2);
    op.ad_mask = static_cast<std::uint8_t>(product->ad_mask | (op.ad_mask >> other & 1u) << 2);
    op.keep = Keep{.ad = op.ad_mask};
    return true;
  }

  Trace& t_;
  const TraceGraph& graph_;  // of the trace as it was: products stay where they are, and a fused sum is none
};

}  // namespace

Change fuse_multiply_add(Trace& t, TraceGraph& graph) {
  return Fuser(t, graph).run() ? Change::LeavesDeadOps : Change::None;
}

}  // namespace fermiac::ad
