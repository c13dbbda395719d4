// Where the values of an expression can lie, from what declarations promise and definitions compute: interval
// arithmetic over MIR. Pedantic mode holds the arguments of distributions against it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mir/ir/ir.h"

namespace fermiac::mir {

/// The number that an expression is, if it is written as one (with sign, through promotion).
std::optional<double> signed_literal(const Expr& expr);

/// One end of a range: open-ended, a number, or something that the program computes.
struct Limit {
  enum class Kind : std::uint8_t { Missing, Unknown, Literal } kind = Kind::Missing;
  double value = 0;

  static Limit of(const ExprPtr& bound);
  static Limit number(double value) { return {Kind::Literal, value}; }
  bool at_least(double wanted) const { return kind == Kind::Unknown || (kind == Kind::Literal && value >= wanted); }
  bool at_most(double wanted) const { return kind == Kind::Unknown || (kind == Kind::Literal && value <= wanted); }
};

/// Every element lies between the limits. `firm`: the limits are about as near as they can be, so that values close to
/// them must be reckoned with; otherwise only what lies outside is known. `computed`: by arithmetic, and not as
/// declared.
struct Range {
  Limit lower, upper;
  bool firm = true;
  bool computed = false;
};

/// What a declaration promises about every element.
Range declared_range(const Transform& transform);

/// What is known of one name.
struct Known {
  std::optional<Transform> transform;    // as declared; none for what is no data, parameter or such
  std::optional<Range> range;            // of an argument of a function, from the call
  std::vector<const Expr*> definitions;  // all that is ever assigned to it or to a part
  bool opaque = false;                   // assigned in a way that is not followed
};
using KnownNames = std::map<std::string, Known>;

class Ranges {
 public:
  /// Refers to the program, which must live as long.
  explicit Ranges(const Program& program);

  /// None if nothing is known.
  std::optional<Range> of(const Expr& expr, const KnownNames& names) const;
  std::optional<Range> of(const Expr& expr) const { return of(expr, globals_); }

  /// Of data, transformed data, parameters, transformed parameters and the variables of the model.
  const KnownNames& globals() const { return globals_; }
  /// Inside the body of a function that is called with these arguments.
  KnownNames inside(const Function& function, const std::vector<ExprPtr>& args, const KnownNames& outside) const;
  /// The definition that a call means; null if it is elsewhere.
  const Function* definition(const UserDefined& callee, const std::vector<ExprPtr>& args) const;

 private:
  class Evaluation;

  const Program& program_;
  KnownNames globals_;
};

}  // namespace fermiac::mir
