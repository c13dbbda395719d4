// A failure the user should read, as a value: empty text means success.
#pragma once

#include <string>
#include <utility>

namespace fermiac::inference {

struct [[nodiscard]] Result {
  std::string error;
  explicit operator bool() const { return error.empty(); }
  static Result fail(std::string why) { return {std::move(why)}; }
};

/// The error of a run that its stop flag ended, or the beginning of it; who speaks to the user puts the reason in its place.
inline constexpr char kInterrupted[] = "interrupted";

}  // namespace fermiac::inference
