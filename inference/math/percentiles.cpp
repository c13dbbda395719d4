// Percentiles as they are given on a command line.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "inference/math/quantiles.h"

namespace fermiac::inference {
namespace {

/// Fractions of one: none is above 1 and some lie between 0 and 1.
bool are_fractions(const std::vector<double>& values) {
  return !values.empty() && values.back() <= 1 && std::ranges::any_of(values, [](double v) { return v > 0 && v < 1; });
}

std::string fraction_error(const std::vector<double>& values) {
  std::string meant;
  for (const double v : values) meant += fmt::format("{}{:.10g}", meant.empty() ? "" : ",", 100 * v);
  return fmt::format("percentiles run from 0 to 100, and these are all at most 1: did you mean {}?", meant);
}

}  // namespace

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
  if (are_fractions(out)) return *error = fraction_error(out), std::nullopt;
  return out;
}

}  // namespace fermiac::inference
