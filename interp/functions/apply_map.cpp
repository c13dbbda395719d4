// Maps on values: evaluated on plain numbers, or put on the tape when an operand depends on parameters.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "autodiff/kernels/fail_domain.h"
#include "interp/functions/broadcast.h"
#include "interp/functions/builtin_tools.h"
#include "interp/functions/functions.h"
#include "interp/functions/operands.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

using ad::Keep;
using ad::MapArgs;
using ad::MapCode;
using ad::MapOp;
using ad::Operand;
using ad::Propto;

void check_arity(const MapOp& op, Args args) {
  if (args.size() != op.arity)
    throw ad::FatalError(fmt::format("{}: takes {} arguments, not {}", op.name, op.arity, args.size()));
}

/// Bit j of `active`: operand j carries derivatives.
Keep keep_of(const MapOp& op, Propto propto, std::uint8_t active) {
  return Keep::of(op.density ? propto : Propto(), active);
}

/// The operands of one application, in one order of elements.
struct Bound {
  Bound(const CallContext& context, const MapOp& op, Args args) : frame(broadcast(op, args)), count(args.size()) {
    for (std::size_t j = 0; j < count; ++j)
      values[j] = is_by_rows(args[j], frame) ? to_column_major(context, args[j], frame.shape) : args[j];
  }
  Args view() const { return {values.data(), count}; }

  Broadcast frame;
  std::size_t count;
  std::array<Value, ad::kMaxMapArity> values;
};

// ---- plain numbers

Value plain_scalar_map(const MapOp& op, Args args, Propto propto) {
  double x[ad::kMaxMapArity] = {};
  for (std::size_t j = 0; j < args.size(); ++j) x[j] = plain_scalar(args[j]);
  check_domain(op, x);
  return op.value(x, keep_of(op, propto, 0));
}

Value plain_sum(const MapOp& op, const MapArgs& m) {
  double result = op.product ? 1 : 0;
  if (m.n > 0 && !op.reduce(m, &result)) explain_domain(op, m);
  return result;
}

Value evaluate_map(const CallContext& context, const MapOp& op, Args args) {
  if (std::ranges::all_of(args, is_plain_scalar)) return plain_scalar_map(op, args, context.propto);
  const Bound b(context, op, args);
  const PlainMapOperands operands(b.frame.n, b.view());
  MapArgs m = operands.args();
  m.keep = keep_of(op, context.propto, 0);
  if (op.density || op.product) return plain_sum(op, m);
  RealBuffer out(m.n);
  m.out = out.data();
  if (m.n > 0 && !op.map(m)) explain_domain(op, m);
  return Value::reals(b.frame.shape, std::move(out));
}

// ---- on a recording

/// The operands as the recorder takes them.
struct Recorded {
  Recorded(ad::Recorder& recorder, const MapOp& op, const Bound& b, Propto propto) : count(b.count) {
    std::uint8_t active = 0;
    for (std::size_t j = 0; j < count; ++j) {
      operands[j] = record_operand(recorder, b.values[j]);
      if (operands[j].autodiff) active |= static_cast<std::uint8_t>(1u << j);
    }
    keep = keep_of(op, propto, active);
  }
  std::span<const Operand> view() const { return {operands.data(), count}; }

  std::size_t count;
  std::array<Operand, ad::kMaxMapArity> operands{};
  Keep keep;
};

Value record_scalar_map(ad::Recorder& recorder, MapCode code, Args args, Propto propto) {
  Ref x[ad::kMaxMapArity] = {};
  std::uint8_t active = 0;
  for (std::size_t j = 0; j < args.size(); ++j) {
    x[j] = args[j].kind() == Value::Kind::Ref ? args[j].as_ref() : recorder.constant(plain_scalar(args[j]));
    if (!x[j].is_constant()) active |= static_cast<std::uint8_t>(1u << j);
  }
  return Value::reference(recorder.map(code, {x, args.size()}, keep_of(ad::map_op(code), propto, active)));
}

// ---- element by element

/// In a long loop, vectors of a few elements are recorded one element at a time.
constexpr std::uint32_t kFewElements = 16;

bool goes_by_elements(const ad::Recorder& recorder, const MapOp& op, const Bound& b) {
  return recorder.by_columns() && b.frame.n <= kFewElements && !op.product;
}

/// Element i of an operand (scalars have one) for the scalar op that is recorded next.
Ref element_of(ad::Recorder& recorder, const Value& v, std::uint32_t i) {
  switch (v.kind()) {
    case Value::Kind::Ref: return v.as_ref();
    case Value::Kind::Refs: return v.ref_data()[i];
    case Value::Kind::Reals: return recorder.operand(v.real_data()[i]);
    case Value::Kind::Ints: return recorder.operand(v.int_data()[i]);
    default: return recorder.operand(plain_scalar(v));
  }
}

Keep keep_of_elements(const MapOp& op, const Bound& b, Propto propto) {
  std::uint8_t active = 0;
  for (std::size_t j = 0; j < b.count; ++j)
    if (depends(b.values[j])) active |= static_cast<std::uint8_t>(1u << j);
  return keep_of(op, propto, active);
}

std::array<Ref, ad::kMaxMapArity> elements_of(ad::Recorder& recorder, const Bound& b, std::uint32_t i) {
  std::array<Ref, ad::kMaxMapArity> x{};
  for (std::size_t j = 0; j < b.count; ++j) x[j] = element_of(recorder, b.values[j], i);
  return x;
}

/// The values of a map of vectors, or their sum.
Value record_elements(ad::Recorder& recorder, MapCode code, const Bound& b, Propto propto) {
  const MapOp& op = ad::map_op(code);
  const Keep keep = keep_of_elements(op, b, propto);
  std::vector<Ref> results;
  for (std::uint32_t i = 0; i < b.frame.n; ++i)
    results.push_back(recorder.map(code, {elements_of(recorder, b, i).data(), b.count}, keep));
  if (!op.density) return Value::refs(b.frame.shape, std::move(results));
  static const MapCode kAdd = ad::find_map("add");
  Ref sum = results[0];
  for (std::size_t i = 1; i < results.size(); ++i) sum = recorder.map(kAdd, std::array{sum, results[i]});
  return Value::reference(sum);
}

void sink_elements(ad::Recorder& recorder, MapCode code, const Bound& b, Propto propto) {
  const Keep keep = keep_of_elements(ad::map_op(code), b, propto);
  for (std::uint32_t i = 0; i < b.frame.n; ++i) {
    const auto x = elements_of(recorder, b, i);
    std::array<Operand, ad::kMaxMapArity> operands{};
    for (std::size_t j = 0; j < b.count; ++j) operands[j] = {x[j], false, !x[j].is_constant()};
    recorder.sink(code, {operands.data(), b.count}, 1, keep);
  }
}

Value record_map(CallContext& context, MapCode code, Args args) {
  const MapOp& op = ad::map_op(code);
  ad::Recorder& recorder = *context.recorder;
  if (std::ranges::all_of(args, is_scalar_number)) return record_scalar_map(recorder, code, args, context.propto);
  const Bound b(context, op, args);
  const bool reducing = op.density || op.product;
  if (b.frame.n == 0) return reducing ? Value(op.product ? 1.0 : 0.0) : Value::reals(b.frame.shape, 0.0);
  if (goes_by_elements(recorder, op, b)) return record_elements(recorder, code, b, context.propto);
  const Recorded x(recorder, op, b, context.propto);
  if (reducing) return Value::reference(recorder.reduce(code, x.view(), b.frame.n, x.keep));
  return reference_block(b.frame.shape, recorder.map_vector(code, x.view(), b.frame.n, x.keep));
}

}  // namespace

Value apply_map(CallContext& context, MapCode code, Args args) {
  const MapOp& op = ad::map_op(code);
  check_arity(op, args);
  if (records(context, args)) return record_map(context, code, args);
  return evaluate_map(context, op, PlainValues(context, args).view());
}

bool elementwise_densities(std::string_view name, std::span<const Value> args, std::span<double> out) {
  const MapCode code = ad::find_map(name);
  if (code == ad::kNoMap || !ad::map_op(code).density || any_autodiff(args)) return false;
  const MapOp& op = ad::map_op(code);
  const CallContext context;
  const Bound b(context, op, args);
  if (b.frame.n != out.size()) return false;
  RealBuffer values(out.size());  // a vector loop may run over the end
  const PlainMapOperands operands(b.frame.n, b.view());
  MapArgs m = operands.args();
  m.keep = Keep::everything();
  m.out = values.data();
  if (m.n > 0 && !op.map(m)) return false;
  std::copy_n(values.data(), out.size(), out.data());
  return true;
}

std::optional<Value> record_densities(CallContext& context, std::string_view name, std::span<const Value> args, std::size_t n) {
  const MapCode code = ad::find_map(name);
  if (code == ad::kNoMap || !ad::map_op(code).density || !records(context, args)) return std::nullopt;
  const MapOp& op = ad::map_op(code);
  const Bound b(context, op, args);
  if (b.frame.n != n || n == 0) return std::nullopt;
  const Recorded x(*context.recorder, op, b, context.propto);
  return reference_block(Shape::vector(b.frame.n), context.recorder->map_vector(code, x.view(), b.frame.n, x.keep));
}

void sink_map(CallContext& context, MapCode code, Args args) {
  const MapOp& op = ad::map_op(code);
  check_arity(op, args);
  if (!records(context, args) || !op.density) return add_to_target(*context.recorder, apply_map(context, code, args));
  const Bound b(context, op, args);
  ad::Recorder& recorder = *context.recorder;
  if (b.frame.n == 0) return recorder.target_constant(op.product ? 1.0 : 0.0);
  if (goes_by_elements(recorder, op, b)) return sink_elements(recorder, code, b, context.propto);
  const Recorded x(recorder, op, b, context.propto);
  recorder.sink(code, x.view(), b.frame.n, x.keep);
}

Value NamedMap::operator()(CallContext& context, Args args) const {
  if (!exists()) not_implemented(name_);
  return apply_map(context, code_, args);
}

}  // namespace fermiac::interp
