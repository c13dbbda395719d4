// Chains of ops become kernels: what reads their results comes behind the kernels, and what a chain reads must not be among that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "autodiff/tape/ir/operands.h"
#include "autodiff/tape/ir/trace.h"
#include "autodiff/tape/rewrite/emit.h"

namespace fermiac::ad {

/// An op of a chain, and the number that others read of it; kNoOp: the number is made in front of the kernel, but read behind it.
struct ChainedOp {
  static constexpr std::uint32_t kNoOp = ~0u;
  std::uint32_t op;
  Ref result;
};

/// The ops that are late: those of chains, and whatever depends on their results. O(ops and operands).
class LateOps {
 public:
  LateOps(const Trace& t, const std::vector<ChainedOp>& chained)
      : op_(t.ops.size(), false), number_(t.values.size(), false), chained_(t.values.size(), false) {
    for (const ChainedOp& c : chained) {
      number_[c.result.index()] = true;
      if (c.op != ChainedOp::kNoOp) op_[c.op] = chained_[c.result.index()] = chained_[t.ops[c.op].d.index()] = true;
    }
    for (std::size_t i = 0; i < t.ops.size(); ++i) {
      const Op& op = t.ops[i];
      for_each_operand(t, op, [&](Ref r, std::uint32_t n) {
        for (std::uint32_t k = 0; k < n && !r.is_constant(); ++k)
          if (number_[(r + k).index()]) op_[i] = true;
      });
      if (op_[i] && has_result(op.kind)) std::fill_n(number_.begin() + op.d.index(), op.n_results(), true);
    }
  }
  bool has_op(std::uint32_t op) const { return op_[op]; }
  bool has(Ref r) const { return !r.is_constant() && number_[r.index()]; }
  /// The op belongs to a chain, whose kernel has its result.
  bool is_chained(const Op& op) const { return op.kind == OpKind::Map && chained_[op.d.index()]; }

 private:
  std::vector<bool> op_, number_, chained_;
};

/// Drops chains until none reads what depends on any, and says what is late then. ops_of(chain, list) appends a chain's ops,
/// reads(chain, late) says whether it reads one that is late.
template <class Chains, class OpsOf, class Reads>
LateOps drop_entangled(const Trace& t, Chains& chains, OpsOf ops_of, Reads reads) {
  for (;;) {
    std::vector<ChainedOp> chained;
    for (const auto& chain : chains) ops_of(chain, chained);
    LateOps late(t, chained);
    if (std::erase_if(chains, [&](const auto& chain) { return reads(chain, late); }) == 0) return late;
  }
}

/// Copies the ops in front of the kernels, lets `emit` put the kernels in the place of the chains, and copies what is late.
template <class Chains, class Emit>
void replace_chains(const Trace& t, Emitter& out, const Chains& chains, const LateOps& late, Emit emit) {
  for (std::uint32_t i = 0; i < t.ops.size(); ++i)
    if (!late.has_op(i)) out.copy(i);
  for (const auto& chain : chains) emit(chain);
  for (std::uint32_t i = 0; i < t.ops.size(); ++i)
    if (late.has_op(i) && !late.is_chained(t.ops[i])) out.copy(i);
}

}  // namespace fermiac::ad
