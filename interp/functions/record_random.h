// Draws on a tape. The generator goes along: every draw is a call that takes its state and gives the next one with what it
// drew, so that no pass can change their order. A state is kRandomState numbers, 32 bits each.
#pragma once

#include <cstdint>

#include "interp/functions/builtin_tools.h"
#include "support/base/rng.h"

namespace fermiac::interp {

inline constexpr std::uint32_t kRandomState = 8;
void put_state(const Rng& rng, double* numbers);
Rng rng_of_state(const double* numbers);

/// Number of draws: the size that all containers agree on. A SizeError where they do not.
std::uint32_t draws_wanted(std::string_view name, Args args);

/// Reals, even where the function gives ints. Moves context.random on.
Value record_rng(CallContext& context, const ad::RngOp& op, Args args);
Value record_rng(CallContext& context, const ad::MultiRng& op, Args args);

}  // namespace fermiac::interp
