// Declared types: unsized ones of function signatures, sized and constrained ones of declarations.
#include <algorithm>

#include "frontend/parse/parser.h"

namespace fermiac::parse {
namespace {

using ast::DeclaredType;
using ast::TransformKind;

/// One row per type word. `most` sizes, at least `least`; whether a constraint may follow.
struct TypeWord {
  Tok word;
  BaseType base;
  TransformKind transform;
  int least, most;
  enum class Constraint : std::uint8_t { None, Range, Any } constraint;
};
using C = TypeWord::Constraint;
using K = TransformKind;
using B = BaseType;
constexpr TypeWord kWords[] = {
    {Tok::Int, B::Int, K::None, 0, 0, C::Range},
    {Tok::Real, B::Real, K::None, 0, 0, C::Any},
    {Tok::Complex, B::Complex, K::None, 0, 0, C::Any},
    {Tok::Vector, B::Vector, K::None, 1, 1, C::Any},
    {Tok::RowVector, B::RowVector, K::None, 1, 1, C::Any},
    {Tok::Matrix, B::Matrix, K::None, 2, 2, C::Any},
    {Tok::ComplexVector, B::ComplexVector, K::None, 1, 1, C::Any},
    {Tok::ComplexRowVector, B::ComplexRowVector, K::None, 1, 1, C::Any},
    {Tok::ComplexMatrix, B::ComplexMatrix, K::None, 2, 2, C::Any},
    {Tok::Ordered, B::Vector, K::Ordered, 1, 1, C::None},
    {Tok::PositiveOrdered, B::Vector, K::PositiveOrdered, 1, 1, C::None},
    {Tok::Simplex, B::Vector, K::Simplex, 1, 1, C::None},
    {Tok::UnitVector, B::Vector, K::UnitVector, 1, 1, C::None},
    {Tok::SumToZeroVector, B::Vector, K::SumToZeroVector, 1, 1, C::None},
    {Tok::SumToZeroMatrix, B::Matrix, K::SumToZeroMatrix, 2, 2, C::None},
    {Tok::CholeskyFactorCorr, B::Matrix, K::CholeskyCorr, 1, 1, C::None},
    {Tok::CholeskyFactorCov, B::Matrix, K::CholeskyCov, 1, 2, C::None},
    {Tok::CorrMatrix, B::Matrix, K::Correlation, 1, 1, C::None},
    {Tok::CovMatrix, B::Matrix, K::Covariance, 1, 1, C::None},
    {Tok::ColumnStochasticMatrix, B::Matrix, K::StochasticColumn, 2, 2, C::None},
    {Tok::RowStochasticMatrix, B::Matrix, K::StochasticRow, 2, 2, C::None},
};

const TypeWord* find_word(Tok word) {
  const auto row = std::find_if(std::begin(kWords), std::end(kWords), [&](const TypeWord& w) { return w.word == word; });
  return row == std::end(kWords) ? nullptr : row;
}

TransformKind pair_kind(bool first, bool second, TransformKind one, TransformKind other, TransformKind both) {
  return first && second ? both : first ? one : second ? other : TransformKind::None;
}

/// The type word as the user wrote it, without the quotes of `describe`.
std::string word_text(Tok word) {
  const std::string_view quoted = lex::describe(word);
  return std::string(quoted.substr(1, quoted.size() - 2));
}

}  // namespace

bool Parser::starts_type() const {
  return is(Tok::Array) || is(Tok::Tuple) || find_word(at().kind) != nullptr;
}

template <class Slot>
void Parser::tuple_slots(DeclaredType& type, Slot slot) {
  const Level level(*this);
  take();
  type.base = BaseType::Tuple;
  expect(Tok::LParen, "type", "Expected \"(\" and the types of the slots after \"tuple\".");
  type.slots.push_back(slot());
  expect(Tok::Comma, "type", "Expected \",\" after the first type of a tuple; a tuple of one slot is written "
                             "\"tuple(real,)\".");
  if (!is(Tok::RParen)) {
    do type.slots.push_back(slot());
    while (accept(Tok::Comma));
  }
  expect(Tok::RParen, "type", "Expected \",\" or \")\" after a type of a tuple.");
}

// ---------------------------------------------------------------- signatures

DeclaredType Parser::unsized_type(std::string_view family) {
  DeclaredType type;
  const Pos begin = here();
  type_begin_ = next_;
  in_signature_ = true;
  if (accept(Tok::Array)) {
    type.has_array = true;
    type.array_dims = 1;
    expect(Tok::LBracket, family, "Expected \"[\" after \"array\".");
    while (accept(Tok::Comma)) ++type.array_dims;
    expect(Tok::RBracket, family,
           "Expected \",\" or \"]\": the array sizes of arguments and results are left out, as in \"array[,] real\".");
  }
  unsized_base(type, family);
  if (type.array_dims > ast::kMostDimensions) fail(family, "An array has at most 100 dimensions.");
  if (!options_.strict && is(Tok::LBracket) && (at(1).kind == Tok::Comma || at(1).kind == Tok::RBracket))
    old_unsized_array(type);
  type.span = since(begin);
  if (is(Tok::LBracket))
    fail(family, "Unsized type expected: arguments and results have no sizes. (Arrays are written \"array[] real\".)");
  if (is(Tok::Less)) fail(family, "Types of arguments and results cannot be constrained.");
  return type;
}

/// `real[,]` in a signature.
void Parser::old_unsized_array(DeclaredType& type) {
  const Pos open = here();
  take();
  std::string commas;
  while (accept(Tok::Comma)) commas += ',';
  expect(Tok::RBracket, "type", "Expected \",\" or \"]\".");
  removed(since(open), "Brackets behind the element type were removed from the language. Write array[" + commas +
                           "] and the element type instead.");
  type.has_array = true;
  type.array_dims += static_cast<int>(commas.size()) + 1;
  if (type.array_dims > ast::kMostDimensions) fail("type", "An array has at most 100 dimensions.");
}

void Parser::unsized_base(DeclaredType& type, std::string_view family) {
  if (is(Tok::Tuple)) return tuple_slots(type, [&] { return unsized_type(family); });
  const TypeWord* word = find_word(at().kind);
  if (!word) fail(family, "Expected an unsized type.");
  if (word->transform != TransformKind::None)
    fail(family, "\"" + word_text(word->word) + "\" is a constrained type; arguments and results take unconstrained "
                 "types without sizes, such as \"vector\" or \"matrix\".");
  type.base = word->base;
  take();
}

// ---------------------------------------------------------------- declarations

DeclaredType Parser::declared_type(Place place) {
  DeclaredType type;
  const Pos begin = here();
  type_begin_ = next_;
  in_signature_ = false;
  if (accept(Tok::Array)) {
    type.has_array = true;
    expect(Tok::LBracket, "type", "\"[\" expression \"]\" expected for array sizes.");
    if (is(Tok::RBracket) || is(Tok::Comma)) fail("type", "Expected an expression for an array size.");
    do type.array_sizes.push_back(expression());
    while (accept(Tok::Comma));
    expect(Tok::RBracket, "type", "Expected \",\" or \"]\" after an array size.");
    if (type.array_sizes.size() > static_cast<std::size_t>(ast::kMostDimensions))
      fail("type", "An array has at most 100 dimensions.");
    type.array_dims = static_cast<int>(type.array_sizes.size());
  }
  declared_base(type, place);
  type.span = since(begin);
  return type;
}

void Parser::fail_type(Place place) {
  if (is(Tok::Array)) fail("type", "An array type cannot be the element type of an array: write more sizes instead.");
  const std::string constrained =
      ", ordered, positive_ordered, simplex, unit_vector, sum_to_zero_vector, sum_to_zero_matrix, "
      "cholesky_factor_corr, cholesky_factor_cov, corr_matrix, cov_matrix, column_stochastic_matrix, "
      "row_stochastic_matrix";
  fail("type", "Invalid type in declaration. Expected one of int, real, complex, vector, row_vector, matrix, "
               "complex_vector, complex_row_vector, complex_matrix, tuple" +
                   (place == Place::Local ? "" : constrained) + ".");
}

void Parser::declared_base(DeclaredType& type, Place place) {
  if (is(Tok::Tuple)) return tuple_slots(type, [&] { return declared_type(place); });
  const TypeWord* word = find_word(at().kind);
  if (!word) fail_type(place);
  const bool local = place == Place::Local;
  if (local && word->transform != TransformKind::None)
    fail("declaration", "Constrained types such as \"" + word_text(word->word) +
                            "\" are not allowed for local variables. Constraints need a block's top level.");
  take();
  type.base = word->base;
  type.transform = word->transform;
  if (is(Tok::Less)) {
    if (local) fail("declaration", "Constraints are not allowed for local variables.");
    if (word->constraint == C::None)
      fail("type", "\"[\" expression \"]\" expected for " + word_text(word->word) + " size; this type takes no bounds.");
    constraint(type, word->constraint == C::Range);
  }
  declared_sizes(type, word->word, word->least, word->most);
}

void Parser::declared_sizes(DeclaredType& type, Tok word, int least, int most) {
  if (most == 0) {
    if (is(Tok::LBracket))
      fail("declaration", word_text(word) + " takes no size. (For an array write \"array[...] " + word_text(word) +
                              "\"" + (word == Tok::Complex ? ", or use complex_vector" : "") + ".)");
    return;
  }
  const std::string text = word_text(word);
  expect(Tok::LBracket, "type",
         least == 1 ? "\"[\" expression \"]\" expected for " + text + " size."
                    : "\"[\" expression \",\" expression \"]\" expected for " + text + " sizes.");
  type.sizes.push_back(expression());
  if (least == 2) expect(Tok::Comma, "type", "Expected \",\" and a second size for " + text + ".");
  if (least == 2 || (most == 2 && accept(Tok::Comma))) type.sizes.push_back(expression());
  if (is(Tok::Comma) && type.transform == TransformKind::None && most == 1)
    fail("type", text + " takes one size; use \"" + (text == "vector" || text == "row_vector" ? "" : "complex_") +
                     "matrix\" for two.");
  expect(Tok::RBracket, "type", "Expected \"]\" after the size of " + text + ".");
}

// ---------------------------------------------------------------- constraints

void Parser::constraint(DeclaredType& type, bool range_only) {
  take();
  const bool affine = !range_only && (is(Tok::Offset) || is(Tok::Multiplier));
  const Tok first = affine ? Tok::Offset : Tok::Lower;
  const Tok second = affine ? Tok::Multiplier : Tok::Upper;
  if (!is(first) && !is(second))
    fail("constraint", range_only ? "Expected \"lower\" or \"upper\"." : "Expected \"lower\", \"upper\", \"offset\" or \"multiplier\".",
         notes_bound());
  do {
    const Tok word = at().kind;
    ast::ExprPtr& slot = word == first ? type.first : type.second;
    if ((word != first && word != second) || slot) {
      const Tok other = type.first ? second : first;
      fail("constraint", "Expected " + std::string(lex::describe(other)) + " after \",\".", notes_bound());
    }
    take();
    expect(Tok::Assign, "constraint", "Expected \"=\" and an expression.");
    slot = bound();
  } while (!(type.first && type.second) && accept(Tok::Comma));
  expect(Tok::Greater, "constraint",
         "Expected \",\" or \">\" after the expression. (Comparisons, logical operators and ?: need parentheses here.)");
  type.transform = affine ? pair_kind(type.first != nullptr, type.second != nullptr, TransformKind::Offset,
                                      TransformKind::Multiplier, TransformKind::OffsetMultiplier)
                          : pair_kind(type.first != nullptr, type.second != nullptr, TransformKind::Lower,
                                      TransformKind::Upper, TransformKind::LowerUpper);
}

}  // namespace fermiac::parse
