#include "interp/queries/pointwise_runs.h"

#include <algorithm>
#include <utility>

#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/rewrite/rewrite.h"
#include "interp/queries/enumerating.h"
#include "interp/value/numbers.h"
#include "support/base/errors.h"
#include "support/base/memory.h"

namespace fermiac::interp {
namespace {

constexpr std::size_t kNodesFirst = 1;                 // points: a tape does not pay for one
constexpr std::size_t kMostOps = std::size_t{1} << 19;
constexpr std::size_t kFewMisses = 8;                  // points on other paths, then the tape is given up

/// Where the densities of elements belong: to an observation, or to the prior behind the last of them.
class Shares {
 public:
  Shares(const Conditioned& c, const Observations& observations) : c_(c), observations_(observations) {}

  std::size_t prior() const { return observations_.size(); }
  /// Throws FatalError where that is not known.
  std::size_t of(const SiteCall& call, std::size_t i) const {
    const std::span<const NumberName> names = call.names(i);
    const SiteRole role = c_.role(call.site(), names);
    if (role == SiteRole::Prior) return prior();
    if (role == SiteRole::Unclear) throw ad::FatalError(c_.unclear_text(call.site()));
    const std::size_t at = observation(call, i, names);
    if (at < observations_.size()) return at;
    throw ad::FatalError("whether this statement has a part of the likelihood depends on parameters, so the observations are not the same at all points");
  }
  /// All that the site names is fixed.
  bool off(const SiteCall& call) const {
    const std::span<const NumberName> names = call.all_names();
    return !names.empty() && call.site().kind != mir::SiteKind::Term &&
           std::ranges::all_of(names, [&](NumberName n) { return n >= 0 && c_.state(n) == NumberState::Fixed; });
  }

 private:
  std::size_t observation(const SiteCall& call, std::size_t i, std::span<const NumberName> names) const {
    for (const NumberName n : names)
      if (n >= 0 && c_.state(n) == NumberState::Observed) return observations_.of(n);
    return observations_.of(call.key(i));
  }

  const Conditioned& c_;
  const Observations& observations_;
};

/// Adds the densities of elements up.
class Adder final : public EnumeratingHandler {
 public:
  Adder(const Conditioned& c, const Observations& observations, std::span<double> sums) : observations_(observations), shares_(c, observations), sums_(sums) {}

  void visit(const SiteNode& node, Frame& f) override {
    SiteCall call(node, f);
    if (shares_.off(call)) return;
    if (Enumeration* enumeration = enumeration_of(call.site())) {
      for (const std::uint32_t i : enumeration->take(call, f)) add(call, i, call.log_density(i));
      return;
    }
    call.evaluate();
    lp_.resize(call.size());
    call.log_densities(lp_);
    for (std::size_t i = 0; i < call.size(); ++i) add(call, i, lp_[i]);
  }

 protected:
  /// A component is likelihood of its one observation (Observations::refuse_shared), if it has any.
  void components(const std::vector<ComponentSum>& sums) override {
    for (const ComponentSum& sum : sums) {
      const double joint = log_sum_of(sum.joint), own = log_sum_of(sum.prior);
      sums_[shares_.prior()] += own;
      if (!sum.observed.empty()) sums_[observations_.of(sum.observed[0])] += joint - own;
    }
  }

 private:
  void add(const SiteCall& call, std::size_t i, double lp) {
    sums_[shares_.of(call, i)] += lp;
  }

  const Observations& observations_;
  Shares shares_;
  std::span<double> sums_;
  std::vector<double> lp_;
};

/// Records the densities of elements, those of one execution as a vector where that can be.
class DensityRecorder final : public SiteHandler {
 public:
  DensityRecorder(const Conditioned& c, const Observations& observations, ad::Recorder& recorder)
      : constants(observations.size() + 1), recorder_(recorder), shares_(c, observations) {}

  void visit(const SiteNode& node, Frame& f) override {
    SiteCall call(node, f);
    if (shares_.off(call)) return;
    call.evaluate();
    if (const std::optional<Value> all = call.recorded_densities()) {
      for (std::size_t i = 0; i < call.size(); ++i) put(shares_.of(call, i), all->ref_data()[i]);
      return;
    }
    for (std::uint32_t i = 0; i < call.size(); ++i) put(shares_.of(call, i), to_ref(recorder_, call.density({&i, 1}, false)));
  }

  std::vector<Ref> results;
  std::vector<std::size_t> shares;  // by result
  std::vector<double> constants;    // by share

 private:
  void put(std::size_t share, Ref density) {
    if (density.is_constant()) constants[share] += recorder_.value(density);
    else results.push_back(density), shares.push_back(share);
  }

  ad::Recorder& recorder_;
  Shares shares_;
};

}  // namespace

EvalStatus Pointwise::by_nodes(std::span<const double> theta, std::span<double> log_lik, double* lprior) const {
  std::vector<double> sums(observations_.size() + 1);
  Adder adder(model_.conditioned(), observations_, sums);
  const EvalStatus status = adder.run(model_, theta, false, {.weighted = false, .parts = true});
  std::copy_n(sums.begin(), observations_.size(), log_lik.begin());
  *lprior = sums.back();
  return status;
}

std::shared_ptr<const Pointwise::Recorded> Pointwise::record(std::span<const double> theta) const {
  ad::Recorder recorder(theta);
  recorder.set_speculates(false);
  recorder.set_most_ops(kMostOps);
  DensityRecorder densities(model_.conditioned(), observations_, recorder);
  bool once = false;
  double unused = 0;
  const auto ended = [&](Frame& f) { once = f.m.only_here; };
  try {
    if (!model_.run_sites(theta, false, densities, &unused, {.recorder = &recorder, .ended = ended}) || once || densities.results.empty()) return nullptr;
    recorder.outputs(densities.results);
    ad::Trace trace = std::move(recorder).finish();
    ad::rewrite(trace);
    auto tape = std::make_shared<const ad::Tape>(std::move(trace));
    return std::make_shared<const Recorded>(Recorded{std::move(tape), std::move(densities.shares), std::move(densities.constants)});
  } catch (const ad::RecordingTooLong&) {
    return nullptr;
  } catch (const ad::EvalError&) {
    return nullptr;
  }
}

/// Null: nodes do the work, as for the first points, and for programs whose path changes from point to point.
std::unique_ptr<Pointwise::Replay> Pointwise::take(std::span<const double> theta) const {
  const std::lock_guard lock(mutex_);
  if (asked_++ < kNodesFirst || misses_ >= kFewMisses || !model_.conditioned().unknowns().empty()) return nullptr;
  if (!recorded_ && !(recorded_ = record(theta))) misses_ = kFewMisses;
  if (!recorded_) return nullptr;
  if (idle_.empty()) return std::make_unique<Replay>(recorded_);
  auto replay = std::move(idle_.back());
  idle_.pop_back();
  return replay;
}

void Pointwise::give_back(std::unique_ptr<Replay> replay, bool missed) const {
  const std::lock_guard lock(mutex_);
  misses_ += missed;
  idle_.push_back(std::move(replay));
}

EvalStatus Pointwise::operator()(std::span<const double> theta, std::span<double> log_lik, double* lprior) const {
  auto replay = take(theta);
  if (!replay) return by_nodes(theta, log_lik, lprior);
  const ad::ReplayStatus status = replay->numbers.outputs(theta, replay->results);
  const bool ok = status.kind == ad::ReplayStatus::Kind::Ok;
  if (ok) {
    const Recorded& r = *replay->recorded;
    const std::size_t n = observations_.size();
    std::copy_n(r.constants.begin(), n, log_lik.begin());
    *lprior = r.constants[n];
    for (std::size_t k = 0; k < r.shares.size(); ++k) (r.shares[k] < n ? log_lik[r.shares[k]] : *lprior) += replay->results[k];
  }
  give_back(std::move(replay), status.kind == ad::ReplayStatus::Kind::GuardFailed);
  return ok ? EvalStatus{} : by_nodes(theta, log_lik, lprior);  // nodes say what is wrong
}

std::size_t Pointwise::tape_ops() const {
  const std::lock_guard lock(mutex_);
  return recorded_ ? recorded_->tape->op_count() : 0;
}

// ---------------------------------------------------------------- as columns

namespace {

class PointwiseOutputs final : public ExtraOutputs {
 public:
  PointwiseOutputs(const ConditionedModel& model, std::string log_lik, std::string lprior)
      : densities_(model, "", !log_lik.empty()), log_lik_(std::move(log_lik)), lprior_(std::move(lprior)) {}

  std::vector<std::string> names() const override {
    std::vector<std::string> out;
    if (!log_lik_.empty()) out = densities_.observations().columns(log_lik_);
    if (!lprior_.empty()) out.push_back(lprior_);
    return out;
  }
  const Observations& observations() const { return densities_.observations(); }
  EvalStatus write(std::span<const double> theta, std::span<double> out) const override {
    std::vector<double> values(densities_.observations().size());
    double lprior = 0;
    const EvalStatus status = densities_(theta, values, &lprior);
    if (!log_lik_.empty()) std::ranges::copy(values, out.begin());
    if (!lprior_.empty()) out.back() = lprior;
    return status;
  }

 private:
  Pointwise densities_;
  std::string log_lik_, lprior_;
};

}  // namespace

std::string add_pointwise_outputs(ConditionedModel& model, const std::string& log_lik, const std::string& lprior) {
  if (log_lik.empty() && lprior.empty()) return {};
  refuse_taken(model, log_lik, "--log-lik");
  refuse_taken(model, lprior, "--lprior");
  const auto outputs = std::make_shared<PointwiseOutputs>(model, log_lik, lprior);
  model.add_outputs(outputs);
  return log_lik.empty() ? std::string() : observations_text(outputs->observations());
}

}  // namespace fermiac::interp
