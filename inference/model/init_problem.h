// What an option of initial values may say: checked by front ends before a run.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <system_error>

#include "inference/model/setting_range.h"
#include "support/base/status.h"

namespace fermiac::inference {

/// Fails unless the text is a radius or can be the name of a file.
inline Status check_init(const std::string& text) {
  double radius = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), radius);
  const bool number = !text.empty() && end == text.data() + text.size() && error != std::errc::invalid_argument;
  if (!number || (error == std::errc() && is_within(radius, {0, kNoBound}))) return {};
  return Status::invalid(fmt::format("'{}' is no radius, which must be {}, and no JSON file", text, range_text<double>({0, kNoBound})));
}

}  // namespace fermiac::inference
