// Scaffolding shared by the methods that write one CSV file.
#pragma once

#include <cstdarg>
#include <string>
#include <vector>

#include "inference/csv.h"
#include "inference/init.h"
#include "inference/model.h"
#include "inference/options.h"
#include "inference/output.h"

namespace fermiac::inference {

class MethodRun {
 public:
  MethodRun(const Model& model, const CommonOptions& options, const RunIo& io)
      : model_(model), options_(options), io_(io), seed_(settle_seed(options)) {}

  /// Makes the folder and opens NAME<suffix>, headed by the configuration.
  Result open(ConfigNode method, std::string_view suffix, CsvWriter* csv);
  /// A starting point by the options' `init`, drawn for chain `id`. Messages go to io.err.
  Result initial_point(Target& target, unsigned id, Rng& rng, Span theta);

  void say(const std::string& text) const;    // to io.err
  void print(const std::string& text) const;  // to io.out
  bool stopped() const { return io_.stop != nullptr && io_.stop->load(std::memory_order_relaxed); }
  /// Prints the error, if any; the exit status.
  int finish(const Result& result) const;

  const Model& model() const { return model_; }
  std::uint64_t seed() const { return seed_; }
  const std::string& directory() const { return files_.directory(); }

 private:
  const Model& model_;
  const CommonOptions& options_;
  RunIo io_;
  std::uint64_t seed_;
  OutputFiles files_;
  bool prepared_ = false;
};

/// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...);

/// `lead` followed by the model's output columns.
std::vector<std::string> columns_after(std::vector<std::string> lead, const Model& model);

/// The parameters of one row of draws as the JSON that Model::unconstrain_json reads. Names are CSV spelling: indices
/// become nested arrays (rows first), tuple slots objects, real and imag pairs.
std::string row_as_json(const std::vector<std::string>& names, ConstSpan values);

/// Finds the model's parameters among the columns of a file, then unconstrains rows.
class RowReader {
 public:
  /// Errors: a parameter of the model is not among the columns.
  Result open(const Model& model, const CsvDraws& draws);
  Result unconstrain(const CsvDraws& draws, std::size_t row, Span theta) const;

 private:
  const Model* model_ = nullptr;
  std::vector<std::string> names_;
  std::vector<std::size_t> columns_;
};

/// The Hessian of the log density at q, row-major, by central differences of the gradient. False where the density
/// cannot be evaluated nearby.
bool hessian(Target& target, ConstSpan q, Vec* out);

}  // namespace fermiac::inference
