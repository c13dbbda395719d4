// Decisions of a generator: one seed, one program, one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "support/base/rng.h"

namespace fermiac::fuzz {

class Choice {
 public:
  explicit Choice(std::uint64_t seed) : rng_(seed) {}

  /// 0 … n - 1.
  int below(int n) { return static_cast<int>(rng_() % static_cast<std::uint64_t>(n)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }
  template <class T>
  const T& one(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
  }
  std::string one(std::initializer_list<const char*> from) {
    return from.begin()[below(static_cast<int>(from.size()))];
  }
  /// An index drawn with the given weights.
  int weighted(const std::vector<int>& weights) {
    int total = 0;
    for (const int w : weights) total += w;
    int at = below(total);
    int i = 0;
    while (at >= weights[static_cast<std::size_t>(i)]) at -= weights[static_cast<std::size_t>(i++)];
    return i;
  }
  double uniform() { return rng_.uniform(); }

 private:
  Rng rng_;
};

}  // namespace fermiac::fuzz
