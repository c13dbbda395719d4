// A map of scalars applied by its vector loops to copies of them, without values, recordings and tapes in between.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "autodiff/kernels/map_op.h"
#include "interp/value/value.h"
#include "tests/conformance/names.h"

namespace fermiac::selfcheck {

/// Whether there is a map of this name that takes these arguments: real or int scalars.
bool runs_in_lanes(std::string_view name, const std::vector<Value>& args);

struct InLanes {
  std::vector<double> values;                  // of the summing loops: a mean over the lanes
  std::vector<std::vector<double>> gradients;  // by lane, of the operands in `mask`
};

/// Throws as the map does. Bit j of `mask`: operand j carries derivatives.
InLanes run_in_lanes(std::string_view name, const std::vector<Value>& args, unsigned mask, bool propto);

}  // namespace fermiac::selfcheck
