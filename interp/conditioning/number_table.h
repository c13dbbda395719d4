// Every number of data, transformed data and parameters has a name: a number of its own, and the text that the summary writes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interp/exec/runs/site_call.h"
#include "interp/io/data.h"
#include "interp/value/value.h"
#include "mir/sites/site.h"

namespace fermiac::interp {

/// One index of a pattern: `2`, `2:4`, `:`, `{1,4}`.
struct PatternIndex {
  std::vector<std::int32_t> list;  // single: one; {…}: all
  bool single = false, all = false;
  std::int32_t low = 1, high = 0;  // a range
};

/// Indexes behind a name, or behind a slot of a tuple: `a[2].1[3]` has two steps.
struct PatternStep {
  std::uint32_t slot = 0;                // 0: of the variable itself
  std::vector<PatternIndex> indexes;
};

class NumberTable {
 public:
  using Kind = mir::NamedVariable::Kind;
  struct Variable {
    std::string name;
    Kind kind;
    Shape shape;                     // of tuples none
    std::string declared;            // its type with its sizes, for messages
    NumberName first = 0;            // name of its first number; the others follow in the layout of its value, of tuples slot by slot
    std::size_t count = 0;           // numbers that have names
    bool has_names = true;           // complex variables have none
    bool is_tuple = false;
    bool is_int = false;
    /// Its numbers have offsets in one container, and may be known one by one.
    bool is_plain() const { return has_names && !is_tuple; }
  };

  void add(const mir::NamedVariable& variable, const ExpectedType& type);

  const std::vector<Variable>& variables() const { return variables_; }
  const Variable* find(std::string_view name) const;
  const Variable& of(NumberName number) const;
  std::size_t size() const { return static_cast<std::size_t>(next_); }
  /// Values of the first index of a variable; 0: it has none, or is a tuple. And the first index of a number, from 0.
  static std::uint32_t rows(const Variable& variable);
  std::uint32_t row(NumberName number) const;
  /// Values like those of the variables, with names in the place of numbers.
  const std::vector<Value>& values() const { return values_; }

  /// `y[3]`, `y[2:4]`, `x[,1]`, `y`; several variables with commas between.
  std::string text(std::span<const NumberName> numbers) const;
  /// All numbers of a variable in the order of the output (CSV); none of a variable whose numbers have no names.
  std::vector<NumberName> numbers(const Variable& variable) const;
  /// Those that the steps name, in the same order. Throws InputError where an index does not exist, or no number has a name.
  std::vector<NumberName> numbers(const Variable& variable, std::span<const PatternStep> steps, std::string_view text) const;
  /// What is known as a whole has no part that is known alone.
  [[noreturn]] static void refuse_part(const Variable& variable);

 private:
  /// One container of numbers: a variable, or a slot of a tuple, `a[2].1`.
  struct Part {
    std::string name;
    std::vector<PatternStep> path;   // what leads to it, its own indexes left out
    Shape shape;
    NumberName first = 0;
    std::size_t variable = 0;
  };
  Value add_part(Part part, const ExpectedType& type);
  Value add_array(const Part& part, const ExpectedType& type);
  std::span<const Part> parts(const Variable& variable) const;
  const Part& part_of(NumberName number) const;
  std::string text_of_one(const Part& part, std::span<const NumberName> numbers) const;

  std::vector<Variable> variables_;
  std::vector<Part> parts_;          // by the names of their numbers
  std::vector<Value> values_;
  NumberName next_ = 0;
};

/// `a`, `a and b`, `a, b, c`; more than three as `a, …, z`.
std::string name_list(const std::vector<std::string>& names);
/// The same with `and` before the last of two.
std::string name_list_and(const std::vector<std::string>& names);

}  // namespace fermiac::interp
