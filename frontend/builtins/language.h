// What a program is written with besides built-in functions of fixed signatures, in words for help of every kind: keywords, types,
// operators, blocks, and functions that take functions and whatever those need.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/builtins/builtins.h"

namespace fermiac {

struct LanguageRow {
  enum class Kind : std::uint8_t { Keyword, Type, Operator, Block, TakesFunction };
  std::string_view name;
  Kind kind;
  std::string_view summary;  // what it is, in one line
  std::string_view form;     // how it is written
  std::string_view example;  // inputs of a session that has nothing yet, a line each; blocks: a program
};

/// By kind, then by name as the table has them.
std::span<const LanguageRow> language_rows();
/// Null if there is none.
const LanguageRow* find_language_row(std::string_view name);
/// `keyword`, `type`, …
std::string_view kind_text(LanguageRow::Kind kind);

/// `positive` for `+`: what ArgumentDoc::domain stands for.
std::string domain_text(std::string_view domain);

/// The overloads of a function, those on single real numbers first, then by how little they are containers.
std::vector<const Signature*> plainest_first(std::string_view name);

/// The members of a distribution that exist: `normal_lpdf`, `normal_rng`, …
std::vector<std::string> members_of(const BuiltinRow& family);

/// `normal_lpdf(0.5 | 1.5, 2.5)`: the plainest overload with arguments in its domain. Empty for unknown names, for functions that
/// take functions (language.h has some), and for `…_jacobian`, which a session has no place for.
std::string example_call(std::string_view name);

}  // namespace fermiac
