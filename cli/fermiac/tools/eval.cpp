// `fermiac eval`: expressions and statements, run once in order. Values are printed as `print` writes them.
#include "cli/fermiac/shared/commands.h"
#include "repl/session/session.h"

namespace fermiac::cli {

int run_eval(const EvalArgs& args, Stop& stop) {
  repl::Session session({.seed = args.seed, .bare = true, .terminal = false, .columns = 100, .out = {}, .err = {},
                         .stop = &Stop::flag(), .limit = &stop.limit()});
  for (const std::string& text : args.statements) {
    const repl::Session::Outcome outcome = session.run(text);
    if (outcome == repl::Session::Outcome::Failed) return 1;
    if (outcome == repl::Session::Outcome::Quit) break;
  }
  return 0;
}

}  // namespace fermiac::cli
