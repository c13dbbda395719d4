// Checks that cannot fail. `real<lower=0> sigma = sqrt(v)` among transformed parameters is checked at every point, but a
// square root is never negative: an interval per number (ops/range.h) proves it and the check goes.
//
// A NaN fails a check, so a check goes only if the number is not NaN whatever the parameters are (they are finite; if not,
// target is NaN and the point is rejected all the same).
#include <algorithm>
#include <limits>
#include <unordered_map>
#include <vector>

#include "autodiff/ops/range.h"
#include "autodiff/ops/scalar.h"
#include "autodiff/tape/ir/checks.h"
#include "autodiff/tape/ir/storage.h"
#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

constexpr double kInf = Range::kInf;
constexpr double kMax = std::numeric_limits<double>::max();
constexpr Range kUnknown;
constexpr Range kParameter = {-kMax, kMax, false};
constexpr Range between(double lo, double hi, bool may_be_nan) { return {lo, hi, may_be_nan}; }

Range not_negative(const Range* x) { return between(0, kInf, x[0].may_be_nan); }
Range probability(const Range* x) { return between(0, 1, x[0].may_be_nan); }
Range lower(const Range* x) { return between(x[1].lo, kInf, x[0].may_be_nan || x[1].may_be_nan); }
Range upper(const Range* x) { return between(-kInf, x[1].hi, x[0].may_be_nan || x[1].may_be_nan); }
Range lower_upper(const Range* x) {
  return between(x[1].lo, x[2].hi, x[0].may_be_nan || x[1].may_be_nan || x[2].may_be_nan || x[1].has_infinity() || x[2].has_infinity());
}

struct Row {
  std::string_view map;
  Range (*range)(const Range* x);
};
#define FERMIAC_ROW(Name, map, ...) {map, ops::Name::value<Range>},
constexpr Row kRows[] = {
    FERMIAC_SCALAR_OPS(FERMIAC_ROW)
    {"abs", not_negative}, {"inv_logit", probability},
    {"Phi", probability}, {"Phi_approx", probability}, {"inv_cloglog", probability},
    {"lower_bound_constrain", lower}, {"upper_bound_constrain", upper},
    {"lower_upper_bound_constrain", lower_upper},
};
#undef FERMIAC_ROW

const std::unordered_map<MapCode, const Row*>& rows() {
  static const std::unordered_map<MapCode, const Row*> kByCode = [] {
    std::unordered_map<MapCode, const Row*> all;
    for (const Row& row : kRows) all.emplace(find_map(row.map), &row);
    return all;
  }();
  return kByCode;
}

class Ranges {
 public:
  explicit Ranges(const Trace& t) : t_(t), range_(t.values.size(), kUnknown) {
    std::fill_n(range_.begin(), t.parameters, kParameter);
  }
  /// To be called for the ops in their order.
  void note(const Op& op) {
    if (op.kind == OpKind::Gather) {
      for (std::uint32_t k = 0; k < op.n; ++k) range_[op.d.index() + k] = of(t_.index[op.table() + k]);
      return;
    }
    if (op.kind != OpKind::Map && op.kind != OpKind::Vector) return;
    const auto row = rows().find(op.map);
    if (row == rows().end()) return;
    Range x[kMaxMapArity];
    for (std::uint32_t k = 0; k < op.n; ++k) {
      for (int j = 0; j < map_arity(op.map); ++j) x[j] = of(op.vector_mask >> j & 1u ? op.x[j] + k : op.x[j]);
      range_[op.d.index() + k] = row->second->range(x);
    }
  }
  bool passes(const CallInfo& call) const {
    const bool lower = call.kernel == &kCheckLower;
    if (!lower && call.kernel != &kCheckUpper) return false;
    const CallOperand& x = t_.call_operands[call.first];
    const CallOperand& bound = t_.call_operands[call.first + 1];
    for (std::uint32_t i = 0; i < x.shape.size(); ++i) {
      const Range r = of(x.place + i);
      const Range b = of(bound.shape.is_scalar() ? bound.place : bound.place + i);
      if (r.may_be_nan || b.may_be_nan || !(lower ? r.lo >= b.hi : r.hi <= b.lo)) return false;
    }
    return true;
  }

 private:
  Range of(Ref r) const {
    if (!r.is_constant()) return range_[r.index()];
    return *numbers_at(t_, r);
  }
  const Trace& t_;
  std::vector<Range> range_;
};

}  // namespace

Change drop_certain_checks(Trace& t, TraceGraph&) {
  const auto is_check = [](const CallInfo& c) { return c.kernel == &kCheckLower || c.kernel == &kCheckUpper; };
  if (std::none_of(t.calls.begin(), t.calls.end(), is_check)) return Change::None;
  Ranges ranges(t);
  std::vector<bool> keep(t.ops.size(), true);
  for (std::size_t i = 0; i < t.ops.size(); ++i) {
    ranges.note(t.ops[i]);
    keep[i] = t.ops[i].kind != OpKind::CallSink || !ranges.passes(t.calls[t.ops[i].table()]);
  }
  if (std::ranges::find(keep, false) == keep.end()) return Change::None;
  keep_ops(t, keep);
  return Change::LeavesDeadOps;
}

}  // namespace fermiac::ad
