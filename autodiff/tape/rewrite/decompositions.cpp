// Eigenvalues and eigenvectors of one symmetric matrix come from one decomposition.
#include <algorithm>
#include <map>
#include <vector>

#include "autodiff/kernels/known_kernels.h"
#include "autodiff/linalg/symmetric_eigenpairs.h"
#include "autodiff/tape/rewrite/emit.h"
#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

constexpr std::uint32_t kNone = ~0u;

/// Both calls of one matrix.
struct Pair {
  std::uint32_t values = kNone, vectors = kNone;
  bool complete() const { return values != kNone && vectors != kNone; }
};

class Decompositions {
 public:
  explicit Decompositions(Trace& t) : t_(t) {
    for (std::uint32_t i = 0; i < t.ops.size(); ++i) {
      if (t.ops[i].kind != OpKind::Call) continue;
      const CallInfo& c = t.calls[t.ops[i].table()];
      if (c.kernel == known_kernels().eigenvalues_sym) pairs_[matrix(i)].values = i;
      if (c.kernel == known_kernels().eigenvectors_sym) pairs_[matrix(i)].vectors = i;
    }
    std::erase_if(pairs_, [](const auto& entry) { return !entry.second.complete(); });
  }
  bool run() {
    if (pairs_.empty()) return false;
    Emitter out(t_);
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i) {
      const Pair* pair = pair_of(i);
      if (pair == nullptr) out.copy(i);
      else if (i == std::min(pair->values, pair->vectors)) emit(*pair, i, out);
    }
    t_ = std::move(out).finish();
    return true;
  }

 private:
  const CallOperand& operand(std::uint32_t i) const { return t_.call_operands[t_.calls[t_.ops[i].table()].first]; }
  std::pair<Ref, std::uint32_t> matrix(std::uint32_t i) const { return {operand(i).place, operand(i).shape.rows}; }
  const Pair* pair_of(std::uint32_t i) const {
    if (t_.ops[i].kind != OpKind::Call || t_.calls[t_.ops[i].table()].count != 1) return nullptr;
    const auto it = pairs_.find(matrix(i));
    return it != pairs_.end() && (it->second.values == i || it->second.vectors == i) ? &it->second : nullptr;
  }
  void emit(const Pair& pair, std::uint32_t i, Emitter& out) const {
    const CallOperand& m = operand(i);
    const KernelOperand operand = {.shape = m.shape, .ref = out.block(m.place, m.shape.size()), .autodiff = m.autodiff};
    const Ref result = out.push_call(kEigenPair, t_.calls[t_.ops[i].table()].name, {&operand, 1}, t_.sites[i]);
    const std::uint32_t n = m.shape.rows;
    for (std::uint32_t k = 0; k < n * n; ++k) out.map_slot(t_.ops[pair.vectors].d + k, result + k);
    for (std::uint32_t k = 0; k < n; ++k) out.map_slot(t_.ops[pair.values].d + k, result + n * n + k);
  }

  Trace& t_;
  std::map<std::pair<Ref, std::uint32_t>, Pair> pairs_;
};

}  // namespace

Change share_decompositions(Trace& t, TraceGraph&) {
  return Decompositions(t).run() ? Change::Edited : Change::None;
}

}  // namespace fermiac::ad
