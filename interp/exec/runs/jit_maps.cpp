#include "interp/exec/runs/jit_maps.h"

#include <bit>

#include "autodiff/kernels/fail_domain.h"

namespace fermiac::interp {
namespace {

double value_of(const ad::MapOp& op, const double* x, ad::Keep keep) {
  ad::check_domain(op, x);
  return op.value(x, keep);
}

struct Operands {
  Operands(const JitMap& map, const Frame& f, const jit::Traced* t) {
    for (std::uint32_t j = 0; j < map.op.arity; ++j) {
      active |= static_cast<std::uint8_t>((t[j].carries() ? 1u : 0u) << j);
      x[j] = t[j].v, refs[j] = Ref::from_bits(t[j].ref);
    }
    keep = ad::Keep::of(map.dropping(f), active);
  }
  std::uint8_t active = 0;  // bit j: operand j carries derivatives
  ad::Keep keep;
  double x[ad::kMaxMapArity] = {};
  Ref refs[ad::kMaxMapArity] = {};
};

/// At most two operands carry derivatives.
jit::Traced result_of_two(LentTrail& lent, const ad::MapOp& op, Operands& at, const jit::Traced* x) {
  ad::check_domain(op, at.x);
  double d[ad::kMaxMapArity];
  at.keep.ad &= at.active;
  const double value = op.value_and_partials(at.x, at.keep, d);
  const int i = std::countr_zero(at.active), j = std::bit_width(at.active) - 1;
  return i == j ? lent.result(value, x[i], d[i]) : lent.result(value, x[i], d[i], x[j], d[j]);
}

}  // namespace

double JitMap::value(const Frame& f, const double* x) const { return value_of(op, x, ad::Keep::of(dropping(f), 0)); }

jit::Traced JitMap::traced(Frame& f, LentTrail& lent, const jit::Traced* x) const {
  Operands at(*this, f, x);
  if (at.active == 0) return {value_of(op, at.x, at.keep)};
  if (std::popcount(at.active) <= 2) return result_of_two(lent, op, at, x);
  ad::Recorder& recorder = *f.m.recorder;
  lent.settle();
  for (std::uint32_t j = 0; j < op.arity; ++j)
    if (!x[j].carries()) at.refs[j] = recorder.operand(x[j].v);
  const Ref d = recorder.map(code, {at.refs, op.arity}, at.keep);
  lent.settle();
  return {recorder.value(d), d.bits()};
}

void JitMap::to_target(Frame& f, LentTrail& lent, const jit::Traced* x) const {
  const Operands at(*this, f, x);
  ad::Recorder& recorder = *f.m.recorder;
  if (at.active == 0) return recorder.target_constant(value_of(op, at.x, at.keep));
  if (!recorder.keeps_terms()) return recorder.sink_now(code, at.x, at.refs, at.active, at.keep);  // makes no numbers
  lent.settle();
  recorder.sink_now(code, at.x, at.refs, at.active, at.keep);
  lent.settle();
}

}  // namespace fermiac::interp
