// Where results go and what every result file starts with.
#pragma once

#include <string>
#include <vector>

#include "inference/model/model.h"
#include "inference/model/options.h"
#include "inference/output/config.h"
#include "inference/output/csv.h"
#include "inference/output/run_io.h"

namespace fermiac::inference {

/// Files of one run: paths chosen and the folder made, nothing overwritten.
class OutputFiles {
 public:
  /// Chooses the folder. Errors: it cannot be made.
  Status prepare(const CommonOptions& options, std::string_view model_name);
  const std::string& directory() const { return directory_; }
  /// At the end of a run that failed: a folder that was made for it and is still empty goes.
  void discard_if_empty() const;
  /// DIR/NAME<suffix>, for example suffix "_1.csv".
  std::string path(std::string_view suffix) const;
  const std::string& name() const { return name_; }
  /// Files of chain `index`, and of the run, where the layout names them.
  std::string csv(std::string_view suffix, std::size_t index) const;
  std::string metric(std::string_view suffix, std::size_t index) const;
  std::string config() const;

 private:
  std::string directory_, name_;
  const OutputLayout* layout_ = nullptr;
  bool made_ = false;
};

/// Whether a run leaves files.
inline bool writes_files(const CommonOptions& options, const RunIo& io) {
  return io.listener == nullptr || !options.output_dir.empty();
}

/// The model's name as CmdStan writes it (NAME_model).
std::string csv_model_name(std::string_view name);

/// The seed given, or one from the clock.
std::uint64_t settle_seed(const CommonOptions& options);

/// Configuration shared by all methods, after `method`: id, data, init, random, output, threads.
std::vector<ConfigNode> run_config(ConfigNode method, const CommonOptions& options, std::uint64_t seed,
                                   const std::string& output_file);
/// Versions, model, start time, configuration, compiler: the comments before the header line.
std::string csv_prolog(const Model& model, const std::vector<ConfigNode>& config, const CommonOptions& options);
/// The same without what tells one run of a configuration from another.
std::string diagnostic_prolog(const Model& model, const std::vector<ConfigNode>& config, const CommonOptions& options);
/// The same as the JSON file of save_config.
std::string config_file_json(const Model& model, const std::vector<ConfigNode>& config, const CommonOptions& options);

Status read_text_file(const std::string& path, std::string* out);
/// Values as JSON. In layouts that read R's dump format, whatever does not end in .json is in it.
Status read_values_file(const std::string& path, const OutputLayout& layout, std::string* json);
/// All of the text or no file.
Status write_text_file(const std::string& path, bool overwrite, std::string_view text);
/// A file option that may stand for several chains (see CommonOptions::init): one path per chain.
Status files_per_chain(const std::string& option, unsigned chains, unsigned first_id, std::vector<std::string>* out);

/// Settings every method checks: significant digits, ids. Empty if fine, else the violated rule.
Status check_common(const CommonOptions& options);

}  // namespace fermiac::inference
