// Generated names: `sym1__`, `sym2__`, …. User names never end in `__`, so these cannot collide with them.
#pragma once

#include <string>
#include <string_view>

namespace fermiac::mir {

class Symbols {
 public:
  std::string fresh() { return "sym" + std::to_string(++count_) + "__"; }
  /// `inline_f_x_sym3__`: a generated name that tells where it comes from.
  std::string fresh(std::string_view stem) { return std::string(stem) + "_" + fresh(); }
  void skip() { ++count_; }
  int mark() const { return count_; }
  void restore(int mark) { count_ = mark; }

 private:
  int count_ = 0;
};

/// Gives the numbers back at the end of a scope, so that sibling loops use the same ones.
class SymbolScope {
 public:
  explicit SymbolScope(Symbols& symbols) : symbols_(symbols), mark_(symbols.mark()) {}
  ~SymbolScope() { symbols_.restore(mark_); }
  SymbolScope(const SymbolScope&) = delete;
  SymbolScope& operator=(const SymbolScope&) = delete;

 private:
  Symbols& symbols_;
  int mark_;
};

}  // namespace fermiac::mir
