// What machine code calls: the interpreter's own functions on its own values. A value here and there is the same object.
#include <cstddef>
#include <string>
#include <vector>

#include "autodiff/errors.h"
#include "autodiff/kernels/fail_domain.h"
#include "autodiff/kernels/map_op.h"
#include "interp/eval/code.h"
#include "interp/eval/native_code.h"
#include "interp/functions/functions.h"
#include "interp/io/print.h"
#include "interp/native/module.h"
#include "interp/value/declare.h"
#include "interp/value/join.h"
#include "interp/value/numbers.h"
#include "interp/value/selection.h"

namespace fermiac::interp {
namespace {

using native::Arg;
using native::Context;

// ---------------------------------------------------------------- layouts

static_assert(sizeof(native::Value) == sizeof(Value) && sizeof(Arg) == sizeof(Value));
static_assert(sizeof(native::Shape) == sizeof(Shape));
static_assert(offsetof(native::Shape, inner) == offsetof(Shape, inner) && offsetof(native::Shape, complex) == offsetof(Shape, complex));
static_assert(offsetof(native::Shape, rank) == offsetof(Shape, rank) && offsetof(native::Shape, dims) == offsetof(Shape, array_dims));
static_assert(offsetof(native::Shape, rows) == offsetof(Shape, rows) && offsetof(native::Shape, cols) == offsetof(Shape, cols));
static_assert(static_cast<int>(native::kNone) == static_cast<int>(Value::Kind::None) &&
              static_cast<int>(native::kReal) == static_cast<int>(Value::Kind::Real) &&
              static_cast<int>(native::kInts) == static_cast<int>(Value::Kind::Ints) &&
              static_cast<int>(native::kTuples) == static_cast<int>(Value::Kind::Tuples));
static_assert(static_cast<int>(native::Flow::Return) == static_cast<int>(Flow::Return));
static_assert(static_cast<int>(mir::Index::Kind::Single) == 1 && static_cast<int>(mir::Index::Kind::Upfrom) == 2 &&
              static_cast<int>(mir::Index::Kind::Between) == 3 && static_cast<int>(mir::Index::Kind::Multi) == 4);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"  // the vectors behind it do not move the beginning
static_assert(offsetof(native::Box, owners) == offsetof(Box, owners) && offsetof(native::Box, shape) == offsetof(Box, shape) &&
              offsetof(native::Box, numbers) == offsetof(Box, numbers));
#pragma GCC diagnostic pop

Value& ours(native::Value& v) { return reinterpret_cast<Value&>(v); }
const Value& ours(const native::Value& v) { return reinterpret_cast<const Value&>(v); }
const Value& ours(const Arg& x) { return reinterpret_cast<const Value&>(x); }
std::span<const Value> ours(const Arg* x, std::uint32_t n) { return {reinterpret_cast<const Value*>(x), n}; }
std::vector<Value> copies(const Arg* x, std::uint32_t n) {
  const auto all = ours(x, n);
  return {all.begin(), all.end()};
}
Machine& machine(const Context& c) { return *static_cast<Machine*>(c.machine); }

CallContext call_context(const Context& c, bool propto) {
  Machine& m = machine(c);
  return {.recorder = nullptr, .rng = m.rng, .propto = propto && c.propto, .jacobian = c.jacobian, .target = &m.lp};
}

// ---------------------------------------------------------------- values

void release(native::Value& v) { ours(v).drop(); }
void unshare(native::Value& v) { ours(v).unshare(); }

Shape shape_of(std::uint8_t base, const std::int32_t* dims, std::uint32_t n, std::int32_t rows, std::int32_t cols) {
  std::vector<std::uint32_t> sizes;
  for (std::uint32_t k = 0; k < n; ++k) sizes.push_back(declared_size(dims[k]));
  const std::uint32_t r = declared_size(rows);
  return declared_shape(static_cast<BaseType>(base), sizes, r, declared_size(cols));
}
void fill(native::Value& out, std::uint8_t base, const std::int32_t* dims, std::uint32_t n, std::int32_t rows, std::int32_t cols) {
  ours(out) = unset_value(static_cast<BaseType>(base), shape_of(base, dims, n, rows, cols));
}
void check_declared_value(const native::Value& x, const char* name, std::uint8_t base, const std::int32_t* dims, std::uint32_t n,
                          std::int32_t rows, std::int32_t cols) {
  check_declared(name, shape_of(base, dims, n, rows, cols), ours(x));
}
void size_error(std::uint8_t least, const char* name, const char* text, std::int32_t n) { fail_size(least, name, text, n); }

void tuple(native::Value& out, const Arg* slots, std::uint32_t n) { ours(out) = Value::tuple(copies(slots, n)); }
void tuples(native::Value& out, const native::Value& one, const std::int32_t* dims, std::uint32_t n) {
  const Shape shape = shape_of(static_cast<std::uint8_t>(BaseType::Tuple), dims, n, 1, 1);
  ours(out) = Value::tuples(shape, filled(shape.count(), ours(one)));
}
void slot(native::Value& out, const native::Value& x, std::uint32_t number) { ours(out) = ours(x).values()[number - 1]; }
void array(native::Value& out, const Arg* items, std::uint32_t n) { ours(out) = join_array(copies(items, n), nullptr); }
void row(native::Value& out, bool matrix, bool complex, const Arg* items, std::uint32_t n) {
  ours(out) = join_row(copies(items, n), matrix, complex, nullptr);
}
void complex(native::Value& out, double re, double im) { ours(out) = Value::complex(re, im); }
void promote(native::Value& out, const Arg& x, std::uint8_t base) {
  ours(out) = promoted(ours(x), Type(static_cast<BaseType>(base)), nullptr);
}
std::int32_t length(const Arg& x) { return static_cast<std::int32_t>(ours(x).shape().length()); }
double sum(const Arg& x) { return sum_of(ours(x)); }

// ---------------------------------------------------------------- parts

std::vector<Position> positions(const native::Index* at, std::uint32_t n) {
  std::vector<Position> out(n);
  for (std::uint32_t k = 0; k < n; ++k) {
    out[k].kind = static_cast<mir::Index::Kind>(at[k].kind);
    out[k].low = at[k].low;
    out[k].high = at[k].high;
    if (at[k].list) out[k].list = ours(*at[k].list);
  }
  return out;
}

void part(native::Value& out, const native::Value& x, const char* name, const native::Index* at, std::uint32_t n) {
  ours(out) = read(ours(x), select(name, ours(x).shape(), positions(at, n)));
}
void element(native::Value& out, const native::Value& x, const char* name, const std::int32_t* at, std::uint32_t n) {
  ours(out) = read(ours(x), select_element(name, ours(x).shape(), at, static_cast<int>(n)));
}
void assign(native::Value& to, native::Value& from, const char* name) {
  check_assignable(name, ours(to), ours(from));
  ours(to) = std::move(ours(from));
}
void assign_part(native::Value& to, const Arg& from, const char* name, const native::Step* steps, std::uint32_t n) {
  const auto step = [&](std::uint32_t k) {
    return PathStep{.slot = static_cast<int>(steps[k].slot), .at = positions(steps[k].at, steps[k].n)};
  };
  const Value value = ours(from);  // what is assigned may be the variable itself
  Value* at = &ours(to);
  for (std::uint32_t k = 0; k + 1 < n; ++k) at = &step_into(name, *at, step(k));
  assign_step(name, *at, step(n - 1), value, nullptr);
}

// ---------------------------------------------------------------- errors

void fail_index(const char* name, std::int64_t index, std::int64_t size) { index_error(name, index, size); }
void bad_access(const char* name) { throw ad::FatalError(std::string(name) + ": there are no numbers of this type"); }
void division_by_zero(const char* function) {
  throw ad::DomainError(std::string(function) + ": integer division by zero");
}
void no_result(const char* function) { throw ad::FatalError(std::string(function) + ": ended without a return statement"); }
void interrupted() { throw ad::Interrupted(); }

// ---------------------------------------------------------------- calls

void enter(Context& c, const char* function) { machine(c).enter(function); }
void leave(Context& c) { --machine(c).depth; }

double scalar(Context& c, const native::Function& function, bool propto, const Arg* x, std::uint32_t n) {
  if (!function.map) {
    CallContext context = call_context(c, propto);
    return number(static_cast<const Builtin*>(function.builtin)->apply(context, ours(x, n)));
  }
  const auto& op = *static_cast<const ad::MapOp*>(function.map);
  double numbers[ad::kMaxMapArity];
  for (std::uint32_t j = 0; j < n; ++j) numbers[j] = number(ours(x[j]));
  if (!op.rules.empty() && !op.valid(numbers)) ad::fail_domain(op, numbers);
  return op.value(numbers, propto && c.propto ? ad::Keep::propto(0) : ad::Keep::everything());
}

void call(native::Value& out, Context& c, const native::Function& function, bool propto, const Arg* x, std::uint32_t n) {
  machine(c).poll();
  CallContext context = call_context(c, propto);
  ours(out) = static_cast<const Builtin*>(function.builtin)->apply(context, ours(x, n));
}

void interpret(native::Value& out, Context& c, std::uint32_t function, bool propto, const Arg* x, std::uint32_t n) {
  Frame caller{.m = machine(c), .propto = c.propto};
  const Code& code = *static_cast<const NativeCode*>(c.code)->program;
  ours(out) = call_function(*code.functions[function], caller, copies(x, n), propto);
}

void say_pieces(Context& c, std::uint8_t what, const native::Piece* pieces, std::uint32_t n) {
  static constexpr mir::Internal kKinds[] = {mir::Internal::FnPrint, mir::Internal::FnReject, mir::Internal::FnFatalError};
  const CallContext context = call_context(c, false);
  std::string text;
  for (std::uint32_t k = 0; k < n; ++k) text += pieces[k].text ? std::string(pieces[k].text) : print_text(context, ours(pieces[k].value));
  say(machine(c), kKinds[what], std::move(text));
}

}  // namespace

const native::Runtime& native_runtime() {
  static constexpr native::Runtime kRuntime = {.release = release,
                                               .unshare = unshare,
                                               .index_error = fail_index,
                                               .bad_access = bad_access,
                                               .division_by_zero = division_by_zero,
                                               .no_result = no_result,
                                               .interrupted = interrupted,
                                               .enter = enter,
                                               .leave = leave,
                                               .scalar = scalar,
                                               .call = call,
                                               .interpret = interpret,
                                               .part = part,
                                               .element = element,
                                               .assign = assign,
                                               .assign_part = assign_part,
                                               .fill = fill,
                                               .check_declared = check_declared_value,
                                               .size_error = size_error,
                                               .tuple = tuple,
                                               .tuples = tuples,
                                               .slot = slot,
                                               .array = array,
                                               .row = row,
                                               .complex = complex,
                                               .promote = promote,
                                               .length = length,
                                               .sum = sum,
                                               .say = say_pieces};
  return kRuntime;
}

}  // namespace fermiac::interp
