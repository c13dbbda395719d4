#include "cli/cmdstan_tools/tools.h"
#include "inference/diagnostics/summary.h"
#include "inference/output/draw_files.h"
#include "support/platform/descriptor.h"
#include "support/platform/output.h"

namespace fermiac::cmdstan {

int diagnose(const std::vector<std::string>& args) {
  if (args.empty()) return write_output("USAGE:  diagnose <filename 1> [<filename 2> ... <filename N>]\n"), 0;
  std::vector<std::string> files;
  for (const std::string& file : args) {
    if (may_read(file))
      files.push_back(file);
    else
      write_output("File " + file + " not found\n");
  }
  if (files.empty()) return write_output("No valid input files, exiting.\n"), 1;
  inference::ChainSet chains;
  if (const Status bad = inference::load_chains(files, &chains); !bad)
    return write_output(bad.message + "\n"), 1;
  // What is found is in the text; the status says only whether the files could be read.
  const auto found = inference::find_problems(chains, inference::summarise(chains), {.per_chain = 0, .per_draw = 0.001});
  write_output(inference::check_text(found));
  return 0;
}

}  // namespace fermiac::cmdstan
