// What a program is written with besides built-in functions of fixed signatures, in words for help of every kind: keywords, types,
// operators, blocks, and functions that take functions and whatever those need.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

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

}  // namespace fermiac
