// Maps and kernels on values: evaluated on plain numbers, or put on the tape when an operand carries derivatives.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "autodiff/errors.h"
#include "autodiff/tape/record/recorder.h"
#include "interp/functions/builtin_tools.h"

namespace fermiac::interp {
namespace {

using ad::Inner;
using ad::Keep;
using ad::MapArgs;
using ad::MapCode;
using ad::MapOp;
using ad::Operand;

/// What the operands of a map agree on.
struct Frame {
  Shape shape;
  std::uint32_t n = 1;
  bool scalar = true;
};

struct Dims {
  std::array<std::uint32_t, Shape::kMaxRank + 2> d{};
  int rank = 0;
  friend bool operator==(const Dims&, const Dims&) = default;
};

Dims dims_of(const Shape& s) {
  Dims dims;
  for (int i = 0; i < s.rank; ++i) dims.d[dims.rank++] = s.array_dims[i];
  if (s.inner == Inner::Vector || s.inner == Inner::Matrix) dims.d[dims.rank++] = s.rows;
  if (s.inner == Inner::RowVector || s.inner == Inner::Matrix) dims.d[dims.rank++] = s.cols;
  return dims;
}

[[noreturn]] void sizes_differ(std::string_view name, std::size_t i, const Shape& a, std::size_t j, const Shape& b) {
  throw ad::SizeError(fmt::format("{}: arguments {} and {} must have the same size, but they are {} and {}", name, i + 1,
                                  j + 1, a.str(), b.str()));
}

/// Containers must have equal dimensions; the result is shaped as the one that is not just a nested array.
Frame elementwise_frame(std::string_view name, Args args) {
  Frame f;
  std::size_t first = 0;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Shape s = args[i].shape();
    if (s.is_scalar()) continue;
    if (!f.scalar && dims_of(s) != dims_of(f.shape)) sizes_differ(name, first, args[first].shape(), i, s);
    if (f.scalar || f.shape.inner == Inner::Scalar) f = {s, s.size(), false}, first = i;
  }
  return f;
}

/// A density only needs as many elements everywhere.
Frame density_frame(std::string_view name, Args args) {
  Frame f;
  std::size_t first = 0;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Shape s = args[i].shape();
    if (s.is_scalar()) continue;
    if (!f.scalar && s.size() != f.n) sizes_differ(name, first, args[first].shape(), i, s);
    if (f.scalar) f = {s, s.size(), false}, first = i;
  }
  return f;
}

/// A nested array beside a matrix: rows first becomes columns first, in every array element.
Value to_column_major(const CallContext& context, const Value& v, const Shape& frame) {
  const std::uint32_t block = frame.inner_size();
  CallContext here = context;
  return pick(here, frame, {&v, 1}, positions(scalar_count(v), [&](std::uint32_t k) {
                const std::uint32_t in = k % block;
                return k - in + (in % frame.rows) * frame.cols + in / frame.rows;
              }));
}

bool needs_transposing(const Value& v, const Frame& f) {
  return f.shape.inner == Inner::Matrix && !v.shape().is_scalar() && v.shape().inner == Inner::Scalar &&
         v.shape().rank == f.shape.rank + 2 && f.n > 0;
}

Operand record_operand(ad::Recorder& recorder, const Value& v) {
  switch (v.kind()) {
    case Value::Kind::Int: return {recorder.constant(v.as_int())};
    case Value::Kind::Real: return {recorder.constant(v.as_real())};
    case Value::Kind::Ref: return {v.as_ref(), false, !ad::is_constant(v.as_ref())};
    case Value::Kind::Ints: {
      const Value reals = to_reals(v);
      return record_operand(recorder, reals);
    }
    case Value::Kind::Reals:
      return {recorder.constant_block(v.real_data().data(), static_cast<std::uint32_t>(v.real_data().size())), true};
    default: break;
  }
  const std::vector<Ref>& refs = v.ref_data();
  if (!std::ranges::all_of(refs, ad::is_constant)) return {recorder.gather(refs), true, true};
  RealBuffer numbers(refs.size());
  for (std::size_t k = 0; k < refs.size(); ++k) numbers[k] = recorder.value(refs[k]);
  return {recorder.constant_block(numbers.data(), static_cast<std::uint32_t>(refs.size())), true};
}

/// The operands of one application, bound for the drivers or for the recorder.
struct Bound {
  Frame frame;
  Keep keep;
  std::array<Value, ad::kMaxMapArity> values;  // keeps converted operands alive
  std::array<double, ad::kMaxMapArity> scalars{};
  std::array<Operand, ad::kMaxMapArity> operands{};
  MapArgs plain;
  std::size_t count = 0;
};

void check_arity(const MapOp& op, Args args) {
  if (args.size() != op.arity)
    throw ad::FatalError(fmt::format("{}: takes {} arguments, not {}", op.name, op.arity, args.size()));
}

Bound bind(const CallContext& context, const MapOp& op, Args args) {
  Bound b;
  b.count = args.size();
  b.frame = op.density || op.product ? density_frame(op.name, args) : elementwise_frame(op.name, args);
  b.plain.n = b.frame.n;
  for (std::size_t j = 0; j < args.size(); ++j)
    b.values[j] = needs_transposing(args[j], b.frame) ? to_column_major(context, args[j], b.frame.shape) : args[j];
  return b;
}

void set_keep(Bound& b, const MapOp& op, bool propto, std::uint8_t ad_mask) {
  b.keep = op.density && propto ? Keep::propto(ad_mask) : Keep::everything();
  b.plain.keep = b.keep;
}

void bind_plain(Bound& b, const MapOp& op, bool propto) {
  for (std::size_t j = 0; j < b.count; ++j) {
    b.values[j] = to_reals(b.values[j]);
    const Value& v = b.values[j];
    if (v.kind() == Value::Kind::Real) {
      b.scalars[j] = v.as_real();
      b.plain.x[j] = &b.scalars[j];
    } else {
      b.plain.x[j] = v.real_data().data();
      b.plain.vector_mask |= static_cast<std::uint16_t>(1u << j);
    }
  }
  set_keep(b, op, propto, 0);
}

void bind_recorded(Bound& b, ad::Recorder& recorder, const MapOp& op, bool propto) {
  std::uint8_t mask = 0;
  for (std::size_t j = 0; j < b.count; ++j) {
    b.operands[j] = record_operand(recorder, b.values[j]);
    if (b.operands[j].autodiff) mask |= static_cast<std::uint8_t>(1u << j);
  }
  set_keep(b, op, propto, mask);
}

Value plain_scalar_map(const MapOp& op, Args args, bool propto) {
  double x[ad::kMaxMapArity] = {};
  MapArgs m;
  for (std::size_t j = 0; j < args.size(); ++j) {
    x[j] = plain_scalar(args[j]);
    m.x[j] = &x[j];
  }
  if (!op.rules.empty() && !op.valid(x)) explain_domain(op, m);
  return op.value(x, op.density && propto ? Keep::propto(0) : Keep::everything());
}

Value evaluate_map(const CallContext& context, const MapOp& op, Args args) {
  if (std::ranges::all_of(args, is_plain_scalar)) return plain_scalar_map(op, args, context.propto);
  Bound b = bind(context, op, args);
  bind_plain(b, op, context.propto);
  if (op.density || op.product) {
    double result = op.product ? 1 : 0;
    if (b.frame.n > 0 && !op.reduce(b.plain, &result)) explain_domain(op, b.plain);
    return result;
  }
  RealBuffer out(b.frame.n);
  b.plain.out = out.data();
  if (b.frame.n > 0 && !op.map(b.plain)) explain_domain(op, b.plain);
  return Value::reals(b.frame.shape, std::move(out));
}

Value reference_block(const Shape& shape, Ref first) {
  if (shape.is_scalar() && !shape.complex) return Value::reference(first);
  std::vector<Ref> refs = filled<Ref>(shape.size());
  std::iota(refs.begin(), refs.end(), first);
  return Value::refs(shape, std::move(refs));
}

Value record_scalar_map(ad::Recorder& recorder, MapCode code, Args args, bool propto) {
  const MapOp& op = ad::map_op(code);
  Ref x[ad::kMaxMapArity] = {};
  std::uint8_t mask = 0;
  for (std::size_t j = 0; j < args.size(); ++j) {
    x[j] = args[j].kind() == Value::Kind::Ref ? args[j].as_ref() : recorder.constant(plain_scalar(args[j]));
    if (!ad::is_constant(x[j])) mask |= static_cast<std::uint8_t>(1u << j);
  }
  const Keep keep = op.density && propto ? Keep::propto(mask) : Keep::everything();
  return Value::reference(recorder.map(code, {x, args.size()}, keep));
}

/// Element i of an operand (scalars have one) for the scalar op that is recorded next.
Ref element_of(ad::Recorder& recorder, const Value& v, std::uint32_t i) {
  switch (v.kind()) {
    case Value::Kind::Ref:
      return v.as_ref();
    case Value::Kind::Refs:
      return v.ref_data()[i];
    case Value::Kind::Reals:
      return recorder.operand(v.real_data()[i]);
    case Value::Kind::Ints:
      return recorder.operand(v.int_data()[i]);
    default:
      return recorder.operand(plain_scalar(v));
  }
}

/// In a long loop, vectors of a few elements are recorded one element at a time.
constexpr std::uint32_t kFewElements = 16;

bool goes_by_elements(const ad::Recorder& recorder, const MapOp& op, const Bound& b) {
  return recorder.by_columns() && b.frame.n <= kFewElements && !op.product;
}

/// Whether any number of the value depends on parameters: containers that a recording filled may hold constants only.
bool depends(const Value& v) {
  const auto varies = [](Ref r) { return !ad::is_constant(r); };
  if (v.kind() == Value::Kind::Ref) return varies(v.as_ref());
  return v.kind() == Value::Kind::Refs && std::ranges::any_of(v.ref_data(), varies);
}

/// Bit j: operand j depends on parameters.
std::uint8_t dependent_operands(const Bound& b) {
  std::uint8_t mask = 0;
  for (std::size_t j = 0; j < b.count; ++j)
    if (depends(b.values[j])) mask |= static_cast<std::uint8_t>(1u << j);
  return mask;
}

std::array<Ref, ad::kMaxMapArity> elements_of(ad::Recorder& recorder, const Bound& b, std::uint32_t i) {
  std::array<Ref, ad::kMaxMapArity> x{};
  for (std::size_t j = 0; j < b.count; ++j) x[j] = element_of(recorder, b.values[j], i);
  return x;
}

/// The values of a map of vectors, or their sum.
Value record_elements(ad::Recorder& recorder, MapCode code, Bound& b, bool propto) {
  const MapOp& op = ad::map_op(code);
  set_keep(b, op, propto, dependent_operands(b));
  std::vector<Ref> results;
  for (std::uint32_t i = 0; i < b.frame.n; ++i)
    results.push_back(recorder.map(code, {elements_of(recorder, b, i).data(), b.count}, b.keep));
  if (!op.density) return Value::refs(b.frame.shape, std::move(results));
  static const MapCode kAdd = ad::find_map("add");
  Ref sum = results[0];
  for (std::size_t i = 1; i < results.size(); ++i) sum = recorder.map(kAdd, std::array{sum, results[i]});
  return Value::reference(sum);
}

void sink_elements(ad::Recorder& recorder, MapCode code, Bound& b, bool propto) {
  set_keep(b, ad::map_op(code), propto, dependent_operands(b));
  for (std::uint32_t i = 0; i < b.frame.n; ++i) {
    const auto x = elements_of(recorder, b, i);
    std::array<Operand, ad::kMaxMapArity> operands{};
    for (std::size_t j = 0; j < b.count; ++j) operands[j] = {x[j], false, !ad::is_constant(x[j])};
    recorder.sink(code, {operands.data(), b.count}, 1, b.keep);
  }
}

Value record_map(CallContext& context, MapCode code, Args args) {
  const MapOp& op = ad::map_op(code);
  ad::Recorder& recorder = *context.recorder;
  if (std::ranges::all_of(args, is_scalar_number)) return record_scalar_map(recorder, code, args, context.propto);
  Bound b = bind(context, op, args);
  const bool reducing = op.density || op.product;
  if (b.frame.n == 0) return reducing ? Value(op.product ? 1.0 : 0.0) : Value::reals(b.frame.shape, 0.0);
  if (goes_by_elements(recorder, op, b)) return record_elements(recorder, code, b, context.propto);
  bind_recorded(b, recorder, op, context.propto);
  const std::span<const Operand> operands{b.operands.data(), b.count};
  if (reducing) return Value::reference(recorder.reduce(code, operands, b.frame.n, b.keep));
  return reference_block(b.frame.shape, recorder.map_vector(code, operands, b.frame.n, b.keep));
}

bool records(const CallContext& context, Args args) {
  return context.recorder != nullptr && std::ranges::any_of(args, depends);
}

/// Plain numbers for arguments that do not depend on parameters.
std::vector<Value> settled(const CallContext& context, Args args) {
  std::vector<Value> out(args.begin(), args.end());
  for (Value& v : out) {
    if (v.kind() == Value::Kind::Ref) v = Value(context.recorder->value(v.as_ref()));
    if (v.kind() != Value::Kind::Refs) continue;
    RealBuffer numbers(v.ref_data().size());
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = context.recorder->value(v.ref_data()[k]);
    v = Value::reals(v.shape(), std::move(numbers));
  }
  return out;
}

// ---- kernels

/// n objects; the few that most calls need sit on the stack.
template <class T>
class Room {
 public:
  explicit Room(std::size_t n) {
    if (n <= few_.size()) return;
    many_.resize(n);
    data_ = many_.data();
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  T& operator[](std::size_t i) { return data_[i]; }

 private:
  std::array<T, 3> few_{};
  std::vector<T> many_;
  T* data_ = few_.data();
};

struct PlainOperand {
  double scalar = 0;
  std::int32_t integer = 0;
};

Value evaluate_kernel(const CallContext& context, const ad::Kernel& kernel, std::string_view name, Args args) {
  Room<PlainOperand> operands(args.size());
  Room<ad::KernelArg> in(args.size());
  for (std::size_t j = 0; j < args.size(); ++j)
    in[j] = plain_operand(args[j], operands[j].scalar, operands[j].integer);
  ad::KernelCall call{.name = name, .in = {&in[0], args.size()}, .propto = context.propto && is_density_name(name)};
  const ad::Plan plan = checked_plan(kernel, call);
  call.out_shape = plan.out;
  std::vector<double> scratch(plan.scratch);
  call.scratch = scratch.data();
  if (plan.out.is_scalar() && !plan.out.complex) {
    std::array<double, 16> number{};  // a vector loop may run over the end, as in a RealBuffer
    call.out = number.data();
    kernel.forward(call);
    return number[0];
  }
  RealBuffer out(plan.out.size());
  call.out = out.data();
  kernel.forward(call);
  return Value::reals(plan.out, std::move(out));
}

constexpr std::int32_t kNoInts[1] = {};

/// Elements are listed: whether they must lie in a block depends on the kernel.
ad::KernelOperand record_kernel_operand(ad::Recorder& recorder, const Value& v) {
  if (v.kind() == Value::Kind::Refs && !std::ranges::all_of(v.ref_data(), ad::is_constant))
    return {.shape = v.shape(), .autodiff = true, .list = v.ref_data()};
  const Operand o = record_operand(recorder, v);
  return {.shape = v.shape(), .ref = o.ref, .autodiff = o.autodiff};
}

std::vector<ad::KernelOperand> record_operands(ad::Recorder& recorder, Args args, std::vector<std::int32_t>& integers) {
  integers.reserve(args.size());
  std::vector<ad::KernelOperand> operands;
  for (const Value& v : args) {
    if (v.kind() == Value::Kind::Int) {
      integers.push_back(v.as_int());
      operands.push_back({.ints = &integers.back()});
    } else if (v.kind() == Value::Kind::Ints) {
      operands.push_back({.shape = v.shape(), .ints = v.int_data().empty() ? kNoInts : v.int_data().data()});
    } else {
      operands.push_back(record_kernel_operand(recorder, v));
    }
  }
  return operands;
}

}  // namespace

ad::KernelArg plain_operand(const Value& v, double& scalar, std::int32_t& integer) {
  switch (v.kind()) {
    case Value::Kind::Int: integer = v.as_int(); return {.i = &integer};
    case Value::Kind::Real: scalar = v.as_real(); return {.v = &scalar};
    case Value::Kind::Ints: return {.shape = v.shape(), .i = v.int_data().empty() ? &integer : v.int_data().data()};
    case Value::Kind::Reals: return {.shape = v.shape(), .v = v.real_data().data()};
    default: throw ad::FatalError("a tuple cannot be an operand of a numeric function");
  }
}

double recorded_value(const CallContext& context, Ref ref) {
  return context.recorder->value(ref);
}

bool is_density_name(std::string_view name) {
  return name.ends_with("_lpdf") || name.ends_with("_lpmf");
}

Shape elementwise_shape(std::string_view name, Args args) {
  return elementwise_frame(name, args).shape;
}

Value apply_map(CallContext& context, MapCode code, Args args) {
  const MapOp& op = ad::map_op(code);
  check_arity(op, args);
  if (records(context, args)) return record_map(context, code, args);
  return any_autodiff(args) ? evaluate_map(context, op, settled(context, args)) : evaluate_map(context, op, args);
}

void sink_map(CallContext& context, MapCode code, Args args) {
  const MapOp& op = ad::map_op(code);
  check_arity(op, args);
  if (!records(context, args) || !op.density) return add_to_target(*context.recorder, apply_map(context, code, args));
  Bound b = bind(context, op, args);
  if (b.frame.n == 0) return context.recorder->target_constant(op.product ? 1.0 : 0.0);
  if (goes_by_elements(*context.recorder, op, b)) return sink_elements(*context.recorder, code, b, context.propto);
  bind_recorded(b, *context.recorder, op, context.propto);
  context.recorder->sink(code, {b.operands.data(), b.count}, b.frame.n, b.keep);
}

Value apply_kernel(CallContext& context, const ad::Kernel& kernel, std::string_view name, Args args) {
  if (!records(context, args))
    return any_autodiff(args) ? evaluate_kernel(context, kernel, name, settled(context, args))
                              : evaluate_kernel(context, kernel, name, args);
  std::vector<std::int32_t> integers;
  const auto operands = record_operands(*context.recorder, args, integers);
  const auto result = context.recorder->call(kernel, name, operands, context.propto && is_density_name(name));
  return result.list.empty() ? reference_block(result.shape, result.ref) : Value::refs(result.shape, result.list);
}

void sink_kernel(CallContext& context, const ad::Kernel& kernel, std::string_view name, Args args) {
  if (!records(context, args) || !is_density_name(name))
    return add_to_target(*context.recorder, apply_kernel(context, kernel, name, args));
  std::vector<std::int32_t> integers;
  const auto operands = record_operands(*context.recorder, args, integers);
  context.recorder->call_sink(kernel, name, operands, context.propto);
}

Value NamedMap::operator()(CallContext& context, Args args) const {
  if (!exists()) not_implemented(name_);
  return apply_map(context, code_, args);
}

Value NamedKernel::operator()(CallContext& context, Args args) const {
  if (!exists()) not_implemented(name_);
  return apply_kernel(context, *kernel_, kernel_->name, args);  // a recording keeps the name: static storage
}

}  // namespace fermiac::interp
