// Guards that follow from others. Of the guards that compare one number with constants in one way, the strictest implies
// the rest: x < 2 and x < 3 hold where x < 2 does. A search through a table, or a loop until some bound, leaves thousands.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "autodiff/tape/ir/storage.h"
#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

/// compare(x, c) or compare(c, x) for a constant c.
struct Bound {
  Ref x;
  double constant = 0;
  bool constant_first = false;
};

std::optional<Bound> bound_of(const Trace& t, const Op& guard) {
  const bool first = guard.x[0].is_constant(), second = guard.x[1].is_constant();
  if (first == second) return std::nullopt;
  return Bound{guard.x[first ? 1 : 0], *numbers_at(t, guard.x[first ? 0 : 1]), first};
}

bool is_order(const Op& guard) { return guard.test.compare() != Compare::Equal; }

/// Whether constant `a` leaves less room than `b`.
bool is_stricter(const Bound& bound, bool outcome, double a, double b) {
  const bool from_above = outcome != bound.constant_first;  // x < c, or not c < x
  return from_above ? a < b : a > b;
}

class Guards {
 public:
  explicit Guards(Trace& t) : t_(t), keep_(t.ops.size(), true) {}
  bool run() {
    for (std::size_t i = 0; i < t_.ops.size(); ++i)
      if (t_.ops[i].kind == OpKind::Guard) keep_[i] = is_needed(i);
    if (std::ranges::find(keep_, false) == keep_.end()) return false;  // one made stricter is in the place of another
    keep_ops(t_, keep_);
    return true;
  }

 private:
  /// False if earlier guards say as much, one of them made stricter where that takes it.
  bool is_needed(std::size_t i) {
    const Op& guard = t_.ops[i];
    const std::optional<Bound> bound = bound_of(t_, guard);
    const bool outcome = guard.test.outcome();
    if (!bound || !is_order(guard)) return seen_.emplace(std::tuple{guard.test, guard.x[0], guard.x[1]}, i).second;
    if (std::isnan(bound->constant)) return false;  // compares false with every number
    const auto [known, fresh] = strictest_.try_emplace(std::tuple{guard.test, bound->constant_first, bound->x}, i);
    if (fresh) return true;
    Op& other = t_.ops[known->second];
    const int side = bound->constant_first ? 0 : 1;
    if (is_stricter(*bound, outcome, bound->constant, *numbers_at(t_, other.x[side]))) other.x[side] = guard.x[side];
    return false;
  }

  Trace& t_;
  std::vector<bool> keep_;
  std::map<std::tuple<GuardTest, Ref, Ref>, std::size_t> seen_;
  std::map<std::tuple<GuardTest, bool, Ref>, std::size_t> strictest_;
};

}  // namespace

Change merge_guards(Trace& trace, TraceGraph&) {
  return Guards(trace).run() ? Change::Edited : Change::None;
}

}  // namespace fermiac::ad
