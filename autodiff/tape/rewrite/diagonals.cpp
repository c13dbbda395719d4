// A square matrix with more on its diagonal: K[n, n] = K[n, n] + s in a loop, or K + diag_matrix(s). Recorded, the one is a gather of all
// n² elements, the other a sum with a gather that is mostly zeros; add_diag adds n numbers.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "autodiff/kernels/known_kernels.h"
#include "autodiff/tape/rewrite/emit.h"
#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

constexpr std::uint32_t kFewestRows = 8;

/// One number for the whole diagonal, or one for each of its elements.
struct Added {
  Ref from;
  bool vector = false;
};
struct Diagonal {
  Ref matrix;
  std::uint32_t n = 0;
  std::vector<Added> added;  // in the order of the additions
};

class Diagonals {
 public:
  Diagonals(Trace& t, TraceGraph& graph) : t_(t), graph_(graph) {}

  bool run() {
    std::vector<std::optional<Diagonal>> found(t_.ops.size());
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i) found[i] = diagonal_of(t_.ops[i]);
    if (std::ranges::none_of(found, [](const auto& d) { return d.has_value(); })) return false;
    Emitter out(t_);
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i) {
      if (found[i]) emit(*found[i], i, out);
      else out.copy(i);
    }
    t_ = std::move(out).finish();
    return true;
  }

 private:
  std::optional<Diagonal> diagonal_of(const Op& op) const {
    const auto n = static_cast<std::uint32_t>(std::lround(std::sqrt(static_cast<double>(op.n))));
    if (n < kFewestRows || n * n != op.n) return std::nullopt;
    if (op.kind == OpKind::Gather) return written(op, n);
    return is_sum(op) ? sum(op, n) : std::nullopt;
  }

  // ---- element by element: all of the gather are elements of one block, but for the diagonal

  std::optional<Diagonal> written(const Op& gather, std::uint32_t n) const {
    const Ref* const from = &t_.index[gather.table()];
    if (from[1].is_constant() || from[1].index() == 0) return std::nullopt;
    Diagonal out{Ref::slot(from[1].index() - 1), n, {}};
    for (std::uint32_t k = 0; k < gather.n; ++k)
      if (from[k] != (k % (n + 1) == 0 ? from[0] + k / (n + 1) : out.matrix + k)) return std::nullopt;
    return resolve(from[0], out) ? std::optional(std::move(out)) : std::nullopt;
  }
  /// Whether these n numbers are the matrix's diagonal and what was added to it.
  bool resolve(Ref numbers, Diagonal& out) const {
    const Op* const op = graph_.maker(numbers);
    if (!op || op->d != numbers || op->n != out.n) return false;
    if (op->kind == OpKind::Gather) return is_diagonal(*op, out);
    if (!is_sum(*op)) return false;
    for (const int j : {0, 1}) {
      const int other = 1 - j;
      if ((op->vector_mask >> j & 1u) == 0 || !resolve(op->x[j], out)) continue;
      out.added.push_back({op->x[other], (op->vector_mask >> other & 1u) != 0});
      return true;
    }
    return false;
  }
  bool is_diagonal(const Op& gather, const Diagonal& d) const {
    for (std::uint32_t i = 0; i < d.n; ++i)
      if (t_.index[gather.table() + i] != d.matrix + i * (d.n + 1)) return false;
    return true;
  }
  static bool is_sum(const Op& op) { return op.kind == OpKind::Vector && op.map == find_map("add"); }

  // ---- a sum with a gather of zeros but for the diagonal

  std::optional<Diagonal> sum(const Op& op, std::uint32_t n) const {
    if (op.vector_mask != 0b11) return std::nullopt;
    for (const int j : {0, 1})
      if (const std::optional<Added> added = mostly_zeros(op.x[1 - j], n); added && !op.x[j].is_constant()) return Diagonal{op.x[j], n, {*added}};
    return std::nullopt;
  }
  std::optional<Added> mostly_zeros(Ref block, std::uint32_t n) const {
    const Op* const gather = graph_.maker(block);
    if (!gather || gather->kind != OpKind::Gather || gather->d != block || gather->n != n * n) return std::nullopt;
    const Ref* const from = &t_.index[gather->table()];
    const Added added{from[0], from[n + 1] != from[0]};
    for (std::uint32_t k = 0; k < n * n; ++k) {
      if (k % (n + 1) != 0 ? !is_zero(from[k]) : from[k] != (added.vector ? added.from + k / (n + 1) : added.from)) return std::nullopt;
    }
    return added.vector && added.from.is_constant() ? std::nullopt : std::optional(added);
  }
  bool is_zero(Ref r) const {
    return r.is_constant() && value_of(r) == 0;
  }

  void emit(const Diagonal& d, std::uint32_t i, Emitter& out) const {
    const Shape matrix = Shape::matrix(d.n, d.n);
    KernelOperand operands[2] = {{.shape = matrix, .ref = out.block_with_adjoints(d.matrix, d.n * d.n), .autodiff = true}, {}};
    std::vector<double> value = values(d.matrix, d.n * d.n);
    for (const Added& a : d.added) {
      const Ref from = a.vector ? out.block(a.from, d.n) : out.mapped(a.from);
      operands[1] = {.shape = a.vector ? Shape::vector(d.n) : Shape::scalar(), .ref = from, .autodiff = !from.is_constant()};
      operands[0].ref = out.push_call(*known_kernels().add_diag, "add_diag", operands, t_.sites[i]);
      for (std::uint32_t k = 0; k < d.n; ++k) value[k * (d.n + 1)] += value_of(a.vector ? a.from + k : a.from);
      for (std::uint32_t k = 0; k < value.size(); ++k) out.set_value(operands[0].ref + k, value[k]);
    }
    for (std::uint32_t k = 0; k < d.n * d.n; ++k) out.map_slot(t_.ops[i].d + k, operands[0].ref + k);
  }

  double value_of(Ref r) const {
    if (!r.is_constant()) return t_.values[r.index()];
    return (r.is_const_vector() ? t_.const_vectors : t_.const_scalars)[r.index()];
  }
  std::vector<double> values(Ref first, std::uint32_t n) const {
    std::vector<double> out;
    for (std::uint32_t k = 0; k < n; ++k) out.push_back(value_of(first + k));
    return out;
  }

  Trace& t_;
  TraceGraph& graph_;
};

}  // namespace

Change collect_diagonals(Trace& t, TraceGraph& graph) {
  return Diagonals(t, graph).run() ? Change::LeavesDeadOps : Change::None;
}

}  // namespace fermiac::ad
