// Statements by number, so that machine code made of a program can be joined to the same program when it is compiled again.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "mir/ir/ir.h"

namespace fermiac::mir {

/// Of the functions' bodies, then of prepare_data, log_prob and generate_quantities: parents first, in the order of the text.
/// Sections share statements; each has the number of its first place.
class StatementNumbers {
 public:
  explicit StatementNumbers(const Program& program);
  std::uint32_t of(const Stmt& s) const { return numbers_.at(&s); }
  /// Null for a number that no statement has.
  const Stmt* find(std::uint32_t number) const { return number < all_.size() ? all_[number] : nullptr; }

 private:
  void add(const Stmt& top);
  std::unordered_map<const Stmt*, std::uint32_t> numbers_;
  std::vector<const Stmt*> all_;
};

}  // namespace fermiac::mir
