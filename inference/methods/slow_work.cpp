#include "inference/methods/slow_work.h"

#include <cmath>

#include "support/base/number_text.h"

namespace fermiac::inference {
namespace {

constexpr double kSlow = 0.02;  // seconds: as long as thousands of what an ordinary model takes

std::string progress(const WorkReading& at) {
  std::string out = at.what + ": ";
  if (at.total > 0) out += std::to_string(at.done) + " of " + std::to_string(at.total) + " in ";
  else if (at.evaluations > 0) out += std::to_string(at.evaluations) + (at.evaluations == 1 ? " log density in " : " log densities in ");
  out += format_number(std::round(at.seconds), 6) + " s";
  if (at.done == 0 || at.total <= at.done) return out;
  const double left = at.seconds / static_cast<double>(at.done) * static_cast<double>(at.total - at.done);
  return out + ", about " + format_number(std::round(left), 6) + " s to go";
}

}  // namespace

EvaluationReading read_evaluation(const Pulse& pulse, bool differential) {
  return {.stage = pulse.evaluation.stage, .operations = pulse.evaluation.operations, .differential = differential};
}

std::string evaluation_text(const EvaluationReading& at, bool first) {
  using Stage = EvaluationProgress::Stage;
  switch (at.stage) {
    case Stage::Recording: return "recording the program's operations, " + std::to_string(at.operations) + " so far";
    case Stage::Rewriting: return "rewriting the program's " + std::to_string(at.operations) + " recorded operations";
    case Stage::Evaluating: break;
  }
  return first ? "evaluating the log density the first time" : "";
}

std::string slow_density(double seconds_each, bool differential) {
  if (seconds_each < kSlow) return "";
  return format_number(seconds_each, 2) + " s" + (differential ? ": the differential equations may be stiff" : "");
}

std::string slow_text(const WorkReading& at) {
  std::string out = progress(at);
  const std::string now = evaluation_text(at.evaluation, at.evaluations == 0);
  out += now.empty() ? "" : ", " + now;
  if (at.evaluations == 0) return out + (at.evaluation.differential ? ": the differential equations may be stiff there\n" : "\n");
  const std::string slow = slow_density(at.seconds / static_cast<double>(at.evaluations), at.evaluation.differential);
  return out + (slow.empty() ? "" : ". A log density takes " + slow + " there.") + "\n";
}

SlowWork::SlowWork(Target& target, std::string what, std::size_t total, Say say, double first_seconds)
    : target_(target),
      at_{.what = std::move(what), .total = total},
      say_(std::move(say)),
      next_(first_seconds),
      evaluations_before_(target.evaluations()),
      differential_(target.model().solves_differential_equations()),
      watcher_(PeriodicTask::start_if_possible(kLookEvery, [this](double) { look(); })) {
  pulse_.evaluations = evaluations_before_;
  target_.set_pulse(&pulse_);
}

void SlowWork::look() {
  at_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  if (at_.seconds < next_) return;
  next_ *= 2;
  at_.done = pulse_.iterations;
  const std::uint64_t evaluations = pulse_.evaluations;
  at_.evaluations = evaluations > evaluations_before_ ? evaluations - evaluations_before_ : 0;
  at_.evaluation = read_evaluation(pulse_, differential_);
  say_(slow_text(at_));
}

}  // namespace fermiac::inference
