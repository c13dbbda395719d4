// Sets of small numbers, as data-flow analyses combine them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fermiac::mir {

class Bits {
 public:
  explicit Bits(std::size_t size = 0, bool value = false) : words_((size + 63) / 64, value ? ~std::uint64_t{0} : 0) {}
  void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void reset(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  bool test(std::size_t i) const { return (words_[i / 64] >> (i % 64)) & 1; }
  friend bool operator==(const Bits&, const Bits&) = default;
  Bits& operator|=(const Bits& other) {
    return combine(other, [](auto a, auto b) { return a | b; });
  }
  Bits& operator&=(const Bits& other) {
    return combine(other, [](auto a, auto b) { return a & b; });
  }
  Bits& operator-=(const Bits& other) {
    return combine(other, [](auto a, auto b) { return a & ~b; });
  }
  friend Bits operator|(Bits a, const Bits& b) { return a |= b; }
  friend Bits operator&(Bits a, const Bits& b) { return a &= b; }
  friend Bits operator-(Bits a, const Bits& b) { return a -= b; }

 private:
  template <class Fn>
  Bits& combine(const Bits& other, Fn fn) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] = fn(words_[i], other.words_[i]);
    return *this;
  }
  std::vector<std::uint64_t> words_;
};

/// Meets of facts that are sets: what holds on every path, and what holds on some.
struct Intersection {
  void operator()(Bits& into, const Bits& other) const { into &= other; }
};
struct Union {
  void operator()(Bits& into, const Bits& other) const { into |= other; }
};

}  // namespace fermiac::mir
