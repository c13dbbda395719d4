// Numbers that a run by hand gives to a test in the environment: a seed, how many.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace fermiac::testing {

inline std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace fermiac::testing
