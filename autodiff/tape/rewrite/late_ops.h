// Chains of ops become kernels: what reads their results comes behind the kernels, and what a chain reads must not be among that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "autodiff/tape/rewrite/emit.h"
#include "autodiff/tape/trace/operands.h"
#include "autodiff/tape/trace/trace.h"

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
  LateOps(const Trace& t, const std::vector<ChainedOp>& chained) : op_(t.ops.size(), false), number_(t.values.size(), false) {
    for (const ChainedOp& c : chained) {
      if (c.op != ChainedOp::kNoOp) op_[c.op] = true;
      number_[c.result.index()] = true;
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

 private:
  std::vector<bool> op_, number_;
};

template <class Chains, class OpsOf>
LateOps late_ops(const Trace& t, const Chains& chains, OpsOf ops_of) {
  std::vector<ChainedOp> all;
  for (const auto& chain : chains) ops_of(chain, all);
  return LateOps(t, all);
}

/// Drops chains until none reads what depends on any. ops_of(chain, list) appends its ops, reads(chain, late) says whether it reads
/// one that is late.
template <class Chains, class OpsOf, class Reads>
void drop_entangled(const Trace& t, Chains& chains, OpsOf ops_of, Reads reads) {
  for (std::size_t before = chains.size() + 1; before != chains.size() && !chains.empty();) {
    before = chains.size();
    const LateOps late = late_ops(t, chains, ops_of);
    std::erase_if(chains, [&](const auto& chain) { return reads(chain, late); });
  }
}

/// Copies the ops in front of the kernels, lets `emit` put the kernels in the place of the chains, and copies what is late.
template <class Chains, class OpsOf, class Emit>
void replace_chains(const Trace& t, Emitter& out, const Chains& chains, OpsOf ops_of, Emit emit) {
  std::vector<ChainedOp> chained;
  for (const auto& chain : chains) ops_of(chain, chained);
  const LateOps late(t, chained);
  for (std::uint32_t i = 0; i < t.ops.size(); ++i)
    if (!late.has_op(i)) out.copy(i);
  for (const auto& chain : chains) emit(chain);
  std::vector<bool> replaced(t.values.size(), false);
  for (const ChainedOp& c : chained)
    if (c.op != ChainedOp::kNoOp) replaced[c.result.index()] = replaced[t.ops[c.op].d.index()] = true;
  for (std::uint32_t i = 0; i < t.ops.size(); ++i)
    if (late.has_op(i) && !(t.ops[i].kind == OpKind::Map && replaced[t.ops[i].d.index()])) out.copy(i);
}

}  // namespace fermiac::ad
