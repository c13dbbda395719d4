// What evaluating an expression or running a statement does besides giving a value.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace fermiac::mir {

enum class Effect : std::uint8_t {
  Target,    // adds to the target, or reads it
  Jacobian,  // adds to the Jacobian
  Rng,       // draws random numbers
  Print,
  Reject,  // may refuse or stop the program because it says so
  Check,   // may stop the program because a size or a value is wrong
  Read,    // takes the next value of data or parameters
  Write    // puts the next value out
};

class Effects {
 public:
  constexpr Effects() = default;
  constexpr Effects(std::initializer_list<Effect> effects) {
    for (const Effect effect : effects) bits_ |= bit(effect);
  }
  constexpr bool has(Effect effect) const { return (bits_ & bit(effect)) != 0; }
  constexpr bool none() const { return bits_ == 0; }
  constexpr Effects without(Effect effect) const {
    Effects out = *this;
    out.bits_ = static_cast<std::uint8_t>(out.bits_ & ~bit(effect));
    return out;
  }
  constexpr Effects& operator|=(Effects other) {
    bits_ |= other.bits_;
    return *this;
  }
  friend constexpr Effects operator|(Effects a, Effects b) { return a |= b; }
  friend constexpr bool operator==(Effects, Effects) = default;

 private:
  static constexpr std::uint8_t bit(Effect effect) {
    return static_cast<std::uint8_t>(1u << static_cast<unsigned>(effect));
  }
  std::uint8_t bits_ = 0;
};

}  // namespace fermiac::mir
