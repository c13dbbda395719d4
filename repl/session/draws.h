// Draws of a session, as variables: what a name stands for in each of them, and expressions worked out draw by draw.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "inference/diagnostics/summary.h"
#include "interp/io/data.h"
#include "repl/session/evaluator.h"

namespace fermiac::interp {
class InterpModel;
}

namespace fermiac::repl {

class Draws {
 public:
  struct Variable {
    std::string name;
    interp::ExpectedType type;
    std::size_t column = 0;  // the first of its numbers; the others follow
  };

  /// Variables have the types that `model` (may be null) declares. Where it has none of these columns, `x` is a real, `x.1`, `x.2`, … a
  /// vector and `x.1.1`, … a matrix. Tuples and complex numbers are columns alone.
  Draws(inference::ChainSet chains, const interp::InterpModel* model);

  const inference::ChainSet& chains() const { return chains_; }
  const std::vector<Variable>& variables() const { return variables_; }
  std::size_t count() const { return chains_.rows.size() * chains_.draws_per_chain(); }
  interp::Value value(const Variable& variable, std::size_t chain, std::size_t draw) const;

 private:
  void add(const std::string& name, const interp::ExpectedType& type);
  void guess();

  inference::ChainSet chains_;
  std::vector<Variable> variables_;
};

/// Whether `name` is a word of the code in the text; words in strings and comments do not count.
bool mentions_word(std::string_view text, std::string_view name);

/// While it lives, names of draws that stand in a text are variables of the session, at the draw that it was moved to. Variables
/// of the session come first: draws of the same name are hidden by them.
class DrawScope {
 public:
  DrawScope(Evaluator& evaluator, const Draws& draws, std::string_view text);
  ~DrawScope();
  DrawScope(const DrawScope&) = delete;
  DrawScope& operator=(const DrawScope&) = delete;

  bool mentions_any() const { return !used_.empty(); }
  /// One of these names stands in the expression.
  bool mentions(ast::Expr& expr) const;
  void move_to(std::size_t chain, std::size_t draw);

 private:
  Evaluator& evaluator_;
  const Draws& draws_;
  std::vector<const Draws::Variable*> used_;
};

/// An expression at every draw: a column for each of its numbers, called by its text where that can be a name, else `value`.
struct DrawnExpression {
  Type type;
  interp::ExpectedType shape;
  inference::ChainSet chains;
};
/// Throws InputError where it cannot be evaluated, is no number or container of numbers, or changes its sizes.
DrawnExpression over_draws(Evaluator& evaluator, const Draws& draws, DrawScope& scope, ast::ExprPtr expr, std::string_view text);

/// Values made of draws in the place of what statements assign or declare, as variables of the session while it lives.
class AssignedDraws {
 public:
  AssignedDraws(Evaluator& evaluator, const Draws& draws) : evaluator_(evaluator), draws_(draws) {}
  ~AssignedDraws();
  AssignedDraws(const AssignedDraws&) = delete;
  AssignedDraws& operator=(const AssignedDraws&) = delete;

  /// Of what mentions draws, only what told_over_draws makes a number of is one value; throws InputError at anything else.
  void put_into(DrawScope& scope, ast::Stmt& stmt);

 private:
  void put_into(DrawScope& scope, ast::Expr& expr);
  std::string new_name() const;

  Evaluator& evaluator_;
  const Draws& draws_;
  std::vector<std::string> names_;
};

/// What `mean`, `sd`, `variance`, `min`, `max` and `quantile` in front of an expression make of its draws: a number for each of its
/// numbers, as the session shows values. For anything else a table.
std::string told_over_draws(Evaluator& evaluator, const Draws& draws, DrawScope& scope, ast::ExprPtr expr, std::string_view text,
                            std::size_t width);

}  // namespace fermiac::repl
