// What the parts of one file of machine code share: which functions of the library and of the program it calls, and the
// places it names.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mir/analysis/statement_numbers.h"
#include "mir/ir/ir.h"

namespace fermiac::codegen::native {

/// A construct that has no machine code: what stands around it stays with the interpreter.
struct Unsupported {};

class Unit {
 public:
  explicit Unit(const mir::Program& program);

  const mir::Program& program() const { return program_; }
  const mir::StatementNumbers& numbers() const { return numbers_; }

  /// The numbers that emitted code has for a place and for a library function (`scalars`: that many operands, all of them
  /// numbers; else 0).
  std::size_t site(const mir::Stmt& s);
  std::size_t library(const std::string& name, std::size_t scalars);
  const std::vector<std::uint32_t>& sites() const { return sites_; }
  const std::vector<std::pair<std::string, std::size_t>>& library_functions() const { return library_; }

  /// Which function of the program a call means. Throws Unsupported where none fits.
  std::size_t user_function(const std::string& name, const std::vector<mir::ExprPtr>& args) const;
  /// `f3_growth`.
  std::string function_name(std::size_t index) const;
  bool has_code(std::size_t function) const { return with_code_.contains(function); }
  void set_code(std::size_t function) { with_code_.insert(function); }

  /// The log density calls it, perhaps through others.
  bool is_traced(std::size_t function) const { return traced_.contains(function); }

  /// Declared without sizes somewhere, by a pass: such a variable takes those of what it is assigned.
  bool resizable(const std::string& variable) const { return resizable_.contains(variable); }

 private:
  void trace_calls(const mir::Stmt& s);

  const mir::Program& program_;
  mir::StatementNumbers numbers_;
  std::map<std::uint32_t, std::size_t> site_numbers_;
  std::vector<std::uint32_t> sites_;
  std::map<std::pair<std::string, std::size_t>, std::size_t> library_numbers_;
  std::vector<std::pair<std::string, std::size_t>> library_;
  std::set<std::size_t> with_code_;
  std::set<std::size_t> traced_;
  std::set<std::string> resizable_;
};

}  // namespace fermiac::codegen::native
