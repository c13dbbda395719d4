// What an option of initial values may say: checked by front ends before a run.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <system_error>

#include "inference/model/setting_range.h"

namespace fermiac::inference {

/// Of a radius or the name of a file: empty, or what is wrong.
inline std::string init_problem(const std::string& text) {
  double radius = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), radius);
  const bool number = !text.empty() && end == text.data() + text.size() && error != std::errc::invalid_argument;
  if (!number || (error == std::errc() && is_within(radius, {0, kNoBound}))) return {};
  return fmt::format("'{}' is no radius, which must be {}, and no JSON file", text, range_text<double>({0, kNoBound}));
}

}  // namespace fermiac::inference
