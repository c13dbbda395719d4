#include "interp/exec/runs/profile.h"

#include <algorithm>

#include "autodiff/tape/record/recorder.h"
#include "support/base/elapsed.h"

namespace fermiac::interp {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

void ProfileCost::add(const ProfileCost& other) {
  forward += other.forward;
  reverse += other.reverse;
  steps += other.steps;
  autodiff_calls += other.autodiff_calls;
  plain_calls += other.plain_calls;
}

Profile::Run::Run(Profile& profile, const std::string& name, const ad::Recorder* recorder)
    : profile_(profile),
      cost_(profile.costs_[name]),
      recorder_(recorder && recorder->evaluates() ? recorder : nullptr),
      first_(recorder_ ? recorder_->steps() : 0),
      start_(Clock::now()) {}

Profile::Run::~Run() {
  cost_.forward += seconds_since(start_);
  ++(recorder_ ? cost_.autodiff_calls : cost_.plain_calls);
  if (!recorder_) return;
  const std::size_t last = recorder_->steps();
  cost_.steps += last - first_;
  profile_.spans_.push_back({&cost_, first_, last});
}

void Profile::sweep(ad::Recorder& recorder) {
  std::vector<std::size_t> stops;
  for (const Span& span : spans_) stops.insert(stops.end(), {span.first, span.last});
  std::ranges::sort(stops, std::greater<>());
  std::size_t from = recorder.steps();
  for (const std::size_t stop : stops) {
    if (stop >= from) continue;
    const Clock::time_point start = Clock::now();
    recorder.sweep_to(stop);
    const double took = seconds_since(start);
    for (const Span& span : spans_)
      if (span.first <= stop && from <= span.last) span.cost->reverse += took;
    from = stop;
  }
}

}  // namespace fermiac::interp
