// One thread's handle on an interpreted model.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/replay/tape.h"
#include "autodiff/tape/second_order/second_order.h"
#include "inference/model/model.h"
#include "inference/model/second_derivatives.h"
#include "interp/exec/runs/frame.h"
#include "interp/model/draws.h"
#include "interp/model/evaluation.h"
#include "interp/model/log_prob_run.h"
#include "interp/model/tape_cache.h"
#include "interp/model/unknown_draws.h"

namespace fermiac::interp {

class InterpWorkspace final : public ModelWorkspace, public ExactSecondDerivatives {
 public:
  InterpWorkspace(const EvaluationContext& context, TapeCache& tapes, DrawTapes& draw_tapes);
  ~InterpWorkspace() override;

  EvalStatus log_density(std::span<const double> theta, DensityOptions options, double* lp) override;
  EvalStatus log_density_gradient(std::span<const double> theta, DensityOptions options, double* lp,
                                  std::span<double> gradient) override;
  EvalStatus write_array(std::span<const double> theta, bool transformed, bool generated, Rng& rng,
                         std::span<double> out) override;
  std::string history() override;
  bool restore_history(std::string_view bytes) override;
  /// Moves exact second derivatives to theta. Returns why there are none, or an empty string.
  std::string why_inexact(std::span<const double> theta, DensityOptions options) override;
  void hessian_times(std::span<const double> direction, std::span<double> product) override;
  /// Fills the numbers that evaluations leave behind with NaN. For tests.
  void poison();

 private:
  /// How a tape was recorded, so that it can be recorded again.
  struct Origin {
    std::vector<double> theta;
    bool speculates = true;
    template <class State>
    void state(State& s) { s(theta, speculates); }
  };
  struct Replay {
    RecordedTape recorded;
    ad::Workspace numbers;
    Origin origin;
    std::shared_ptr<ad::SecondOrder> second_order;  // once it was asked for
    Replay(RecordedTape r, Origin o) : recorded(std::move(r)), numbers(recorded.tape), origin(std::move(o)) {}
  };
  /// Where the result goes; no gradient if the span is empty and `with_gradient` is not set.
  struct Request {
    std::span<const double> theta;
    DensityOptions options;
    double* lp;
    std::span<double> gradient;
    bool with_gradient;
  };
  /// What evaluates the log density without a tape, kept for its room.
  struct Evaluator {
    explicit Evaluator(const EvaluationContext& context) : recorder({}), run(context) {}
    ad::Recorder recorder;
    LogProbRun run;
  };
  EvalStatus evaluate(const Request& request);
  EvalStatus evaluate_anyhow(const Request& request);
  EvalStatus evaluate_directly(const Request& request);
  EvalStatus evaluate_once(const Request& request);
  EvalStatus run_directly(const Request& request);
  void take_direct(const Request& request);
  EvalStatus record(const Request& request, bool speculates = true);
  std::string move_second_order(const Request& request);
  bool adopt_shared(std::size_t index);
  EvalStatus record_again(std::size_t index);
  std::vector<Origin> origins(std::size_t index) const;
  template <class State>
  void put_history(State& s, std::array<std::vector<Origin>, 4>& tapes);
  static ad::ReplayStatus run(Replay& replay, const Request& request);
  EvalStatus prepare_draw(std::span<const double> theta, Rng& rng);
  EvalStatus run_draw(const DrawTape* begun, bool transformed, bool generated, std::span<double> out);
  EvalStatus outcome(const Replay& replay, const ad::ReplayStatus& status) const;

  const EvaluationContext& context_;
  TapeCache& tapes_;
  std::array<std::vector<std::unique_ptr<Replay>>, 4> replays_;  // per options, most recently used first
  std::array<std::vector<Origin>, 4> restored_;                  // tapes of another workspace's history, not yet recorded here
  std::array<PathHistory, 4> paths_;
  std::shared_ptr<ad::SecondOrder> second_order_;  // where the last point of second derivatives is
  std::unique_ptr<Evaluator> evaluator_;
  std::unique_ptr<Profile> profile_;  // where the model measures
  Machine machine_;
  Draws draws_;
  std::unique_ptr<UnknownDraws> unknowns_;  // of a model that sums ints out
  Value* slots_ = nullptr;  // frame of generate_quantities, kept between draws
};

}  // namespace fermiac::interp
