// MIR: the typed tree between the checked program and the back ends. One statement form for one effect; operators are
// library calls; promotions are explicit. docs/phases/mir.md describes it, mir/text prints and reads it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "frontend/ast/ast.h"  // TransformKind, BlockKind
#include "frontend/builtins/builtin.h"
#include "frontend/types.h"
#include "mir/ir/effects.h"
#include "support/base/source.h"

namespace fermiac::mir {

struct Expr;
struct Stmt;
using ExprPtr = std::shared_ptr<const Expr>;  // immutable once built, so passes share subtrees
using StmtPtr = std::shared_ptr<const Stmt>;

using ast::BlockKind;
using ast::TransformKind;

enum class MemPattern : std::uint8_t { AoS, SoA };

/// Internal functions, spelled in dumps as in the enum.
enum class Internal : std::uint8_t {
  FnLength,
  FnMakeArray,
  FnMakeTuple,
  FnMakeRowVec,
  FnNegInf,
  FnNaN,
  FnDeepCopy,
  FnResizeToMatch,
  FnPrint,
  FnReject,
  FnFatalError,
  FnReadData,
  FnReadDeserializer,
  FnReadParam,
  FnWriteParam,
  FnValidateSize,
  FnValidateSizePositive,
  FnValidateSizeUnitVector,
  FnCheck,
  FnReadWriteEventsOpenCL
};

/// A transformation with its bounds (lower/upper or offset/multiplier, in that order).
struct Transform {
  TransformKind kind = TransformKind::None;
  ExprPtr first, second;
};

struct StanLib {
  Builtin fn{};
  Suffix suffix = Suffix::Plain;
  bool propto = false;
  MemPattern mem = MemPattern::AoS;
  Effects effects{};  // of the functions passed to it
};
struct UserDefined {
  std::string name;
  Suffix suffix = Suffix::Plain;
  bool propto = false;
  Effects effects{};  // of its body and of what it calls (ir/call_effects.h)
};
struct CompilerInternal {
  Internal fn{};
  Transform transform{};        // FnReadParam (constrain), FnWriteParam (unconstrain_opt), FnCheck (trans)
  bool has_transform = false;   // FnWriteParam: false means None
  std::vector<ExprPtr> dims{};  // FnReadParam
  MemPattern mem = MemPattern::AoS;
  std::string var_name{};  // FnCheck
  ExprPtr var{};           // FnCheck, FnWriteParam
};
using FunctionKind = std::variant<StanLib, UserDefined, CompilerInternal>;

struct Index {
  enum class Kind : std::uint8_t { All, Single, Upfrom, Between, Multi } kind = Kind::All;
  ExprPtr low, high;  // Single, Upfrom, Multi use low; Between both
};

struct Var {
  std::string name;
};
struct Lit {
  enum class Kind : std::uint8_t { Int, Real, Imaginary, Str } kind = Kind::Int;
  std::string text;
};
struct FunApp {
  FunctionKind fn;
  std::vector<ExprPtr> args;
};
struct TernaryIf {
  ExprPtr test, yes, no;
};
struct EAnd {
  ExprPtr left, right;
};
struct EOr {
  ExprPtr left, right;
};
struct Indexed {
  ExprPtr base;
  std::vector<Index> indexes;
};
struct Promotion {
  ExprPtr operand;
  Type scalar;
  AdLevel ad;
};
struct TupleProjection {
  ExprPtr tuple;
  int slot = 1; /* from 1 */
};

struct Expr {
  std::variant<Var, Lit, FunApp, TernaryIf, EAnd, EOr, Indexed, Promotion, TupleProjection> node;
  Type type;
  AdLevel ad;
  Span span;
};

/// A declared type with its sizes. Arrays: `dims` outermost first, then the element's own sizes.
struct SizedType {
  BaseType base = BaseType::Real;
  std::vector<ExprPtr> array_dims;
  std::vector<ExprPtr> sizes;    // 1 for vectors, 2 (rows, columns) for matrices
  std::vector<SizedType> slots;  // tuples
  MemPattern mem = MemPattern::AoS;
  Type type() const;
};

/// A base (variable, or slot of an lvalue) plus indexes.
struct LValue {
  std::string variable;  // empty when `tuple` is set
  std::shared_ptr<const LValue> tuple;
  int slot = 0;
  std::vector<Index> indexes;
  const std::string& base_name() const { return tuple ? tuple->base_name() : variable; }
};

struct Assignment {
  LValue left;
  Type type; /* of the unindexed destination */
  ExprPtr right;
};
struct TargetPE {
  ExprPtr value;
};
struct JacobianPE {
  ExprPtr value;
};
struct NRFunApp {
  FunctionKind fn;
  std::vector<ExprPtr> args;
};
struct Break {};
struct Continue {};
struct Return {
  ExprPtr value;
};  // may be null
struct Skip {};
struct IfElse {
  ExprPtr test;
  StmtPtr yes, no;
};  // no may be null
struct While {
  ExprPtr test;
  StmtPtr body;
};
struct For {
  std::string variable;
  ExprPtr lower, upper;
  StmtPtr body;
};
struct Profile {
  std::string name;
  std::vector<StmtPtr> body;
};
struct Block {
  std::vector<StmtPtr> body;
};
struct SList {
  std::vector<StmtPtr> body;
};
struct Decl {
  enum class Init : std::uint8_t { Uninit, Default, Assign } init = Init::Default;
  AdLevel ad;
  std::string id;
  std::variant<SizedType, Type> type;  // Sized or Unsized
  ExprPtr value;                       // for Assign
  std::vector<std::string> annotations;
};

struct Stmt {
  std::variant<Assignment, TargetPE, JacobianPE, NRFunApp, Break, Continue, Return, Skip, IfElse, While, For, Profile,
               Block, SList, Decl>
      node;
  Span span;
};

struct FunctionArg {
  AdLevel ad;
  bool data_only = false;
  std::string name;
  Type type;
};
struct Function {
  std::optional<Type> result;  // none: void
  std::string name;
  Suffix suffix = Suffix::Plain;
  std::vector<FunctionArg> args;
  StmtPtr body;  // null: defined elsewhere
  Span span;
  std::vector<std::string> annotations;
};

struct InputVar {
  std::string name;
  Span span;
  SizedType type;
};

/// A parameter, transformed parameter or generated quantity.
struct OutputVar {
  std::string name;
  Span span;
  SizedType unconstrained;
  SizedType constrained;
  BlockKind block = BlockKind::Parameters;
  Transform transform;
  std::vector<Transform> slot_transforms;  // tuples: one per slot, in slot order (nested tuples flattened)
};

struct Program {
  std::vector<Function> functions;
  std::vector<InputVar> input_vars;
  std::vector<StmtPtr> prepare_data, log_prob, reverse_mode_log_prob, generate_quantities, transform_inits,
      unconstrain_array;
  std::vector<OutputVar> output_vars;
  std::string name;
  std::string path;
};

}  // namespace fermiac::mir
