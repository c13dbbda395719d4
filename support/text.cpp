#include "support/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

namespace fermiac {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

NumberText read_number(std::string_view text, double* out) {
  const auto end = std::from_chars(text.data(), text.data() + text.size(), *out);
  if (end.ptr != text.data() + text.size() || end.ec == std::errc::invalid_argument) return NumberText::Other;
  if (end.ec == std::errc()) return NumberText::Number;
  *out = std::strtod(std::string(text).c_str(), nullptr);
  return std::isinf(*out) ? NumberText::TooLarge : NumberText::Number;
}

}  // namespace fermiac
