// Backward liveness over slots. A call is live when any of its results is.
#include <algorithm>
#include <vector>

#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

/// Which numbers something reads: to be shown the ops that stay, from the last to the first.
class Liveness {
 public:
  explicit Liveness(const Trace& t) : t_(t), live_(t.values.size(), false) {}
  bool needs(const Op& op) const {
    if (!has_result(op.kind)) return true;
    for (std::uint32_t k = 0; k < op.n_results(); ++k)
      if (live_[op.d.index() + k]) return true;
    return false;
  }
  void read_by(const Op& op) {
    for_each_operand(t_, op, [&](Ref r, std::uint32_t n) {
      if (!r.is_constant()) std::fill_n(live_.begin() + r.index(), n, true);
    });
  }

 private:
  const Trace& t_;
  std::vector<bool> live_;
};

}  // namespace

void keep_ops(Trace& t, const std::vector<bool>& keep) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < t.ops.size(); ++i) {
    if (!keep[i]) continue;
    t.ops[out] = t.ops[i];
    t.sites[out++] = t.sites[i];
  }
  t.ops.resize(out);
  t.sites.resize(out);
}

void remove_dead_ops(Trace& t) {
  Liveness live(t);
  std::vector<bool> keep(t.ops.size(), false);
  for (std::size_t i = t.ops.size(); i-- > 0;)
    if ((keep[i] = live.needs(t.ops[i]))) live.read_by(t.ops[i]);
  keep_ops(t, keep);
}

Change settle_dead_ops(Trace& t, TraceGraph&) {
  Liveness live(t);
  std::vector<bool> keep(t.ops.size(), false);
  std::vector<std::size_t> checks;
  for (std::size_t i = t.ops.size(); i-- > 0;) {
    const bool needed = live.needs(t.ops[i]);
    keep[i] = needed || may_fail(t, t.ops[i]);
    if (!keep[i]) continue;
    if (!needed) checks.push_back(i);
    live.read_by(t.ops[i]);
  }
  if (checks.empty() && std::ranges::find(keep, false) == keep.end()) return Change::None;
  for (const std::size_t i : checks) make_check(t, t.ops[i]);
  keep_ops(t, keep);
  return Change::Edited;
}

}  // namespace fermiac::ad
