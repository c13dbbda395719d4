// Scalar arithmetic, comparisons and element-wise functions of scalars. Plain runs compute on machine numbers without
// building values; while recording, an operand that carries derivatives makes the operation an op of the tape.

#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "autodiff/kernels/fail_domain.h"
#include "autodiff/tape/record/recorder.h"
#include "interp/exec/lowering/compiler.h"
#include "interp/exec/nodes/operands.h"
#include "interp/exec/nodes/scalar_ops.h"
#include "interp/value/numbers.h"
#include "support/base/check.h"

namespace fermiac::interp {
namespace {

using ad::Compare;
using ad::Keep;
using ad::MapCode;
using ad::Ref;

// ---------------------------------------------------------------- literals

struct IntLiteral final : ExprNode {
  explicit IntLiteral(std::int32_t v) : ExprNode(BaseType::Int, false), value(v) {}
  Value eval(Frame&) const override { return value; }
  std::int32_t eval_int(Frame&) const override { return value; }
  double eval_real(Frame&) const override { return value; }
  std::optional<double> constant() const override { return value; }
  std::optional<AffineInt> affine() const override { return AffineInt{kNoSlot, value}; }
  std::int32_t value;
};

struct RealLiteral final : ExprNode {
  explicit RealLiteral(double v) : ExprNode(BaseType::Real, false), value(v) {}
  Value eval(Frame&) const override { return value; }
  double eval_real(Frame&) const override { return value; }
  std::optional<double> constant() const override { return value; }
  double value;
};

struct ComplexLiteral final : ExprNode {
  ComplexLiteral(double re_, double im_) : ExprNode(BaseType::Complex, false), re(re_), im(im_) {}
  Value eval(Frame&) const override { return Value::complex(re, im); }
  double re, im;
};

/// Text for print and the like; statements that print look at `text` themselves.
struct StringLiteral final : ExprNode {
  explicit StringLiteral(std::string t) : ExprNode(BaseType::Error, false), text(std::move(t)) {}
  Value eval(Frame&) const override { return {}; }
  std::string text;
};

struct IntToReal final : ExprNode {
  explicit IntToReal(ExprPtr x) : ExprNode(BaseType::Real, false), operand(std::move(x)) {}
  Value eval(Frame& f) const override { return static_cast<double>(operand->eval_int(f)); }
  double eval_real(Frame& f) const override { return operand->eval_int(f); }
  std::optional<double> constant() const override { return operand->constant(); }
  std::size_t variable_slot() const override { return operand->variable_slot(); }
  const ElementAccess* element_access() const override { return operand->element_access(); }
  ExprPtr operand;
};

// ---------------------------------------------------------------- real arithmetic

template <class Op>
struct RealBinary final : ExprNode {
  RealBinary(ExprPtr l, ExprPtr r)
      : ExprNode(BaseType::Real, l->may_ref || r->may_ref), left(std::move(l)), right(std::move(r)) {}
  double eval_real(Frame& f) const override {
    const double x = left(f);
    return Op::apply(x, right(f));
  }
  Value eval(Frame& f) const override { return plain(f) ? Value(eval_real(f)) : to_value(trace(f)); }
  Traced trace(Frame& f) const override {
    const Traced x = left.traced(f);
    return record_binary<Op>(f, x, right.traced(f), left.is_steady(), right.is_steady());
  }
  void to_target(Frame& f) const override {
    if constexpr (std::is_same_v<Op, Add>) {
      left->to_target(f);
      right->to_target(f);
    } else {
      ExprNode::to_target(f);
    }
  }
  RealOperand left, right;
};

struct Negate final : ExprNode {
  explicit Negate(ExprPtr x) : ExprNode(BaseType::Real, x->may_ref), operand(std::move(x)) {}
  static double negative(double x) { return ad::ops::Minus::value(&x); }
  double eval_real(Frame& f) const override { return negative(operand(f)); }
  Value eval(Frame& f) const override { return plain(f) ? Value(eval_real(f)) : to_value(trace(f)); }
  Traced trace(Frame& f) const override {
    const Traced x = operand.traced(f);
    if (!x.active) return {negative(x.value)};
    static const MapCode kMinus = ad::find_map(ad::ops::Minus::kMap);
    const Ref operands[] = {x.ref};
    return traced_result(f, f.m.recorder->map(kMinus, operands));
  }
  RealOperand operand;
};

// ---------------------------------------------------------------- int arithmetic

template <class Op>
struct IntBinary final : ExprNode {
  IntBinary(ExprPtr l, ExprPtr r) : ExprNode(BaseType::Int, false), left(std::move(l)), right(std::move(r)) {}
  Value eval(Frame& f) const override { return eval_int(f); }
  std::int32_t eval_int(Frame& f) const override {
    const std::int32_t x = left->eval_int(f);
    return Op::apply(x, right->eval_int(f));
  }
  std::optional<AffineInt> affine() const override {
    if constexpr (Op::kAffineInX || Op::kAffineInY) {
      const std::optional<AffineInt> x = left->affine(), y = right->affine();
      if (x && y) return affine_result<Op>(*x, *y);
    }
    return std::nullopt;
  }
  ExprPtr left, right;
};

struct IntNegate final : ExprNode {
  explicit IntNegate(ExprPtr x) : ExprNode(BaseType::Int, false), operand(std::move(x)) {}
  Value eval(Frame& f) const override { return eval_int(f); }
  std::int32_t eval_int(Frame& f) const override { return wrap(-std::int64_t{operand->eval_int(f)}); }
  ExprPtr operand;
};

// ---------------------------------------------------------------- comparisons and logic

template <class Op>
struct IntCompare final : ExprNode {
  IntCompare(ExprPtr l, ExprPtr r) : ExprNode(BaseType::Int, false), left(std::move(l)), right(std::move(r)) {}
  Value eval(Frame& f) const override { return eval_int(f); }
  std::int32_t eval_int(Frame& f) const override {
    const std::int32_t x = left(f);
    return Op::apply(x, right(f));
  }
  IntOperand left, right;
};

template <class Op>
struct RealCompare final : ExprNode {
  RealCompare(ExprPtr l, ExprPtr r)
      : ExprNode(BaseType::Int, false), left(std::move(l)), right(std::move(r)),
        guarded(left->may_ref || right->may_ref) {}
  Value eval(Frame& f) const override { return eval_int(f); }
  std::int32_t eval_int(Frame& f) const override {
    if (guarded && f.recording) return record(f);
    const double x = left(f);
    return Op::apply(x, right(f));
  }
  std::int32_t record(Frame& f) const {
    const Traced x = left.traced(f);
    return record_outcome<Op>(f, x, right.traced(f));
  }
  bool compares() const override { return guarded; }
  std::optional<bool> decide(Frame& f, Comparison& c) const override {
    const Traced x = left.traced(f);
    const Traced y = right.traced(f);
    if (!x.active && !y.active) return Op::apply(x.value, y.value);
    c = comparison<Op>(*f.m.recorder, x, y);
    return std::nullopt;
  }
  RealOperand left, right;
  bool guarded;
};

struct Not final : ExprNode {
  explicit Not(ExprPtr x) : ExprNode(BaseType::Int, false), operand(std::move(x)) {}
  Value eval(Frame& f) const override { return eval_int(f); }
  std::int32_t eval_int(Frame& f) const override { return operand->eval_int(f) == 0; }
  ExprPtr operand;
};

struct And final : ExprNode {
  And(ExprPtr l, ExprPtr r) : ExprNode(BaseType::Int, false), left(std::move(l)), right(std::move(r)) {}
  Value eval(Frame& f) const override { return eval_int(f); }
  std::int32_t eval_int(Frame& f) const override { return left->eval_int(f) != 0 && right->eval_int(f) != 0; }
  ExprPtr left, right;
};

struct Or final : ExprNode {
  Or(ExprPtr l, ExprPtr r) : ExprNode(BaseType::Int, false), left(std::move(l)), right(std::move(r)) {}
  Value eval(Frame& f) const override { return eval_int(f); }
  std::int32_t eval_int(Frame& f) const override { return left->eval_int(f) != 0 || right->eval_int(f) != 0; }
  ExprPtr left, right;
};

struct Ternary final : ExprNode {
  Ternary(const Type& t, ExprPtr c, ExprPtr y, ExprPtr n)
      : ExprNode(t, y->may_ref || n->may_ref), test(std::move(c)), yes(std::move(y)), no(std::move(n)) {}
  void to_target(Frame& f) const override { branch(f).to_target(f); }
  const ExprNode& branch(Frame& f) const { return test->eval_int(f) != 0 ? *yes : *no; }
  Value eval(Frame& f) const override { return branch(f).eval(f); }
  std::int32_t eval_int(Frame& f) const override { return branch(f).eval_int(f); }
  double eval_real(Frame& f) const override { return branch(f).eval_real(f); }
  ExprPtr test, yes, no;
};

// ---------------------------------------------------------------- element-wise functions of scalars

struct ScalarMap final : ExprNode {
  ScalarMap(MapCode c, Dropping d, std::vector<ExprPtr> a)
      : ExprNode(BaseType::Real, false), code(c), op(ad::map_op(c)), dropped(std::move(d)), args(real_operands(std::move(a))) {
    for (const RealOperand& arg : args) may_ref |= arg->may_ref;
  }

  Keep keep(const Frame& f, std::uint8_t refs) const { return Keep::of(dropped(f), refs); }
  /// Out of line: the frames that stand under nested calls need not have its registers.
  [[gnu::noinline]] double plain_value(const double* x, Keep kept) const {
    ad::check_domain(op, x);
    return op.value(x, kept);
  }
  double eval_real(Frame& f) const override {
    double x[ad::kMaxMapArity];
    for (std::size_t j = 0; j < args.size(); ++j) x[j] = args[j](f);
    return plain_value(x, keep(f, 0));
  }

  struct Operands {
    double x[ad::kMaxMapArity] = {};
    Ref refs[ad::kMaxMapArity] = {};
    std::uint8_t active = 0;  // bit j: operand j carries derivatives
  };
  void operands(Frame& f, Operands& out) const {
    for (std::size_t j = 0; j < args.size(); ++j) {
      const Traced x = args[j].traced(f);
      out.x[j] = x.value;
      out.refs[j] = x.ref;
      if (x.active) out.active |= static_cast<std::uint8_t>(1u << j);
    }
  }
  /// References of all operands.
  void refer(ad::Recorder& recorder, Operands& at) const {
    for (std::size_t j = 0; j < args.size(); ++j)
      if ((at.active >> j & 1u) == 0) at.refs[j] = recorder.operand(at.x[j]);
  }
  Value eval(Frame& f) const override { return plain(f) ? Value(eval_real(f)) : to_value(trace(f)); }
  Traced trace(Frame& f) const override {
    Operands at;
    operands(f, at);
    if (at.active == 0) return {plain_value(at.x, keep(f, 0))};
    refer(*f.m.recorder, at);
    return traced_result(f, f.m.recorder->map(code, {at.refs, args.size()}, keep(f, at.active)));
  }
  void to_target(Frame& f) const override {
    Operands at;
    operands(f, at);
    ad::Recorder& recorder = *f.m.recorder;
    if (at.active == 0) return recorder.target_constant(plain_value(at.x, keep(f, 0)));
    if (recorder.evaluates()) return recorder.sink_now(code, at.x, at.refs, at.active, keep(f, at.active));
    refer(recorder, at);
    ad::Operand x[ad::kMaxMapArity];
    for (std::size_t j = 0; j < args.size(); ++j)
      x[j] = {.ref = at.refs[j], .vector = false, .autodiff = (at.active >> j & 1u) != 0};
    recorder.sink(code, {x, args.size()}, 1, keep(f, at.active));
  }

  MapCode code;
  const ad::MapOp& op;
  Dropping dropped;
  std::vector<RealOperand> args;
};

template <class Op>
ExprPtr real_binary(std::vector<ExprPtr>& a) {
  return std::make_unique<RealBinary<Op>>(std::move(a[0]), std::move(a[1]));
}
template <class Op>
ExprPtr int_binary(std::vector<ExprPtr>& a) {
  return std::make_unique<IntBinary<Op>>(std::move(a[0]), std::move(a[1]));
}
template <class Op>
ExprPtr compare(std::vector<ExprPtr>& a) {
  if (a[0]->is_int() && a[1]->is_int()) return std::make_unique<IntCompare<Op>>(std::move(a[0]), std::move(a[1]));
  return std::make_unique<RealCompare<Op>>(std::move(a[0]), std::move(a[1]));
}

using Maker = ExprPtr (*)(std::vector<ExprPtr>&);

struct BinaryRow {
  Builtin function;
  Maker real, ints;  // null: not for these
};
constexpr BinaryRow kBinary[] = {
    {Builtin::add, real_binary<Add>, int_binary<IntAdd>},
    {Builtin::subtract, real_binary<Subtract>, int_binary<IntSubtract>},
    {Builtin::multiply, real_binary<Multiply>, int_binary<IntMultiply>},
    {Builtin::divide, real_binary<Divide>, int_binary<IntDivide>},
    {Builtin::elt_multiply, real_binary<Multiply>, int_binary<IntMultiply>},
    {Builtin::elt_divide, real_binary<Divide>, int_binary<IntDivide>},
    {Builtin::modulus, nullptr, int_binary<IntModulus>},
    {Builtin::logical_lt, compare<Less>, compare<Less>},
    {Builtin::logical_lte, compare<LessOrEqual>, compare<LessOrEqual>},
    {Builtin::logical_gt, compare<Greater>, compare<Greater>},
    {Builtin::logical_gte, compare<GreaterOrEqual>, compare<GreaterOrEqual>},
    {Builtin::logical_eq, compare<Equal>, compare<Equal>},
    {Builtin::logical_neq, compare<NotEqual>, compare<NotEqual>},
};

ExprPtr make_binary(Builtin function, std::vector<ExprPtr>& args) {
  const auto* row = std::ranges::find(kBinary, function, &BinaryRow::function);
  if (row == std::end(kBinary)) return nullptr;
  const Maker make = args[0]->is_int() && args[1]->is_int() ? row->ints : row->real;
  return make ? make(args) : nullptr;
}

ExprPtr make_unary(Builtin function, std::vector<ExprPtr>& args) {
  if (function == Builtin::plus) return std::move(args[0]);
  if (function == Builtin::logical_negation) {
    if (args[0]->is_int()) return std::make_unique<Not>(std::move(args[0]));
    return nullptr;
  }
  if (function != Builtin::minus) return nullptr;
  if (args[0]->is_int()) return std::make_unique<IntNegate>(std::move(args[0]));
  return std::make_unique<Negate>(std::move(args[0]));
}

std::optional<double> literal_value(const ExprNode& node) {
  if (const auto* i = dynamic_cast<const IntLiteral*>(&node)) return i->value;
  if (const auto* r = dynamic_cast<const RealLiteral*>(&node)) return r->value;
  if (const auto* p = dynamic_cast<const IntToReal*>(&node)) return literal_value(*p->operand);
  return std::nullopt;
}

/// x ^ 2 is a square, which costs a multiplication.
ExprPtr make_power(std::vector<ExprPtr>& args) {
  const std::optional<double> exponent = literal_value(*args[1]);
  const char* name = exponent == 2.0 ? "square" : nullptr;
  if (!name || ad::find_map(name) == ad::kNoMap) return nullptr;
  args.pop_back();
  return std::make_unique<ScalarMap>(ad::find_map(name), Dropping(), std::move(args));
}

}  // namespace

MapCode scalar_map_code(Builtin fn, std::size_t arity) {
  const MapCode code = ad::find_map(name_of(library_function(fn)));
  return code != ad::kNoMap && ad::map_arity(code) == arity ? code : ad::kNoMap;
}

ExprPtr make_scalar_call(Builtin fn, Dropping dropping, const Type& result, std::vector<ExprPtr>& args) {
  for (const ExprPtr& arg : args)
    if (!arg->is_number()) return nullptr;
  const Builtin function = library_function(fn);
  if (args.size() == 1)
    if (ExprPtr node = make_unary(function, args)) return node;
  if (args.size() == 2)
    if (ExprPtr node = make_binary(function, args)) return node;
  if (!result.is(BaseType::Real) || args.empty()) return nullptr;
  if (function == Builtin::pow)
    if (ExprPtr node = make_power(args)) return node;
  const MapCode code = scalar_map_code(function, args.size());
  if (code == ad::kNoMap) return nullptr;
  return std::make_unique<ScalarMap>(code, std::move(dropping), std::move(args));
}

ExprPtr make_int_literal(std::int32_t value) {
  return std::make_unique<IntLiteral>(value);
}
ExprPtr make_real_literal(double value) {
  return std::make_unique<RealLiteral>(value);
}
ExprPtr make_complex_literal(double re, double im) {
  return std::make_unique<ComplexLiteral>(re, im);
}
ExprPtr make_string_literal(std::string text) {
  return std::make_unique<StringLiteral>(std::move(text));
}
const std::string* literal_text(const ExprNode& node) {
  const auto* literal = dynamic_cast<const StringLiteral*>(&node);
  return literal ? &literal->text : nullptr;
}
ExprPtr make_int_to_real(ExprPtr operand) {
  return std::make_unique<IntToReal>(std::move(operand));
}
ExprPtr make_and(ExprPtr left, ExprPtr right) {
  return std::make_unique<And>(std::move(left), std::move(right));
}
ExprPtr make_or(ExprPtr left, ExprPtr right) {
  return std::make_unique<Or>(std::move(left), std::move(right));
}
ExprPtr make_ternary(const Type& type, ExprPtr test, ExprPtr yes, ExprPtr no) {
  return std::make_unique<Ternary>(type, std::move(test), std::move(yes), std::move(no));
}

}  // namespace fermiac::interp
