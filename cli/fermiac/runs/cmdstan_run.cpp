// A command that help does not show: a model under CmdStan's command line, without making a program of it first.
#include "cli/cmdstan/cmdstan.h"
#include "cli/fermiac/options/process_options.h"
#include "cli/fermiac/runs/methods.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/refuse.h"
#include "support/base/memory.h"
#include "support/base/model_name.h"
#include "support/base/text_file.h"
#include "support/platform/process_memory.h"

namespace fermiac::cli {

int run_as_cmdstan(std::span<const std::string> words) {
  limit_process_memory(ad::default_memory_limit());
  const ad::MemoryScope limited(ad::default_memory_limit());
  const std::string path = words.empty() ? "" : words[0];
  TextFile file = read_text_file(path, true);
  if (file.state != TextFile::State::Read) {
    return refuse(file.problem);
  }
  cmdstan::ModelSource source;
  source.program = {.text = std::move(file.text), .path = path, .name = model_name(path), .keep_tree = false};
  source.command = source.program.name;
  source.threads = true;
  return cmdstan::cmdstan_main(source, words.subspan(1));
}

}  // namespace fermiac::cli
