// Gradients of several chains at once (LaneEvaluator) from a tape that runs on lanes (autodiff/tape/replay/lanes.h).
//
// After some calls, when the chains replay a tape and what machine code it has is made, both ways are timed at the points of one
// call, and compared: together is what follows where it is faster and not a bit differs. Which tapes are tried: those that Lanes
// takes, of programs without branches on parameters, for these have one tape that serves all points.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "autodiff/tape/replay/lanes.h"
#include "inference/model/lane_evaluator.h"
#include "interp/model/tape_cache.h"

namespace fermiac::interp {

class LaneGradients final : public LaneEvaluator {
 public:
  /// `always`: faster or not.
  LaneGradients(const TapeCache& tapes, std::size_t parameters, bool always) : tapes_(tapes), parameters_(parameters), always_(always) {}

  std::size_t width() const override { return ad::Lanes::width(); }
  void gradients(std::span<const Point> points) override;
  bool pays(std::size_t points) const override;

 private:
  enum class State : std::uint8_t { Waiting, Known, Refused };
  static void one_by_one(std::span<const Point> points);
  void together(std::span<const Point> points);
  void settle(std::span<const Point> points);
  std::shared_ptr<const ad::Tape> tape() const;
  void compare(std::span<const Point> points);
  bool compare_once(std::span<const Point> points);

  const TapeCache& tapes_;
  std::size_t parameters_;
  bool always_;
  State state_ = State::Waiting;
  unsigned calls_ = 0;
  std::unique_ptr<ad::Lanes> lanes_;
  double alone_ = 0, together_ = 0;       // seconds of one point, and of all lanes
  std::vector<ad::Lanes::Point> batch_;
};

}  // namespace fermiac::interp
