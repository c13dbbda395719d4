// What the methods of CmdStan's command line share: a run with its settings and files, and how both become options of inference/.
#pragma once

#include <string>
#include <vector>

#include "cli/cmdstan/cmdstan_layout.h"
#include "cli/cmdstan/setting.h"
#include "inference/methods/settings.h"
#include "inference/model/model.h"
#include "inference/model/options.h"
#include "inference/output/config.h"
#include "inference/output/run_io.h"

namespace fermiac::cmdstan {

struct ModelSource;

struct Run {
  const Model& model;
  const Setting& all;
  const Setting& method;  // the settings of the method itself
  const ModelSource& source;
  const inference::RunIo& io;
  CmdStanLayout layout;
};

/// The options of every method, but for initial values in files.
void fill_common(const Run& run, inference::CommonOptions& options);
/// Sets the options of a method that CmdStan has too.
void fill(const Setting& method, const inference::OptionRows& rows);
/// Both.
template <class Options>
void fill_options(const Run& run, Options& options) {
  inference::OptionRows rows;
  add_options(rows, options);
  fill(run.method, rows);
  fill_common(run, options);
}
/// The files of initial values for `chains` chains, as a list that says all; a radius stays as it is.
Status fill_init(unsigned chains, inference::CommonOptions& options);
/// Each chain, or path, has memory of its own: there is a limit.
Status check_count(const char* what, unsigned count);
/// The names of the files to write, for so many chains.
Status name_files(Run& run, unsigned chains);

std::string joined(const std::vector<std::string>& names);
/// Prints why the run failed, and returns it.
Status fail(const Run& run, Status why);

Status run_sample(Run& run);
Status run_optimize(Run& run);
Status run_variational(Run& run);
Status run_diagnose(Run& run);
Status run_generate_quantities(Run& run);
Status run_pathfinder(Run& run);
Status run_log_prob(Run& run);
Status run_laplace(Run& run);

/// Runs the chosen method and returns the exit status; the reason of a failure is written to io.errors.
/// `environment`: see OutputLayout.
int run_method(const Model& model, const Setting& settings, const ModelSource& source, std::vector<inference::ConfigNode> environment,
               const inference::RunIo& io);

}  // namespace fermiac::cmdstan
