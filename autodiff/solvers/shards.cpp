#include "autodiff/solvers/shards.h"

#include <algorithm>
#include <ranges>

#include "autodiff/errors.h"
#include "autodiff/kernels/pieces.h"
#include "autodiff/tape/passes.h"

namespace fermiac::ad {
namespace {

constexpr std::size_t kMaxPaths = 256;     // of one part; a part that takes more makes the outer tape be recorded anew
constexpr std::size_t kWorkOfACall = 512;  // of a kernel, which may be anything

/// Runs body(i) for every part, in parallel; throws what the first part that failed has thrown.
template <class Body>
void each_part(std::size_t count, Body body) {
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

void require_ok(const ReplayStatus& status) {
  if (status.kind == ReplayStatus::Kind::DomainError) throw DomainError(status.message);
  if (status.kind == ReplayStatus::Kind::FatalError) throw FatalError(status.message);
}

}  // namespace

/// The paths of one part that are known, and lanes that nobody uses at the moment.
struct Shards::Shared {
  Shared(std::shared_ptr<const ShardSource> s, ShardPath first) : source(std::move(s)), outputs(first.outputs) {
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
  mutable Pool<Lane> lanes;
};

/// One thread's evaluations of one part.
class Shards::Lane {
 public:
  explicit Lane(const Shared& shared) : shared_(shared) {}

  /// Value and gradient of a density. Returns the path that was taken.
  std::size_t gradient(std::span<const double> x, double* value, std::vector<double>& slopes) {
    return take_path(x, [&](Workspace& w, std::span<const double> theta) {
      slopes.resize(theta.size());
      return w.gradient(theta, value, slopes);
    });
  }
  std::size_t outputs(std::span<const double> x, std::span<double> out) {
    return take_path(x, [&](Workspace& w, std::span<const double> theta) { return w.outputs(theta, out); });
  }
  /// Behind outputs().
  void pull_back(std::size_t path, std::span<const double> seed, std::vector<double>& slopes) {
    slopes.resize(workspaces_[path]->tape().parameters());
    workspaces_[path]->pull_back(seed, slopes);
  }
  std::vector<double> slopes;  // room

 private:
  template <class Replay>
  std::size_t take_path(std::span<const double> x, Replay replay) {
    shared_.source->poll();
    const auto runs = [&](std::size_t k, const ShardPath& path) {
      if (k >= workspaces_.size()) workspaces_.resize(k + 1);
      if (!workspaces_[k]) workspaces_[k] = std::make_unique<Workspace>(path.tape);
      theta_.resize(path.used.size());
      for (std::size_t i = 0; i < theta_.size(); ++i) theta_[i] = x[path.used[i]];
      const ReplayStatus status = replay(*workspaces_[k], theta_);
      require_ok(status);
      return status.kind == ReplayStatus::Kind::Ok;
    };
    if (const ShardPath* last = shared_.path(last_); last && runs(last_, *last)) return last_;
    for (std::size_t k = 0;; ++k) {
      if (k == last_) continue;
      if (!shared_.path(k)) shared_.add(x);
      if (runs(k, *shared_.path(k))) return last_ = k;
    }
  }

  const Shared& shared_;
  std::vector<std::unique_ptr<Workspace>> workspaces_;
  std::vector<double> theta_;
  std::size_t last_ = 0;
};

// Scratch of a part with one result: the path that was taken, then the gradient at it; a path with a longer gradient
// than the first is evaluated once more by the reverse sweep. With several results the reverse sweep evaluates anyway.
Shards::Shards(const Sources& sources, Join join, std::vector<ShardRecording> recordings) : join_(join) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    ShardPath& path = recordings[i].path;
    where_.push_back({outputs_, scratch_});
    outputs_ += path.outputs;
    scratch_ += path.outputs == 1 ? static_cast<std::uint32_t>(path.used.size()) + 2 : 0;
    parts_.push_back(std::make_unique<Shared>(sources[i], std::move(path)));
  }
}

Shards::~Shards() = default;

Plan Shards::plan(const KernelCall&) const {
  return {join_ == Join::Sum ? Shape::scalar() : Shape::vector(outputs_), scratch_};
}

void Shards::evaluate(std::size_t part, const KernelCall& call) const {
  const Shared& shared = *parts_[part];
  const std::span<const double> x{call.in[0].v, call.in[0].shape.size()};
  auto lane = shared.lanes.take([&] { return std::make_unique<Lane>(shared); });
  if (shared.outputs != 1) {
    lane->outputs(x, {call.out + where_[part].out, shared.outputs});
  } else {
    double* to = call.scratch + where_[part].scratch;
    const std::size_t path = lane->gradient(x, to, lane->slopes);
    const bool fits = lane->slopes.size() <= shared.path(0)->used.size();
    to[1] = fits ? static_cast<double>(path) : -1;
    if (fits) std::ranges::copy(lane->slopes, to + 2);
  }
  shared.lanes.give_back(std::move(lane));
}

void Shards::forward(const KernelCall& call) const {
  each_part(parts_.size(), [&](std::uint32_t i) { evaluate(i, call); });
  double sum = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i]->outputs != 1) continue;
    const double value = call.scratch[where_[i].scratch];
    if (join_ == Join::List) call.out[where_[i].out] = value;
    sum += value;
  }
  if (join_ == Join::Sum) *call.out = sum;
}

std::vector<double> Shards::gradient_again(std::size_t part, const KernelCall& call) const {
  const Shared& shared = *parts_[part];
  const std::span<const double> x{call.in[0].v, call.in[0].shape.size()};
  const double* seed = call.out_a + (join_ == Join::Sum ? 0 : where_[part].out);
  auto lane = shared.lanes.take([&] { return std::make_unique<Lane>(shared); });
  std::vector<double> out(shared.outputs);
  std::size_t path = 0;
  if (shared.outputs == 1) {
    path = lane->gradient(x, out.data(), lane->slopes);
    for (double& slope : lane->slopes) slope *= *seed;
  } else {
    path = lane->outputs(x, out);
    lane->pull_back(path, {seed, out.size()}, lane->slopes);
  }
  std::vector<double> all = lane->slopes;
  all.push_back(static_cast<double>(path));
  shared.lanes.give_back(std::move(lane));
  return all;
}

void Shards::reverse(const KernelCall& call) const {
  if (call.in[0].a == nullptr) return;
  const auto kept = [&](std::size_t i) { return parts_[i]->outputs == 1 && call.scratch[where_[i].scratch + 1] >= 0; };
  std::vector<std::vector<double>> again(parts_.size());
  if (!std::ranges::all_of(std::views::iota(std::size_t{0}, parts_.size()), kept))
    each_part(parts_.size(), [&](std::uint32_t i) {
      if (!kept(i)) again[i] = gradient_again(i, call);
    });
  for (std::size_t i = 0; i < parts_.size(); ++i) {  // in this order, whoever computed them
    const double* at = call.scratch + where_[i].scratch;
    const bool here = kept(i);
    const std::size_t path = static_cast<std::size_t>(here ? at[1] : again[i].back());
    const double* slopes = here ? at + 2 : again[i].data();
    const double scale = here ? call.out_a[join_ == Join::Sum ? 0 : where_[i].out] : 1.0;
    const std::vector<std::uint32_t>& used = parts_[i]->path(path)->used;
    for (std::size_t k = 0; k < used.size(); ++k) call.in[0].a[used[k]] += scale * slopes[k];
  }
}

bool has_shards(const Trace& trace) {
  return std::ranges::any_of(trace.calls, [](const CallInfo& c) {
    return c.kernel == &solver_kernel() &&
           dynamic_cast<const Shards*>(static_cast<const SolverCall*>(c.context.get())) != nullptr;
  });
}

std::vector<ShardRecording> record_all(const Shards::Sources& sources, std::span<const double> x) {
  std::vector<ShardRecording> out(sources.size());
  each_part(sources.size(), [&](std::uint32_t i) { out[i] = sources[i]->record(x); });
  return out;
}

std::vector<std::uint32_t> parameters_read(const Trace& trace) {
  std::vector<bool> read(trace.parameters);
  for (const Op& op : trace.ops)
    for_each_operand(trace, op, [&](Ref r, std::uint32_t n) {
      if (is_constant(r)) return;
      for (std::uint32_t i = r; i < r + n && i < trace.parameters; ++i) read[i] = true;
    });
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < trace.parameters; ++i)
    if (read[i]) out.push_back(i);
  return out;
}

std::size_t work_of(const Tape& tape) {
  std::size_t work = 0;
  for (const Op& op : tape.ops()) work += op.kind == OpKind::Call || op.kind == OpKind::CallSink ? kWorkOfACall : op.n;
  return work;
}

}  // namespace fermiac::ad
