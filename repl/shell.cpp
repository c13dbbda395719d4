#include "repl/shell.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "repl/line_editor.h"

namespace fermiac::repl {
namespace {

// A signal handler can reach nothing but a global.
std::atomic<bool> interrupted{false}, impatient{false};
static_assert(std::atomic<bool>::is_always_lock_free, "the handler must not wait for a lock");

/// Loops, samplers and solvers look at the flag. A single long function, a product of large matrices say, does not: who
/// asks a second time is told, and the third time ends the program.
void on_interrupt(int) {
  static constexpr std::string_view kPatience =
      "\nStill in one function, which cannot be stopped; Ctrl-C once more ends fermiac.\n";
  if (!interrupted.exchange(true)) return;
  if (impatient.exchange(true)) {
    std::signal(SIGINT, SIG_DFL);
    std::raise(SIGINT);
  } else if (write(STDERR_FILENO, kPatience.data(), kPatience.size()) < 0) {
    return;  // there is nobody to tell
  }
}

std::string default_history() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state) return std::string(state) + "/fermiac/history";
  if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.local/state/fermiac/history";
  return {};
}

void catch_interrupt() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;  // no SA_RESTART: reading a line is to end
  sigaction(SIGINT, &action, nullptr);
}

std::size_t screen_columns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return std::max<std::size_t>(size.ws_col, 20);
}

int interactive(Session& session, const ShellOptions& options) {
  std::puts("fermiac: type Stan, or :help; Ctrl-D ends.");
  LineEditor lines(session, options.history_file.empty() ? default_history() : options.history_file, interrupted);
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
    interrupted = false;
    session.set_columns(screen_columns());
    const Session::Outcome outcome = session.run(pending);
    interrupted = impatient = false;
    std::fflush(stdout);
    pending.clear();
    if (outcome == Session::Outcome::Quit) return 0;
  }
  std::puts("");
  return 0;
}

int piped(Session& session) {
  std::string pending, line;
  bool failed = false;
  const auto run = [&] {
    const Session::Outcome outcome = session.run(pending);
    std::fflush(stdout);
    pending.clear();
    failed = failed || outcome == Session::Outcome::Failed;
    return outcome != Session::Outcome::Quit;
  };
  while (std::getline(std::cin, line)) {
    pending += line + "\n";
    if (!Session::incomplete(pending) && !run()) return failed;
  }
  if (!pending.empty()) run();
  return failed;
}

}  // namespace

int run_shell(const ShellOptions& options) {
  const bool terminal = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
  if (terminal) catch_interrupt();  // a script dies of Ctrl-C as any program does
  Session session({.seed = options.seed, .bare = false, .terminal = isatty(STDERR_FILENO) != 0, .columns = 100, .out = {}, .err = {},
                   .stop = &interrupted});
  bool failed = false;
  for (const auto& [command, file] : {std::pair{":model ", options.model}, {":data ", options.data}})
    if (!file.empty()) failed |= session.run(command + file) == Session::Outcome::Failed;
  if (!terminal) return failed ? (piped(session), 1) : piped(session);
  return interactive(session, options);
}

}  // namespace fermiac::repl
