#include "repl/shell.h"

#include <readline/history.h>
#include <readline/readline.h>
#include <sys/select.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>

namespace fermiac::repl {
namespace {

constexpr int kHistoryLength = 10'000;
constexpr const char* kPrompt = "> ";
constexpr const char* kContinued = ". ";

// Signal handlers and readline's callbacks are handed no context: they reach nothing but globals.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "the handler must not wait for a lock");

void on_interrupt(int) {
  interrupted = true;
}

struct LineEditor* editor = nullptr;

char* copied(const std::string& text) {
  return strdup(text.c_str());
}

/// One line at a time from readline; Ctrl-C throws the line away.
struct LineEditor {
  explicit LineEditor(const Session& s, std::string history) : session(s), history_file(std::move(history)) {
    editor = this;
    rl_catch_signals = 0;
    rl_readline_name = "fermiac";
    rl_attempted_completion_function = [](const char* text, int, int end) { return editor->completions(text, end); };
    rl_completer_word_break_characters = " \t\n()[]{},;+-*/^%=<>!&|?'\\~";
    using_history();
    stifle_history(kHistoryLength);
    if (!history_file.empty()) read_history(history_file.c_str());
  }
  ~LineEditor() {
    if (!history_file.empty()) {
      std::error_code ignored;
      std::filesystem::create_directories(std::filesystem::path(history_file).parent_path(), ignored);
      write_history(history_file.c_str());
    }
    editor = nullptr;
  }
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  enum class End { Line, Interrupted, Input };
  End read(const char* prompt, std::string* out) {
    done = false;
    rl_callback_handler_install(prompt, [](char* text) { editor->finished(text); });
    while (!done) {
      fd_set set;
      FD_ZERO(&set);
      FD_SET(STDIN_FILENO, &set);
      const int ready = select(STDIN_FILENO + 1, &set, nullptr, nullptr, nullptr);
      if (interrupted.exchange(false)) {
        std::fputs("^C\n", stdout);
        rl_callback_sigcleanup();
        rl_callback_handler_remove();
        return End::Interrupted;
      }
      if (ready < 0 && errno != EINTR) break;
      if (ready > 0) rl_callback_read_char();
    }
    if (!line) return End::Input;
    *out = *line;
    return End::Line;
  }

  void finished(char* text) {
    rl_callback_handler_remove();
    done = true;
    line = text ? std::optional<std::string>(text) : std::nullopt;
    std::free(text);
  }

  char** completions(const char*, int end) {
    rl_attempted_completion_over = 1;
    const Session::Completion found = session.complete(std::string_view(rl_line_buffer, static_cast<std::size_t>(end)));
    if (found.words.empty()) return nullptr;
    std::string common = found.words.front();
    for (const std::string& word : found.words) {
      std::size_t n = 0;
      while (n < common.size() && n < word.size() && common[n] == word[n]) ++n;
      common.resize(n);
    }
    const bool one = found.words.size() == 1;
    rl_completion_append_character = one && common.ends_with('/') ? '\0' : one && common.starts_with(':') ? ' ' : '\0';
    auto** out = static_cast<char**>(std::calloc(found.words.size() + 2, sizeof(char*)));
    out[0] = copied(common);
    for (std::size_t i = 0; !one && i < found.words.size(); ++i) out[i + 1] = copied(found.words[i]);
    return out;
  }

  const Session& session;
  std::string history_file;
  bool done = false;
  std::optional<std::string> line;
};

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

int interactive(Session& session, const ShellOptions& options) {
  std::puts("fermiac: type Stan, or :help; Ctrl-D ends.");
  LineEditor lines(session, options.history_file.empty() ? default_history() : options.history_file);
  std::string pending;
  for (;;) {
    std::string line;
    const LineEditor::End end = lines.read(pending.empty() ? kPrompt : kContinued, &line);
    if (end == LineEditor::End::Input) break;
    if (end == LineEditor::End::Interrupted) {
      pending.clear();
      continue;
    }
    pending += line + "\n";
    if (Session::incomplete(pending)) continue;
    pending.pop_back();
    if (pending.find_first_not_of(" \t\n") != std::string::npos) add_history(pending.c_str());
    interrupted = false;
    const Session::Outcome outcome = session.run(pending);
    interrupted = false;
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
  Session session({.seed = options.seed, .bare = false, .terminal = isatty(STDERR_FILENO) != 0, .out = {}, .err = {},
                   .stop = &interrupted});
  bool failed = false;
  for (const auto& [command, file] : {std::pair{":model ", options.model}, {":data ", options.data}})
    if (!file.empty()) failed |= session.run(command + file) == Session::Outcome::Failed;
  if (!terminal) return failed ? (piped(session), 1) : piped(session);
  return interactive(session, options);
}

}  // namespace fermiac::repl
