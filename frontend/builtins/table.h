// The rows of the table of built-in functions. Both spans are sorted by name.
#pragma once

#include <span>
#include <string_view>

#include "frontend/builtins/builtin.h"

namespace fermiac {

/// One row of the table. A distribution row stands for a family of functions: `kinds` holds those among lpmf, lpdf,
/// rng, ccdf (lcdf and lccdf) and cdf, in the order of the distribution dump; it is empty for a plain function.
struct BuiltinRow {
  std::string_view name;  // of the function, or the stem of the family
  std::string_view kinds;
  std::string_view scheme;  // plain: signatures in the notation of expand.h; family: the arguments, variate first
  std::string_view soa;     // "*": all signatures work on structs of arrays; "": none; else the list that does ("!" negates)
  std::string_view doc;        // one line
  std::string_view arguments;  // family: `name:role:domain` per argument, variate first (see argument_docs)
  Fact facts = Fact::None;
  bool is_family() const { return !kinds.empty(); }
};

std::span<const BuiltinRow> function_rows();
std::span<const BuiltinRow> distribution_rows();

/// An enumerator of Builtin. Operators and special forms have no row.
struct BuiltinEntry {
  std::string_view name;
  const BuiltinRow* row = nullptr;
  std::string_view suffix = {};  // members of families: `lpdf`, `lccdf`
};
/// In the order of Builtin.
std::span<const BuiltinEntry> builtin_entries();
/// Positions of the entries, sorted by name.
std::span<const std::uint16_t> entries_by_name();

}  // namespace fermiac
