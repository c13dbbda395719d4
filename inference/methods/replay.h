// One transition of a run again, step by step. Draws follow from model, options, seed and chain alone, so the chain runs again, from
// its beginning or from its last state where that is earlier, up to the transition that somebody wants to look at.
#pragma once

#include <string>
#include <vector>

#include "inference/math/vectors.h"
#include "inference/mcmc/transition_watcher.h"
#include "inference/model/model.h"
#include "inference/model/options.h"
#include "inference/output/csv.h"

namespace fermiac::inference {

struct ReplayedStep {
  bool forward = true;
  double energy_error = 0;   // energy - that at the beginning; +inf where there is none
  double lp = 0;             // log density on the unconstrained scale, -inf where the model refuses the point
  Vec q;                     // unconstrained position, of all parameters
};

struct ReplayedDoubling {
  std::size_t steps = 0;     // leapfrog steps so far
  int depth = 0;
  bool forward = true;
  TransitionWatcher::Doubling how{};
};

/// One trajectory; of samplers by block one block's move, which is one or has none of this.
struct ReplayedMove {
  double lp = 0, energy = 0, stepsize = 0;  // where it starts
  std::vector<ReplayedStep> steps;
  std::vector<ReplayedDoubling> doublings;  // of NUTS
  SweepPoint start;
  std::size_t block = 0;                    // of samplers by block, which these are of:
  SweepPoint end;
  double end_lp = 0, accept = 0;            // `accept` as its column has it
};

struct ReplayedTransition {
  std::vector<ReplayedMove> moves;  // one; of samplers by block those of the sweep, in order
  std::vector<std::string> names;   // columns of the draw
  Vec row;                          // its values: sampler, then model
};

/// Which draw of a run: chain as its file is numbered, draw from 1 as its rows are, warm-up left out.
struct WhichDraw {
  unsigned chain = 1, draw = 1;
};

/// Runs chain `which.chain` of the run that these options (with its seed) belong to up to the draw. `state_path`: its last state, which
/// need not exist. Errors: there is no such chain or draw, the chain fails or is interrupted before, or nothing moves in it. Memory: a
/// position for each leapfrog step.
Status replay(const Model& model, SampleOptions options, WhichDraw which, const std::string& state_path, const std::atomic<bool>* stop,
              ReplayedTransition* out);

/// Whether the draw is that of its chain's file, number by number with the digits that the file has. Errors: it is not, and where; the
/// file has no such draw.
Status compare_with_file(const ReplayedTransition& replayed, const CsvDraws& file, unsigned draw, int sig_figs);

}  // namespace fermiac::inference
