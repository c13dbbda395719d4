// Scaffolding shared by the methods that write one CSV file.
#pragma once

#include <cstdarg>
#include <optional>
#include <string>
#include <vector>

#include "inference/mcmc/chain.h"
#include "inference/methods/slow_work.h"
#include "inference/model/init.h"
#include "inference/model/model.h"
#include "inference/model/options.h"
#include "inference/model/output_writer.h"
#include "inference/output/csv.h"
#include "inference/output/output.h"
#include "inference/output/output_layout.h"
#include "inference/output/run_io.h"

namespace fermiac::inference {

class MethodRun {
 public:
  MethodRun(const Model& model, const CommonOptions& options, const RunIo& io)
      : model_(model), options_(options), io_(io), seed_(settle_seed(options)) {}

  /// Makes the folder and opens NAME<suffix>, or file `index` of the layout, headed by the configuration.
  Status open(ConfigNode method, std::string_view suffix, CsvWriter* csv, std::size_t index = 0);
  /// A starting point by the options' `init`, drawn for chain `id`. Messages go to io.err.
  Status initial_point(Target& target, unsigned id, Rng& rng, Span theta);

  void say(const std::string& text) const;    // to io.err
  /// What goes on; nothing with `refresh` 0, which wants problems alone.
  void narrate(const std::string& text) const;
  /// While `slow` lives and the work takes long, its progress is narrated, unless the layout has no waiting messages. See SlowWork.
  void watch(std::optional<SlowWork>& slow, Target& target, std::string what, std::size_t total = 0) const;
  void print(const std::string& text) const;  // to io.out
  /// What ends a run of ours: where the results are, and such. Nothing with `refresh` 0, which wants problems alone.
  void conclude(const std::string& text) const;
  /// The table of the draws in a file of ours, without the first `skipped` rows, and where they are.
  void conclude_draws(const std::string& path, std::size_t skipped = 0) const;
  /// With `overwrite`, removes files NAME<stem>N.csv of an earlier run whose numbers are not among `count` from `first`: commands would
  /// read them together with those of this run.
  void drop_others(const std::string& stem, unsigned first, std::size_t count) const;
  const RunIo& io() const { return io_; }
  const OutputLayout& layout() const { return *options_.layout; }
  const OutputConventions& conventions() const { return layout().conventions(); }
  bool stopped() const { return is_set(io_.stop); }
  /// Prints the error, if any, with the reason of an interruption, and returns the result.
  Status finish(Status result) const;

  const Model& model() const { return model_; }
  std::uint64_t seed() const { return seed_; }
  const std::string& directory() const { return files_.directory(); }

 private:
  void tell(const std::string& text) const;  // the listener

  const Model& model_;
  const CommonOptions& options_;
  RunIo io_;
  std::uint64_t seed_;
  OutputFiles files_;
  bool prepared_ = false;
};

/// Draws as rows of a file, each with its transformed parameters and generated quantities.
class DrawRows {
 public:
  /// Leaves out the first `skipped` of the model's columns.
  DrawRows(const Model& model, ModelWorkspace& workspace, Rng rng, const RunIo& io, CsvWriter& csv, std::size_t skipped = 0)
      : writer_(model, workspace, rng), io_(io), csv_(csv), skipped_(skipped) {}

  /// One row. False where the run is to end: it was stopped meanwhile (the draw may be cut short, and is left out), the
  /// model failed for good, or the file cannot be written.
  bool add(ConstSpan lead, ConstSpan theta);
  /// Why the rows ended before their time; success if they did not.
  Status result() const;
  const RejectLog& failures() const { return failures_; }

 private:
  OutputWriter writer_;
  const RunIo& io_;
  CsvWriter& csv_;
  std::size_t skipped_;
  RejectLog failures_;
};
/// A line for each reason why draws failed.
std::string failures_text(const RejectLog& failures, const OutputConventions& conventions);

/// The settings of (L-)BFGS in the configuration of a run; the last one is history_size, which BFGS has not.
std::vector<ConfigNode> search_config(const LineSearchOptions& o);

/// `lead` followed by the model's output columns.
std::vector<std::string> columns_after(std::vector<std::string> lead, const Model& model);

/// The parameters of one row of draws as the JSON that Model::unconstrain_json reads. Names are CSV spelling: indices
/// become nested arrays (rows first), tuple slots objects, real and imag pairs.
std::string row_as_json(const std::vector<std::string>& names, ConstSpan values);

/// Finds the model's parameters among the columns of a file, then unconstrains rows.
class RowReader {
 public:
  /// Errors: a parameter of the model is not among the columns.
  Status open(const Model& model, const CsvDraws& draws);
  /// The columns behind the leading ones of the method must be the model's parameters, in their order.
  Status open_by_position(const Model& model, const CsvDraws& draws);
  Status unconstrain(const CsvDraws& draws, std::size_t row, Span theta) const;

 private:
  const Model* model_ = nullptr;
  std::vector<std::string> names_;
  std::vector<std::size_t> columns_;
  bool all_ = false;  // every parameter has unconstrained values
};

}  // namespace fermiac::inference
