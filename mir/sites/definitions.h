// Where the numbers of a variable come from: which are moved from data and parameters, which are computed from what.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "mir/ir/ir.h"
#include "mir/sites/site.h"

namespace fermiac::mir {

/// Of a program whose names are unique in log_prob (unique_names.h).
class Definitions {
 public:
  Definitions(const Program& program, std::vector<NamedVariable> variables);

  const std::vector<NamedVariable>& variables() const { return variables_; }

  /// The expression over named variables alone, if all it does is move their numbers: locals that are assigned once are
  /// replaced by what they are assigned. Null if it computes something, or needs a variable that is not in `scope`; with `widen`
  /// an index that is not in scope becomes `:`.
  ExprPtr moved(const ExprPtr& expr, const std::set<std::string>& scope, bool widen = false) const;
  /// The named variables that the expression reads, through locals and what decides about their values. What only gives sizes
  /// does not count.
  std::set<std::string> from(const Expr& expr) const;
  /// All right sides that the local is assigned.
  std::vector<ExprPtr> assigned(const std::string& local) const;
  /// The same and the tests that decide whether, if their values where `scope` is visible are those of the
  /// assignments: in the round of a loop that declares it. Else none.
  std::vector<ExprPtr> decided_by(const std::string& local, const std::set<std::string>& scope) const;
  /// Whether no local stands between the expression and the numbers that it moves.
  bool names_directly(const Expr& expr) const;
  /// The left side of a site, followed.
  SiteLeft left(const ExprPtr& expr, const std::set<std::string>& scope, bool widen = false) const;

 private:
  struct Assigned {
    ExprPtr whole;                    // the right side, if it is assigned once, and whole
    std::vector<ExprPtr> rights;
    int times = 0;
    std::set<std::string> read;       // by right sides, indexes and tests
    std::vector<ExprPtr> tests;       // of right sides
    const Stmt* loop = nullptr;       // in which it is declared, the innermost
    bool follows = true;              // assigned as a whole, and in no other loop
    bool counts = false;              // a variable of a loop
  };
  /// The same of a tuple, too, whose slots are numbers.
  ExprPtr followed(const ExprPtr& expr, const std::set<std::string>& scope, bool widen) const;
  bool is_named(const std::string& name) const { return named_.contains(name); }
  void collect(const std::vector<StmtPtr>& section);
  void collect(const Stmt& stmt, std::vector<ExprPtr>& tests);
  bool is_steady(const Expr& expr, const std::set<std::string>& scope) const;
  void close();

  std::vector<NamedVariable> variables_;
  std::set<std::string> named_, computed_;  // computed_: transformed data
  std::map<std::string, Assigned> assigned_;
  const Stmt* loop_ = nullptr;  // that is being read
  std::map<std::string, std::set<std::string>> from_;
};

/// Variables whose numbers an expression moves (SiteLeft::names); those in indexes are not among them.
std::set<std::string> variables_moved(const Expr& names);

/// How many arguments of a call, from the first, are read for their values: `size(x)` measures, `rep_vector(x, n)` has a size.
std::size_t value_arguments(const FunApp& call);
/// Variables that are read for their values, those that give sizes left out.
std::set<std::string> values_read(const Expr& expr);

}  // namespace fermiac::mir
