#include "repl/shell/shell.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string_view>

#include "repl/session/input_lines.h"
#include "repl/session/program_text.h"
#include "repl/shell/line_editor.h"
#include "support/platform/folders.h"
#include "support/platform/output.h"
#include "support/platform/terminal.h"
#include "support/platform/terminal_signals.h"

namespace fermiac::repl {
namespace {

std::string default_history() {
  const std::filesystem::path state = user_state_folder();
  return state.empty() ? "" : (state / "fermiac/history").string();
}

std::size_t screen_columns() {
  return std::max<std::size_t>(screen_of(stdout).columns, 20);
}

constexpr std::string_view kPatience = "\nStill in one function, which cannot be stopped; Ctrl-C once more ends fermiac.\n";
constexpr int kPasteMilliseconds = 30;  // a terminal without bracketed paste sends the lines of one this close together

int interactive(Session& session, TerminalSignals& signals, const ShellOptions& options) {
  write_output("fermiac: type Stan, or :help; Ctrl-D ends.\n");
  LineEditor editor(session, options.history_file.empty() ? default_history() : options.history_file, signals);
  Session::Outcome outcome = Session::Outcome::Ok;
  bool written = true;
  const auto run = [&](const std::string& input) {
    const std::string text(trimmed(input));
    if (!text.empty()) editor.remember(text);
    session.set_columns(screen_columns());
    signals.evaluation_begins();
    outcome = session.run(text);
    written = flush_output();
    signals.evaluation_ended();
    return written && outcome != Session::Outcome::Quit;
  };
  InputLines inputs;
  while (written && outcome != Session::Outcome::Quit) {
    std::string line;
    const LineEditor::End end = editor.read(inputs.open(), &line);
    if (end == LineEditor::End::Input) {
      write_output("\n");
      return 0;
    }
    if (end == LineEditor::End::Interrupted) inputs = {};
    else if (!inputs.is_open() && line.find('\n') != std::string::npos) each_input(line, run);
    else inputs.add(line, run);
    if (!inputs.is_open() && !TerminalSignals::key_waits(kPasteMilliseconds)) inputs.pause(run);
  }
  return written ? 0 : 1;
}

int piped(Session& session) {
  InputLines inputs;
  std::string line;
  bool failed = false, on = true;
  const auto run = [&](const std::string& input) {
    const Session::Outcome outcome = session.run(input);
    on = flush_output() && outcome != Session::Outcome::Quit;
    failed = failed || outcome == Session::Outcome::Failed;
    return on;
  };
  while (on && std::getline(std::cin, line)) inputs.add(line, run);
  if (on) inputs.end(run);
  return failed;
}

}  // namespace

int run_shell(const ShellOptions& options) {
  const bool terminal = is_terminal(stdin) && is_terminal(stdout);
  std::optional<TerminalSignals> signals;
  if (terminal) signals.emplace(kPatience);  // a script dies of Ctrl-C as any program does
  Session session({.seed = options.seed, .bare = false, .terminal = is_terminal(stderr), .columns = terminal ? screen_columns() : 100, .breaks_lines = terminal, .out = {}, .err = {},
                   .stop = signals ? &signals->interrupted() : nullptr, .timeout = options.timeout, .include_rule = options.include_rule});
  bool failed = false;
  if (!options.model.empty()) failed |= session.run(":model " + options.model) == Session::Outcome::Failed;
  std::string files;
  for (const std::string& file : options.data) files += " \"" + file + "\"";
  if (!files.empty()) failed |= session.run(":data" + files) == Session::Outcome::Failed;
  if (!signals) return failed ? (piped(session), 1) : piped(session);
  return interactive(session, *signals, options);
}

}  // namespace fermiac::repl
