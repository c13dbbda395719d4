// Peepholes: small identities that scalar recordings are full of, and constants that need not be computed again.
//
//   square(sqrt x) = x     log(exp x) = x     x - (a b + c) = (-a) b + (x - c)
//
// The second one is a map of its own, which refuses what exp does not bear; the program decides there.
// The last one turns two dependent ops of a recurrence into one; the negated factor and the difference do not depend on
// the recurrence (so the deeper of a and b stays the recurrent one).
//
// A density recorded with its constants (inside log_sum_exp, say) is the density without them plus a number that never
// changes: lgamma of data is computed once.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <vector>

#include "autodiff/tape/ir/hot_ops.h"
#include "autodiff/tape/rewrite/emit.h"
#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

/// Densities whose dropped terms are cheaper than one addition.
bool has_cheap_constants(MapCode density) {
  static const MapCode kCheap[] = {find_map("normal_lpdf"),         find_map("std_normal_lpdf"), find_map("bernoulli_lpmf"),
                                   find_map("bernoulli_logit_lpmf"), find_map("uniform_lpdf"),    find_map("exponential_lpdf"),
                                   find_map("logistic_lpdf")};
  return std::ranges::find(kCheap, density) != std::end(kCheap);
}

/// Whether a peephole may look at the op at all.
bool is_candidate(const Op& op) {
  const bool scalar = op.kind == OpKind::Map;
  if (!scalar && op.kind != OpKind::VectorReduce) return false;
  const bool identity = op.map == map_of(Hot::Square) || op.map == map_of(Hot::Log) || op.map == map_of(Hot::Subtract);
  return map_op(op.map).density || (scalar && identity);
}

class Peephole {
 public:
  Peephole(Trace& t, const TraceGraph& graph, bool links) : t_(t), graph_(graph), links_(links), out_(t) {}

  void run() {
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i) {
      const Op& op = t_.ops[i];
      const bool done = op.kind == OpKind::Map ? scalar(i) : (op.kind == OpKind::VectorReduce && constants(i));
      if (!done) out_.copy(i);
    }
    t_ = std::move(out_).finish();
  }

 private:
  /// The scalar map that made r, or null.
  const Op* made_by(Ref r, Hot h) const {
    const Op* const op = graph_.maker(r);
    return op != nullptr && op->kind == OpKind::Map && op->map == map_of(h) ? op : nullptr;
  }
  std::uint32_t depth(Ref r) const { return graph_.depth(r); }
  bool pinned(Ref r) const { return graph_.pinned(r); }

  bool scalar(std::uint32_t i) {
    const Op& op = t_.ops[i];
    if (op.map == map_of(Hot::Square)) {
      // Only if the root is read elsewhere too: a negative x must still make the density NaN.
      const Op* root = made_by(op.x[0], Hot::Sqrt);
      return root != nullptr && graph_.uses(root->d) > 1 && replace_by_operand(op, root);
    }
    if (op.map == map_of(Hot::Log)) return log_of_exp(i, made_by(op.x[0], Hot::Exp));
    if (op.map == map_of(Hot::Subtract)) return distribute(i);
    return map_op(op.map).density && constants(i);
  }
  bool replace_by_operand(const Op& op, const Op* inner) {
    if (inner == nullptr || pinned(op.d)) return false;
    out_.map_slot(op.d, out_.mapped(inner->x[0]));
    return true;
  }
  bool log_of_exp(std::uint32_t i, const Op* inner) {
    static const MapCode kLogOfExp = find_map("log_of_exp__");
    const Op& op = t_.ops[i];
    if (inner == nullptr || !links_ || pinned(op.d)) return false;
    out_.map_slot(op.d, out_.push_map(kLogOfExp, {out_.mapped(inner->x[0])}, t_.sites[i]));
    return true;
  }
  bool distribute(std::uint32_t i) {
    const Op& op = t_.ops[i];
    const Op* fma = made_by(op.x[1], Hot::Fma);
    if (fma == nullptr || !graph_.read_once(fma->d) || pinned(op.d)) return false;
    const int early = depth(fma->x[0]) <= depth(fma->x[1]) ? 0 : 1;
    const Ref late = fma->x[1 - early];
    if (depth(late) <= depth(fma->x[early]) || depth(late) <= depth(fma->x[2])) return false;  // no recurrence here
    const Site site = t_.sites[i];
    const Ref factor = out_.push_map(map_of(Hot::Minus), {out_.mapped(fma->x[early])}, site);
    const Ref rest = out_.push_map(map_of(Hot::Subtract), {out_.mapped(op.x[0]), out_.mapped(fma->x[2])}, site);
    out_.map_slot(op.d, out_.push_map(map_of(Hot::Fma), {factor, out_.mapped(late), rest}, site));
    return true;
  }
  /// For each element; terms of large counts cancel its like, which the density does better (large_densities.h).
  static constexpr double kMaxConstant = 5e4;
  /// Splits a density into what depends on parameters and a constant.
  bool constants(std::uint32_t i) {
    Op op = t_.ops[i];
    const MapOp& f = map_op(op.map);
    const Keep needed = Keep::propto(op.ad_mask);
    if (!f.density || f.product || op.keep.terms == needed.terms || has_cheap_constants(op.map) || pinned(op.d))
      return false;
    const std::optional<double> constant = constant_part(op, needed);
    if (!constant || std::fabs(*constant) > kMaxConstant * op.n) return false;
    const Site site = t_.sites[i];
    op.keep = needed;
    const Ref density = out_.copy_as(i, op);
    out_.map_slot(t_.ops[i].d, out_.push_map(map_of(Hot::Add), {density, out_.constant(*constant)}, site));
    return true;
  }
  /// What a density has beyond the terms `needed`; nothing where that is not finite. The difference carries rounding
  /// errors that differ from point to point, and a tape must be the same wherever it was recorded: the point is a fixed
  /// one unless none lies in the domain. Far from the density's bulk they can be all there is: then there is no constant.
  std::optional<double> constant_part(const Op& op, Keep needed) const {
    constexpr double kFixedPoints[] = {0.5, 32.0, 4096.0};
    for (const double x : kFixedPoints)
      if (const auto found = difference_at(op, needed, x); found && found->error < 1e-13) return found->value;
    for (const std::optional<double> x : {std::optional(kFixedPoints[0]), std::optional<double>()})
      if (const auto found = difference_at(op, needed, x); found && found->error < 1e-9) return found->value;
    return std::nullopt;
  }
  struct Difference {
    double value;
    double error;  // at most, compared with the larger of the value and 1
  };
  std::optional<Difference> difference_at(const Op& op, Keep needed, std::optional<double> x) const {
    const auto all = sum_at(t_, op, op.keep, x), part = sum_at(t_, op, needed, x);
    if (!all || !part || !std::isfinite(*all - *part)) return std::nullopt;
    constexpr double kRounding = 1e-15;
    return Difference{*all - *part, kRounding * std::fabs(*part) / (1 + std::fabs(*all - *part))};
  }

  Trace& t_;
  const TraceGraph& graph_;
  bool links_;
  Emitter out_;
};

Change apply(Trace& t, const TraceGraph& graph, bool links) {
  if (std::none_of(t.ops.begin(), t.ops.end(), is_candidate)) return Change::None;
  Peephole(t, graph, links).run();
  return Change::LeavesDeadOps;
}

}  // namespace

Change apply_peepholes(Trace& t, TraceGraph& graph) {
  return apply(t, graph, true);
}

Change apply_unlinked_peepholes(Trace& t, TraceGraph& graph) {
  return apply(t, graph, false);
}

}  // namespace fermiac::ad
