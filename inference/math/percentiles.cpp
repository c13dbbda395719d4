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

Status parse_percentiles(std::string_view text, std::vector<double>* out) {
  constexpr std::string_view kSeparators = " ,\t";
  out->clear();
  for (std::size_t at = text.find_first_not_of(kSeparators); at != std::string_view::npos;
       at = text.find_first_not_of(kSeparators, at)) {
    const std::size_t end = std::min(text.find_first_of(kSeparators, at), text.size());
    const std::string word(text.substr(at, end - at));
    double value = 0;
    const auto [stop, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (problem != std::errc{} || stop != word.data() + word.size())
      return Status::invalid("'" + word + "' is not a number");
    if (!(value >= 0 && value <= 100)) return Status::invalid(word + " is not between 0 and 100");
    if (!out->empty() && value <= out->back()) return Status::invalid("they must increase");
    out->push_back(value);
    at = end;
  }
  return are_fractions(*out) ? Status::invalid(fraction_error(*out)) : Status{};
}

}  // namespace fermiac::inference
