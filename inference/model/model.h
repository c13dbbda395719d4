// What the algorithms see of a model. Engines (interpreter, emitted code) implement it; nothing here knows them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/base/rng.h"
#include "support/base/status.h"

namespace fermiac {

/// Outcome of one evaluation of the log density.
struct [[nodiscard]] EvalStatus {
  /// Ok; Rejected: the proposal is refused, sampling goes on; Fatal: the run stops; Interrupted (Model::set_stop).
  using Kind = StatusCode;
  Kind kind = Kind::Ok;
  std::string message;  // empty when Ok; ends with the place in the model: (in 'm.stan', line 3, column 2 to column 20)
  bool structural = false;  // Rejected for sizes or an index: other points hardly mend it
  explicit operator bool() const { return kind == Kind::Ok; }
};

/// Where `print` goes.
using PrintSink = std::function<void(std::string_view)>;

/// Which terms of the log density count.
struct DensityOptions {
  bool propto = true;    // drop terms that do not depend on parameters
  bool jacobian = true;  // add the log Jacobian of the constraining transforms
};

/// One thread's handle on a model: owns the mutable state (values, adjoints) that evaluation needs. Not shared between
/// threads; any number of them may work on one Model at the same time.
class ModelWorkspace {
 public:
  virtual ~ModelWorkspace() = default;

  /// Log density at `theta` [unconstrained_size()]; where the status is not Ok, `*lp` is unspecified.
  virtual EvalStatus log_density(std::span<const double> theta, DensityOptions options, double* lp) = 0;
  /// The same and its gradient [unconstrained_size()]. No allocation in the steady state.
  virtual EvalStatus log_density_gradient(std::span<const double> theta, DensityOptions options, double* lp,
                                          std::span<double> gradient) = 0;
  /// Constrained parameters, then transformed parameters and generated quantities if asked for, in output order.
  /// `out` has names(...).size() entries. Only generated quantities draw from `rng`.
  virtual EvalStatus write_array(std::span<const double> theta, bool transformed, bool generated, Rng& rng,
                                 std::span<double> out) = 0;
  /// What later evaluations take over from earlier ones, in their last bits at least, as bytes; empty: nothing.
  virtual std::string history() { return {}; }
  /// Continues as the workspace that returned `bytes` would; before any evaluation. False: the bytes are not of such a workspace.
  virtual bool restore_history(std::string_view bytes) { return bytes.empty(); }
};

/// How values on the constrained scale are given.
struct GivenValues {
  bool partial = false;  // parameters that are not given keep what `theta` holds; otherwise a missing one is an error
  /// Relative error of each number, as of printed ones: sums of simplexes and what lies at a bound are off by as much.
  double rounding = 0;
};

/// The block of the program that a variable belongs to.
enum class VariableBlock : std::uint8_t {
  Parameters,
  Transformed,
  Generated,
  Simulated  // generated quantities that depend on parameters only through arguments of random number generators
};
struct ModelVariable {
  std::string name;
  VariableBlock block = VariableBlock::Parameters;
};

class Model {
 public:
  virtual ~Model() = default;

  virtual std::string_view name() const = 0;
  virtual std::size_t unconstrained_size() const = 0;
  /// Output names as CSV headers spell them: `x.1.2`, `t:1`.
  virtual std::vector<std::string> names(bool transformed, bool generated) const = 0;
  virtual std::vector<std::string> unconstrained_names() const = 0;
  /// Parameters, transformed parameters and generated quantities in output order; empty where the blocks are unknown.
  virtual std::vector<ModelVariable> variables() const { return {}; }
  virtual std::unique_ptr<ModelWorkspace> workspace() const = 0;
  /// Unconstrained values of the parameters given as JSON (constrained scale).
  virtual EvalStatus unconstrain_json(std::string_view json, GivenValues given, std::span<double> theta) const = 0;
  /// The same of constrained values in output order [names(false, false).size()]; `partial` is of no use here.
  virtual EvalStatus unconstrain_array(std::span<const double> constrained, GivenValues given, std::span<double> theta) const = 0;
  /// Sets where `print` goes; called before any workspace is made. The default is standard output.
  virtual void set_print(PrintSink sink) = 0;
  /// A flag that others set to end evaluations that take long; called before any workspace is made. It outlives the
  /// model. A model without loops need not look at it.
  virtual void set_stop(const std::atomic<bool>*) {}
  /// What in the program explains that it refuses every point with this message; a sentence, or empty.
  virtual std::string refusal_advice(std::string_view) const { return {}; }
  /// Whether evaluations solve differential equations.
  virtual bool solves_differential_equations() const { return false; }
  /// While what comes back lives, differential equations are solved with tolerances `factor` times those of the program, on this thread.
  /// Null: the model solves none that it knows of.
  virtual std::shared_ptr<void> stricter_solvers(double) const { return nullptr; }
};

}  // namespace fermiac
