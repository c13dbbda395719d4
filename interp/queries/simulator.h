// A program as calibration by simulation asks for it.
#pragma once

#include <memory>

#include "inference/diagnostics/sbc.h"
#include "interp/queries/predicted.h"
#include "interp/queries/trace.h"

namespace fermiac::interp {

class PredictorSimulator final : public inference::Simulator {
 public:
  explicit PredictorSimulator(Predictor& predictor) : predictor_(predictor), row_(predictor.names().size()) {}

  Status simulate(std::uint64_t seed, std::size_t i, std::unique_ptr<Model>* model, inference::Vec* truth) override {
    Rng rng = generator_of_draw(seed, i);
    predictor_.draw({}, rng, row_);
    auto given = predictor_.model_given_draw();
    truth->assign(given->unconstrained_size(), 0);
    const EvalStatus status = predictor_.drawn_point(*given, *truth);
    *model = std::move(given);
    return status ? Status{} : Status::failed(status.message);
  }
  EvalStatus log_lik(const Model& model, inference::ConstSpan theta, double* out) const override {
    Trace traced;
    const EvalStatus status = trace(static_cast<const ConditionedModel&>(model), theta, false, false, &traced);
    *out = traced.likelihood;
    return status;
  }

 private:
  Predictor& predictor_;
  inference::Vec row_;
};

}  // namespace fermiac::interp
