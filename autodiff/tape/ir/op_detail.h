// What some kinds of ops say besides map, operands and results: a byte each, one type per meaning. They share a
// union, so making one leaves its bits as they are: value-initialise it. All zeros says nothing.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

#include "autodiff/ops/list.h"

namespace fermiac::ad {

/// Of a guard: how it compares, and what came out when it was recorded.
class GuardTest {
 public:
  constexpr GuardTest() = default;
  constexpr GuardTest(Compare compare, bool outcome)
      : bits_(static_cast<std::uint8_t>(static_cast<unsigned>(compare) << 1 | (outcome ? 1u : 0u))) {}
  constexpr Compare compare() const { return static_cast<Compare>(bits_ >> 1); }
  constexpr bool outcome() const { return (bits_ & 1u) != 0; }
  /// For hashes.
  constexpr std::uint64_t code() const { return bits_; }
  friend constexpr auto operator<=>(GuardTest, GuardTest) = default;

 private:
  std::uint8_t bits_;
};

/// Of a tiled op (tiles.h): which operands, and whether the result, are local vectors, known by their numbers.
class LocalVectors {
 public:
  constexpr bool has_operand(int j) const { return (bits_ >> j & 1u) != 0; }
  constexpr bool has_result() const { return (bits_ & kResult) != 0; }
  constexpr void add_operand(int j) { bits_ |= static_cast<std::uint8_t>(1u << j); }
  constexpr void add_result() { bits_ |= kResult; }

 private:
  static constexpr std::uint8_t kResult = 0x80;
  std::uint8_t bits_;
};

/// Of a gather in a tape: how its adjoints go back (gathers.h). Number by number unless it says otherwise.
class ScatterPlan {
 public:
  constexpr ScatterPlan() = default;
  static constexpr ScatterPlan by_runs() { return ScatterPlan(kByRuns); }
  static constexpr ScatterPlan from_few(std::size_t sources) { return ScatterPlan(static_cast<std::uint8_t>(sources)); }
  constexpr bool is_by_runs() const { return bits_ == kByRuns; }
  /// How many sources there are, if they are few.
  constexpr std::uint32_t sources() const { return is_by_runs() ? 0 : bits_; }

 private:
  static constexpr std::uint8_t kByRuns = 0xff;
  explicit constexpr ScatterPlan(std::uint8_t bits) : bits_(bits) {}
  std::uint8_t bits_;
};

}  // namespace fermiac::ad
