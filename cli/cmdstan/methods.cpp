#include "inference/methods/methods.h"

#include <algorithm>
#include <cstdio>

#include "cli/cmdstan/files.h"
#include "cli/cmdstan/method.h"
#include "inference/output/csv.h"
#include "support/platform/output.h"

namespace fermiac::cmdstan {
namespace {

using namespace inference;

constexpr char kExperimental[] =
    "------------------------------------------------------------\n"
    "EXPERIMENTAL ALGORITHM:\n"
    "  This procedure has not been thoroughly tested and may be unstable\n"
    "  or buggy. The interface is subject to change.\n"
    "------------------------------------------------------------\n\n\n";

/// For a method that starts at one point and writes one file.
Status prepare_files(Run& run, CommonOptions& options) {
  if (Status bad = name_files(run, 1); !bad) return bad;
  return fill_init(1, options);
}

template <class Options>
Status prepare(Run& run, Options& options) {
  fill_options(run, options);
  return prepare_files(run, options);
}

/// The file of all draws, then one for each path; beside them the ways of the paths.
Status name_paths(Run& run, unsigned paths) {
  if (Status bad = check_count("num_paths", paths); !bad) return bad;
  if (Status bad = name_files(run, 1); !bad) return bad;
  const unsigned id = run.all.count("id");
  for (unsigned i = 0; i < paths; ++i)
    run.layout.csv_files.push_back(with_tag(run.layout.csv_files[0], "_path_" + std::to_string(id + i)));
  for (unsigned i = 0; i < paths; ++i)
    run.layout.path_records.push_back(with_tag(run.layout.csv_files[paths == 1 ? 0 : i + 1], "", ".json"));
  return {};
}

void warn_of_draws(const Run& run, const PathfinderOptions& o) {
  const double there = 1.0 * o.num_paths * o.num_draws;
  if (o.psis_resample && o.num_psis_draws > there)
    std::fprintf(
        run.io.errors,
        "Warning: Number of PSIS draws is larger than the total number of draws returned by the single Pathfinders. "
        "This is likely unintentional and leads to re-sampling from the same draws.\n");
}

/// A CSV file of draws must be of `optimize`: its first row is the mode.
Status check_mode(const std::string& file) {
  if (Status bad = check_readable(file); !bad || file.ends_with(".json")) return bad;
  CsvDraws draws;
  if (Status bad = read_csv(file, &draws); !bad) return bad;
  if (draws.setting("method") == "optimize") return {};
  return Status::failed("The mode file " + file + " must be a CSV file of method optimize, or JSON.");
}

/// The file of a chain: the name, the numbered names of several chains, or those of a list.
Status fitted_files(const Run& run, unsigned chains, std::vector<std::string>* out) {
  const std::string& fitted = run.method.text("fitted_params");
  if (Status bad = output_files(fitted, {chains, run.all.count("id"), "", ""}, out); !bad) return bad;
  for (const std::string& file : *out) {
    if (Status bad = check_readable(file); !bad) return bad;
    if (std::ranges::any_of(run.layout.csv_files, [&](const std::string& output) { return same_file(file, output); }))
      return Status::failed("Filename conflict, fitted_params file " + file +
                          " and output file names are identical, must be different.");
  }
  return {};
}

}  // namespace

Status run_optimize(Run& run) {
  OptimizeOptions o;
  if (Status bad = prepare(run, o); !bad) return fail(run, bad);
  return inference::run_optimize(run.model, o, run.io);
}

Status run_variational(Run& run) {
  VariationalOptions o;
  if (Status bad = prepare(run, o); !bad) return fail(run, bad);
  write_output(kExperimental);
  return inference::run_variational(run.model, o, run.io);
}

Status run_diagnose(Run& run) {
  DiagnoseOptions o;
  if (Status bad = prepare(run, o); !bad) return fail(run, bad);
  return inference::run_diagnose(run.model, o, run.io);
}

Status run_generate_quantities(Run& run) {
  GenerateOptions o;
  const unsigned chains = run.method.count("num_chains");
  fill_common(run, o);
  if (Status bad = name_files(run, chains); !bad) return fail(run, bad);
  if (Status bad = fitted_files(run, chains, &o.fitted_params); !bad) return fail(run, bad);
  return run_generate(run.model, o, run.io);
}

Status run_pathfinder(Run& run) {
  if (run.model.unconstrained_size() == 0)
    return fail(run, Status::failed("Model has 0 parameters, cannot run Pathfinder."));
  PathfinderOptions o;
  fill_options(run, o);
  o.record_paths = o.save_single_paths;
  o.psis_resample = o.psis_resample && o.calculate_lp;  // without densities there is nothing to resample by
  if (Status bad = name_paths(run, o.num_paths); !bad) return fail(run, bad);
  if (Status bad = fill_init(o.num_paths, o); !bad) return fail(run, bad);
  warn_of_draws(run, o);
  return inference::run_pathfinder(run.model, o, run.io);
}

Status run_log_prob(Run& run) {
  LogProbOptions o;
  fill_common(run, o);
  if (Status bad = prepare_files(run, o); !bad) return fail(run, bad);
  o.unconstrained_params = run.method.text("unconstrained_params");
  o.constrained_params = run.method.text("constrained_params");
  o.jacobian = run.method.truth("jacobian");
  const std::string& file = o.constrained_params.empty() ? o.unconstrained_params : o.constrained_params;
  if (Status bad = check_readable(file); !bad) return fail(run, bad);
  if (!file.ends_with(".csv")) warn_of_r_dump(file);
  return inference::run_log_prob(run.model, o, run.io);
}

Status run_laplace(Run& run) {
  LaplaceOptions o;
  if (Status bad = prepare(run, o); !bad) return fail(run, bad);
  if (Status bad = check_mode(o.mode); !bad) return fail(run, bad);
  return inference::run_laplace(run.model, o, run.io);
}

}  // namespace fermiac::cmdstan
