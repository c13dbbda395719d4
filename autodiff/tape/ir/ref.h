// How a trace names a number: a slot, which a parameter or a result has (parameters first, then results), an interned
// constant scalar, or an element of a constant vector, a contiguous copy of data. Elements of a block have consecutive
// names, so `first + k` is the k-th number behind `first`.
//
// A Ref is no index: where its number lies is known when the tape is laid out (tape.h), and until then one has to ask
// which kind it is before index() says anything.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

#include "autodiff/tape/ir/weight.h"

namespace fermiac::ad {

class Ref {
 public:
  /// Indexes are below this (check_addressable).
  static constexpr std::uint32_t kIndexes = 0x3fffffffu;

  /// Slot 0.
  constexpr Ref() = default;
  static constexpr Ref slot(std::size_t index) { return Ref(static_cast<std::uint32_t>(index)); }
  static constexpr Ref const_scalar(std::size_t index) { return Ref(kScalar | static_cast<std::uint32_t>(index)); }
  static constexpr Ref const_vector(std::size_t index) { return Ref(kVector | static_cast<std::uint32_t>(index)); }
  /// In the place of a result, of an op that adds to target. Names no number.
  static constexpr Ref weight(Weight w) { return Ref(kWeight | index_of(w)); }
  /// Names no number of any trace.
  static constexpr Ref none() { return Ref(kVector | kIndexes); }

  constexpr bool is_constant() const { return (bits_ & kScalar) != 0; }
  /// An element of one: those have no adjoints.
  constexpr bool is_const_vector() const { return (bits_ & kVector) == kVector; }
  /// Among the numbers of its kind.
  constexpr std::uint32_t index() const { return bits_ & kIndexes; }

  /// kOne of everything that weight() did not make.
  constexpr Weight as_weight() const { return (bits_ & kVector) == kWeight ? Weight{index()} : kOne; }

  /// All of it: for hashes, and for ops that keep other numbers in the place of a Ref.
  constexpr std::uint32_t bits() const { return bits_; }
  static constexpr Ref from_bits(std::uint32_t bits) { return Ref(bits); }

  // ---- elements of a block

  constexpr Ref& operator+=(std::uint32_t k) { return bits_ += k, *this; }
  constexpr Ref& operator++() { return *this += 1; }
  friend constexpr Ref operator+(Ref first, std::uint32_t k) { return first += k; }
  /// How far behind `first` it stands; more than any block is long if they are not of one kind.
  friend constexpr std::uint32_t operator-(Ref r, Ref first) { return r.bits_ - first.bits_; }
  /// Slots first, in the order of their indexes, then constant scalars, then constant vectors.
  friend constexpr auto operator<=>(Ref, Ref) = default;

 private:
  static constexpr std::uint32_t kWeight = 0x40000000u, kScalar = 0x80000000u, kVector = 0xc0000000u;
  explicit constexpr Ref(std::uint32_t bits) : bits_(bits) {}

  std::uint32_t bits_ = 0;
};
static_assert(sizeof(Ref) == 4 && std::is_trivially_copyable_v<Ref>);

}  // namespace fermiac::ad

template <>
struct std::hash<fermiac::ad::Ref> {
  std::size_t operator()(fermiac::ad::Ref r) const noexcept { return r.bits(); }
};
