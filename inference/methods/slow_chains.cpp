#include "inference/methods/slow_chains.h"

#include <cmath>

#include "inference/methods/slow_work.h"
#include "support/base/number_text.h"
#include "support/base/text.h"

namespace fermiac::inference {
namespace {

constexpr unsigned kFirstDraws = 10;

/// Many evaluations, or slow ones.
std::string reason(const PulseReading& at) {
  const std::string slow = slow_density(at.seconds / static_cast<double>(at.evaluations), at.evaluation.differential);
  if (!slow.empty()) return "A gradient takes " + slow + " where the chain is";
  if (std::isnan(at.stepsize)) return "";
  return "The step size is " + format_number(at.stepsize, 2) + ": where it is small, trees are deep and a draw takes many steps";
}

}  // namespace

std::string slow_text(const PulseReading& at) {
  std::string out = counted(at.iterations, "iteration") + " in " + format_number(std::round(at.seconds), 6) + " s";
  const std::string now = evaluation_text(at.evaluation, at.evaluations == 0);
  if (at.evaluations == 0)
    return out + ", " + now + (at.evaluation.differential ? ": the differential equations may be stiff at the first values; --init gives others\n" : "\n");
  if (at.finds_stepsize) out += ", searching for a step size: " + counted(at.evaluations, "gradient");
  else if (std::isnan(at.stepsize)) out += ", looking for a start: " + counted(at.evaluations, "gradient");
  else out += "; the next has " + counted(at.in_iteration, "leapfrog step") + " so far";
  out += (now.empty() ? "" : ", " + now) + ", log density " + format_number(at.lp, 4) + ". ";
  if (const std::string why = reason(at); !why.empty()) out += why + ".";
  while (out.ends_with(' ')) out.pop_back();
  return out + "\n";
}

SlowChains::SlowChains(Console& console, std::deque<Pulse>& chains, bool differential, double first_seconds)
    : console_(console), chains_(chains), differential_(differential), first_seconds_(first_seconds), seen_(chains.size()),
      watcher_(PeriodicTask::start_if_possible(kLookEvery, [this](double) {
        for (unsigned c = 0; c < seen_.size(); ++c) look(c, seen_[c]);
      })) {}

void SlowChains::look(unsigned chain, Seen& seen) {
  const Pulse& pulse = chains_[chain];
  const auto now = std::chrono::steady_clock::now();
  if (!pulse.running) return;
  if (!seen.running) seen = {.began = now, .next = first_seconds_, .running = true};
  PulseReading at{.iterations = pulse.iterations, .lp = pulse.lp, .stepsize = pulse.stepsize};
  at.seconds = std::chrono::duration<double>(now - seen.began).count();
  if (at.seconds < seen.next || at.iterations >= kFirstDraws) return;
  seen.next *= 2;
  at.evaluations = pulse.evaluations;
  at.finds_stepsize = pulse.finds_stepsize;
  at.evaluation = read_evaluation(pulse, differential_);
  const std::uint64_t before = pulse.before;
  at.in_iteration = at.evaluations > before ? at.evaluations - before : 0;
  console_.message(chain, slow_text(at));
}

}  // namespace fermiac::inference
