// Functions of several real numbers with names, an expression or the target of a model: values, gradients over the tape, finite
// differences.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "autodiff/tape/ir/trace.h"
#include "inference/math/difference_slope.h"
#include "inference/model/model.h"
#include "repl/session/evaluator.h"
#include "repl/session/loaded_model.h"

namespace fermiac::repl {

class RealFunction {
 public:
  virtual ~RealFunction() = default;

  /// `x`, `v[2]`, `m[1,2]`: one per number.
  const std::vector<std::string>& names() const { return names_; }
  /// The numbers that the session holds.
  const std::vector<double>& point() const { return point_; }
  virtual double value(std::span<const double> theta) const = 0;
  struct Gradient {
    double value = 0;
    std::vector<double> slopes;
  };
  virtual Gradient gradient(std::span<const double> theta) const = 0;
  /// By differences along coordinate i, one of `steps`.
  inference::DifferenceSlope difference(std::span<const double> theta, std::size_t i, std::span<const double> steps) const;
  /// Row-major and symmetric: of the tape, or by central differences of gradients, and then why.
  struct Hessian {
    std::vector<double> values;
    std::string why_inexact;
  };
  Hessian hessian(std::span<const double> theta) const;

 protected:
  /// Writes the exact one [n * n], or says why there is none.
  virtual std::string exact_hessian(std::span<const double> theta, std::span<double> out) const = 0;
  std::vector<std::string> names_;
  std::vector<double> point_;
};

class Differentiable final : public RealFunction {
 public:
  /// The text must be a real expression. Its variables are the evaluator's; the real ones among them are the arguments.
  Differentiable(Evaluator& evaluator, std::string_view text);

  double value(std::span<const double> theta) const override;
  Gradient gradient(std::span<const double> theta) const override;
  ad::Trace record(std::span<const double> theta) const;

 private:
  std::string exact_hessian(std::span<const double> theta, std::span<double> out) const override;
  void add_argument(const std::string& name, const Type& type, const interp::Value& value);
  std::unique_ptr<interp::Machine> machine() const;
  void fill(interp::Frame& f, std::span<const double> theta, bool references) const;

  Evaluator& evaluator_;
  std::unique_ptr<const interp::Code> code_;
  std::vector<std::string> data_, arguments_;  // session variables, in the order of their slots
};

/// A model's target with the Jacobian and all constants, by the unconstrained parameters, at its point. The evaluator is asked
/// whether to stop.
class ModelTarget final : public RealFunction {
 public:
  ModelTarget(const LoadedModel& model, const Evaluator& evaluator);
  double value(std::span<const double> theta) const override;
  Gradient gradient(std::span<const double> theta) const override;

 private:
  std::string exact_hessian(std::span<const double> theta, std::span<double> out) const override;
  const Evaluator& evaluator_;
  std::unique_ptr<ModelWorkspace> workspace_;
};

}  // namespace fermiac::repl
