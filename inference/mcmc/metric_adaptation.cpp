#include "inference/mcmc/metric_adaptation.h"

#include "inference/mcmc/fisher.h"
#include "support/base/check.h"

namespace fermiac::inference {
namespace {

/// unit_e, diag_e and dense_e: Stan's windows and the (co)variances of the draws of each.
class VarianceAdaptation final : public MetricAdaptation {
 public:
  VarianceAdaptation(MetricKind kind, std::size_t n, unsigned num_warmup, const AdaptOptions& options)
      : unit_(kind == MetricKind::Unit), schedule_(num_warmup, options), moments_(kind, unit_ ? 0 : n) {}

  const std::optional<std::string>& warning() const override { return schedule_.warning(); }

  Status learn(ConstSpan position, ConstSpan, Metric* metric, bool* changed) override {
    const bool window_ends = schedule_.at_window_end();
    if (!unit_ && schedule_.in_slow_window()) moments_.add(position);
    schedule_.advance();
    *changed = !unit_ && window_ends && moments_.count() >= 2;
    if (!*changed) return {};
    Status set = metric->set_inverse(moments_.regularised());
    moments_.restart();
    return set;
  }

  void end() override { FERMIAC_CHECK(false, "windows end where their schedule says"); }
  void state(StateWriter& s) override { s(schedule_, moments_); }
  void state(StateReader& s) override { s(schedule_, moments_); }

 private:
  bool unit_;
  WindowSchedule schedule_;
  MomentEstimator moments_;
};

/// fisher_diag and low_rank.
class FisherAdaptation final : public MetricAdaptation {
 public:
  FisherAdaptation(MetricKind kind, std::size_t n, unsigned num_warmup, const AdaptOptions& options)
      : estimator_(kind, n), schedule_(num_warmup, options) {}

  const std::optional<std::string>& warning() const override { return schedule_.warning(); }

  Status learn(ConstSpan position, ConstSpan gradient, Metric* metric, bool* changed) override {
    *changed = false;
    if (!schedule_.estimating()) return schedule_.advance(), Status{};
    estimator_.add(position, gradient);
    *changed = schedule_.at_update();
    schedule_.advance();
    if (!*changed) return {};
    Status set = estimator_.estimate(metric);
    estimator_.end_block(kBlocks);
    return set;
  }

  void end() override { schedule_.end(); }
  void state(StateWriter& s) override { s(estimator_, schedule_); }
  void state(StateReader& s) override { s(estimator_, schedule_); }

 private:
  static constexpr std::size_t kBlocks = 2;  // with the one that follows: the last 70 % of the draws
  FisherEstimator estimator_;
  UpdateSchedule schedule_;
};

}  // namespace

std::unique_ptr<MetricAdaptation> make_metric_adaptation(MetricKind kind, std::size_t n, unsigned num_warmup,
                                                         const AdaptOptions& options) {
  if (uses_gradients(kind)) return std::make_unique<FisherAdaptation>(kind, n, num_warmup, options);
  return std::make_unique<VarianceAdaptation>(kind, n, num_warmup, options);
}

}  // namespace fermiac::inference
