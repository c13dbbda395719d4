// The methods as a run sees them: each with its options, all started the same way.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bindings/c/option_reader.h"
#include "inference/model/model.h"
#include "inference/model/options.h"
#include "inference/output/run_io.h"

namespace fermiac::capi {

/// What a method leaves besides the rows that its listener was given.
struct MethodEnd {
  Status status;                            // without a message if the listener has reported the error
  std::vector<std::vector<double>> chains;  // of `sample`, if draws are kept: rows after the warm-up, by chain
  std::string summary, problems;            // of `sample`: JSON texts, or empty
};

/// Options of every run besides those of its method.
struct RunOptions {
  bool keep = true;  // rows stay in memory
  double timeout = inference::kNoLimit;
};
inference::OptionRows run_rows(RunOptions& options);

/// All methods with their options, as fermiac_methods_json returns them.
std::string methods_json();

class Method {
 public:
  virtual ~Method() = default;
  virtual MethodEnd run(const Model& model, const inference::RunIo& io) = 0;
  virtual std::uint64_t seed() const = 0;
  /// The first row tables; rows of all others are kept by whoever listens.
  virtual bool keeps_rows() const = 0;
};

/// Reads the options of the method called `name`; all that is left in the reader then is unknown. `keep`: rows are wanted
/// at the end. Throws InputError.
std::unique_ptr<Method> make_method(const std::string& name, OptionReader& reader, bool keep, const std::string& data_file);

}  // namespace fermiac::capi
