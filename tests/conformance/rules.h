// Why a case may pass although not all of its numbers are compared with those of the file as they stand there: every
// leniency has a name, and a report counts the cases that needed it.
#pragma once

#include <cstdint>
#include <string_view>

namespace fermiac::selfcheck {

enum class Rule : std::uint8_t {
  SuspectValue,
  SuspectGradient,
  ErrorOrValue,
  IntResult,
  RoundedProbability,
  LaneRounding,
  UnfusedProduct,
  NanInFile,
  InfiniteInFile,
  ValueNotFinite,
  NoGradientRequired,
  UniqueUpToSign,
  UniqueUpToPhase,
  MirroredGradient,
  RaggedArray,
  Cancellation,
  SampleMean,
  HeavyTail,
  kCount
};

struct RuleText {
  std::string_view name, meaning;
};
RuleText rule_text(Rule rule);

/// Those that one case needed.
class Rules {
 public:
  void note(Rule rule) { bits_ |= 1u << static_cast<unsigned>(rule); }
  bool has(Rule rule) const { return (bits_ >> static_cast<unsigned>(rule) & 1u) != 0; }

 private:
  std::uint32_t bits_ = 0;
};

}  // namespace fermiac::selfcheck
