// `fermiac sample`: several chains in parallel, each written to its CSV file while it runs.
#pragma once

#include <string>
#include <vector>

#include "inference/diagnostics/summary.h"
#include "inference/model/model.h"
#include "inference/model/options.h"
#include "inference/output/csv.h"
#include "inference/output/run_io.h"

namespace fermiac::inference {

struct SampleRun {
  Status status = Status::failed("the run is not complete");  // if interrupted, the message says what is left; the caller may print it
  std::uint64_t seed = 0;  // the one used
  std::string directory;
  std::string stem;                    // what the names of its files begin with, folder and all
  std::vector<std::string> csv_files;  // one per chain
  bool has_draws = false;              // `chains` is filled: all draws fitted into memory
  ChainSet chains;
};

/// Checks the options; the error quotes the rule that is violated and the value given.
Status check_options(const SampleOptions& options);

/// The run leaves what is needed to go on with it. Samplers by block leave no states, nor do chains that may run again.
bool keeps_states(const SampleOptions& options);

/// Runs the chains. Messages, progress and errors go to io.err; nothing is printed to io.out.
/// The draws depend on the model, the options, seed and id alone: not on the number of threads.
SampleRun sample(const Model& model, const SampleOptions& options, const RunIo& io);

/// What processes that draw chains of one run have in common, settled by one of them: seed, folder (`made`: it is new, and the caller's to remove) and start of the file
/// names go into the options. Errors: the folder cannot be made; a file of one of the chains is there, and may not be overwritten.
Status settle_shared_run(const Model& model, SampleOptions* options, bool* made);

/// The end of the command: the table and the problems in words on io.out, and where the draws are.
void print_results(const SampleRun& run, const SampleOptions& options, const RunIo& io);

/// Prints the results, after the reason if the run was interrupted. Returns the error of the run, which has been printed.
Status conclude_sample(SampleRun run, const SampleOptions& options, const RunIo& io);
/// The command: both.
Status run_sample(const Model& model, const SampleOptions& options, const RunIo& io = {});

}  // namespace fermiac::inference
