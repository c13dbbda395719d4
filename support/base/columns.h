// Text in lines and columns of a screen; columns are characters of UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fermiac {

std::size_t columns_of(std::string_view text);
/// `text` with blanks up to `width` columns.
std::string padded(std::string_view text, std::size_t width, bool right = false);
/// Blanks, tabs and ends of lines become single blanks.
std::string on_one_line(std::string_view text);
/// The same of at most `width` columns, without blanks at the end; the last column of what was cut is `…`.
std::string one_line(std::string_view text, std::size_t width);

}  // namespace fermiac
