// The options of every method. A front end fills one of these structs; defaults are CmdStan's but for the starting points
// and the metric of `sample`.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/base/status.h"
#include "inference/model/time_limit.h"

namespace fermiac::inference {

class OutputLayout;
/// File names, configuration and messages as fermiac has them (inference/output/output_layout.h).
const OutputLayout& fermiac_layout();

/// The most chains, or paths, of one run: each has memory of its own.
inline constexpr unsigned kMostRuns = 10000;

/// Lines that say what is not finite at a point [unconstrained_size()], and where in the program; empty where nothing is found.
using WhyNotFinite = std::function<std::string(std::span<const double>)>;

/// What all methods have in common.
struct CommonOptions {
  std::string model_path;  // the .stan file; decides where results go by default
  std::string data_file;   // recorded in the output
  std::string profile_file;  // recorded too: where what `profile` blocks cost is written; empty: nowhere
  /// A radius (2: uniform on (-2, 2), unconstrained), 0, or JSON files: one for all chains, one per chain separated by
  /// commas, or NAME.json standing for NAME_1.json, NAME_2.json, …
  std::string init = "2";
  std::string_view default_init = "2";
  std::vector<std::string> init_values;  // in place of `init`: JSON texts, one for all chains or one per chain
  WhyNotFinite why_not_finite;        // for the message where no start is found; may be null
  std::optional<std::uint64_t> seed;  // absent: taken from the clock and recorded
  unsigned id = 1;                    // of the first chain: names its file and chooses its random numbers
  unsigned threads = 0;               // 0: as many as the machine has
  /// Folder for the results. Empty: a new folder beside the model, named MODEL-output, MODEL-output-2, …
  std::string output_dir;
  bool timestamp = false;   // that folder is named by date and time, too: MODEL-output-20261125-093012
  std::string output_name;  // start of the file names; empty: the model's name
  bool overwrite = false;   // replace files of the same names
  int sig_figs = 8;
  unsigned refresh = 100;    // iterations between progress lines; 0: none
  bool save_config = false;  // also write the configuration as JSON
  std::string stanc_version;  // what compiled the model, for the files; empty: fermiac and its version
  std::string stancflags;
  std::string instruction_set;  // that computes the numbers, on which their last digits depend; empty: is not told
  /// What else the model was told, for the configuration: `context` and `prior`, `weight` and `y[3]=0`.
  std::vector<std::pair<std::string, std::string>> conditioning;
  const OutputLayout* layout = &fermiac_layout();  // of files and messages; outlives the run
};

/// Of one step of Walnuts: a step of 2^20 gradients is as good as one that does not end.
inline constexpr int kMostHalvings = 20;

struct AdaptOptions {
  bool engaged = true;
  double gamma = 0.05;  // regularisation scale, > 0
  double delta = 0.8;   // target acceptance statistic, in (0, 1)
  double kappa = 0.75;  // relaxation exponent, > 0
  double t0 = 10;       // iteration offset, > 0
  unsigned init_buffer = 75;
  unsigned term_buffer = 50;
  unsigned window = 25;
};

enum class MetricKind { Unit, Diag, Dense, FisherDiag, LowRank };

enum class Engine { Nuts, Walnuts, Static, FixedParam };

/// The word in the place of a radius for starting points that are looked for (start.h).
inline constexpr std::string_view kSearchedInit = "pathfinder";

/// How a run was started.
struct RunRecord {
  std::string folder;  // current folder of the command, for relative paths
  /// Options of the command that were given, by name, in the order of help; flags have no values.
  std::vector<std::pair<std::string, std::vector<std::string>>> options;
  std::vector<std::string> arguments;  // of the command, instead of `options`: from versions that recorded these
  std::string name;                    // what the files begin with
  std::uint64_t seed = 0;
  unsigned samples = 0;                // that each chain is to have
  std::vector<unsigned> restarts;      // by chain, how often it has begun anew; empty: none has
  /// What the draws depend on besides options, by name: sums of the program and the data, the version, the instruction set.
  std::vector<std::pair<std::string, std::string>> identity;
};

struct BlockSampling;

struct SampleOptions : CommonOptions {
  SampleOptions() { init = default_init = kSearchedInit; }
  unsigned chains = 4;
  std::vector<unsigned> chain_ids;  // numbers of those of the run that are drawn here, increasing (mcmc/chain_plan.h); empty: all
  std::string final_dir;  // where the files end up that are written into output_dir; empty: they stay
  unsigned num_warmup = 1000;
  bool auto_warmup = false;      // that is the most: each chain's ends when it has settled (settling.h)
  unsigned num_samples = 1000;
  double target_ess = 0;          // above 0: as many iterations as these effective draws take (until.h), in place of num_samples
  unsigned max_samples = 10000;  // iterations of each chain that this is given
  double target_ess_max_time = kNoLimit;    // and seconds: no round begins that is not expected to end within them
  unsigned max_restarts = 0;    // times that chains which are stuck at the end (find_stuck) run again from other random numbers
  bool reports_zero_densities = true;  // many proposals with density 0 count as rejections with a reason
  bool save_warmup = false;
  bool netcdf = false;           // the caller makes one netCDF file of the draws when the run is over
  unsigned thin = 1;
  AdaptOptions adapt;
  Engine engine = Engine::Nuts;  // models without parameters always run FixedParam
  int max_treedepth = 10;
  double max_energy_error = 2;  // of Walnuts (walnuts.h): along one step
  int max_halvings = 10;        // of Walnuts: of one step
  double integration_time = 6.28318530717958647692;  // of the static engine
  MetricKind metric = MetricKind::LowRank;
  std::string metric_file;  // JSON with "inv_metric"; several as for `init`
  bool save_metric = false;
  double stepsize = 1;
  double stepsize_jitter = 0;
  /// How to go on with the run after its end; seed, samples and name are filled in. Without options it leaves nothing for that.
  RunRecord record;
  double save_every = 10;  // seconds between two states of a chain
  bool resume = false;     // go on with the run of that record in output_dir
  bool summary = true;  // print the summary table and the problems found
  bool keep_draws = true;  // in memory, for SampleRun::chains, unless they might be more than a summary is worth
  bool keep_many = false;  // these too: somebody wants them for more than the summary
  bool tell_times = true;  // how long a gradient, the warm-up and the draws took
  std::shared_ptr<const BlockSampling> blocks;  // samplers by block (blocks.h); null: one for all numbers
};

/// Line search and convergence tests of (L-)BFGS.
struct LineSearchOptions {
  double init_alpha = 0.001;   // length of the first step
  double tol_obj = 1e-12;      // absolute change of the log density
  double tol_rel_obj = 1e4;    // relative change, times machine epsilon
  double tol_grad = 1e-8;      // norm of the gradient
  double tol_rel_grad = 1e7;   // relative gradient, times machine epsilon
  double tol_param = 1e-8;     // change of the parameters
  unsigned history_size = 5;   // updates that L-BFGS keeps
};

struct OptimizeOptions : CommonOptions {
  enum class Algorithm { Lbfgs, Bfgs, Newton } algorithm = Algorithm::Lbfgs;
  bool jacobian = false;
  unsigned iterations = 2000;
  bool save_iterations = false;
  LineSearchOptions search;
};

struct PathfinderOptions : CommonOptions {
  LineSearchOptions search;
  unsigned num_psis_draws = 1000;
  unsigned num_paths = 4;
  bool save_single_paths = false;
  bool record_paths = false;  // all iterations of each path as JSON, for layouts with files for them
  bool psis_resample = true;
  bool calculate_lp = true;
  unsigned max_lbfgs_iters = 1000;
  unsigned num_draws = 1000;
  unsigned num_elbo_draws = 25;
};

struct LaplaceOptions : CommonOptions {
  std::string mode;         // CSV of `optimize`, or JSON of the constrained parameters
  std::string mode_values;  // in place of `mode`: the text of that JSON
  bool jacobian = true;
  unsigned draws = 1000;
  bool calculate_lp = true;
};

struct VariationalOptions : CommonOptions {
  enum class Algorithm { MeanField, FullRank } algorithm = Algorithm::MeanField;
  unsigned iterations = 10000;
  unsigned grad_samples = 1;
  unsigned elbo_samples = 100;
  double eta = 1;
  bool adapt_engaged = true;
  unsigned adapt_iterations = 50;
  double tol_rel_obj = 0.01;
  unsigned eval_elbo = 100;
  unsigned output_samples = 1000;
};

struct GenerateOptions : CommonOptions {
  std::vector<std::string> fitted_params;  // CSV files of an earlier run
};

struct DiagnoseOptions : CommonOptions {
  double epsilon = 1e-6;
  double error = 1e-6;
};

struct LogProbOptions : CommonOptions {
  std::string unconstrained_params;  // JSON: an array of points, or an object with "params_r"; or CSV
  std::string constrained_params;    // JSON of the model's parameters, or CSV of an earlier run
  bool jacobian = true;
};

}  // namespace fermiac::inference
