// Percentiles as they are given on a command line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermiac::inference {

/// Numbers between blanks or commas: `5, 50,95`; nothing for an empty text. Without a value `error` says what is wrong.
std::optional<std::vector<double>> parse_percentiles(std::string_view text, std::string* error);

}  // namespace fermiac::inference
