// Numbers that an option may have, and the words for them: what is wrong is named together with what was expected.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>

namespace fermiac::inference {

inline constexpr double kNoBound = std::numeric_limits<double>::infinity();
inline constexpr std::uint32_t kMostCount = 2147483647;  // as CmdStan, whose files say the same

template <class T>
struct Range {
  T least{}, most{};
  bool open = false;  // the bounds themselves are out
};

template <class T>
std::string range_text(const Range<T>& r) {
  if constexpr (std::integral<T>) {
    return fmt::format("a whole number from {} to {}", r.least, r.most);
  } else {
    if (r.most == kNoBound) return fmt::format("a number {} {:g}", r.open ? "above" : "of at least", r.least);
    return fmt::format("a number {} {:g} {} {:g}", r.open ? "above" : "from", r.least, r.open ? "and below" : "to", r.most);
  }
}

template <class T>
bool is_within(T x, const Range<T>& r) {
  if constexpr (std::floating_point<T>)
    if (!std::isfinite(x)) return false;
  return r.open ? x > r.least && x < r.most : x >= r.least && x <= r.most;
}

}  // namespace fermiac::inference
