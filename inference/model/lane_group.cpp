#include "inference/model/lane_group.h"

#include <utility>

namespace fermiac::inference {

class LaneSeat::Workspace final : public ModelWorkspace {
 public:
  explicit Workspace(const LaneSeat& seat) : seat_(seat), alone_(seat.model_.workspace()) {}

  EvalStatus log_density(std::span<const double> theta, DensityOptions options, double* lp) override {
    return alone_->log_density(theta, options, lp);
  }
  EvalStatus log_density_gradient(std::span<const double> theta, DensityOptions options, double* lp, std::span<double> gradient) override {
    const bool usual = options.propto && options.jacobian;
    if (!usual || seat_.group_ == nullptr) return alone_->log_density_gradient(theta, options, lp, gradient);
    return seat_.group_->gradient(*alone_, theta, lp, gradient);
  }
  EvalStatus write_array(std::span<const double> theta, bool transformed, bool generated, Rng& rng, std::span<double> out) override {
    return alone_->write_array(theta, transformed, generated, rng, out);
  }
  std::string history() override { return alone_->history(); }
  bool restore_history(std::string_view bytes) override { return alone_->restore_history(bytes); }

 private:
  const LaneSeat& seat_;
  std::unique_ptr<ModelWorkspace> alone_;
};

std::unique_ptr<ModelWorkspace> LaneSeat::workspace() const { return std::make_unique<Workspace>(*this); }

LaneGroup::LaneGroup(std::unique_ptr<LaneEvaluator> evaluator) : evaluator_(std::move(evaluator)) {
  waiting_.reserve(evaluator_->width());
}

void LaneGroup::run(std::span<LaneSeat* const> seats, const std::function<void(std::size_t)>& body) {
  if (run_by_turns(seats, body)) return;
  for (std::size_t k = 0; k < seats.size(); ++k) body(k);
}

bool LaneGroup::run_by_turns(std::span<LaneSeat* const> seats, const std::function<void(std::size_t)>& body) {
  struct Seated {
    std::span<LaneSeat* const> seats;
    Seated(std::span<LaneSeat* const> all, LaneGroup* group) : seats(all) { set(group); }
    ~Seated() { set(nullptr); }
    void set(LaneGroup* group) const {
      for (LaneSeat* seat : seats) seat->group_ = group;
    }
  } const seated(seats, this);
  running_ = seats.size();
  return fibers_.run(seats.size(), body, [this](std::size_t left) { ended(left); });
}

EvalStatus LaneGroup::gradient(ModelWorkspace& alone, std::span<const double> theta, double* lp, std::span<double> gradient) {
  if (!evaluator_->pays(running_)) return alone.log_density_gradient(theta, {}, lp, gradient);
  EvalStatus status;
  waiting_.push_back({&alone, theta, lp, gradient, &status});
  const std::uint64_t round = rounds_;
  if (waiting_.size() == running_) evaluate();
  while (rounds_ == round) fibers_.pass();
  return status;
}

/// Those that wait may have waited for the one that has ended.
void LaneGroup::ended(std::size_t left) {
  running_ = left;
  if (!waiting_.empty() && (waiting_.size() == running_ || !evaluator_->pays(running_))) evaluate();
}

void LaneGroup::evaluate() {
  evaluator_->gradients(waiting_);
  waiting_.clear();
  ++rounds_;
}

}  // namespace fermiac::inference
