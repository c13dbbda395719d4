// Fusion: a product whose only reader is a sum becomes one fused multiply-add, for scalars and vectors alike.
#include <algorithm>
#include <vector>

#include "autodiff/tape/hot_ops.h"
#include "autodiff/tape/passes.h"

namespace fermiac::ad {
namespace {

constexpr auto kAdd = static_cast<MapCode>(Hot::Add);
constexpr auto kMultiply = static_cast<MapCode>(Hot::Multiply);
constexpr auto kFma = static_cast<MapCode>(Hot::Fma);

class Fuser {
 public:
  explicit Fuser(Trace& t) : t_(t), producer_(t.values.size(), kNone), uses_(t.values.size(), 0), depth_(t.values.size(), 0) {
    for (const Op& op : t_.ops)
      for_each_operand(t_, op, [&](Ref r, std::uint32_t n) {
        if (is_constant(r)) return;
        for (std::uint32_t k = 0; k < n; ++k) uses_[r + k] = std::min(uses_[r + k] + 1, 2);
      });
  }

  void run() {
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i) {
      Op& op = t_.ops[i];
      if (op.map == kAdd && (op.kind == OpKind::Map || op.kind == OpKind::Vector)) {
        // Of two products the deeper one, so that a recurrence becomes one op per step.
        const int first = depth(op.x[1]) > depth(op.x[0]) ? 1 : 0;
        if (!fuse(op, first)) fuse(op, 1 - first);
      }
      note_depth(op);
      if (op.map == kMultiply && (op.kind == OpKind::Map || op.kind == OpKind::Vector)) producer_[op.d] = i;
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~0u;

  std::uint32_t depth(Ref r) const { return is_constant(r) ? 0 : depth_[r]; }
  void note_depth(const Op& op) {
    if (!has_result(op.kind)) return;
    std::uint32_t deepest = 0;
    for_each_operand(t_, op, [&](Ref r, std::uint32_t) { deepest = std::max(deepest, depth(r)); });
    std::fill_n(depth_.begin() + op.d, op.n_results(), deepest + 1);
  }

  /// Replaces `op` by a fused op if its operand j is a product that nothing else reads.
  bool fuse(Op& op, int j) {
    if (is_constant(op.x[j]) || producer_[op.x[j]] == kNone) return false;
    const Op& product = t_.ops[producer_[op.x[j]]];
    const bool is_vector = op.vector_mask >> j & 1u;
    if (is_vector != (product.kind == OpKind::Vector) || (is_vector && product.n != op.n)) return false;
    for (std::uint32_t k = 0; k < (is_vector ? op.n : 1u); ++k)
      if (uses_[op.x[j] + k] != 1) return false;
    const int other = 1 - j;
    op.map = kFma;
    op.x[2] = op.x[other];
    op.x[0] = product.x[0];
    op.x[1] = product.x[1];
    op.vector_mask = static_cast<std::uint8_t>(product.vector_mask | (op.vector_mask >> other & 1u) << 2);
    op.ad_mask = static_cast<std::uint8_t>(product.ad_mask | (op.ad_mask >> other & 1u) << 2);
    op.keep = Keep{.ad = op.ad_mask};
    return true;
  }

  Trace& t_;
  std::vector<std::uint32_t> producer_;  // op that made the slot, for products
  std::vector<std::uint8_t> uses_;       // 0, 1, more
  std::vector<std::uint32_t> depth_;     // of the first number of each operand: a hint, not a schedule
};

}  // namespace

void fuse_multiply_add(Trace& t) {
  Fuser(t).run();
  remove_dead_ops(t);
}

}  // namespace fermiac::ad
