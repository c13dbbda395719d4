#include "support/rng.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "support/polar_normals.h"

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

/// 2 uniform - 1 in units of 2^-52, an odd number. In these units all that is done with it rounds as it does without.
[[gnu::always_inline]] inline double next_coordinate(Rng::State& s) {
  return static_cast<double>(static_cast<std::int64_t>(next(s) >> 11 | 1) - (std::int64_t{1} << 52));
}

/// A point of the square around the origin, as its first coordinate and the square of its distance, which is never 0.
struct Candidate {
  double u, s;
  bool inside() const { return s < 0x1.0p104; }  // of the disc
  double normal() const {
    const double square = s * 0x1.0p-104;
    return u * 0x1.0p-52 * std::sqrt(-2 * std::log(square) / square);
  }
};

[[gnu::always_inline]] inline Candidate next_candidate(Rng::State& state) {
  const double u = next_coordinate(state);
  const double v = next_coordinate(state);
  return {u, u * u + v * v};
}

/// The first n points. A candidate that is refused is written over by the next one: no branch, for nobody can foretell it.
void fill(Rng::State& state, std::size_t n, DiscPoints& out) {
  for (std::size_t kept = 0; kept < n;) {
    const Candidate c = next_candidate(state);
    out.u[kept] = c.u;
    out.s[kept] = c.s;
    kept += c.inside();
  }
}

/// u of the first n points become normals.
void finish_few(DiscPoints& points, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) points.u[i] = Candidate{points.u[i], points.s[i]}.normal();
}
void finish_many(DiscPoints& points, std::size_t n) {
  const std::size_t whole = (n + DiscPoints::kLanes - 1) / DiscPoints::kLanes * DiscPoints::kLanes;
  std::fill(points.u.begin() + n, points.u.begin() + whole, 0.0);
  std::fill(points.s.begin() + n, points.s.begin() + whole, 0x1p103);
  polar_normals()(points, whole);
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

double Rng::normal() {
  State state = state_;  // in registers
  Candidate c{};
  do c = next_candidate(state);
  while (!c.inside());
  state_ = state;
  return c.normal();
}

void Rng::normals(std::span<double> out) {
  const auto finish = out.size() < kMany ? finish_few : finish_many;
  DiscPoints points;
  State state = state_;
  for (std::size_t n; !out.empty(); out = out.subspan(n)) {
    n = std::min(DiscPoints::kMost, out.size());
    fill(state, n, points);
    finish(points, n);
    std::copy_n(points.u.begin(), n, out.begin());
  }
  state_ = state;
}

double Rng::exponential() {
  return -std::log(uniform());
}

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
