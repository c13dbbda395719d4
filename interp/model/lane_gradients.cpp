#include "inference/math/vectors.h"
#include "interp/model/lane_gradients.h"
#include "support/base/elapsed.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>

namespace fermiac::interp {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kFirstCalls = 80;     // until tapes have their machine code
constexpr int kTrials = 8;               // of which the fastest counts
constexpr double kTrialSeconds = 0.01;
constexpr double kTurn = 5e-8;           // what waiting for the others costs a chain, in seconds
constexpr double kWorth = 2;             // times as fast: less is not seen in whole runs

/// Otherwise the point is evaluated alone, without a tape.
bool is_finite(const double* lp, std::span<const double> gradient) { return std::isfinite(*lp) && inference::all_finite(gradient); }
bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b)) || (a == 0 && b == 0); }

}  // namespace

void LaneGradients::gradients(std::span<const Point> points) {
  if (state_ == State::Waiting && ++calls_ >= kFirstCalls) settle(points);
  if (state_ == State::Known && pays(points.size())) together(points);
  else one_by_one(points);
}

bool LaneGradients::pays(std::size_t points) const {
  if (state_ != State::Known) return state_ == State::Waiting && points > 1;
  return always_ || static_cast<double>(points) * (alone_ - kTurn) > kWorth * together_;
}

void LaneGradients::one_by_one(std::span<const Point> points) {
  for (const Point& p : points) *p.status = p.alone->log_density_gradient(p.theta, {}, p.lp, p.gradient);
}

void LaneGradients::together(std::span<const Point> points) {
  batch_.clear();
  for (const Point& p : points) batch_.push_back({p.theta, p.lp, p.gradient});
  const std::uint64_t good = lanes_->gradients(batch_);
  for (std::size_t k = 0; k < points.size(); ++k) {
    if ((good >> k & 1u) && is_finite(points[k].lp, points[k].gradient)) *points[k].status = {};
    else one_by_one(points.subspan(k, 1));
  }
}

/// Null: there is none that serves all points, or it does not run on lanes. The chains make their tape themselves.
std::shared_ptr<const ad::Tape> LaneGradients::tape() const {
  const std::optional<RecordedTape> found = tapes_.general(TapeCache::index({}));
  return found && !found->guarded && ad::Lanes::fit(*found->tape) ? found->tape : nullptr;
}

void LaneGradients::settle(std::span<const Point> points) {
  const auto found = tape();
  state_ = found ? State::Known : State::Refused;
  if (!found) return;
  lanes_ = std::make_unique<ad::Lanes>(found);
  batch_.reserve(width());
  compare(points);
}

void LaneGradients::compare(std::span<const Point> points) {
  alone_ = together_ = std::numeric_limits<double>::infinity();
  const auto start = Clock::now();
  for (int i = 0; i < kTrials && (i == 0 || seconds_since(start) < kTrialSeconds); ++i) {
    if (compare_once(points)) continue;
    state_ = State::Refused;
    return;
  }
}

/// False: the numbers differ.
bool LaneGradients::compare_once(std::span<const Point> points) {
  const std::size_t n = parameters_;
  std::vector<double> numbers(points.size() * (n + 1));
  batch_.clear();
  for (std::size_t k = 0; k < points.size(); ++k) {
    double* const to = &numbers[k * (n + 1)];
    batch_.push_back({points[k].theta, to, {to + 1, n}});
  }
  const auto first = Clock::now();
  one_by_one(points);
  const auto second = Clock::now();
  const std::uint64_t good = lanes_->gradients(batch_);
  together_ = std::min(together_, seconds_since(second));
  alone_ = std::min(alone_, std::chrono::duration<double>(second - first).count() / static_cast<double>(points.size()));
  for (std::size_t k = 0; k < points.size(); ++k) {
    if ((good >> k & 1u) == 0 || !*points[k].status || !is_finite(batch_[k].lp, batch_[k].gradient)) continue;
    if (!same(*points[k].lp, *batch_[k].lp) || !std::ranges::equal(points[k].gradient, batch_[k].gradient, same)) return false;
  }
  return true;
}

}  // namespace fermiac::interp
