// The loop around a Session: readline with history and completion at a terminal, plain lines otherwise.
#pragma once

#include <string>

#include "repl/session/session.h"

namespace fermiac::repl {

struct ShellOptions {
  std::string model;                // loaded first; empty: none
  std::vector<std::string> data;    // files bound to it
  std::string history_file;         // empty: ~/.local/state/fermiac/history, as XDG_STATE_HOME says
  std::uint64_t seed = 1;
  double timeout = inference::kNoLimit;  // seconds for one input
  IncludeRule include_rule = IncludeRule::Anywhere;  // of models
};

/// Until :quit or the end of the input. 0; without a terminal 1 if an input failed.
int run_shell(const ShellOptions& options);

}  // namespace fermiac::repl
