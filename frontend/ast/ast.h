// The syntax tree. The parser builds it; the checker fills the fields marked "checker". Parentheses are kept, because
// the formatter prints them. Comments are not in the tree but in the token stream (frontend/lex), by position.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "frontend/builtins/builtin.h"
#include "frontend/types.h"
#include "support/base/source.h"

namespace fermiac::ast {

struct Expr;
struct Stmt;
using ExprPtr = std::unique_ptr<Expr>;
using StmtPtr = std::unique_ptr<Stmt>;

struct Name {
  std::string text;
  Span span;
};

/// `@text` or `@text(args)` before a variable or function declaration; `text` holds everything after the `@`.
struct Annotation {
  std::string text;
  Span span;
};

// ---------------------------------------------------------------- operators

using fermiac::BinaryOp;
using fermiac::UnaryOp;

// ---------------------------------------------------------------- expressions

/// How a call was resolved. Filled by the checker, read by lowering.
struct Resolution {
  enum class Kind : std::uint8_t { StanLib, User } kind = Kind::StanLib;
  std::string name;              // normalised: `_lupdf` becomes `_lpdf`, operators their function name ("add", …)
  Suffix suffix = Suffix::Plain;
  bool propto = false;           // called as `_lupdf`/`_lupmf` or through `~`
  std::vector<Formal> formals;   // of the chosen signature, one per actual; function formals stay function types
  Type result;
  int user_index = -1;           // index of the definition in Program::functions (first one with this signature)
};

struct IntLiteral { std::string text; };
struct RealLiteral { std::string text; };
struct ImagLiteral { std::string text; };      // text without the `i`
struct StringLiteral { std::string text; };    // without quotes
struct Variable { Name name; bool is_function = false; /* checker: names a function */ };
struct Call {
  Name name;
  std::vector<ExprPtr> args;
  bool conditional = false;                    // written with `|` after the first argument
  Resolution resolution;                       // checker
};
struct TargetValue {};                         // target()
struct ArrayLiteral { std::vector<ExprPtr> items; };
struct RowLiteral { std::vector<ExprPtr> items; };   // row_vector or matrix literal
struct TupleLiteral { std::vector<ExprPtr> items; };
struct Paren { ExprPtr inner; };
struct Binary { BinaryOp op; ExprPtr left, right; Span op_span; Resolution resolution; };
struct Unary { UnaryOp op; ExprPtr operand; Span op_span; Resolution resolution; };   // Transpose is postfix
struct Ternary { ExprPtr test, yes, no; };
struct Projection { ExprPtr tuple; std::string slot; /* digits as written */ Span slot_span; };

struct Index {
  enum class Kind : std::uint8_t { All, Single, From /* e: */, To /* :e */, Between } kind = Kind::All;
  ExprPtr low, high;   // Single uses low; From low; To high
  bool bare = false;   // All written as nothing (`x[,1]`) and not as `:`
  bool multi = false;  // checker: a Single whose expression is an int array
  Span span;
};
struct Indexed { ExprPtr base; std::vector<Index> indexes; };

struct Expr {
  Expr() = default;
  Expr(Expr&&) = default;
  Expr& operator=(Expr&&) = default;
  ~Expr();  // by a loop where `a + b + c + …` is a tree as high as it is long

  Span span;
  std::variant<IntLiteral, RealLiteral, ImagLiteral, StringLiteral, Variable, Call, TargetValue, ArrayLiteral, RowLiteral,
               TupleLiteral, Paren, Binary, Unary, Ternary, Projection, Indexed>
      node;
  Type type;     // checker
  AdLevel ad;    // checker
};

// ---------------------------------------------------------------- declared types

enum class TransformKind : std::uint8_t {
  None, Lower, Upper, LowerUpper, Offset, Multiplier, OffsetMultiplier,
  // the rest come from the type keyword:
  Ordered, PositiveOrdered, Simplex, UnitVector, SumToZeroVector, SumToZeroMatrix, CholeskyCorr, CholeskyCov, Correlation,
  Covariance, StochasticColumn, StochasticRow
};

inline constexpr int kMostDimensions = 100;  // of an array

/// A type as declared: keyword, constraint and sizes. `array_sizes` and `sizes` are empty for unsized types
/// (function signatures), where `array_dims` counts the commas.
struct DeclaredType {
  Span span;                        // the type text
  bool has_array = false;
  int array_dims = 0;
  std::vector<ExprPtr> array_sizes;
  BaseType base = BaseType::Error;  // Tuple for tuples; the unconstrained type for constrained keywords (Simplex: Vector)
  TransformKind transform = TransformKind::None;
  ExprPtr first, second;            // lower/upper or offset/multiplier, by position in the pair (not by order written)
  std::vector<ExprPtr> sizes;       // of the base: 1 for vectors, 1 or 2 for matrices
  std::vector<DeclaredType> slots;  // tuples
  /// The unsized type this declares.
  Type type() const;
};

// ---------------------------------------------------------------- statements

struct Declarator { Name name; ExprPtr init; };
struct Declaration {
  std::vector<Annotation> annotations;
  DeclaredType type;
  std::vector<Declarator> names;
};
/// `=`, or the operator of a compound assignment.
struct Assignment {
  ExprPtr left;                       // a variable, indexed, projection, or (nested) TupleLiteral of such
  std::optional<BinaryOp> op;         // none for `=`
  ExprPtr right;
  Resolution resolution;              // checker: of the operator of a compound assignment
};
struct ProcedureCall { Name name; std::vector<ExprPtr> args; Resolution resolution; };
struct TargetPlus { ExprPtr value; };
struct JacobianPlus { ExprPtr value; };
struct Truncation { ExprPtr lower, upper; Span span; };
struct Tilde {
  ExprPtr variate;
  Name distribution;
  std::vector<ExprPtr> args;
  std::optional<Truncation> truncation;
  Resolution resolution;              // checker: the density, propto set, formals include the variate
  bool discrete_for_truncation = false;  // checker: lower bound of the cdf is L-1
  Resolution lcdf, lccdf;             // checker: only with a truncation
};
struct Break {};
struct Continue {};
struct Return { ExprPtr value; };     // null for procedures
struct Print { enum class Kind : std::uint8_t { Print, Reject, FatalError } kind; std::vector<ExprPtr> items; };
struct If { ExprPtr test; StmtPtr yes, no; };  // no may be null
struct While { ExprPtr test; StmtPtr body; };
struct ForRange { Name variable; ExprPtr low, high; StmtPtr body; };
struct ForEach { Name variable; ExprPtr container; StmtPtr body; };
struct Profile { std::string name; std::vector<StmtPtr> body; };
struct Block { std::vector<StmtPtr> body; };
struct Skip {};                       // a stray `;`

struct Stmt {
  Span span;
  std::variant<Declaration, Assignment, ProcedureCall, TargetPlus, JacobianPlus, Tilde, Break, Continue, Return, Print, If,
               While, ForRange, ForEach, Profile, Block, Skip>
      node;
};

// ---------------------------------------------------------------- programs

struct FunctionArgument { bool data_only = false; DeclaredType type; Name name; };
struct FunctionDef {
  Span span;
  std::vector<Annotation> annotations;
  std::optional<DeclaredType> result;    // none: void
  Name name;
  std::vector<FunctionArgument> args;
  StmtPtr body;                          // null: forward declaration
};

enum class BlockKind : std::uint8_t {
  Functions, Data, TransformedData, Parameters, TransformedParameters, Model, GeneratedQuantities
};

struct ProgramBlock {
  Span span;                             // from the keyword to the closing brace
  std::vector<StmtPtr> body;
};

struct Program {
  std::vector<FunctionDef> functions;
  std::optional<ProgramBlock> functions_block;  // body unused; span only
  std::optional<ProgramBlock> data, transformed_data, parameters, transformed_parameters, model, generated_quantities;
  bool functions_only = false;           // a .stanfunctions file
  Span span;
};

}  // namespace fermiac::ast
