#include "inference/model/together.h"

#include <algorithm>
#include <numeric>

#include "inference/model/lane_group.h"
#include "support/platform/threads.h"

namespace fermiac::inference {
namespace {

/// Null: the model evaluates one point at a time.
std::unique_ptr<LaneEvaluator> lanes_of(const Model& model, bool always) {
  const auto workspace = model.workspace();
  const auto* const with_lanes = dynamic_cast<const LaneWorkspace*>(workspace.get());
  return with_lanes ? with_lanes->lanes(always) : nullptr;
}

}  // namespace

Together::Together(const Model& model, unsigned threads, std::size_t n, unsigned lanes)
    : model_(model), threads_(resolved_threads(threads)), n_(n), always_(lanes > 0) {
  const std::size_t wanted = always_ ? lanes : (n + threads_ - 1) / threads_;
  if (wanted < 2 || n < 2) return;
  const auto evaluator = lanes_of(model, always_);
  if (!evaluator) return;
  at_once_ = std::min({wanted, n, evaluator->width()});
  for (std::size_t i = 0; i < n; ++i) seats_.push_back(std::make_unique<LaneSeat>(model));
}

Together::~Together() = default;

const Model& Together::model(std::size_t i) const {
  if (seats_.empty()) return model_;
  return *seats_[i];
}

std::size_t Together::rounds(std::size_t pieces) const { return (group_count(pieces) + threads_ - 1) / threads_; }

void Together::run(const std::function<void(std::size_t)>& body) {
  std::vector<std::size_t> all(n_);
  std::iota(all.begin(), all.end(), std::size_t{0});
  run(all, body);
}

void Together::run(std::span<const std::size_t> pieces, const std::function<void(std::size_t)>& body) {
  const std::size_t groups = group_count(pieces.size());
  run_parallel(threads_, groups, [&](std::size_t g) {  // groups of about the same size: 5 pieces, at most 4 at once: 2 and 3
    const std::size_t begin = g * pieces.size() / groups, end = (g + 1) * pieces.size() / groups;
    run_group(pieces.subspan(begin, end - begin), body);
  });
}

void Together::run_group(std::span<const std::size_t> pieces, const std::function<void(std::size_t)>& body) {
  auto evaluator = pieces.size() > 1 ? lanes_of(model_, always_) : nullptr;
  if (!evaluator) {
    std::ranges::for_each(pieces, body);
    return;
  }
  LaneGroup group(std::move(evaluator));
  std::vector<LaneSeat*> seats;
  for (const std::size_t i : pieces) seats.push_back(seats_[i].get());
  group.run(seats, [&](std::size_t k) { body(pieces[k]); });
}

}  // namespace fermiac::inference
