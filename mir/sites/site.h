// Sites: the statements of a program that say what is random given what. A `~`, a density that target is given, or any
// other term of target.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mir/ir/ir.h"

namespace fermiac::mir {

enum class SiteKind : std::uint8_t {
  Density,   // of its left side
  Censored,  // lcdf or lccdf of its left side
  Term,      // anything else
  Choice     // no site: a place where control flow reads ints that are not known (open_sites)
};

/// What the left side of a site is, or what a term depends on.
struct SiteLeft {
  ExprPtr names;               // moves numbers of data and parameters alone, so that it can be run on their names; null: computed
  std::set<std::string> from;  // data, transformed data and parameters that the value comes from; sizes and bounds do not count
  std::set<std::string> depends;  // the same with all that sizes, bounds, tests and indexes depend on (Definitions::depends)
};

/// Numbers that a site reads besides its left side.
struct SiteRead {
  ExprPtr names;        // moves numbers of named variables alone
  bool each = false;    // element n of the site reads element n of this
  bool direct = false;  // by the expression itself, not by a local that was computed before
  int argument = -1;    // of the density, behind the left side; -1: bounds, factor, control flow, terms
};

/// A `for` loop around a site.
struct SiteLoop {
  std::size_t number = 0;  // of its own in the program
  std::string variable;
};

/// One site. Expressions are over the variables in scope at its statement.
struct Site {
  std::size_t number = 0;      // from 1, in source order
  Span span{};                 // of the statement as written
  SiteKind kind = SiteKind::Term;
  std::string distribution;    // `normal`; empty for terms
  ExprPtr call;                // of the density or the cdf, left side first; null for terms
  ExprPtr factor;              // computed from data; null: 1
  ExprPtr lower, upper;        // truncation; null: none
  ExprPtr mass_count;          // how often the program takes the mass between the bounds; null: once for each element
  ExprPtr term;                // what target gets, of terms
  std::vector<SiteLeft> left;  // one; of a term: of each density in it
  /// A term that consists of independent parts (reduce_sum): part number `part_variable` of `parts`, and what it names.
  ExprPtr part, parts;
  std::string part_variable;
  std::set<std::string> reads;     // what the values of the arguments (after the left side) or of the term come from, for roles
  std::set<std::string> depends;   // everything that its arguments, bounds and term depend on, sizes included
  std::set<std::string> controls;  // everything that the control flow around it, and which numbers are on its left, depend on
  std::set<std::string> tests;     // what the values of conditions around it come from, for roles
  std::set<std::string> bounds;    // the same of bounds of `for` loops
  std::vector<SiteLoop> loops;     // `for` loops around it, outermost first
  bool in_while = false;           // a `while` loop is around it
  ExprPtr part_row;                // moves the numbers that part number `part_variable` is computed from; null: not known
  std::vector<SiteRead> read;      // the same by number, control flow included
  bool guards = false;             // of a choice: its statement may fail (a check, reject), and unless it does nothing is chosen
};

/// The variables whose numbers have names.
struct NamedVariable {
  enum class Kind : std::uint8_t { Data, TransformedData, Parameter } kind = Kind::Data;
  std::string name;
  Type type;
  std::set<std::string> from = {};  // what transformed data are computed from
};

struct SiteTable {
  std::vector<std::shared_ptr<const Site>> sites;
  std::map<const Stmt*, std::shared_ptr<const Site>> marks;  // statements of log_prob that are sites
  std::vector<NamedVariable> variables;                      // data, transformed data, parameters; each in order
  std::optional<Span> target_read;                           // where target() is read other than to print it
  std::set<std::string> modeled;                             // data and transformed data that some density is of
  const NamedVariable* find(const std::string& name) const;
  bool is_data(const std::string& name) const;
  /// Whether a term that names no number reads data: itself, or in conditions around it that look at observations. Sizes, bounds of
  /// loops and single numbers without a distribution, which are switches, do not count.
  bool reads_data(const Site& site) const;
};

}  // namespace fermiac::mir
