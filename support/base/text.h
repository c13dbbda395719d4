// Small helpers on text that several folders need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fermiac {

/// Letters, digits and underscores: what names are made of.
bool is_word(char c);
/// Without the blanks and ends of lines around it.
std::string_view trimmed(std::string_view text);
std::string lower_case(std::string_view text);
/// `1 draw`, `2 draws`.
std::string counted(std::uint64_t n, std::string_view what);
/// As shells read it: `'it'\''s'`.
std::string shell_quoted(std::string_view text);

/// Not printed: below a space, or 127.
bool is_control(char c);
/// The text with control characters as escapes (`\n`, `\x1b`), so that it stays in its line.
std::string as_one_line(std::string_view text);

/// Insertions, deletions and substitutions that lead from one text to the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The one of `known` that `name` may stand for: the same but for capitals, dots and underscores, or a letter away (two for
/// long names); empty if there is none.
std::string nearest_identifier(std::string_view name, const std::vector<std::string>& known);

/// The text that printf would print.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...);

/// `a, b and 17 more`: the first `most` names, at least 1, and how many others there are.
std::string first_names(const std::vector<std::string>& names, std::size_t most);

// Text in lines and columns of a screen; columns are characters of UTF-8.

std::size_t columns_of(std::string_view text);
/// `text` with blanks up to `width` columns.
std::string padded(std::string_view text, std::size_t width, bool right = false);
/// Blanks, tabs and ends of lines become single blanks.
std::string on_one_line(std::string_view text);
/// The same of at most `width` columns, without blanks at the end; the last column of what was cut is `…`.
std::string one_line(std::string_view text, std::size_t width);

}  // namespace fermiac
