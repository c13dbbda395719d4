// How long a run goes on that is to end when its draws suffice. Chains draw in rounds: after 100 iterations, 150, 225, … of each,
// all quantities are looked at. Rounds depend on the options alone, so the same seed gives the same draws, as many of them.
#pragma once

#include <string>

#include "inference/diagnostics/summary.h"
#include "inference/model/options.h"

namespace fermiac::inference {

/// R-hat of draws that suffice.
inline constexpr double kRhatEnough = 1.01;

/// What the draws are worth: the least bulk or tail ESS and the largest R-hat of all quantities. The sampler's own columns
/// do not count, nor do those that are constant or not finite, which have neither.
struct DrawsWorth {
  double ess = kInf, rhat = 1;
  std::string ess_of, rhat_of;  // CSV spelling; empty where no quantity has one
  std::string stuck;            // constant within every chain, but not the same in all
  bool enough(double target) const { return stuck.empty() && ess >= target && rhat <= kRhatEnough; }
};
/// Of chains of equal length. Cost: of their summary; columns are shared between `threads` threads (0: all).
DrawsWorth draws_worth(const ChainSet& chains, unsigned threads);

/// How many iterations the next round ends at, of `most`: half as many again as are done, or the first hundred draws.
unsigned next_round_end(unsigned done, unsigned thin, unsigned most);

/// Why a run ended that was to go on until its draws suffice.
struct RoundsEnd {
  enum class Limit { None, Samples, Time, Memory } limit = Limit::None;
  unsigned iterations = 0;  // of each chain
  DrawsWorth worth;
};
/// One line: `400 effective draws of every quantity after 337 iterations of each chain …`, or what kept it from that.
std::string rounds_in_words(const RoundsEnd& end, const SampleOptions& options);

}  // namespace fermiac::inference
