// The layout of a run's output: file names, configuration and conventions. fermiac's own, or one that another command line prescribes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "inference/output/config.h"

namespace fermiac::inference {

struct StanVersion {
  int major = 2, minor = 35, patch = 0;
};

/// In what layouts differ besides names of files. The defaults are fermiac's.
struct OutputConventions {
  // Messages.
  std::string_view exception_prefix = {};  // precedes the message of an evaluation that failed
  bool reports_each_chain = false;  // rejections, failures and errors are reported by each chain, in place of one summary of all
  bool always_reports = false;      // progress and times are printed even if `refresh` is 0
  bool guides = true;               // waiting messages, advice, tables of the draws, and where the results are
  bool times_generation = false;    // generate reports the time of each chain, to the console and in the files
  bool times_gradient = false;      // variational reports the time of one gradient
  bool short_path_times = false;    // pathfinder without resampling reports its total time only
  // Rules of the methods.
  bool checks_settings = true;      // else the command line has checked them by rules of its own
  bool chooses_fixed_param = true;  // a model without parameters is sampled with fixed_param
  bool keeps_draws = true;          // draws stay in memory for the tables at the end
  bool cmdstan_starts = false;      // number of attempts at a start, and its messages, are CmdStan's
  bool finds_mode = true;           // laplace without a mode looks for one
  bool first_row_is_mode = false;   // of a file of optimize; else the last
  bool judges_differences = true;   // diagnose tells a wrong gradient from an inexact difference and from tolerances of solvers
  bool failed_search_is_error = false;  // optimize fails if a line search of (L-)BFGS does, at a kink, too
  // Files.
  bool has_folder = true;           // files are DIR/NAME<suffix>, and the folder is made for them
  bool lists_blocks = true;         // comments of the CSV files name the variables of each block
  bool one_config_file = false;     // one file of the configuration for a run; else one beside each CSV file
  bool keeps_files_without_rows = false;
  bool has_converged_column = false;  // converged__ of optimize
  bool has_file_of_only_path = true;  // pathfinder with one path saves it in a file of its own, too
  bool reads_r_dump = false;        // values in files that do not end in .json are R's dump format
  bool draws_by_position = false;   // generate reads the columns behind the leading ones in order, and warmup rows, too
};

/// An instance outlives the runs that use it.
class OutputLayout {
 public:
  explicit OutputLayout(OutputConventions conventions = {}) : conventions_(conventions) {}
  virtual ~OutputLayout() = default;
  const OutputConventions& conventions() const { return conventions_; }

  virtual StanVersion version() const { return {}; }
  /// The configuration that files begin with; `own` is made of the options of the method.
  virtual std::vector<ConfigNode> config(std::vector<ConfigNode> own) const { return own; }
  /// What follows the configuration: where the run takes place.
  virtual std::vector<ConfigNode> environment() const { return {}; }

  /// The path of draws `index` (chains; of pathfinder all draws, then each path), of a metric and of the configuration. `own` is the
  /// path in the folder of the run.
  virtual std::string csv(std::string own, std::size_t /*index*/) const { return own; }
  virtual std::string metric(std::string own, std::size_t /*index*/) const { return own; }
  virtual std::string config_file(std::string own) const { return own; }
  /// Files that only some layouts have, empty in others: diagnostics of a chain, and all iterations of a path of pathfinder.
  virtual std::string diagnostic(std::size_t /*index*/) const { return {}; }
  virtual std::string path_record(std::size_t /*index*/) const { return {}; }

 private:
  OutputConventions conventions_;
};

}  // namespace fermiac::inference
