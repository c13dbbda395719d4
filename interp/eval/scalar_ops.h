// Operators of scalars: what nodes (scalar_nodes.cpp) and programs (program.h) compute, and what they record.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "autodiff/errors.h"
#include "autodiff/kernels/map_op.h"
#include "autodiff/tape/record/recorder.h"
#include "interp/eval/program.h"

namespace fermiac::interp {

inline Ref to_operand(ad::Recorder& recorder, const Traced& x) { return x.active ? x.ref : recorder.operand(x.value); }
inline Ref to_ref(ad::Recorder& recorder, const Traced& x) { return x.active ? x.ref : recorder.constant(x.value); }

// ---------------------------------------------------------------- reals

struct Partials {
  double x, y;
};

struct Add {
  static constexpr OpCode kCode = OpCode::Add;
  static constexpr const char* kMap = "add";
  static constexpr double kNeutral = 0;
  static constexpr bool kCommutes = true;
  static double apply(double x, double y) { return x + y; }
  static Partials partials(double, double) { return {1, 1}; }
};
struct Subtract {
  static constexpr OpCode kCode = OpCode::Subtract;
  static constexpr const char* kMap = "subtract";
  static constexpr double kNeutral = 0;
  static constexpr bool kCommutes = false;
  static double apply(double x, double y) { return x - y; }
  static Partials partials(double, double) { return {1, -1}; }
};
struct Multiply {
  static constexpr OpCode kCode = OpCode::Multiply;
  static constexpr const char* kMap = "multiply";
  static constexpr double kNeutral = 1;
  static constexpr bool kCommutes = true;
  static double apply(double x, double y) { return x * y; }
  static Partials partials(double x, double y) { return {y, x}; }
};
struct Divide {
  static constexpr OpCode kCode = OpCode::Divide;
  static constexpr const char* kMap = "divide";
  static constexpr double kNeutral = 1;
  static constexpr bool kCommutes = false;
  static double apply(double x, double y) { return x / y; }
  static Partials partials(double x, double y) { return {1 / y, -(x / y) / y}; }
};

/// The operand that is the result, for the other one is neutral: 1 the first, 2 the second, 0 neither.
template <class Op>
int same_operand(const Traced& x, const Traced& y) {
  if (y.is_number(Op::kNeutral)) return 1;
  return Op::kCommutes && x.is_number(Op::kNeutral) ? 2 : 0;
}

template <class Op>
[[gnu::always_inline]] inline Traced evaluate_binary(ad::Recorder& recorder, const Traced& x, const Traced& y) {
  const double value = Op::apply(x.value, y.value);
  const Partials d = Op::partials(x.value, y.value);
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
  const int same = same_operand<Op>(x, y);
  if (same != 0 && ((same == 1 ? steady_y : steady_x) || !f.m.recorder->by_columns())) return same == 1 ? x : y;
  if (f.m.recorder->evaluates()) return evaluate_binary<Op>(*f.m.recorder, x, y);
  const Ref operands[] = {to_operand(*f.m.recorder, x), to_operand(*f.m.recorder, y)};
  return traced_result(f, f.m.recorder->map(code, operands));
}

// ---------------------------------------------------------------- ints

// Overflow wraps, as machine arithmetic does.
inline std::int32_t wrap(std::int64_t x) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(x)));
}
inline void check_divisor(std::int32_t y, const char* operation) {
  if (y == 0) throw ad::DomainError(fmt::format("{}: integer division by zero", operation));
}

struct IntAdd {
  static constexpr OpCode kCode = OpCode::IntAdd;
  static std::int32_t apply(std::int64_t x, std::int64_t y) { return wrap(x + y); }
  static std::optional<AffineInt> affine(const AffineInt& x, const AffineInt& y) {
    if (x.slot != kNoSlot && y.slot != kNoSlot) return std::nullopt;
    return AffineInt{x.slot != kNoSlot ? x.slot : y.slot, apply(x.constant, y.constant)};
  }
};
struct IntSubtract {
  static constexpr OpCode kCode = OpCode::IntSubtract;
  static std::int32_t apply(std::int64_t x, std::int64_t y) { return wrap(x - y); }
  static std::optional<AffineInt> affine(const AffineInt& x, const AffineInt& y) {
    return y.slot == kNoSlot ? std::optional(AffineInt{x.slot, apply(x.constant, y.constant)}) : std::nullopt;
  }
};
struct IntMultiply {
  static constexpr OpCode kCode = OpCode::IntMultiply;
  static std::int32_t apply(std::int64_t x, std::int64_t y) { return wrap(x * y); }
};
struct IntDivide {
  static std::int32_t apply(std::int64_t x, std::int32_t y) {
    check_divisor(y, "divide");
    return wrap(x / y);
  }
};
struct IntModulus {
  static std::int32_t apply(std::int64_t x, std::int32_t y) {
    check_divisor(y, "modulus");
    return wrap(x % y);
  }
};


// ---------------------------------------------------------------- comparisons

/// x OP y, as a guard `compare(a, b) == outcome` with a, b = x, y or swapped.
struct Less {
  static constexpr OpCode kCode = OpCode::Less, kIntCode = OpCode::IntLess;
  static constexpr ad::Compare kCompare = ad::Compare::Less;
  static constexpr bool kSwap = false, kNegate = false;
  template <class T> static bool apply(T x, T y) { return x < y; }
};
struct LessOrEqual {
  static constexpr OpCode kCode = OpCode::LessOrEqual, kIntCode = OpCode::IntLessOrEqual;
  static constexpr ad::Compare kCompare = ad::Compare::LessOrEqual;
  static constexpr bool kSwap = false, kNegate = false;
  template <class T> static bool apply(T x, T y) { return x <= y; }
};
struct Greater {
  static constexpr OpCode kCode = OpCode::Greater, kIntCode = OpCode::IntGreater;
  static constexpr ad::Compare kCompare = ad::Compare::Less;
  static constexpr bool kSwap = true, kNegate = false;
  template <class T> static bool apply(T x, T y) { return x > y; }
};
struct GreaterOrEqual {
  static constexpr OpCode kCode = OpCode::GreaterOrEqual, kIntCode = OpCode::IntGreaterOrEqual;
  static constexpr ad::Compare kCompare = ad::Compare::LessOrEqual;
  static constexpr bool kSwap = true, kNegate = false;
  template <class T> static bool apply(T x, T y) { return x >= y; }
};
struct Equal {
  static constexpr OpCode kCode = OpCode::Equal, kIntCode = OpCode::IntEqual;
  static constexpr ad::Compare kCompare = ad::Compare::Equal;
  static constexpr bool kSwap = false, kNegate = false;
  template <class T> static bool apply(T x, T y) { return x == y; }
};
struct NotEqual {
  static constexpr OpCode kCode = OpCode::NotEqual, kIntCode = OpCode::IntNotEqual;
  static constexpr ad::Compare kCompare = ad::Compare::Equal;
  static constexpr bool kSwap = false, kNegate = true;
  template <class T> static bool apply(T x, T y) { return x != y; }
};


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
