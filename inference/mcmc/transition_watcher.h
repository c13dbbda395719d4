// Who looks on while a transition happens. Nobody does in a run; a replay looks at one (replay.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fermiac::inference {

struct PhasePoint;

/// Where a chain with samplers by block is: unconstrained values, and the ints that blocks sample.
struct SweepPoint {
  std::vector<double> q;
  std::vector<std::int32_t> ints;
};

class TransitionWatcher {
 public:
  /// Why the trajectory grew no further in this doubling, or that it did.
  enum class Doubling : unsigned char {
    Grown,     // and goes on, unless the tree is as deep as it may be
    Turned,    // with the new half it turns back: the last doubling
    Inside,    // the new half turned back within itself: it is not taken
    OneWay,    // from the new half a step back would be divided otherwise (walnuts.h): it is not taken
    Diverged,  // the new half left the true trajectory: it is not taken
    Stopped    // the stop flag was set
  };
  virtual ~TransitionWatcher() = default;
  /// Before the first step. `energy` is that of `z`, its momentum drawn.
  virtual void begins(const PhasePoint& z, double energy, double stepsize) = 0;
  /// After a leapfrog step, or a divided one as a whole, backward in time where `forward` is false. The momentum of `z` may be half a
  /// step further.
  virtual void steps(const PhasePoint& z, bool forward, double energy) = 0;
  /// After a doubling of the tree to `depth`; of static HMC none.
  virtual void doubles(int depth, bool forward, Doubling how) = 0;
  /// A block of samplers by block, by its number, is about to move; what is told before it has moved is told of its coordinates alone.
  virtual void block_begins(std::size_t, const SweepPoint&) {}
  /// The same block has moved; `accept` as its column has it.
  virtual void block_ends(const SweepPoint&, double /*accept*/) {}
};

}  // namespace fermiac::inference
