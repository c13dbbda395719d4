// A conditioned model as cross-validation asks for it.
#pragma once

#include <memory>
#include <string>

#include "inference/model/observed_model.h"
#include "interp/queries/pointwise_runs.h"

namespace fermiac::interp {

class Observed final : public inference::ObservedModel {
 public:
  /// Throws as Observations does.
  Observed(const ConditionedModel& model, const std::string& group) : model_(model), densities_(model, group) {}

  const Model& model() const override { return model_; }
  const std::vector<std::string>& observations() const override { return densities_.observations().names(); }
  const std::vector<std::string>& of_what() const override { return densities_.observations().of_what(); }
  EvalStatus pointwise(inference::ConstSpan theta, inference::Span log_lik) const override {
    double lprior = 0;
    return densities_(theta, log_lik, &lprior);
  }
  std::unique_ptr<Model> without(const std::vector<std::size_t>& left_out) const override {
    auto changed = std::make_shared<Conditioned>(model_.conditioned());
    for (const std::size_t i : left_out) {
      for (const NumberName n : densities_.observations().numbers(i)) changed->weights().set(n, 0);
      for (const ElementKey& element : densities_.observations().nameless(i)) changed->leave_out(element);
    }
    return model_.with(std::move(changed));
  }

 private:
  const ConditionedModel& model_;
  Pointwise densities_;
};

}  // namespace fermiac::interp
