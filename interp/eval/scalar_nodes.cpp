// Scalar arithmetic, comparisons and element-wise functions of scalars. Plain runs compute on machine numbers without
// building values; while recording, an operand that carries derivatives makes the operation an op of the tape.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "autodiff/errors.h"
#include "autodiff/kernels/map_op.h"
#include "autodiff/tape/recorder.h"
#include "interp/eval/compiler.h"
#include "interp/eval/numbers.h"
#include "interp/eval/operands.h"
#include "support/check.h"

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

struct Add {
  static constexpr const char* kMap = "add";
  static double apply(double x, double y) { return x + y; }
  /// The result when it is one of the operands: 1 the first, 2 the second, 0 neither.
  static int identity(const Value& x, const Value& y) {
    if (y.kind() != Value::Kind::Ref && number(y) == 0) return 1;
    return x.kind() != Value::Kind::Ref && number(x) == 0 ? 2 : 0;
  }
};
struct Subtract {
  static constexpr const char* kMap = "subtract";
  static double apply(double x, double y) { return x - y; }
  static int identity(const Value&, const Value& y) { return y.kind() != Value::Kind::Ref && number(y) == 0 ? 1 : 0; }
};
struct Multiply {
  static constexpr const char* kMap = "multiply";
  static double apply(double x, double y) { return x * y; }
  static int identity(const Value& x, const Value& y) {
    if (y.kind() != Value::Kind::Ref && number(y) == 1) return 1;
    return x.kind() != Value::Kind::Ref && number(x) == 1 ? 2 : 0;
  }
};
struct Divide {
  static constexpr const char* kMap = "divide";
  static double apply(double x, double y) { return x / y; }
  static int identity(const Value&, const Value& y) { return y.kind() != Value::Kind::Ref && number(y) == 1 ? 1 : 0; }
};

template <class Op>
MapCode map_code() {
  static const MapCode code = ad::find_map(Op::kMap);
  return code;
}

template <class Op>
struct RealBinary final : ExprNode {
  RealBinary(ExprPtr l, ExprPtr r)
      : ExprNode(BaseType::Real, l->may_ref || r->may_ref), left(std::move(l)), right(std::move(r)) {}
  double eval_real(Frame& f) const override {
    const double x = left(f);
    return Op::apply(x, right(f));
  }
  Value eval(Frame& f) const override {
    if (plain(f)) return eval_real(f);
    Value x = left->eval(f);
    Value y = right->eval(f);
    if (!is_ref(x) && !is_ref(y)) return Op::apply(number(x), number(y));
    if (const int same = Op::identity(x, y)) return same == 1 ? x : y;
    const Ref operands[] = {to_operand(*f.m.recorder, x), to_operand(*f.m.recorder, y)};
    return Value::reference(f.m.recorder->map(map_code<Op>(), operands));
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
  double eval_real(Frame& f) const override { return -operand->eval_real(f); }
  Value eval(Frame& f) const override {
    if (plain(f)) return eval_real(f);
    const Value x = operand->eval(f);
    if (!is_ref(x)) return -number(x);
    static const MapCode kMinus = ad::find_map("minus");
    const Ref operands[] = {x.as_ref()};
    return Value::reference(f.m.recorder->map(kMinus, operands));
  }
  ExprPtr operand;
};

// ---------------------------------------------------------------- int arithmetic

// Overflow wraps, as machine arithmetic does.
std::int32_t wrap(std::int64_t x) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(x)));
}
void check_divisor(std::int32_t y, const char* operation) {
  if (y == 0) throw ad::DomainError(fmt::format("{}: integer division by zero", operation));
}

struct IntAdd {
  static std::int32_t apply(std::int64_t x, std::int64_t y) { return wrap(x + y); }
  static std::optional<AffineInt> affine(const AffineInt& x, const AffineInt& y) {
    if (x.slot != kNoSlot && y.slot != kNoSlot) return std::nullopt;
    return AffineInt{x.slot != kNoSlot ? x.slot : y.slot, apply(x.constant, y.constant)};
  }
};
struct IntSubtract {
  static std::int32_t apply(std::int64_t x, std::int64_t y) { return wrap(x - y); }
  static std::optional<AffineInt> affine(const AffineInt& x, const AffineInt& y) {
    return y.slot == kNoSlot ? std::optional(AffineInt{x.slot, apply(x.constant, y.constant)}) : std::nullopt;
  }
};
struct IntMultiply { static std::int32_t apply(std::int64_t x, std::int64_t y) { return wrap(x * y); } };
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

template <class Op>
struct IntBinary final : ExprNode {
  IntBinary(ExprPtr l, ExprPtr r) : ExprNode(BaseType::Int, false), left(std::move(l)), right(std::move(r)) {}
  Value eval(Frame& f) const override { return eval_int(f); }
  std::int32_t eval_int(Frame& f) const override {
    const std::int32_t x = left->eval_int(f);
    return Op::apply(x, right->eval_int(f));
  }
  std::optional<AffineInt> affine() const override {
    if constexpr (requires(AffineInt a) { Op::affine(a, a); }) {
      const std::optional<AffineInt> x = left->affine(), y = right->affine();
      if (x && y) return Op::affine(*x, *y);
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

/// x OP y, as a guard `compare(a, b) == outcome` with a, b = x, y or swapped.
struct Less {
  static constexpr Compare kCompare = Compare::Less;
  static constexpr bool kSwap = false, kNegate = false;
  template <class T> static bool apply(T x, T y) { return x < y; }
};
struct LessOrEqual {
  static constexpr Compare kCompare = Compare::LessOrEqual;
  static constexpr bool kSwap = false, kNegate = false;
  template <class T> static bool apply(T x, T y) { return x <= y; }
};
struct Greater {
  static constexpr Compare kCompare = Compare::Less;
  static constexpr bool kSwap = true, kNegate = false;
  template <class T> static bool apply(T x, T y) { return x > y; }
};
struct GreaterOrEqual {
  static constexpr Compare kCompare = Compare::LessOrEqual;
  static constexpr bool kSwap = true, kNegate = false;
  template <class T> static bool apply(T x, T y) { return x >= y; }
};
struct Equal {
  static constexpr Compare kCompare = Compare::Equal;
  static constexpr bool kSwap = false, kNegate = false;
  template <class T> static bool apply(T x, T y) { return x == y; }
};
struct NotEqual {
  static constexpr Compare kCompare = Compare::Equal;
  static constexpr bool kSwap = false, kNegate = true;
  template <class T> static bool apply(T x, T y) { return x != y; }
};

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
    Comparison c;
    if (const auto known = decide(f, c)) return *known;
    return f.m.recorder->guard(c.compare, c.a, c.b) != c.negate;
  }
  bool compares() const override { return guarded; }
  std::optional<bool> decide(Frame& f, Comparison& c) const override {
    const Value x = left->eval(f);
    const Value y = right->eval(f);
    if (!is_ref(x) && !is_ref(y)) return Op::apply(number(x), number(y));
    ad::Recorder& recorder = *f.m.recorder;
    const Ref a = to_ref(recorder, x);
    const Ref b = to_ref(recorder, y);
    c = {Op::kCompare, Op::kSwap ? b : a, Op::kSwap ? a : b, Op::kNegate};
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
  ScalarMap(MapCode c, bool propto_, std::vector<ExprPtr> a)
      : ExprNode(BaseType::Real, false), code(c), op(ad::map_op(c)), propto(propto_), args(real_operands(std::move(a))) {
    for (const RealOperand& arg : args) may_ref |= arg->may_ref;
  }

  Keep keep(const Frame& f, std::uint8_t refs) const {
    return propto && f.propto ? Keep::propto(refs) : Keep::everything();
  }
  double plain_value(const double* x, Keep kept) const {
    if (!op.rules.empty() && !op.valid(x)) fail(x);
    return op.value(x, kept);
  }
  [[noreturn]] void fail(const double* x) const {
    ad::MapArgs at;
    for (std::size_t j = 0; j < args.size(); ++j) at.x[j] = x + j;
    ad::explain_domain(op, at);
    throw ad::DomainError(fmt::format("{}: an argument is outside its domain", op.name));
  }
  double eval_real(Frame& f) const override {
    double x[ad::kMaxMapArity];
    for (std::size_t j = 0; j < args.size(); ++j) x[j] = args[j](f);
    return plain_value(x, keep(f, 0));
  }

  struct Operands {
    std::array<Value, ad::kMaxMapArity> values;
    std::uint8_t refs = 0;  // bit j: operand j carries derivatives
  };
  void operands(Frame& f, Operands& out) const {
    for (std::size_t j = 0; j < args.size(); ++j) {
      out.values[j] = args[j]->eval(f);
      if (is_ref(out.values[j])) out.refs |= static_cast<std::uint8_t>(1u << j);
    }
  }
  double plain_value(Frame& f, const Operands& at) const {
    double x[ad::kMaxMapArity];
    for (std::size_t j = 0; j < args.size(); ++j) x[j] = number(at.values[j]);
    return plain_value(x, keep(f, 0));
  }
  Value eval(Frame& f) const override {
    if (plain(f)) return eval_real(f);
    Operands at;
    operands(f, at);
    if (at.refs == 0) return plain_value(f, at);
    Ref x[ad::kMaxMapArity];
    for (std::size_t j = 0; j < args.size(); ++j) x[j] = to_operand(*f.m.recorder, at.values[j]);
    return Value::reference(f.m.recorder->map(code, {x, args.size()}, keep(f, at.refs)));
  }
  void to_target(Frame& f) const override {
    Operands at;
    operands(f, at);
    if (at.refs == 0) return f.m.recorder->target_constant(plain_value(f, at));
    ad::Operand x[ad::kMaxMapArity];
    for (std::size_t j = 0; j < args.size(); ++j)
      x[j] = {.ref = to_operand(*f.m.recorder, at.values[j]), .vector = false, .autodiff = (at.refs >> j & 1u) != 0};
    f.m.recorder->sink(code, {x, args.size()}, 1, keep(f, at.refs));
  }

  MapCode code;
  const ad::MapOp& op;
  bool propto;
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
  std::string_view op, function;  // as an operator and as a function
  Maker real, ints;               // null: not for these
};
constexpr BinaryRow kBinary[] = {
    {"Plus__", "add", real_binary<Add>, int_binary<IntAdd>},
    {"Minus__", "subtract", real_binary<Subtract>, int_binary<IntSubtract>},
    {"Times__", "multiply", real_binary<Multiply>, int_binary<IntMultiply>},
    {"Divide__", "divide", real_binary<Divide>, int_binary<IntDivide>},
    {"EltTimes__", "elt_multiply", real_binary<Multiply>, int_binary<IntMultiply>},
    {"EltDivide__", "elt_divide", real_binary<Divide>, int_binary<IntDivide>},
    {"IntDivide__", "int_divide", nullptr, int_binary<IntDivide>},
    {"Modulo__", "modulus", nullptr, int_binary<IntModulus>},
    {"Less__", "logical_lt", compare<Less>, compare<Less>},
    {"Leq__", "logical_lte", compare<LessOrEqual>, compare<LessOrEqual>},
    {"Greater__", "logical_gt", compare<Greater>, compare<Greater>},
    {"Geq__", "logical_gte", compare<GreaterOrEqual>, compare<GreaterOrEqual>},
    {"Equals__", "logical_eq", compare<Equal>, compare<Equal>},
    {"NEquals__", "logical_neq", compare<NotEqual>, compare<NotEqual>},
};

ExprPtr make_binary(std::string_view name, std::vector<ExprPtr>& args) {
  for (const BinaryRow& row : kBinary) {
    if (name != row.op && name != row.function) continue;
    const Maker make = args[0]->is_int() && args[1]->is_int() ? row.ints : row.real;
    return make ? make(args) : nullptr;
  }
  return nullptr;
}

ExprPtr make_unary(std::string_view name, std::vector<ExprPtr>& args) {
  if (name == "PPlus__" || name == "plus") return std::move(args[0]);
  if (name == "PNot__" || name == "logical_negation") {
    if (args[0]->is_int()) return std::make_unique<Not>(std::move(args[0]));
    return nullptr;
  }
  if (name != "PMinus__" && name != "minus") return nullptr;
  if (args[0]->is_int()) return std::make_unique<IntNegate>(std::move(args[0]));
  return std::make_unique<Negate>(std::move(args[0]));
}

/// Map that computes the function for scalars, if it is one.
MapCode scalar_map_code(std::string_view name, std::size_t arity) {
  if (name == "Pow__" || name == "EltPow__") name = "pow";
  const MapCode code = ad::find_map(name);
  return code != ad::kNoMap && ad::map_op(code).arity == arity ? code : ad::kNoMap;
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
  return std::make_unique<ScalarMap>(ad::find_map(name), false, std::move(args));
}

}  // namespace

ExprPtr make_scalar_call(std::string_view name, bool propto, const Type& result, std::vector<ExprPtr>& args) {
  for (const ExprPtr& arg : args)
    if (!arg->is_number()) return nullptr;
  if (args.size() == 1)
    if (ExprPtr node = make_unary(name, args)) return node;
  if (args.size() == 2)
    if (ExprPtr node = make_binary(name, args)) return node;
  if (!result.is(BaseType::Real) || args.empty()) return nullptr;
  if (name == "Pow__" || name == "EltPow__" || name == "pow")
    if (ExprPtr node = make_power(args)) return node;
  const MapCode code = scalar_map_code(name, args.size());
  if (code == ad::kNoMap) return nullptr;
  return std::make_unique<ScalarMap>(code, propto, std::move(args));
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
