// Words and characters of other languages that stand where Stan has another one, or none.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace fermiac::parse {

struct ForeignWord {
  std::string_view word;
  std::string_view hint;
  std::string_view now{};  // what may stand in its place, if that is all there is to change
};
inline constexpr ForeignWord kForeignWords[] = {
    {"elif", "\"elif\" is no keyword: write \"else if\".", "else if"},
    {"elseif", "\"elseif\" is no keyword: write \"else if\".", "else if"},
    {"elsif", "\"elsif\" is no keyword: write \"else if\".", "else if"},
    {"then", "There is no \"then\": the statement follows the condition."},
    {"endif", "There is no \"endif\": several statements stand between \"{\" and \"}\"."},
    {"end", "There is no \"end\": several statements stand between \"{\" and \"}\"."},
    {"do", "There is no \"do\": the statement follows the head of the loop."},
    {"let", "There is no \"let\": a variable is declared with its type, as in \"real x;\"."},
    {"var", "There is no \"var\": a variable is declared with its type, as in \"real x;\"."},
    {"float", "The type of real numbers is \"real\".", "real"},
    {"double", "The type of real numbers is \"real\".", "real"},
    {"integer", "The type of integers is \"int\".", "int"},
    {"bool", "There is no type of truth values: use \"int\" with 0 and 1.", "int"},
    {"boolean", "There is no type of truth values: use \"int\" with 0 and 1.", "int"},
    {"string", "There is no type of strings."},
    {"const", "There is no \"const\": what the data block declares never changes."},
    {"numeric", "The type of real numbers is \"real\".", "real"},
};

/// Null if the word is none of them.
inline const ForeignWord* foreign_word(std::string_view word) {
  const auto* row = std::ranges::find(kForeignWords, word, &ForeignWord::word);
  return row == std::end(kForeignWords) ? nullptr : row;
}

/// A character that begins with these bytes.
struct ForeignCharacter {
  std::string_view bytes, hint;
  std::string_view now;  // what may stand in its place, if that is all there is to change
};
/// What `text` begins with; null if it is none of them.
const ForeignCharacter* foreign_character(std::string_view text);

}  // namespace fermiac::parse
