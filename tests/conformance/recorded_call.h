// A call of a built-in function with arguments that carry derivatives, for checks that compare it with the plain call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "autodiff/kernels/map_op.h"
#include "interp/functions/functions.h"
#include "interp/value/value.h"
#include "tests/conformance/names.h"

namespace fermiac::selfcheck {

/// Copies of plain `args`, those of `mask` (bit j: argument j) as references to the parameters `theta` of a recording,
/// which get their numbers in order. Ints and tuples stay as they are.
std::vector<Value> as_parameters(const std::vector<Value>& args, unsigned mask, std::vector<double>& theta);

/// Weight of number k of a result in the sums below: signs and sizes differ, so that mistakes do not cancel.
double result_weight(std::size_t k);

/// target += Σ weight(k) result_k over the numbers of a recorded result that carry derivatives.
void record_weighted_sum(CallContext& context, const Value& result);
void record_weighted_sum(CallContext& context, const Value& result, std::span<const double> weights);

/// The numbers of a result at the recording point, tuples slot by slot.
Value plain_numbers(const CallContext& context, const Value& v);

// A map of scalars applied by its vector loops to copies of them, without values, recordings and tapes in between.

/// Whether there is a map of this name that takes these arguments: real or int scalars.
bool runs_in_lanes(std::string_view name, const std::vector<Value>& args);

struct InLanes {
  std::vector<double> values;                  // of the summing loops: a mean over the lanes
  std::vector<std::vector<double>> gradients;  // by lane, of the operands in `mask`
};

/// Throws as the map does. Bit j of `mask`: operand j carries derivatives.
InLanes run_in_lanes(std::string_view name, const std::vector<Value>& args, unsigned mask, bool propto);

}  // namespace fermiac::selfcheck
