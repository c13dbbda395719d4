#include "support/base/rng.h"

#include <bit>
#include <cmath>
#include <memory>

#include "support/base/normal_layers.h"

namespace fermiac {
namespace {

std::uint64_t splitmix64(std::uint64_t& x) {
  x += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = x;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

[[gnu::always_inline]] inline std::uint64_t next(Rng::State& s) {
  const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
  const std::uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = std::rotl(s[3], 45);
  return result;
}

[[gnu::always_inline]] inline double next_uniform(Rng::State& s) {
  // 52 bits, not 53: the half would round the largest 53-bit value up to one.
  return (static_cast<double>(next(s) >> 12) + 0.5) * 0x1.0p-52;
}

/// 2 uniform - 1 from the upper 53 bits of a word: an odd number of 2^-52, so never 0.
[[gnu::always_inline]] inline double symmetric(std::uint64_t word) {
  return static_cast<double>(static_cast<std::int64_t>(word >> 11 | 1) - (std::int64_t{1} << 52)) * 0x1p-52;
}

double next_exponential(Rng::State& s) { return -std::log(next_uniform(s)); }

/// Beyond the last edge (Marsaglia, Technometrics 6, 1964): exponentials until one lies under the curve.
double beyond(double edge, Rng::State& state) {
  double x, y;
  do {
    x = next_exponential(state) / edge;
    y = next_exponential(state);
  } while (2 * y < x * x);
  return edge + x;
}

/// Whether a point at x, in the part of a layer that the curve cuts, at a height that is chosen now, is under the curve.
bool is_under_curve(double x, std::size_t layer, Rng::State& state) {
  const auto above = [&](std::size_t edge) { return std::exp(0.5 * (x - kNormalEdges[edge]) * (x + kNormalEdges[edge])); };  // f(edge) / f(x)
  const double low = above(layer), high = above(layer + 1);
  return low + next_uniform(state) * (high - low) < 1;
}

/// One word says the layer, by its last bits, and where in it, by its first: 98.8 of 100 times it lies within the layer above, and is it.
[[gnu::always_inline]] inline double next_normal(Rng::State& state) {
  for (;;) {
    const std::uint64_t word = next(state);
    const std::size_t layer = word % kNormalLayers;
    const double x = symmetric(word) * kNormalEdges[layer];
    if (std::fabs(x) < kNormalEdges[layer + 1]) [[likely]]
      return x;
    if (layer == 0) return std::copysign(beyond(kNormalEdges[1], state), x);
    if (is_under_curve(x, layer, state)) return x;
  }
}

}  // namespace

Rng::Rng(std::uint64_t seed, std::uint64_t stream) {
  for (std::uint64_t& word : state_) word = splitmix64(seed);
  jump(stream);
}

/// A linear map of states, which are vectors of 256 bits: the images of those with one bit set.
struct Rng::Leap {
  std::array<State, 256> image{};

  State operator()(const State& x) const {
    State y{};
    for (std::size_t bit = 0; bit < image.size(); ++bit)
      if (x[bit / 64] >> (bit % 64) & 1u)
        for (std::size_t word = 0; word < y.size(); ++word) y[word] ^= image[bit][word];
    return y;
  }
  void square() {
    const Leap once = *this;
    for (State& x : image) x = once(x);
  }
};

void Rng::jump(std::uint64_t times) {
  constexpr std::uint64_t kFew = 512;  // beyond, a matrix is less work
  if (times < kFew) {
    for (; times > 0; --times) jump();
    return;
  }
  const auto leap = std::make_unique<Leap>();
  for (std::size_t bit = 0; bit < leap->image.size(); ++bit) {
    Rng unit(State{});
    unit.state_[bit / 64] = std::uint64_t{1} << (bit % 64);
    unit.jump();
    leap->image[bit] = unit.state_;
  }
  for (; times > 0; times >>= 1, leap->square())
    if (times & 1u) state_ = (*leap)(state_);
}

Rng::result_type Rng::operator()() { return next(state_); }

double Rng::uniform() { return next_uniform(state_); }

double Rng::normal() { return next_normal(state_); }

void Rng::normals(std::span<double> out) {
  State state = state_;  // in registers
  for (double& z : out) z = next_normal(state);
  state_ = state;
}

double Rng::exponential() { return next_exponential(state_); }

void Rng::jump() {  // advances by 2^128 draws
  static constexpr std::uint64_t kJump[] = {0x180ec6d33cfd0abaULL, 0xd5a61266f0c9392cULL, 0xa9582618e03fc9aaULL,
                                            0x39abdc4529b1661cULL};
  State next{};
  for (std::uint64_t word : kJump)
    for (int bit = 0; bit < 64; ++bit) {
      if (word & (1ULL << bit))
        for (int i = 0; i < 4; ++i) next[i] ^= state_[i];
      (*this)();
    }
  state_ = next;
}

}  // namespace fermiac
