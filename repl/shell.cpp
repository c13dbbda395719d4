#include "repl/shell.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string_view>

#include "repl/line_editor.h"
#include "repl/terminal_signals.h"
#include "support/output.h"

namespace fermiac::repl {
namespace {

std::string default_history() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state) return std::string(state) + "/fermiac/history";
  if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.local/state/fermiac/history";
  return {};
}

std::size_t screen_columns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return std::max<std::size_t>(size.ws_col, 20);
}

int interactive(Session& session, TerminalSignals& signals, const ShellOptions& options) {
  write_output("fermiac: type Stan, or :help; Ctrl-D ends.\n");
  LineEditor lines(session, options.history_file.empty() ? default_history() : options.history_file, signals);
  std::string pending;
  for (;;) {
    std::string line;
    const LineEditor::End end = lines.read(pending, &line);
    if (end == LineEditor::End::Input) break;
    if (end == LineEditor::End::Interrupted) {
      pending.clear();
      continue;
    }
    pending += line + "\n";
    if (Session::incomplete(pending)) continue;
    pending.pop_back();
    if (pending.find_first_not_of(" \t\n") != std::string::npos) lines.remember(pending);
    session.set_columns(screen_columns());
    signals.evaluation_begins();
    const Session::Outcome outcome = session.run(pending);
    if (!flush_output()) return 1;
    signals.evaluation_ended();
    pending.clear();
    if (outcome == Session::Outcome::Quit) return 0;
  }
  write_output("\n");
  return 0;
}

int piped(Session& session) {
  OpenText pending;
  std::string line;
  bool failed = false;
  const auto run = [&] {
    const Session::Outcome outcome = session.run(pending.text());
    const bool written = flush_output();
    pending = {};
    failed = failed || outcome == Session::Outcome::Failed;
    return written && outcome != Session::Outcome::Quit;
  };
  while (std::getline(std::cin, line)) {
    pending.add(line + "\n");
    if (!pending.incomplete() && !run()) return failed;
  }
  if (!pending.text().empty()) run();
  return failed;
}

}  // namespace

int run_shell(const ShellOptions& options) {
  const bool terminal = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
  std::optional<TerminalSignals> signals;
  if (terminal) signals.emplace();  // a script dies of Ctrl-C as any program does
  Session session({.seed = options.seed, .bare = false, .terminal = isatty(STDERR_FILENO) != 0, .columns = 100, .out = {}, .err = {},
                   .stop = signals ? &signals->interrupted() : nullptr, .timeout = options.timeout, .include_rule = options.include_rule});
  bool failed = false;
  for (const auto& [command, file] : {std::pair{":model ", options.model}, {":data ", options.data}})
    if (!file.empty()) failed |= session.run(command + file) == Session::Outcome::Failed;
  if (!signals) return failed ? (piped(session), 1) : piped(session);
  return interactive(session, *signals, options);
}

}  // namespace fermiac::repl
