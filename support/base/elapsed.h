// Times that work took.
#pragma once

#include <chrono>

namespace fermiac {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Of a Markov chain, in seconds.
struct ElapsedTime {
  double warmup = 0, sampling = 0;
};

}  // namespace fermiac
