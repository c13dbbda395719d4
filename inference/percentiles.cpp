#include "inference/percentiles.h"

#include <charconv>

namespace fermiac::inference {

std::optional<std::vector<double>> parse_percentiles(std::string_view text, std::string* error) {
  constexpr std::string_view kSeparators = " ,\t";
  std::vector<double> out;
  for (std::size_t at = text.find_first_not_of(kSeparators); at != std::string_view::npos;
       at = text.find_first_not_of(kSeparators, at)) {
    const std::size_t end = std::min(text.find_first_of(kSeparators, at), text.size());
    const std::string word(text.substr(at, end - at));
    double value = 0;
    const auto [stop, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (problem != std::errc{} || stop != word.data() + word.size())
      return *error = "'" + word + "' is not a number", std::nullopt;
    if (!(value >= 0 && value <= 100)) return *error = word + " is not between 0 and 100", std::nullopt;
    if (!out.empty() && value <= out.back()) return *error = "they must increase", std::nullopt;
    out.push_back(value);
    at = end;
  }
  return out;
}

}  // namespace fermiac::inference
