// `fermiac repl`: the interactive session.
#include "cli/fermiac/shared/commands.h"
#include "repl/shell/shell.h"

namespace fermiac::cli {

int run_repl(const ReplArgs& args) {
  return repl::run_shell({.model = args.model,
                          .data = args.data,
                          .history_file = args.history,
                          .seed = args.seed,
                          .timeout = args.timeout,
                          .include_rule = args.include_rule});
}

}  // namespace fermiac::cli
