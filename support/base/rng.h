// The random number generator of the whole project: xoshiro256++ (Blackman & Vigna, "Scrambled linear pseudorandom
// number generators", ACM TOMS 47, 2021), seeded through splitmix64. Streams of one seed are 2^128 draws apart, so
// chains never overlap. Satisfies UniformRandomBitGenerator.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

namespace fermiac {

class Rng {
 public:
  using result_type = std::uint64_t;

  /// Stream `stream` (a chain number, say) of `seed`. The same pair always gives the same draws, on every machine.
  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0);

  /// Goes on where a generator of this state stands.
  using State = std::array<std::uint64_t, 4>;
  explicit Rng(const State& state) : state_(state) {}
  const State& state() const { return state_; }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  result_type operator()();
  /// Uniform on the open interval (0, 1), a multiple of 2^-52 plus 2^-53: never 0, never 1.
  double uniform();
  /// Standard normal, by the ziggurat (normal_layers.h): one word, nearly always. Nothing is kept for the next call.
  double normal();
  /// As many calls of normal() as `out` has places.
  void normals(std::span<double> out);
  /// Standard exponential.
  double exponential();

 private:
  struct Leap;
  void jump();
  void jump(std::uint64_t times);
  State state_{};
};

}  // namespace fermiac
