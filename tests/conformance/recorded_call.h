// A call of a built-in function with arguments that carry derivatives, for checks that compare it with the plain call.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

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

}  // namespace fermiac::selfcheck
