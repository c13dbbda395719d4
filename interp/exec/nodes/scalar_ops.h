// Operators of scalars: what nodes (scalar_nodes.cpp) compute, and what they record.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "autodiff/kernels/map_op.h"
#include "autodiff/ops/scalar.h"
#include "autodiff/tape/record/recorder.h"
#include "interp/exec/runs/node.h"
#include "interp/value/int_ops.h"
#include "support/base/errors.h"

namespace fermiac::interp {

inline Ref to_operand(ad::Recorder& recorder, const Traced& x) { return x.active ? x.ref : recorder.operand(x.value); }
inline Ref to_ref(ad::Recorder& recorder, const Traced& x) { return x.active ? x.ref : recorder.constant(x.value); }

// ---------------------------------------------------------------- reals

struct Partials {
  double x, y;
};

/// An op of the list as an operator: `Neutral` on the right, or on either side if it commutes, is left out of recordings.
template <class Op, int Neutral, bool Commutes>
struct RealOperator {
  static constexpr const char* kMap = Op::kMap;
  static constexpr double kNeutral = Neutral;
  static constexpr bool kCommutes = Commutes;
  static double apply(double x, double y) {
    const double p[] = {x, y};
    return Op::value(p);
  }
  static Partials partials(double x, double y, double value) {
    const double p[] = {x, y};
    double d[2];
    Op::partials(p, value, 1.0, d);
    return {d[0], d[1]};
  }
};
using Add = RealOperator<ad::ops::Add, 0, true>;
using Subtract = RealOperator<ad::ops::Subtract, 0, false>;
using Multiply = RealOperator<ad::ops::Multiply, 1, true>;
using Divide = RealOperator<ad::ops::Divide, 1, false>;

/// The operand that is the result, for the other one is neutral: 1 the first, 2 the second, 0 neither.
template <class Op>
int same_operand(const Traced& x, const Traced& y) {
  if (y.is_number(Op::kNeutral)) return 1;
  return Op::kCommutes && x.is_number(Op::kNeutral) ? 2 : 0;
}

template <class Op>
[[gnu::always_inline]] inline Traced evaluate_binary(ad::Recorder& recorder, const Traced& x, const Traced& y) {
  const double value = Op::apply(x.value, y.value);
  const Partials d = Op::partials(x.value, y.value, value);
  if (!y.active) return {value, recorder.step(value, x.ref, d.x), true};
  if (!x.active) return {value, recorder.step(value, y.ref, d.y), true};
  return {value, recorder.step(value, x.ref, d.x, y.ref, d.y), true};
}

/// In a loop that is recorded by columns, rounds had better be alike than short: an operand that is not `steady` may be
/// another number than 0 or 1 in the next one.
template <class Op>
Traced record_binary(Frame& f, const Traced& x, const Traced& y, bool steady_x, bool steady_y) {
  static const ad::MapCode code = ad::find_map(Op::kMap);
  if (!x.active && !y.active) return {Op::apply(x.value, y.value)};
  if (f.m.recorder->evaluates()) return evaluate_binary<Op>(*f.m.recorder, x, y);  // in full, as machine code does: the same bits
  const int same = same_operand<Op>(x, y);
  if (same != 0 && ((same == 1 ? steady_y : steady_x) || !f.m.recorder->by_columns())) return same == 1 ? x : y;
  const Ref operands[] = {to_operand(*f.m.recorder, x), to_operand(*f.m.recorder, y)};
  return traced_result(f, f.m.recorder->map(code, operands));
}

// ---------------------------------------------------------------- ints

#define FERMIAC_DEFINE(Name, formula, of_x, of_y)                        \
  struct Int##Name : int_ops::Name {                                        \
    static constexpr bool kAffineInX = of_x, kAffineInY = of_y;          \
  };
FERMIAC_INT_OPERATORS(FERMIAC_DEFINE)
#undef FERMIAC_DEFINE

/// These may fail.
#define FERMIAC_DEFINE(Name, formula, function)                                                              \
  struct Int##Name : int_ops::Name {                                                                            \
    static constexpr bool kAffineInX = false, kAffineInY = false;                                            \
    static std::int32_t apply(std::int64_t x, std::int64_t y) {                                              \
      if (y == 0) throw ad::DomainError(fmt::format("{}: integer division by zero", function));              \
      return int_ops::Name::apply(x, y);                                                                        \
    }                                                                                                        \
  };
FERMIAC_INT_DIVISIONS(FERMIAC_DEFINE)
#undef FERMIAC_DEFINE

/// The result as a variable plus a constant, if it is one.
template <class Op>
std::optional<AffineInt> affine_result(const AffineInt& x, const AffineInt& y) {
  const bool in_x = x.slot != kNoSlot, in_y = y.slot != kNoSlot;
  if ((in_x && !Op::kAffineInX) || (in_y && !Op::kAffineInY) || (in_x && in_y)) return std::nullopt;
  return AffineInt{in_x ? x.slot : y.slot, Op::apply(x.constant, y.constant)};
}

// ---------------------------------------------------------------- comparisons

/// x OP y, as a guard `compare(a, b) == outcome` with a, b = x, y or swapped.
#define FERMIAC_DEFINE(Name, guard, swaps, negates)                                       \
  struct Name {                                                                           \
    static constexpr ad::Compare kCompare = ad::Compare::guard;                           \
    static constexpr bool kSwap = swaps, kNegate = negates;                               \
    template <class T>                                                                    \
    static bool apply(T x, T y) {                                                         \
      return ad::ops::Is##guard::holds(kSwap ? y : x, kSwap ? x : y) != kNegate;          \
    }                                                                                     \
  };
FERMIAC_COMPARISONS(FERMIAC_DEFINE)
#undef FERMIAC_DEFINE

/// The guard of a comparison of which not both sides are known.
template <class Op>
Comparison comparison(ad::Recorder& recorder, const Traced& x, const Traced& y) {
  const Ref a = to_ref(recorder, x);
  const Ref b = to_ref(recorder, y);
  return {Op::kCompare, Op::kSwap ? b : a, Op::kSwap ? a : b, Op::kNegate};
}

/// The outcome, and a guard or branch for it if it depends on parameters.
template <class Op>
bool record_outcome(Frame& f, const Traced& x, const Traced& y) {
  ad::Recorder& recorder = *f.m.recorder;
  if (!x.active && !y.active) return Op::apply(x.value, y.value);
  if (recorder.evaluates()) {
    const bool outcome = Op::apply(x.value, y.value);
    recorder.branch(outcome);
    return outcome;
  }
  const Comparison c = comparison<Op>(recorder, x, y);
  return recorder.guard(c.compare, c.a, c.b) != c.negate;
}

}  // namespace fermiac::interp
