// What machine code calls: the interpreter's own functions on its own values. A value here and there is the same object.
#include <bit>
#include <cstddef>
#include <string>
#include <vector>

#include "autodiff/kernels/fail_domain.h"
#include "autodiff/kernels/map_op.h"
#include "interp/exec/runs/code.h"
#include "interp/exec/runs/native_code.h"
#include "interp/functions/functions.h"
#include "interp/io/print.h"
#include "interp/value/declare.h"
#include "interp/value/numbers.h"
#include "interp/value/selection.h"
#include "support/base/errors.h"

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

/// What an evaluation with derivatives is added to; null in a plain one. While there is one of these machine code does not
/// run, and it finds the numbers where they lie afterwards.
class Recording {
 public:
  explicit Recording(const Context& c) : c_(c), recorder_(c.trail ? machine(c).recorder : nullptr) { settle(); }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() { settle(); }
  operator ad::Recorder*() const { return recorder_; }  // NOLINT: stands for it
  ad::Recorder* operator->() const { return recorder_; }

 private:
  void settle() {
    if (recorder_) recorder_->take_back(*reinterpret_cast<ad::Trail*>(c_.trail));
  }
  const Context& c_;
  ad::Recorder* recorder_;
};

static_assert(native::kDrops == ad::Propto::kDrops);
ad::Propto dropped(const Context& c, std::uint32_t propto) { return c.propto ? ad::Propto::from_word(propto) : ad::Propto(); }

CallContext call_context(const Context& c, const Recording& recording, std::uint32_t propto) {
  Machine& m = machine(c);
  return {.recorder = recording, .rng = m.rng, .propto = dropped(c, propto), .jacobian = c.jacobian, .target = &m.lp};
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
void array(Context& c, native::Value& out, const Arg* items, std::uint32_t n) {
  ours(out) = join_array(copies(items, n), Recording(c));
}
void row(Context& c, native::Value& out, bool matrix, bool complex, const Arg* items, std::uint32_t n) {
  ours(out) = join_row(copies(items, n), matrix, complex, Recording(c));
}
void complex(native::Value& out, double re, double im) { ours(out) = Value::complex(re, im); }
void promote(Context& c, native::Value& out, const Arg& x, std::uint8_t base) {
  ours(out) = promoted(ours(x), Type(static_cast<BaseType>(base)), Recording(c));
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
void set_traced(Context& c, native::Value& to, std::uint32_t offset, const native::Traced& x) {
  const native::Value from(x);
  write_scalar(ours(to), offset, ours(from), Recording(c));
}
void assign_part(Context& c, native::Value& to, const Arg& from, const char* name, const native::Step* steps, std::uint32_t n) {
  const auto step = [&](std::uint32_t k) {
    return PathStep{.slot = static_cast<int>(steps[k].slot), .at = positions(steps[k].at, steps[k].n)};
  };
  const Value value = ours(from);  // what is assigned may be the variable itself
  Value* at = &ours(to);
  for (std::uint32_t k = 0; k + 1 < n; ++k) at = &step_into(name, *at, step(k));
  assign_step(name, *at, step(n - 1), value, Recording(c));
}

// ---------------------------------------------------------------- errors

void fail_index(const char* name, std::int64_t index, std::int64_t size) { index_error(name, index, size); }
void division_by_zero(const char* function) {
  throw ad::DomainError(std::string(function) + ": integer division by zero");
}
void no_result(const char* function) { throw ad::FatalError(std::string(function) + ": ended without a return statement"); }
void interrupted() { throw ad::Interrupted(); }

// ---------------------------------------------------------------- calls

void enter(Context& c, const char* function) { machine(c).enter(function); }
void leave(Context& c) { --machine(c).depth; }

double map_value(const ad::MapOp& op, const double* x, ad::Keep keep) {
  ad::check_domain(op, x);
  return op.value(x, keep);
}

double scalar(Context& c, const native::Function& function, std::uint32_t propto, const Arg* x, std::uint32_t n) {
  if (!function.map) {
    CallContext context = call_context(c, Recording(c), propto);
    return number(static_cast<const Builtin*>(function.builtin)->apply(context, ours(x, n)));
  }
  const auto& op = *static_cast<const ad::MapOp*>(function.map);
  double numbers[ad::kMaxMapArity];
  for (std::uint32_t j = 0; j < n; ++j) numbers[j] = number(ours(x[j]));
  return map_value(op, numbers, ad::Keep::of(dropped(c, propto), 0));
}

void call(native::Value& out, Context& c, const native::Function& function, std::uint32_t propto, const Arg* x, std::uint32_t n) {
  machine(c).poll();
  const Recording recording(c);
  CallContext context = call_context(c, recording, propto);
  ours(out) = static_cast<const Builtin*>(function.builtin)->apply(context, ours(x, n));
}

void interpret(native::Value& out, Context& c, std::uint32_t function, bool propto, std::uint64_t active, const Arg* x, std::uint32_t n) {
  const Recording recording(c);
  Frame caller{.m = machine(c), .recording = recording != nullptr, .propto = c.propto, .active = c.active};
  const Code& code = *static_cast<const NativeCode*>(c.code)->program;
  ours(out) = call_function(*code.functions[function], caller, copies(x, n), {propto, active});
}

void say_pieces(Context& c, std::uint8_t what, const native::Piece* pieces, std::uint32_t n) {
  static constexpr mir::Internal kKinds[] = {mir::Internal::FnPrint, mir::Internal::FnReject, mir::Internal::FnFatalError};
  const Recording recording(c);
  const CallContext context = call_context(c, recording, 0);
  std::string text;
  for (std::uint32_t k = 0; k < n; ++k) text += pieces[k].text ? std::string(pieces[k].text) : print_text(context, ours(pieces[k].value));
  say(machine(c), kKinds[what], std::move(text));
}

// ---------------------------------------------------------------- with derivatives

using native::Traced;

/// Bit j: operand j carries derivatives.
std::uint8_t carrying(const Traced* x, std::uint32_t n) {
  std::uint8_t out = 0;
  for (std::uint32_t j = 0; j < n; ++j) out |= static_cast<std::uint8_t>((x[j].carries() ? 1u : 0u) << j);
  return out;
}
std::vector<Arg> operands(const Traced* x, std::uint32_t n) { return {x, x + n}; }

/// The operands of a map of scalars.
struct MapOperands {
  MapOperands(const Context& c, std::uint32_t propto, const Traced* t, std::uint32_t n) : active(carrying(t, n)) {
    keep = ad::Keep::of(dropped(c, propto), active);
    for (std::uint32_t j = 0; j < n; ++j) x[j] = t[j].v, refs[j] = Ref::from_bits(t[j].ref);
  }
  std::uint8_t active;
  ad::Keep keep;
  double x[ad::kMaxMapArity] = {};
  Ref refs[ad::kMaxMapArity] = {};
};

void traced_call(Traced& out, Context& c, const native::Function& function, std::uint32_t propto, const Traced* x, std::uint32_t n) {
  const std::vector<Arg> args = operands(x, n);
  native::Value v;
  call(v, c, function, propto, args.data(), n);
  out = native::real<Traced>(c, v);
}

void more(Context& c) { machine(c).recorder->lend(*reinterpret_cast<ad::Trail*>(c.trail)); }

/// The result with its partials on the trail, which has room for two.
Traced result_of_two(Context& c, const ad::MapOp& op, MapOperands& at, const Traced* x) {
  ad::check_domain(op, at.x);
  double d[ad::kMaxMapArity];
  at.keep.ad &= at.active;
  const double value = op.value_and_partials(at.x, at.keep, d);
  if (c.trail->used == c.trail->room) more(c);
  const int i = std::countr_zero(at.active), j = std::bit_width(at.active) - 1;
  return i == j ? native::result(c, value, x[i], d[i]) : native::result(c, value, x[i], d[i], x[j], d[j]);
}

void traced_scalar(Traced& out, Context& c, const native::Function& function, std::uint32_t propto, const Traced* x, std::uint32_t n) {
  if (!function.map) return traced_call(out, c, function, propto, x, n);
  const auto& op = *static_cast<const ad::MapOp*>(function.map);
  MapOperands at(c, propto, x, n);
  if (at.active == 0) return out = map_value(op, at.x, at.keep), void();
  if (std::popcount(at.active) <= 2) return out = result_of_two(c, op, at, x), void();
  const Recording recording(c);
  for (std::uint32_t j = 0; j < n; ++j)
    if (!x[j].carries()) at.refs[j] = recording->operand(x[j].v);
  const Ref d = recording->map(ad::MapCode{static_cast<std::uint16_t>(function.code)}, {at.refs, n}, at.keep);
  out = {recording->value(d), d.bits()};
}

void add_term(Context& c, const Arg& x) { add_to_target(*Recording(c), ours(x)); }

void scalar_to_target(Context& c, const native::Function& function, std::uint32_t propto, const Traced* x, std::uint32_t n) {
  if (!function.map) {
    Traced out;
    traced_call(out, c, function, propto, x, n);
    return add_term(c, out);
  }
  const auto code = ad::MapCode{static_cast<std::uint16_t>(function.code)};
  const MapOperands at(c, propto, x, n);
  ad::Recorder& r = *machine(c).recorder;
  if (at.active == 0) return r.target_constant(map_value(ad::map_op(code), at.x, at.keep));
  if (!r.keeps_terms()) return r.sink_now(code, at.x, at.refs, at.active, at.keep);  // makes no numbers
  Recording(c)->sink_now(code, at.x, at.refs, at.active, at.keep);
}

void call_to_target(Context& c, const native::Function& function, std::uint32_t propto, const Arg* x, std::uint32_t n) {
  machine(c).poll();
  const Recording recording(c);
  CallContext context = call_context(c, recording, propto);
  static_cast<const Builtin*>(function.builtin)->apply_to_target(context, ours(x, n));
}

void target_value(Traced& out, Context& c) {
  const Recording recording(c);
  const Ref d = recording->target_ref();
  out = {recording->value(d), d.bits()};
}

}  // namespace

const native::Runtime& native_runtime() {
  static constexpr native::Runtime kRuntime = {.release = release,
                                               .unshare = unshare,
                                               .index_error = fail_index,
                                               .division_by_zero = division_by_zero,
                                               .no_result = no_result,
                                               .interrupted = interrupted,
                                               .enter = enter,
                                               .leave = leave,
                                               .scalar = scalar,
                                               .traced_scalar = traced_scalar,
                                               .call = call,
                                               .interpret = interpret,
                                               .part = part,
                                               .element = element,
                                               .set_traced = set_traced,
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
                                               .target = add_term,
                                               .scalar_to_target = scalar_to_target,
                                               .call_to_target = call_to_target,
                                               .target_value = target_value,
                                               .more = more,
                                               .say = say_pieces};
  return kRuntime;
}

}  // namespace fermiac::interp
