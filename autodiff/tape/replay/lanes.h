// One tape at several points at once, on the lanes of the instruction set (lane_sweep.h): the numbers of a lane are those of
// Workspace::gradient at its point, but for last bits of some maps (lane_sweep.h). Two to eight points cost little more than one where the tape consists of
// scalar operations and short vectors; long vectors fill the lanes by themselves.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "autodiff/tape/replay/lane_sweep.h"
#include "autodiff/tape/replay/tape.h"

namespace fermiac::ad {

class Lanes {
 public:
  /// How many points at most, of the instruction set in use.
  static std::uint32_t width();
  /// Whether there is a sweep for the tape: no weights, nothing on a device, no long vectors, and numbers of all points that fit into the second-level
  /// cache.
  static bool fit(const Tape& tape);

  /// Of a tape that fits.
  explicit Lanes(std::shared_ptr<const Tape> tape);
  ~Lanes();
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;

  struct Point {
    std::span<const double> theta;   // [parameters()]
    double* lp = nullptr;
    std::span<double> gradient;      // [parameters()]
  };
  /// Log densities and gradients at 1 to width() points. Bit k of the result: those of point k were computed; else it left the
  /// path of the recording or a domain, and Workspace::gradient says more. Allocates nothing.
  std::uint64_t gradients(std::span<const Point> points);
  /// Fills every result and adjoint with NaN. For tests.
  void poison();

 private:
  void bind();
  LaneBound bind(const TapeOp& op);
  void make_workspaces();
  void apart(const TapeOp& op, std::uint32_t vector, bool back);
  void apart(Workspace& w, std::uint32_t lane, const TapeOp& op, std::uint32_t vector, bool back);
  template <class Visit>
  void each_operand(const TapeOp& op, Visit visit) const;
  void set_points(std::span<const Point> points);

  std::shared_ptr<const Tape> tape_;
  AlignedNumbers numbers_;           // values, adjoints and scratch space
  std::size_t adjoints_ = 0;         // numbers from parameters on
  std::vector<LaneBound> bound_;
  /// For operations without a form for several points: each has its numbers in a workspace of its own.
  std::vector<std::unique_ptr<Workspace>> workspaces_;
  LaneSweep sweep_;
};

}  // namespace fermiac::ad
