#include "autodiff/parallel/shard_parts.h"

#include <algorithm>

#include "autodiff/kernels/pieces.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

constexpr std::size_t kMaxPaths = 256;    // of one part; a part that takes more makes the outer tape be recorded anew
constexpr std::size_t kMostWaiting = 32;  // lanes of a part that wait for a reverse sweep, which may never come

void require_ok(const ReplayStatus& status) {
  if (status.kind == ReplayStatus::Kind::DomainError) throw DomainError(status.message);
  if (status.kind == ReplayStatus::Kind::FatalError) throw FatalError(status.message);
}

}  // namespace

void each_part(std::size_t count, const std::function<void(std::size_t)>& body) {
  std::vector<std::exception_ptr> errors(count);
  auto caught = [&](std::uint32_t i) {
    try {
      body(i);
    } catch (...) {
      errors[i] = std::current_exception();
    }
  };
  each_piece(static_cast<std::uint32_t>(count), caught);
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

std::vector<ShardRecording> record_all(const ShardSources& sources, std::span<const double> x) {
  std::vector<ShardRecording> out(sources.size());
  each_part(sources.size(), [&](std::uint32_t i) { out[i] = sources[i]->record(x); });
  return out;
}

/// Evaluations of one part that nobody needs at the moment. One that has computed several results keeps the numbers for
/// the reverse sweep of the workspace that asked for them, under a mark that the workspace remembers.
class ShardParts::Lanes {
 public:
  /// The lane with this mark, or null if it was needed elsewhere.
  std::unique_ptr<Lane> claim(double mark) {
    const std::lock_guard lock(mutex_);
    const auto it = std::ranges::find(waiting_, mark, &Waiting::mark);
    return it == waiting_.end() ? nullptr : remove(it);
  }
  /// That lane if it waits, else any; null if there is none.
  std::unique_ptr<Lane> take(double mark) {
    const std::lock_guard lock(mutex_);
    if (const auto it = std::ranges::find(waiting_, mark, &Waiting::mark); it != waiting_.end()) return remove(it);
    if (free_.empty()) return waiting_.size() < kMostWaiting ? nullptr : remove(waiting_.begin());
    std::unique_ptr<Lane> lane = std::move(free_.back());
    free_.pop_back();
    return lane;
  }
  void give_back(std::unique_ptr<Lane> lane) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(lane));
  }
  /// Returns a mark that no lane had before.
  double wait(std::unique_ptr<Lane> lane) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({++last_mark_, std::move(lane)});
    return last_mark_;
  }

 private:
  struct Waiting {
    double mark;
    std::unique_ptr<Lane> lane;
  };
  std::unique_ptr<Lane> remove(std::vector<Waiting>::iterator it) {
    std::unique_ptr<Lane> lane = std::move(it->lane);
    waiting_.erase(it);
    return lane;
  }
  std::mutex mutex_;
  std::vector<std::unique_ptr<Lane>> free_;
  std::vector<Waiting> waiting_;  // the longest first
  double last_mark_ = 0;
};

/// The paths of one part that are known, and its lanes.
struct ShardParts::Part {
  Part(std::shared_ptr<const ShardSource> s, ShardPath first) : source(std::move(s)), outputs(first.outputs) {
    paths.push_back(std::move(first));
  }

  /// Path k, or null if there are not so many. Paths stay where they are.
  const ShardPath* path(std::size_t k) const {
    const std::lock_guard lock(mutex);
    return k < paths.size() ? &paths[k] : nullptr;
  }
  void add(std::span<const double> x) const {
    ShardRecording recording = source->record(x);
    if (recording.error) std::rethrow_exception(recording.error);
    // The outer tape is recorded anew after each of these. What is printed must be printed every time, say, which a
    // replay would not do.
    if (!recording.printed.empty()) throw DomainError("a part of the work prints");
    if (recording.path.outputs != outputs) throw DomainError("a part of the work has another number of results");
    const std::lock_guard lock(mutex);
    if (paths.size() >= kMaxPaths) throw DomainError("a part of the work takes a new path at every point");
    paths.push_back(std::move(recording.path));
  }

  std::shared_ptr<const ShardSource> source;
  std::uint32_t outputs;
  mutable std::mutex mutex;
  mutable std::deque<ShardPath> paths;
  mutable Lanes lanes;
};

/// One thread's evaluations of one part.
class ShardParts::Lane {
 public:
  explicit Lane(const Part& part) : part_(part) {}

  /// Value and gradient of a density. Returns the path that was taken.
  std::size_t gradient(std::span<const double> x, double* value) {
    return take_path(x, [&](Workspace& w, std::span<const double> theta) {
      slopes.resize(theta.size());
      return w.gradient(theta, value, slopes);
    });
  }
  std::size_t outputs(std::span<const double> x, std::span<double> out) {
    return take_path(x, [&](Workspace& w, std::span<const double> theta) { return w.outputs(theta, out); });
  }
  /// Behind outputs(). Returns the path that outputs() took.
  std::size_t pull_back(std::span<const double> seed) {
    slopes.resize(workspaces_[last_]->tape().parameters());
    workspaces_[last_]->pull_back(seed, slopes);
    return last_;
  }
  std::vector<double> slopes;

 private:
  template <class Replay>
  std::size_t take_path(std::span<const double> x, Replay replay) {
    part_.source->poll();
    const auto runs = [&](std::size_t k, const ShardPath& path) {
      if (k >= workspaces_.size()) workspaces_.resize(k + 1);
      if (!workspaces_[k]) workspaces_[k] = std::make_unique<Workspace>(path.tape);
      theta_.resize(path.used.size());
      for (std::size_t i = 0; i < theta_.size(); ++i) theta_[i] = x[path.used[i]];
      const ReplayStatus status = replay(*workspaces_[k], theta_);
      require_ok(status);
      return status.kind == ReplayStatus::Kind::Ok;
    };
    if (const ShardPath* last = part_.path(last_); last && runs(last_, *last)) return last_;
    for (std::size_t k = 0;; ++k) {
      if (k == last_) continue;
      if (!part_.path(k)) part_.add(x);
      if (runs(k, *part_.path(k))) return last_ = k;
    }
  }

  const Part& part_;
  std::vector<std::unique_ptr<Workspace>> workspaces_;
  std::vector<double> theta_;
  std::size_t last_ = 0;
};

ShardParts::ShardParts(const ShardSources& sources, std::vector<ShardRecording> recordings) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    ShardPath& path = recordings[i].path;
    const auto used = static_cast<std::uint32_t>(path.used.size());
    places_.push_back(PartPlace::behind(results_, scratch_, path.outputs, used));
    results_ += path.outputs;
    scratch_ += places_.back().scratch();
    parts_.push_back(std::make_unique<Part>(sources[i], std::move(path)));
  }
}

ShardParts::~ShardParts() = default;

const std::vector<std::uint32_t>& ShardParts::used(std::size_t part, std::size_t path) const {
  return parts_[part]->path(path)->used;
}

void ShardParts::evaluate(std::size_t part, std::span<const double> x, double* results, double* scratch) const {
  const Part& p = *parts_[part];
  const PartPlace& place = places_[part];
  double* to = scratch + place.scratch_at;
  std::unique_ptr<Lane> lane = p.lanes.take(*to);
  if (!lane) lane = std::make_unique<Lane>(p);
  if (p.outputs != 1) {
    lane->outputs(x, {results + place.results_at, p.outputs});
    *to = p.lanes.wait(std::move(lane));
    return;
  }
  const std::size_t path = lane->gradient(x, results + place.results_at);
  const bool fits = lane->slopes.size() <= place.slopes;
  *to = fits ? static_cast<double>(path) : -1;
  if (fits) std::ranges::copy(lane->slopes, to + 1);
  p.lanes.give_back(std::move(lane));
}

void ShardParts::finish_forward(Ticket, std::span<const double> x, double* results, double* scratch) const {
  each_part(parts_.size(), [&](std::uint32_t i) { evaluate(i, x, results, scratch); });
}

/// Evaluates once more where the numbers of the forward sweep are gone.
ShardParts::Slopes ShardParts::pull_back(std::size_t part, double mark, std::span<const double> x,
                                         const double* seeds) const {
  const Part& p = *parts_[part];
  std::unique_ptr<Lane> lane = p.lanes.claim(mark);
  const bool evaluated = lane != nullptr;
  if (!lane) lane = p.lanes.take(mark);
  if (!lane) lane = std::make_unique<Lane>(p);
  Slopes out{};
  std::vector<double> results(p.outputs);
  if (p.outputs == 1) {
    out.path = lane->gradient(x, results.data());
    for (double& slope : lane->slopes) slope *= *seeds;
  } else {
    if (!evaluated) lane->outputs(x, results);
    out.path = lane->pull_back({seeds, p.outputs});
  }
  out.slopes = lane->slopes;
  p.lanes.give_back(std::move(lane));
  return out;
}

std::vector<PartSlopes> ShardParts::finish_reverse(Ticket, std::span<const double> x, const double* seeds,
                                                   const double* scratch) const {
  std::vector<PartSlopes> out(parts_.size());
  const auto one = [&](std::size_t i) {
    const PartPlace& place = places_[i];
    const double* at = scratch + place.scratch_at;
    if (place.kept(scratch)) {
      out[i] = {.used = used(i, static_cast<std::size_t>(*at)), .kept = at + 1, .scale = seeds[place.results_at]};
    } else {
      Slopes slopes = pull_back(i, *at, x, seeds + place.results_at);
      out[i] = {.used = used(i, slopes.path), .again = std::move(slopes.slopes)};
    }
  };
  if (std::ranges::all_of(places_, [&](const PartPlace& p) { return p.kept(scratch); }))
    for (std::size_t i = 0; i < parts_.size(); ++i) one(i);
  else
    each_part(parts_.size(), one);
  return out;
}

}  // namespace fermiac::ad
