// How much a term of target counts. An op that adds to target names its weight; a workspace may change what the settable ones
// are between replays (Workspace::set_weights), the others are constants.
#pragma once

#include <cstdint>

namespace fermiac::ad {

/// kOne, or a row of Trace::weights from 1 on.
enum class Weight : std::uint32_t {};
inline constexpr Weight kOne{0};
constexpr std::uint32_t index_of(Weight weight) { return static_cast<std::uint32_t>(weight); }

struct WeightRow {
  double value = 1;     // at the recording point
  double constant = 0;  // terms of target with this weight that depend on no parameter, before weighting
};

}  // namespace fermiac::ad
