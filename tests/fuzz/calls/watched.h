// Runs steps in a child process, so that a step that ends the process, or never ends, is found and the others still
// run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fermiac::fuzz {

struct Fault {
  std::uint64_t step = 0;
  std::string what;
};

struct WatchOptions {
  double seconds = 20;  // a step that takes longer hangs, on a busy machine too
  std::uint64_t memory = 2'000'000'000;  // address space of a child beyond what it has; sanitizers need theirs unlimited
};

/// Runs `step` for first … first + count - 1. A step returns what is wrong, nothing if all is well.
std::vector<Fault> run_watched(std::uint64_t first, std::uint64_t count,
                               const std::function<std::optional<std::string>(std::uint64_t)>& step,
                               const WatchOptions& options = {});

}  // namespace fermiac::fuzz
