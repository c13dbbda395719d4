// The invariants of a trace (docs/phases/tape.md, "Invariants"), checked.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "autodiff/tape/ir/operands.h"
#include "autodiff/tape/ir/storage.h"
#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {
namespace {

std::string_view name_of(OpKind kind) {
  constexpr std::string_view kNames[] = {"Map",  "MapSink",  "Vector", "VectorReduce", "VectorSink", "Gather",
                                         "Call", "CallSink", "Target", "Guard",        "Tiles"};
  const auto k = static_cast<std::size_t>(kind);
  return k < std::size(kNames) ? kNames[k] : "of a tape";
}

class Verifier {
 public:
  explicit Verifier(const Trace& t) : t_(t), written_(t.values.size(), false) {}

  std::string run() {
    if (t_.sites.size() != t_.ops.size() || t_.tiled_sites.size() != t_.tiled.size()) return "there is not one site for each op";
    if (t_.parameters > t_.values.size()) return "there are fewer numbers than parameters";
    std::fill_n(written_.begin(), t_.parameters, true);
    for (at_ = 0; at_ < t_.ops.size() && wrong_.empty(); ++at_) op(t_.ops[at_]);
    return wrong_;
  }

 private:
  template <class... Args>
  void wrong(fmt::format_string<Args...> text, Args&&... args) {
    if (wrong_.empty())
      wrong_ = fmt::format("op {} ({}) ", at_, name_of(t_.ops[at_].kind)) + fmt::format(text, std::forward<Args>(args)...);
  }

  void op(const Op& op) {
    if (op.kind >= kFirstHot) return wrong("is of a kind that only tapes have");
    if (op.n == 0 && op.kind != OpKind::Call) return wrong("is of no numbers");
    if (!tables_hold(op)) return;
    if (op.kind == OpKind::Tiles) return tiles(op);
    masks(op);
    for_each_operand(t_, op, [&](Ref r, std::uint32_t n) { reads(r, n); });
    adjoints(op);
    if (is_weighed(op.kind)) weight(op.weight());
    if (op.kind == OpKind::CallSink) weight(t_.calls[op.table()].weight);
    if (has_result(op.kind)) writes(op);
  }

  /// What it refers to beside numbers is there.
  bool tables_hold(const Op& op) {
    if (op.kind == OpKind::Gather && (op.table() > t_.index.size() || op.n > t_.index.size() - op.table()))
      wrong("has indexes beyond the table's end");
    if (is_call(op.kind) && op.table() >= t_.calls.size()) wrong("is of no call");
    if (const TiledOps tiles = op.tiles();
        op.kind == OpKind::Tiles && (tiles.first > t_.tiled.size() || tiles.count > t_.tiled.size() - tiles.first))
      wrong("has ops beyond the table's end");
    if (uses_map(op.kind) != (op.map != kNoMap)) wrong("has {}", op.map == kNoMap ? "no map" : "a map for nothing");
    if (wrong_.empty() && is_call(op.kind)) call(op, t_.calls[op.table()]);
    return wrong_.empty();
  }
  static bool uses_map(OpKind k) { return k == OpKind::Map || k == OpKind::MapSink || is_vector_op(k); }
  void call(const Op& op, const CallInfo& c) {
    if (c.kernel == nullptr) return wrong("has no kernel");
    if (c.first > t_.call_operands.size() || c.count > t_.call_operands.size() - c.first)
      return wrong("has operands beyond the table's end");
    if (c.out_place != op.d) wrong("has its result in two places");
    if (op.kind == OpKind::Call && c.out.size() * (c.out.complex ? 2u : 1u) != op.n && c.out.size() != op.n)
      wrong("has {} results of a shape with {}", op.n, c.out.size());
    for (std::uint32_t j = c.first; j < c.first + c.count; ++j) {
      const CallOperand& o = t_.call_operands[j];
      if (o.ints && (o.int_offset > t_.ints.size() || o.shape.size() > t_.ints.size() - o.int_offset))
        wrong("has ints beyond the table's end");
    }
  }

  /// Scalar ops have no vectors; vector ops have one at least, or are of one number.
  void masks(const Op& op) {
    const bool scalar = op.kind == OpKind::Map || op.kind == OpKind::MapSink;
    if (scalar && (op.vector_mask != 0 || op.n != 1)) wrong("of scalars has vectors");
    for (int j = 0; j < (uses_map(op.kind) ? map_arity(op.map) : 0); ++j)
      if (op.x[j].is_constant() && (op.ad_mask >> j & 1u)) wrong("takes derivatives of operand {}, a constant", j);
  }

  void weight(Weight w) {
    if (index_of(w) > t_.weights.size()) wrong("has weight {} of {}", index_of(w), t_.weights.size());
  }

  void reads(Ref r, std::uint32_t n) {
    if (n == 0) return;
    const std::size_t first = r.index();
    if (r.is_constant()) {
      const std::size_t size = r.is_const_vector() ? t_.const_vectors.size() : t_.const_scalars.size();
      if (first + n > size) wrong("reads {} constants from {} on, of {}", n, first, size);
      return;
    }
    if (first + n > t_.values.size()) return wrong("reads {} numbers from {} on, of {}", n, first, t_.values.size());
    for (std::size_t k = first; k < first + n; ++k)
      if (!written_[k]) return wrong("reads number {}, which no op before it has made", k);
  }

  /// Blocks of constants have no adjoints: what adds to adjoints without asking reads none.
  void adjoints(const Op& op) {
    const auto no_block = [&](Ref r) {
      if (r.is_const_vector()) wrong("adds to adjoints of a block of constants");
    };
    if (op.kind == OpKind::Map || op.kind == OpKind::MapSink)
      for (int j = 0; j < map_arity(op.map); ++j) no_block(op.x[j]);
    if (op.kind == OpKind::Target) no_block(op.x[0]);
    if (op.kind == OpKind::Gather)
      for (std::uint32_t k = 0; k < op.n; ++k) no_block(t_.index[op.table() + k]);
    if (!is_call(op.kind)) return;
    const CallInfo& c = t_.calls[op.table()];
    for (std::uint32_t j = c.first; j < c.first + c.count; ++j)
      if (const CallOperand& o = t_.call_operands[j]; o.autodiff && !o.ints && o.shape.size() > 0) no_block(o.place);
  }

  /// A number is written once; blocks start at a multiple of kPad and are padded.
  void writes(const Op& op) {
    const std::uint32_t n = op.n_results();
    if (op.d.is_constant()) return wrong("writes to a constant");
    const std::size_t first = op.d.index();
    if (first + n > t_.values.size()) return wrong("writes beyond the last number");
    const bool block = op.kind != OpKind::Map && op.kind != OpKind::VectorReduce && n > 1;
    if (block && first % kPad != 0) wrong("has a block that starts at {}", first);
    if (block && t_.values.size() < first + padded(n)) wrong("has a block without padding");
    for (std::size_t k = first; k < first + n; ++k) {
      if (written_[k]) return wrong("writes number {} again", k);
      written_[k] = true;
    }
  }

  /// Local vectors are numbered in the order in which they are made, and nothing outside sees them.
  void tiles(const Op& op) {
    const TiledOps all = op.tiles();
    std::uint32_t locals = 0;
    for (std::uint32_t i = all.first; i < all.first + all.count; ++i) {
      const Op& tiled = t_.tiled[i];
      if (tiled.n != op.n) wrong("has a tiled op of {} elements", tiled.n);
      for (int j = 0; j < place_operands(tiled); ++j)
        if (is_local(tiled, j) && tiled.local_operand(j) >= locals)
          wrong("reads local vector {} before it is made", tiled.local_operand(j));
      for_each_outer_operand(tiled, [&](Ref r, std::uint32_t n) { reads(r, n); });
      if (is_weighed(tiled.kind)) weight(tiled.weight());
      if (!has_result(tiled.kind)) continue;
      if (!tiled.local.has_result() || tiled.local_result() != locals++) wrong("has a result that is no local vector");
    }
    if (locals != all.locals) wrong("has {} local vectors and makes {}", all.locals, locals);
  }

  const Trace& t_;
  std::vector<bool> written_;
  std::size_t at_ = 0;
  std::string wrong_;
};

}  // namespace

std::string verify(const Trace& trace) {
  return Verifier(trace).run();
}

}  // namespace fermiac::ad
