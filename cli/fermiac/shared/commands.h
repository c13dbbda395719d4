// The subcommands of `fermiac`. main.cpp fills the structs from the command line; each run_… returns the exit status:
// 0 success, 1 the user's model, data or arguments are wrong or the run failed, 2 wrong usage.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/fermiac/options/conditioning_options.h"
#include "cli/fermiac/shared/stop.h"
#include "inference/model/options.h"
#include "interp/model/interp_model.h"

namespace fermiac::cli {

/// Which model, which data. Every command that runs a model takes these.
struct ModelArgs {
  std::string model;
  std::vector<std::string> data;           // files, joined; none: a model without data
  std::vector<std::string> include_paths;
  IncludeRule include_rule = IncludeRule::Anywhere;
  bool allow_undefined = false;
  mir::OptLevel level = kDefaultLevel;
  std::vector<std::string> no_rewrite;     // rewriting passes of the tape to leave out
  bool no_jit = false;                     // nor made while the program runs
  bool prints_to_errors = false;           // what the program prints goes to standard error
  bool portable = false;                   // the same numbers on other machines
  std::string device = "none";             // plugins/opencl/device.h, open_device
  double timeout = inference::kNoLimit;    // seconds for the whole command
  ConditioningArgs conditioning;
  bool always_conditioned = false;         // the command asks about sites
  interp::Cluster* cluster = nullptr;      // other processes of this run, if there are any
  bool tapes = true;                       // otherwise every point runs the program
  bool profiles = false;                   // `profile` blocks are measured
  bool keep_tree = false;                  // CompileOptions::keep_tree
};

/// `fermiac sample`.
struct SampleArgs {
  ModelArgs model;
  inference::SampleOptions options;
  bool gather = false;  // under mpirun: the processes have no folder in common
};

struct ReplayArgs {
  std::string folder;
  unsigned chain = 1, draw = 1;
  std::vector<std::string> names;          // quantities to show; empty: those that move most
  std::string format = "table";            // table | json
  double timeout = inference::kNoLimit;
};

struct LogProbArgs {
  ModelArgs model;
  std::string at;                          // JSON file, or - for standard input
  bool propto = false;
  bool jacobian = true;
  bool gradient = false;
  std::string engine = "replay";           // interp | replay | native
};

struct BenchArgs {
  ModelArgs model;
  double seconds = 1;
  double spread = 0;
  unsigned threads = 1;
  bool dump_tape = false;
  bool draws = false;                      // times draws instead of gradients
  bool dump_code = false;
  bool assembler = false;                  // with instructions of the machine
  std::string engine = "replay";           // interp | replay | native
};

struct FunctionsArgs {
  bool signatures = false;
  std::string check;                       // an oracle file
  bool reference = false;
  bool coverage = false;
  std::string only;                        // beginning of the names to cover
  std::uint64_t seed = 1;
};

struct EvalArgs {
  std::vector<std::string> statements;
  std::uint64_t seed = 1;
  double timeout = inference::kNoLimit;    // seconds for all of them
};

struct ReplArgs {
  std::string model;                       // loaded first; empty: none
  std::vector<std::string> data;           // bound to it
  std::string history;                     // file; empty: the usual place
  std::uint64_t seed = 1;
  double timeout = inference::kNoLimit;    // seconds for one input
  IncludeRule include_rule = IncludeRule::Anywhere;
};

struct BundleArgs {
  ModelArgs model;
  std::string output;                      // empty: NAME_model.so beside the program
  std::string code;                        // the library or program to copy; empty: the one that belongs to fermiac
  std::vector<std::string> stanc_flags;    // as stanc takes them
  std::string user_header;                 // C++ for functions that are only declared
  bool threads = false;                    // the program may use several
  bool opencl = false;                     // it takes opencl arguments
  bool mpi = false;                        // it shares jobs with the processes of mpirun
  bool no_range_checks = false;            // only told by what is made
  bool program = false;                    // with CmdStan's command line, where `output` does not say
  bool keep_cpp = false;                   // the text that is compiled with the user's header stays beside the output
};

int run_sample(const ModelArgs& model, inference::SampleOptions options, Stop& stop);
/// The model that such a run samples, with the rest of the options filled in. Throws InputError: it cannot be loaded, or the options are
/// to go on with a record (`resume`) that is of another one.
std::unique_ptr<interp::InterpModel> sampled_model(const ModelArgs& args, inference::SampleOptions* options);
/// `options` are those of the run, its seed and its folder among them.
int run_replay(const ModelArgs& model, inference::SampleOptions options, const ReplayArgs& args, Stop& stop);
int run_log_prob(const LogProbArgs& args, Stop& stop);
int run_bench(const BenchArgs& args, Stop& stop);
int run_functions(const FunctionsArgs& args);
/// Every built-in function with signatures, domain, derivatives and source, as Markdown.
std::string functions_reference();
int run_bundle(const BundleArgs& args);
/// 1 where the model refuses every point, and with `strict` where there is any remark.
int run_check_model(const ModelArgs& args, bool strict);
int run_eval(const EvalArgs& args, Stop& stop);
int run_repl(const ReplArgs& args);
/// Version, language, build, place: one line each, no end of line behind the last.
std::string version_text();
/// 1 where there are none, after the reason was printed.
int run_devices();
int run_cmdstan_home();
/// Writes the kernel's description for Jupyter below `prefix`; empty: among the user's data.
int run_jupyter_install(const std::string& prefix);

}  // namespace fermiac::cli
