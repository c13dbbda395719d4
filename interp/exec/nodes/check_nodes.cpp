// Checks of constrained values: data, transformed data, transformed parameters, generated quantities. While recording,
// the check of a value that carries derivatives becomes part of the tape: a kernel whose result is 0.
#include <fmt/format.h>

#include <initializer_list>
#include <string_view>

#include "autodiff/tape/ir/checks.h"
#include "autodiff/tape/record/recorder.h"
#include "autodiff/transforms/transforms.h"
#include "interp/exec/lowering/compiler.h"
#include "interp/functions/operands.h"
#include "interp/value/numbers.h"
#include "interp/value/selection.h"
#include "support/base/check.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

using ad::Ref;
using mir::TransformKind;
using ValueKind = Value::Kind;

/// The check becomes part of the tape.
void record_check(ad::Recorder& recorder, const ad::Kernel& check, std::string_view name,
                  std::initializer_list<Value> values) {
  recorder.call_sink(check, name, RecordedOperands(recorder, {values.begin(), values.size()}).view());
}

struct BoundCheck final : StmtNode {
  BoundCheck(Site s, bool l, std::string n, ExprPtr v, ExprPtr b)
      : StmtNode(s), lower(l), name(std::move(n)), value(std::move(v)), bound(std::move(b)) {}
  Flow run(Frame& f) const override {
    if (f.m.lenient) return Flow::Next;
    f.at(site);
    const Value x = value->eval(f);
    const Value b = promoted(bound->eval(f), BaseType::Real, nullptr);
    if (!b.shape().is_scalar() && b.shape() != x.shape())
      throw ad::SizeError(fmt::format("{} is {}, but its bound is {}", name, shape_text(x), shape_text(b)));
    const Value plain = without_refs(f.m.recorder, x);
    const Value limit = without_refs(f.m.recorder, b);
    check(plain, limit);
    if ((x.is_autodiff() || b.is_autodiff()) && plain.shape().size() > 0)
      record_check(*f.m.recorder, lower ? ad::kCheckLower : ad::kCheckUpper, name, {to_reals(x), b});
    return Flow::Next;
  }
  void check(const Value& x, const Value& b) const {
    const double one = b.shape().is_scalar() ? number(b) : 0;
    const std::span<const double> bounds = b.shape().is_scalar() ? std::span(&one, 1) : std::span(b.real_data().data(), b.shape().size());
    switch (x.kind()) {
      case ValueKind::Ints: return ad::check_bounds(lower, name, x.shape(), x.int_data().data(), bounds);
      case ValueKind::Reals: return ad::check_bounds(lower, name, x.shape(), x.real_data().data(), bounds);
      default: return ad::check_bound(lower, name, x.shape(), 0, number(x), one);
    }
  }
  bool lower;
  std::string name;
  ExprPtr value, bound;
};

// ---------------------------------------------------------------- structured types

/// A check as an operation of the tape: nothing comes out, but it throws. The call's name is the variable's.
template <ad::Transform T>
struct TapeCheck {
  static ad::Plan plan(const ad::KernelCall&) { return {}; }
  static void forward(const ad::KernelCall& call) {
    ad::check_constrained(T, call.name, call.in[0].shape, call.in[0].v);
    *call.out = 0;
  }
  static void reverse(const ad::KernelCall&) {}
  static double fused(const ad::KernelCall& call) {
    ad::check_constrained(T, call.name, call.in[0].shape, call.in[0].v);
    return 0;
  }
  static constexpr ad::Kernel kKernel = {"check", plan, forward, reverse, fused};
};

struct StructureRow {
  TransformKind kind;
  ad::Transform transform;
  const ad::Kernel* kernel;
};
constexpr StructureRow kStructures[] = {
#define FERMIAC_STRUCTURE(kind, transform) \
  {TransformKind::kind, ad::Transform::transform, &TapeCheck<ad::Transform::transform>::kKernel},
    FERMIAC_STRUCTURE(Ordered, Ordered)
    FERMIAC_STRUCTURE(PositiveOrdered, PositiveOrdered)
    FERMIAC_STRUCTURE(Simplex, Simplex)
    FERMIAC_STRUCTURE(UnitVector, UnitVector)
    FERMIAC_STRUCTURE(SumToZeroVector, SumToZero)
    FERMIAC_STRUCTURE(SumToZeroMatrix, SumToZero)
    FERMIAC_STRUCTURE(CholeskyCorr, CholeskyFactorCorr)
    FERMIAC_STRUCTURE(CholeskyCov, CholeskyFactorCov)
    FERMIAC_STRUCTURE(Correlation, CorrMatrix)
    FERMIAC_STRUCTURE(Covariance, CovMatrix)
    FERMIAC_STRUCTURE(StochasticColumn, StochasticColumn)
    FERMIAC_STRUCTURE(StochasticRow, StochasticRow)
#undef FERMIAC_STRUCTURE
};

struct StructureCheck final : StmtNode {
  StructureCheck(Site s, const StructureRow& r, std::string n, ExprPtr v)
      : StmtNode(s), row(r), name(std::move(n)), value(std::move(v)) {}
  Flow run(Frame& f) const override {
    if (f.m.lenient) return Flow::Next;
    f.at(site);
    const Value x = value->eval(f);
    const Value plain = without_refs(f.m.recorder, x);
    ad::check_constrained(row.transform, name, plain.shape(), plain.real_data().data());
    if (x.is_autodiff() && plain.shape().size() > 0) record_check(*f.m.recorder, *row.kernel, name, {x});
    return Flow::Next;
  }
  const StructureRow& row;
  std::string name;
  ExprPtr value;
};

}  // namespace

StmtPtr make_value_check(Site site, TransformKind kind, std::string name, ExprPtr value, ExprPtr first, ExprPtr second) {
  if (kind == TransformKind::Lower)
    return std::make_unique<BoundCheck>(site, true, std::move(name), std::move(value), std::move(first));
  if (kind == TransformKind::Upper)
    return std::make_unique<BoundCheck>(site, false, std::move(name), std::move(value), std::move(second));
  for (const StructureRow& row : kStructures)
    if (row.kind == kind) return std::make_unique<StructureCheck>(site, row, std::move(name), std::move(value));
  FERMIAC_CHECK(false, "every constraint of a type has its check");
}

}  // namespace fermiac::interp
