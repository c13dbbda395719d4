// Values as the session shows them: `x = [1, 2, 3] : vector[3]`, long containers abridged.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/types.h"
#include "interp/value/value.h"
#include "support/base/text.h"

namespace fermiac::repl {

/// Six significant digits.
std::string number_text(double x);
/// One end of line at the end, however many there are; none of an empty text.
std::string trimmed_end(std::string text);
/// The type with the sizes of this value: `array[2] vector[3]`, `tuple(int, matrix[2,2])`.
std::string shape_text(const Type& type, const interp::Value& value);
/// The value alone, on one line, or on one line per row for a matrix.
std::string value_text(const Type& type, const interp::Value& value);
/// `name = value : type`; without `name` the value and its type.
std::string show(std::string_view name, const Type& type, const interp::Value& value);
/// Numbers with names like `mu` and `theta[2]`, those of one container together: `mu = 1`, `theta = [1, 2, …]`.
/// `equals` stands between name and number. Without `zeros`, names that have nothing but zeros are left out.
struct NumberList {
  std::string_view equals = " = ";
  int digits = 6;
  bool zeros = true;
};
std::vector<std::string> grouped_numbers(std::span<const std::string> names, std::span<const double> values,
                                         NumberList style);
/// The items with commas between them, in lines of at most `width` columns; all but the first line are indented.
std::string wrapped(std::string first, const std::vector<std::string>& items, std::size_t width);
/// `text`, which begins after `indent` columns, broken at blanks to lines of at most `width`; the others are indented too. Windows that
/// are hardly wider than that get it as it is.
std::string hanging(std::string_view text, std::size_t width, std::size_t indent);
/// Lines that begin with a letter or quote and are wider than the screen, broken at blanks: prose. Others are pictures and tables, and
/// what has colours is a picture too.
std::string lines_that_fit(std::string_view text, std::size_t width);

}  // namespace fermiac::repl
