// The table of inference methods and their options: the only place where an option has its name, help text, default and valid
// values. Defaults are those of inference/model/options.h.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "inference/model/model.h"
#include "inference/model/option_rows.h"
#include "inference/output/run_io.h"

namespace fermiac::inference {

/// One run to be: the options of a method, at first the defaults, and the function that runs it.
class MethodCall {
 public:
  virtual ~MethodCall() = default;
  virtual CommonOptions& common() = 0;
  /// The options by name. The rows set options of this object.
  virtual OptionRows rows() = 0;
  /// The command: prints results to io.out, messages to io.err. The error of the run has been printed.
  virtual Status run(const Model& model, const RunIo& io) const = 0;
};

struct Method {
  /// Contents of the CSV files: chains of dependent draws; draws that do not depend on each other; the rows of a climb; generated
  /// quantities for draws of another run; gradients.
  enum class Output : unsigned char { Chains, Draws, Optimum, Generated, Gradients };

  std::string_view name;   // of the command
  std::string_view about;  // help text
  Output output;
  std::unique_ptr<MethodCall> (*make)();
};

/// All methods; `sample` is the first.
std::span<const Method> methods();
/// The method of that name, or null.
const Method* find_method(std::string_view name);

// Options by name, which several commands share.

/// Options of one trajectory of Hamiltonian Monte Carlo.
void add_engine_options(OptionRows& rows, SampleOptions& o);
/// Options that all methods share, `sample` excepted.
void add_common_options(OptionRows& rows, CommonOptions& o);
void add_options(OptionRows& rows, SampleOptions& o);
void add_options(OptionRows& rows, OptimizeOptions& o);
void add_options(OptionRows& rows, PathfinderOptions& o);
void add_options(OptionRows& rows, LaplaceOptions& o);
void add_options(OptionRows& rows, VariationalOptions& o);
void add_options(OptionRows& rows, DiagnoseOptions& o);

/// A row of the table of methods: `add` describes the options, `run` is the command.
template <class Options, void (*add)(OptionRows&, Options&), Status (*run_it)(const Model&, const Options&, const RunIo&)>
constexpr Method method(std::string_view name, std::string_view about, Method::Output output) {
  struct Call final : MethodCall {
    CommonOptions& common() override { return options; }
    OptionRows rows() override {
      OptionRows out;
      add(out, options);
      return out;
    }
    Status run(const Model& model, const RunIo& io) const override { return run_it(model, options, io); }
    Options options;
  };
  return {name, about, output, [] { return std::unique_ptr<MethodCall>(std::make_unique<Call>()); }};
}

}  // namespace fermiac::inference
