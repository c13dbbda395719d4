// What a density called by `~`, as `_lupdf` or as `_lupmf` leaves out.
#pragma once

#include <cstdint>

namespace fermiac::ad {

/// Dropped are the summands in which no operand counts. Operands with derivatives count, and so do others that have them as far as
/// the program's text tells: a local variable of the model that only numbers were assigned to on this path. Without the latter two
/// paths would lose different summands, and target would be wrong by their difference.
class Propto {
 public:
  constexpr Propto(bool drops = false) : word_(drops ? kDrops : 0) {}  // NOLINT: yes and no mean what they say
  /// Bit j: operand j counts, with derivatives or without.
  static constexpr Propto counting(std::uint32_t operands) { return from_word(kDrops | operands); }
  static constexpr Propto from_word(std::uint32_t word) {
    Propto out;
    out.word_ = word;
    return out;
  }
  explicit constexpr operator bool() const { return word_ != 0; }
  constexpr std::uint32_t counted() const { return word_ & ~kDrops; }
  constexpr std::uint32_t word() const { return word_; }
  friend constexpr bool operator==(Propto, Propto) = default;

  static constexpr std::uint32_t kDrops = 1u << 31;

 private:
  std::uint32_t word_;
};

}  // namespace fermiac::ad
