// What an op of a trace gives elsewhere than where it was recorded.
#pragma once

#include <optional>

#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

/// Sum of the map over the op's elements with these terms, every number that carries derivatives being x; without x
/// where the recording was. Nothing outside the domain. For constants of densities: their rounding errors must not depend
/// on where a tape was recorded.
std::optional<double> sum_at(const Trace& trace, const Op& op, Keep keep, std::optional<double> x);

}  // namespace fermiac::ad
