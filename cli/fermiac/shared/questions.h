// Commands that ask about the sites of a model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/fermiac/shared/commands.h"
#include "inference/diagnostics/sbc.h"
#include "inference/methods/runs_in_memory.h"
#include "inference/model/options.h"

namespace CLI {
class App;
}

namespace fermiac::cli {

class Commands;

struct SitesArgs {
  ModelArgs model;
  std::string format = "table";            // table | json
  bool names = false;                      // of the free numbers, nothing else
};

/// Where the model is looked at: constrained values, or draws.
struct PointArgs {
  std::string at;                          // JSON file
  std::vector<std::string> draws;          // CSV files
};

struct TraceArgs {
  ModelArgs model;
  PointArgs point;
  bool elements = false, by_site = false;
  std::string format = "table";            // table | jsonl
};

struct ExplainArgs {
  ModelArgs model;
  std::string at;                          // JSON file; empty: typical values
  std::vector<std::string> draws;          // folder of a run, or CSV files: divergent draws against the others
  bool elements = false;                   // all of them, not the largest of each line
  std::uint64_t seed = 1;                  // of the typical values
  std::string format = "table";            // table | json
};

struct MarginalsArgs {
  ModelArgs model;
  PointArgs point;
};

struct LogLikArgs {
  ModelArgs model;
  std::vector<std::string> draws;
  std::string group;
  std::string log_lik = "log_lik", lprior = "lprior";  // names of the columns
  inference::CommonOptions options;
};

struct QueryArgs {
  ModelArgs model;
  std::string text;                        // the query, or - for one a line from standard input
  std::vector<std::string> draws;          // CSV files from which parameters take their values
  bool normalized = false;                 // densities are divided by the probability of declared bounds
};

struct PredictArgs {
  ModelArgs model;
  PointArgs point;
  bool prior = false;                      // parameters are drawn too
  std::vector<std::string> what;           // names to draw; empty: all
  std::size_t num_draws = 1000;
  inference::CommonOptions options;
};

struct LooArgs {
  ModelArgs model;
  std::vector<std::string> files;          // draws; none: the model is sampled
  bool waic = false, moment_match = false, refit = false;
  std::string group, kfold;                // kfold: a number, `group`, or a file
  std::optional<double> k_threshold, r_eff;
  std::string format = "table";
  inference::SampleOptions options;
};

struct SbcArgs {
  ModelArgs model;
  inference::SbcOptions options;
  unsigned warmup = 500;
  bool thin_auto = true;
  std::string format = "table";
};

struct SensitivityArgs {
  ModelArgs model;
  std::vector<std::string> draws;
  std::string component;                   // names; empty: the prior
  std::vector<double> alpha;
  std::optional<double> r_eff;
  std::string format = "table";
};

int run_sbc(const SbcArgs& args, Stop& stop);
int run_sensitivity(const SensitivityArgs& args);
int run_loo(const LooArgs& args, Stop& stop);
int run_predict(const PredictArgs& args, Stop& stop);
int run_query(const QueryArgs& args);
int run_sites(const SitesArgs& args);
int run_trace(const TraceArgs& args);
int run_explain(const ExplainArgs& args);
int run_marginals(const MarginalsArgs& args);
int run_log_lik(const LogLikArgs& args, Stop& stop);

/// Adds the subcommands.
void add_questions(Commands& commands);
/// Options that every command takes which binds a model.
void add_model_options(CLI::App& app, ModelArgs& args);

}  // namespace fermiac::cli
