// Checks that cannot fail. `real<lower=0> sigma = sqrt(v)` among transformed parameters is checked at every point, but a
// square root is never negative: an interval per number (Moore, Interval Analysis, 1966) proves it and the check goes.
// Rounding is monotone, so the ends of the intervals are safe in double arithmetic.
//
// A NaN fails a check, so a check goes only if the number is not NaN whatever the parameters are (they are finite; if not,
// target is NaN and the point is rejected all the same).
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <vector>

#include "autodiff/tape/trace/checks.h"
#include "autodiff/tape/rewrite/passes.h"
#include "autodiff/tape/trace/storage.h"

namespace fermiac::ad {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kMax = std::numeric_limits<double>::max();

/// All values lo <= x <= hi, and NaN if may_be_nan.
struct Range {
  double lo = -kInf, hi = kInf;
  bool may_be_nan = true;
  bool has_zero() const { return lo <= 0 && hi >= 0; }
  bool has_infinity() const { return lo == -kInf || hi == kInf; }
};
constexpr Range kUnknown;
constexpr Range kParameter = {-kMax, kMax, false};
constexpr Range between(double lo, double hi, bool may_be_nan) { return {lo, hi, may_be_nan}; }

Range add(const Range* x) {
  const bool opposite = (x[0].hi == kInf && x[1].lo == -kInf) || (x[0].lo == -kInf && x[1].hi == kInf);
  if (opposite) return kUnknown;
  return between(x[0].lo + x[1].lo, x[0].hi + x[1].hi, x[0].may_be_nan || x[1].may_be_nan);
}
Range minus(const Range* x) { return between(-x[0].hi, -x[0].lo, x[0].may_be_nan); }
Range subtract(const Range* x) {
  const Range sum[] = {x[0], minus(x + 1)};
  return add(sum);
}
Range multiply(const Range* x) {
  if ((x[0].has_zero() && x[1].has_infinity()) || (x[1].has_zero() && x[0].has_infinity())) {
    // 0 * inf; the sign is known still if both are nonnegative
    return x[0].lo >= 0 && x[1].lo >= 0 ? between(0, kInf, true) : kUnknown;
  }
  const double ends[] = {x[0].lo * x[1].lo, x[0].lo * x[1].hi, x[0].hi * x[1].lo, x[0].hi * x[1].hi};
  return between(*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4), x[0].may_be_nan || x[1].may_be_nan);
}
Range fma(const Range* x) {
  const Range sum[] = {multiply(x), x[2]};
  return add(sum);
}
Range inv(const Range* x) {
  if (!(x[0].lo >= 0)) return kUnknown;
  return between(1 / x[0].hi, x[0].lo == 0 ? kInf : 1 / x[0].lo, x[0].may_be_nan);
}
Range divide(const Range* x) {
  const Range inverse = inv(x + 1);
  const Range product[] = {x[0], inverse};
  return multiply(product);
}
Range exp(const Range* x) { return between(0, x[0].hi > 709 ? kInf : std::exp(x[0].hi) * 1.000001, x[0].may_be_nan); }
Range square(const Range* x) { return between(0, kInf, x[0].may_be_nan); }
Range sqrt(const Range* x) {
  if (!(x[0].lo >= 0)) return kUnknown;
  return between(0, std::sqrt(x[0].hi), x[0].may_be_nan);
}
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
constexpr Row kRows[] = {
    {"add", add},       {"subtract", subtract},     {"multiply", multiply}, {"divide", divide},
    {"minus", minus},   {"fma", fma},               {"exp", exp},           {"sqrt", sqrt},
    {"square", square}, {"abs", square},            {"inv", inv},           {"inv_logit", probability},
    {"Phi", probability}, {"Phi_approx", probability}, {"inv_cloglog", probability},
    {"lower_bound_constrain", lower}, {"upper_bound_constrain", upper},
    {"lower_upper_bound_constrain", lower_upper},
};

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
      for (std::uint32_t k = 0; k < op.n; ++k) range_[op.d + k] = of(t_.index[op.x[0] + k]);
      return;
    }
    if (op.kind != OpKind::Map && op.kind != OpKind::Vector) return;
    const auto row = rows().find(op.map);
    if (row == rows().end()) return;
    Range x[kMaxMapArity];
    for (std::uint32_t k = 0; k < op.n; ++k) {
      for (int j = 0; j < map_op(op.map).arity; ++j) x[j] = of(op.vector_mask >> j & 1u ? op.x[j] + k : op.x[j]);
      range_[op.d + k] = row->second->range(x);
    }
  }
  bool passes(const CallInfo& call) const {
    const bool lower = call.kernel == &kCheckLower;
    if (!lower && call.kernel != &kCheckUpper) return false;
    const CallOperand& x = t_.call_operands[call.first];
    const CallOperand& bound = t_.call_operands[call.first + 1];
    for (std::uint32_t i = 0; i < x.shape.size(); ++i) {
      const Range r = of(x.ref + i);
      const Range b = of(bound.shape.is_scalar() ? bound.ref : bound.ref + i);
      if (r.may_be_nan || b.may_be_nan || !(lower ? r.lo >= b.hi : r.hi <= b.lo)) return false;
    }
    return true;
  }

 private:
  Range of(Ref r) const {
    if (!is_constant(r)) return range_[r];
    const double c = *numbers_at(t_, r);
    return between(c, c, std::isnan(c));
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
    keep[i] = t.ops[i].kind != OpKind::CallSink || !ranges.passes(t.calls[t.ops[i].x[0]]);
  }
  if (std::ranges::find(keep, false) == keep.end()) return Change::None;
  keep_ops(t, keep);
  return Change::LeavesDeadOps;
}

}  // namespace fermiac::ad
