#include "autodiff/tape/record/nest.h"

#include <algorithm>

namespace fermiac::ad {
namespace {

constexpr std::uint32_t kLongLoop = 50'000;  // rounds: fewer are recorded op by op, which leaves more to the rewriting passes
constexpr double kLongNest = 300'000;        // … unless they are that many with those of short inner loops
constexpr std::uint32_t kMediumLoop = 256;   // … unless that many ops are recorded already, or those around it make it long
constexpr std::size_t kManyOps = 1'000'000;
constexpr std::uint32_t kShortLoop = 32;     // fewer make no column worth its price
constexpr std::uint64_t kRoundsPerFailure = 1000;

}  // namespace

LoopNest::Id LoopNest::begin(Site site, std::int64_t rounds) {
  if (rounds < 1 || rounds > Ref::kIndexes) return 0;
  History& history = histories_[site];
  const auto n = static_cast<std::uint32_t>(rounds);
  history.longest = std::max(history.longest, n);
  open_.push_back({.history = &history, .rounds = n});
  if (!history.unfit)
    for (std::size_t i = 0; i + 1 < open_.size(); ++i)
      open_[i].history->longest_inside = std::max(open_[i].history->longest_inside, n);
  estimate();
  return static_cast<Id>(open_.size());
}

LoopNest::Rounds LoopNest::repeated(std::uint32_t n, const Rounds& inside) {
  return {n * std::max(1.0, inside.all), (n < kShortLoop ? 1 : n) * std::max(1.0, inside.of_long)};
}

/// Whether the nest around the innermost loop is long altogether, if the rounds to come are like those so far.
void LoopNest::estimate() {
  Rounds rounds = repeated(open_.back().rounds, open_.back().history->inside);
  for (std::size_t i = open_.size() - 1; i-- > 0;) {
    const Open& loop = open_[i];
    const double seen = std::max(1u, loop.seen);
    rounds = repeated(loop.rounds, {(loop.inside.all + rounds.all) / seen, (loop.inside.of_long + rounds.of_long) / seen});
  }
  if (rounds.of_long >= kLongLoop || rounds.all >= kLongNest)
    for (Open& loop : open_) loop.long_nest = true;
}

void LoopNest::next_round(Id id) {
  Open& loop = open_[id - 1];
  ++loop.done;
  if (columns_ != id) ++loop.seen;
}

void LoopNest::end(Id id) {
  if (open_.size() < id) return;
  const Open loop = open_[id - 1];
  open_.resize(id - 1);
  if (loop.seen > 0) loop.history->inside = {loop.inside.all / loop.seen, loop.inside.of_long / loop.seen};
  if (open_.empty()) return;
  const Rounds rounds = repeated(loop.done, loop.history->inside);
  open_.back().inside.all += rounds.all;
  open_.back().inside.of_long += rounds.of_long;
}

bool LoopNest::outlasts(const Open& around, const Open& loop) const {
  const std::uint32_t n = std::max(loop.rounds, loop.history->longest);
  return !around.history->unfit && n < kMediumLoop && around.left() / 2 > n;
}

bool LoopNest::wants_columns(Id id, std::size_t ops) const {
  const Open& loop = open_[id - 1];
  if (columns_ != 0 || loop.history->unfit) return false;
  if (loop.left() >= kLongLoop || (loop.left() >= kMediumLoop && ops >= kManyOps)) return true;
  if (!loop.long_nest || loop.left() < kShortLoop) return false;
  const std::uint32_t inside = loop.history->longest_inside;
  if (inside >= kMediumLoop || loop.left() / 2 <= inside) return false;
  return std::none_of(open_.begin(), open_.begin() + (id - 1), [&](const Open& o) { return outlasts(o, loop); });
}

std::uint32_t LoopNest::start_columns(Id id) {
  Open& loop = open_[id - 1];
  --loop.seen;
  columns_ = id;
  columns_history_ = loop.history;
  const std::uint32_t run = loop.history->last_run;
  return run > 0 ? std::min(loop.left(), std::max(2 * run, kShortLoop)) : loop.left();
}

void LoopNest::stop_columns(std::uint32_t rounds, bool fits) {
  History& history = *columns_history_;
  columns_ = 0;
  history.collected += rounds;
  history.last_run = fits ? 0 : rounds;
  if (fits || rounds >= kShortLoop) return;
  history.unfit = ++history.short_runs > history.collected / kRoundsPerFailure;
  if (history.unfit)
    for (Open& loop : open_) loop.history->longest_inside = 0;
}

}  // namespace fermiac::ad
