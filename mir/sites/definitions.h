// Where the numbers of a variable come from: which are moved from data and parameters, which are computed from what.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mir/ir/ir.h"
#include "mir/sites/site.h"

namespace fermiac::mir {

/// Of a program whose names are unique in log_prob (with_unique_names).
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
  /// The named variables that the expression depends on in any way: through values, sizes, indexes on the left of assignments,
  /// bounds of loops, tests, `break` and `continue`. Never too few; `from` is for roles, which sizes and bounds do not decide.
  std::set<std::string> depends(const Expr& expr) const;
  /// The same of the size of its value alone.
  std::set<std::string> sizes(const Expr& expr) const;
  /// All right sides that the local is assigned.
  std::vector<ExprPtr> assigned(const std::string& local) const;
  /// The same, the tests and bounds that decide whether, and its declared sizes, if their values where `scope` is visible are those
  /// of the assignments: in the round of a loop that declares it. Else none.
  std::vector<ExprPtr> decided_by(const std::string& local, const std::set<std::string>& scope) const;
  /// Tests, bounds and sizes alone, of a local whose right side is its value (moved).
  std::vector<ExprPtr> controls_of(const std::string& local) const;
  /// Whether ints in an expression that `stmt` evaluates keep their values from there to any later statement of the round that sees them.
  bool keeps_value(const Expr& expr, const Stmt& stmt) const;
  /// Whether no local stands between the expression and the numbers that it moves.
  bool names_directly(const Expr& expr) const;
  /// The left side of a site, followed.
  SiteLeft left(const ExprPtr& expr, const std::set<std::string>& scope, bool widen = false) const;

 private:
  /// Variables that an expression needs: for their values, and for their sizes alone.
  struct Needs {
    std::set<std::string> values, sizes;
  };
  /// A test, a bound or a right side, and the number of the statement that evaluates it.
  struct Evaluated {
    ExprPtr expr;
    int at = 0;
  };
  struct Assigned {
    ExprPtr whole;                    // the right side, if it is assigned once, and whole
    std::vector<ExprPtr> rights;
    std::vector<int> at;              // by right side: the number of the statement
    int times = 0;
    std::set<std::string> read;       // by right sides and tests
    std::vector<Evaluated> tests;     // tests and bounds of loops around right sides
    std::vector<Evaluated> dims;      // declared sizes
    Needs needs, size_needs;          // everything that its value, and its size, depends on
    const Stmt* loop = nullptr;       // in which it is declared, the innermost
    std::size_t depth = 0;            // number of loops around its declaration
    std::size_t outer_tests = 0;      // around its declaration, which decide about whoever reads it, too
    int settled = 0;                  // number of the statement from which on it keeps its value in a round of that loop
    bool follows = true;              // assigned as a whole, and in no other loop
    bool counts = false;              // a variable of a loop
  };
  struct Test {
    Evaluated test;
    bool bound = false;               // of a loop; decides no role
  };
  struct Loop {
    const Stmt* stmt = nullptr;
    std::set<std::string> changes;    // variables declared outside of it, in the loop around it or at the top
  };
  /// The same of a tuple, too, whose slots are numbers.
  ExprPtr followed(const ExprPtr& expr, const std::set<std::string>& scope, bool widen, int at) const;
  std::optional<Index> visible(const Index& index, const std::set<std::string>& scope, bool widen, int at) const;
  bool is_named(const std::string& name) const { return named_.contains(name); }
  void collect(const std::vector<StmtPtr>& section);
  void collect(const Stmt& stmt, std::vector<Test>& tests);
  void collect_loop(const Stmt& stmt, std::vector<Test>& tests);
  void declare(const Decl& decl, std::size_t tests);
  void assign(const std::string& name, const ExprPtr& right, const LValue* left, const std::vector<Test>& tests);
  static void add_needs(const Expr& expr, Needs& out);
  static void add_size_needs(const Expr& expr, Needs& out);
  bool is_steady(const Expr& expr, int at) const;
  bool is_steady(const Expr& expr, const std::set<std::string>& scope, int at) const;
  void close();
  void close_needs();
  bool add_all(const Needs& needs, std::set<std::string>& out) const;

  std::vector<NamedVariable> variables_;
  std::set<std::string> named_, computed_;  // computed_: transformed data
  std::map<std::string, Assigned> assigned_;
  std::vector<Loop> loops_;     // that are being read, the innermost last
  int at_ = 0;                  // number of the statement that is being read
  std::map<const Stmt*, int> number_;
  std::map<std::string, std::set<std::string>> from_, depends_, sizes_;
};

/// Variables whose numbers an expression moves (SiteLeft::names); those in indexes are not among them.
std::set<std::string> variables_moved(const Expr& names);

/// Tests that decide whether `break` or `continue` leaves this loop, or its round, early.
std::vector<ExprPtr> jump_tests(const Stmt& loop);

/// Whether the call only measures its argument: `size(x)`.
bool measures(const FunApp& call);
/// How many arguments of a call, from the first, are read for their values: `size(x)` measures, `rep_vector(x, n)` has a size.
std::size_t value_arguments(const FunApp& call);
/// Variables that are read for their values, those that give sizes left out.
std::set<std::string> values_read(const Expr& expr);

/// Adds what `expr` reads. `each`: element n of the whole may read element n of this alone.
void add_reads(const ExprPtr& expr, bool each, const Definitions& definitions, const std::set<std::string>& scope, std::vector<SiteRead>& out);

/// Adds what decides which numbers the left side of a site names; of a computed left side all that it reads.
void add_index_reads(const ExprPtr& left, const Definitions& definitions, const std::set<std::string>& scope, std::vector<SiteRead>& out);

/// Adds all numbers of all variables that `expr` depends on in any way (Definitions::depends): for what other rounds of a loop, or
/// statements before a change, evaluated.
void add_all_reads(const Expr& expr, const Definitions& definitions, const std::set<std::string>& scope, std::vector<SiteRead>& out);

}  // namespace fermiac::mir
