// The model of a session: a program, perhaps bound to data, the point it is looked at, and draws from it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inference/diagnostics/summary.h"
#include "inference/methods/sample.h"
#include "inference/model/options.h"
#include "interp/io/data.h"
#include "interp/model/conditioned_model.h"
#include "repl/session/evaluator.h"

namespace fermiac::repl {

/// One statement that adds to the target.
struct Contribution {
  std::uint32_t line = 0;
  std::string text;                 // of the statement
  Span span;                        // where it stands
  double value = 0;
  std::vector<double> gradient;     // by the unconstrained parameters
  double least = 1, most = 1;       // weights of its elements
};

struct Breakdown {
  std::vector<Contribution> parts;  // in program order
  double constant = 0;              // terms that depend on no parameter
  double lp = 0;
  std::vector<double> gradient;
  std::string error;                // evaluation stopped: why and where
};

/// Options for a model of the session: includes are found in the folder of `path`, and the model is named after the file.
CompileOptions compile_options(std::string text, const std::string& path);

class LoadedModel {
 public:
  /// Throws InputError with the diagnostics of a program with errors; appends warnings to `warnings`.
  LoadedModel(std::shared_ptr<Compilation> compilation, std::string* warnings);

  /// As it is written.
  const interp::CompiledModel& compiled() const { return *compiled_; }
  Compilation& compilation() const { return *compiled_->compilation; }
  const std::string& text() const { return compilation().text(); }
  const std::string& path() const { return compilation().path(); }

  /// Log densities are evaluated there from now on, as far as that pays (plugins/opencl/device.h, open_device). Throws InputError.
  void use_device(const std::string& choice, const Evaluator& evaluator);
  const std::string& device() const { return device_; }

  /// Binds data: those of files, and for variables they lack those of the session, whose names are returned.
  /// Throws InputError.
  std::vector<std::string> bind(interp::DataSource files, const Evaluator& evaluator);
  std::vector<std::string> bind_files(const std::vector<std::string>& paths, const Evaluator& evaluator);
  /// The file or session that gave the model this variable of its data block.
  std::string source_of(std::string_view name) const { return data_.source_of(name); }
  /// The data block declares a variable of this name.
  bool has_input(std::string_view name) const;
  bool bound() const { return model_ != nullptr; }

  /// What is known of its numbers and how much its sites count, for all that is asked of it.
  const interp::Conditioning& conditioning() const { return conditioning_; }
  /// Throws InputError where the program does not allow it: then all is as it was. The point stays where numbers stay free.
  void condition(interp::Conditioning conditioning, const Evaluator& evaluator);
  /// The model with its sites, whether anything is conditioned or not. Throws InputError if there is no data yet.
  const interp::ConditionedModel& with_sites() const;
  const interp::DataSource& data() const { return data_; }
  /// Throws InputError if there is no data yet.
  interp::InterpModel& model() const;

  /// The unconstrained point that `:lp` looks at.
  std::vector<double>& point() { return point_; }
  const std::vector<double>& point() const { return point_; }
  /// Values by name, constrained, as JSON; other parameters stay.
  void move_to(std::string_view json);
  /// The target at the point, statement by statement.
  Breakdown breakdown(const Evaluator& evaluator) const;
  /// What each line and its elements add there, and what is not finite (interp/queries/explain.h), as text; `all`: every element.
  /// Throws InputError where the lines cannot be told apart.
  std::string explanation(const Evaluator& evaluator, bool all) const;
  /// `line 12: mu ~ normal(0, 5);` of a site of the tape, with a newline.
  std::string statement_text(ad::Site site, std::size_t width) const;
  /// Constrained values at the point, with their CSV names.
  std::vector<std::pair<std::string, double>> constrained_point() const;

  struct Optimum {
    double lp = 0;
    std::vector<std::string> names;  // as in the CSV file, transformed parameters and generated quantities too
    std::vector<double> values;
  };
  /// Runs L-BFGS and moves the point to the mode.
  Optimum optimize(inference::OptimizeOptions options, const std::atomic<bool>* stop);
  /// Draws, and what their run said of them.
  struct Run {
    inference::ChainSet chains;
    std::string said;
  };
  /// Runs NUTS; what went to `progress`, if there is one, while it ran is not said again. On a terminal progress is drawn on
  /// standard error.
  Run sample(inference::SampleOptions options, const std::atomic<bool>* stop, bool terminal, const PrintSink& progress = {});
  /// Draws from the approximation along quasi-Newton paths.
  Run pathfinder(inference::PathfinderOptions options, const std::atomic<bool>* stop);
  /// Transformed parameters and generated quantities of this program for draws of its parameters, of another program that has
  /// the same ones, say. Throws InputError if the draws lack a column of them, or one of the quantities cannot be computed.
  inference::ChainSet generate(const inference::ChainSet& draws, std::uint64_t seed, const Evaluator& evaluator) const;

  /// Data and transformed data as session variables: name, type, value.
  std::vector<std::pair<std::string, Typed>> data_variables() const;

 private:
  std::unique_ptr<interp::InterpModel> bound_to(const interp::DataSource& data, const interp::Conditioning& conditioning,
                                                const Evaluator& evaluator) const;

  interp::DataSource data_;  // what was bound, variables of the session too
  std::shared_ptr<const interp::CompiledModel> compiled_;
  interp::Conditioning conditioning_;
  std::unique_ptr<interp::InterpModel> model_;
  mutable std::unique_ptr<interp::ConditionedModel> with_sites_;  // made when it is asked for
  std::vector<double> point_;
  std::string device_ = "none";
  std::shared_ptr<ad::device::DeviceUse> device_use_;
};

}  // namespace fermiac::repl
