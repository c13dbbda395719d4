#include "repl/shell/line_editor.h"

#include <readline/history.h>
#include <readline/readline.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "repl/shell/highlight.h"
#include "repl/shell/line_painter.h"
#include "support/platform/output.h"
#include "support/platform/terminal.h"

namespace fermiac::repl {
namespace {

constexpr int kHistoryLength = 10'000;
constexpr int kMostMatches = 200;  // that are listed
constexpr const char* kWordBreaks = " \t\n()[]{},;+-*/^%=<>!&|?'\\~";
constexpr const char* kFileBreaks = " \t\n";
constexpr const char* kContinued = ". ";
constexpr const char* kColouredContinued = "\001\x1b[34m\002. \001\x1b[0m\002";

void write_out(const std::string& text) {
  write_output(text);
  flush_output();
}

ScreenSize screen_size() {
  ScreenSize size;
  rl_get_screen_size(&size.rows, &size.columns);
  return size;
}

}  // namespace

struct LineEditor::State {
  State(const Session& s, std::string h, TerminalSignals& t)
      : session(s), history_file(std::move(h)), signals(t), colours(wants_color(stdout)) {}

  // -------- lines
  End read(const std::string& lines_before, std::string* out) {
    before = lines_before;
    line.reset();
    done = false;
    painter.forget();
    shown_prompt = prompt();
    rl_callback_handler_install(shown_prompt.c_str(), [](char* text) { active->finished(text); });
    while (!done) {
      switch (signals.wait()) {
        case TerminalSignals::Event::Key: rl_callback_read_char(); break;
        case TerminalSignals::Event::Resize: rl_resize_terminal(); break;
        case TerminalSignals::Event::Interrupt: return cancelled();
        case TerminalSignals::Event::Closed: return closed();
      }
    }
    if (!line) return End::Input;
    *out = *line;
    return End::Line;
  }
  std::string prompt() const {
    if (!before.empty()) return colours ? kColouredContinued : kContinued;
    return colours ? "\001\x1b[1;34m\002" + session.prompt() + "\001\x1b[0m\002" : session.prompt();
  }
  static End closed() {
    rl_callback_handler_remove();
    return End::Input;
  }
  End cancelled() {
    TerminalSignals::drop_keys();  // keys typed before Ctrl-C that nobody has read yet belong to the line thrown away
    if (colours) {
      rl_point = rl_end;
      draw();
      write_out("^C" + painter.leave());
    } else {
      write_out("^C\n");
    }
    rl_callback_sigcleanup();
    rl_callback_handler_remove();
    return End::Interrupted;
  }
  void finished(char* text) {
    if (colours && text) {
      rl_point = rl_end;
      draw();
      write_out(painter.leave());
    }
    rl_callback_handler_remove();
    done = true;
    line = text ? std::optional<std::string>(text) : std::nullopt;
    std::free(text);
  }

  // -------- colours
  void draw() {
    const std::string_view text(rl_line_buffer, static_cast<std::size_t>(rl_end));
    std::vector<Ink> inks =
        inks_of(before + std::string(text), [this](std::string_view name) { return session.is_function(name); });
    inks.erase(inks.begin(), inks.begin() + static_cast<std::ptrdiff_t>(before.size()));
    const char* shown = rl_display_prompt ? rl_display_prompt : "";
    write_out(painter.draw(shown, text, inks, static_cast<std::size_t>(rl_point), screen_size()));
  }
  int clear_screen() {
    write_out("\x1b[H\x1b[2J");
    painter.forget();
    draw();
    return 0;
  }

  // -------- completion
  char** completions(int end) {
    rl_attempted_completion_over = 1;
    const Session::Completion found =
        session.complete(before + std::string(rl_line_buffer, static_cast<std::size_t>(end)));
    if (found.words.empty()) return show_call(before + std::string(rl_line_buffer, static_cast<std::size_t>(end))), nullptr;
    std::string common = found.words.front();
    for (const std::string& word : found.words) {
      std::size_t n = 0;
      while (n < common.size() && n < word.size() && common[n] == word[n]) ++n;
      common.resize(n);
    }
    const bool one = found.words.size() == 1;
    rl_completion_append_character = one && common.starts_with(':') ? ' ' : '\0';
    auto** out = static_cast<char**>(std::calloc(found.words.size() + 2, sizeof(char*)));
    out[0] = strdup(common.c_str());
    for (std::size_t i = 0; !one && i < found.words.size(); ++i) out[i + 1] = strdup(found.words[i].c_str());
    return out;
  }
  void list(char** matches, int count, int longest) {
    below([&] {
      if (count > kMostMatches) write_out(std::to_string(count) + " possibilities: type more letters\n");
      else show_matches(matches, count, longest);
    });
  }
  /// The signatures of the call that is open behind `text`.
  void show_call(const std::string& text) {
    if (const std::string hint = session.call_hint(text); !hint.empty()) below([&] { write_out(hint); });
  }
  /// Writes below what is typed, which then stands below that.
  template <class Write>
  void below(Write write) {
    write_out(colours ? painter.leave() : "\n");
    rl_on_new_line();
    write();
    painter.forget();
    rl_forced_update_display();
  }
  /// In columns, sorted downwards.
  static void show_matches(char** matches, int count, int longest) {
    const auto name = [&](int i) {  // without the folder
      const std::string_view match(matches[i + 1]);
      const std::size_t slash = match.size() > 1 ? match.find_last_of('/', match.size() - 2) : match.npos;
      return slash == match.npos ? match : match.substr(slash + 1);
    };
    const int width = longest + 2, columns = std::max(1, screen_size().columns / width);
    const int rows = (count + columns - 1) / columns;
    std::string out;
    for (int r = 0; r < rows; ++r) {
      std::string row;
      for (int i = r; i < count; i += rows) {
        row.resize(static_cast<std::size_t>(i / rows * width), ' ');
        row += name(i);
      }
      out += row + "\n";
    }
    write_out(out);
  }

  // -------- history
  void load_history() const {
    using_history();
    stifle_history(kHistoryLength);
    history_comment_char = '#';
    history_write_timestamps = 1;  // only so does the file keep inputs of several lines together
    if (!history_file.empty()) read_history(history_file.c_str());
  }
  /// Every input at once: nothing is lost however the session ends, and sessions side by side share the file.
  void append_to_file() const {
    if (history_file.empty()) return;
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(history_file).parent_path(), ignored);
    if (append_history(1, history_file.c_str()) != 0) write_history(history_file.c_str());
  }

  const Session& session;
  std::string history_file;
  TerminalSignals& signals;
  bool colours;
  LinePainter painter;
  std::string before, shown_prompt;
  bool done = false;
  std::optional<std::string> line;

  static State* active;  // readline's callbacks are handed no context
};
LineEditor::State* LineEditor::State::active = nullptr;

LineEditor::LineEditor(const Session& session, std::string history_file, TerminalSignals& signals)
    : state_(std::make_unique<State>(session, std::move(history_file), signals)) {
  State::active = state_.get();
  rl_catch_signals = 0;
  rl_catch_sigwinch = 0;
  rl_readline_name = "fermiac";
  rl_attempted_completion_function = [](const char*, int, int end) { return State::active->completions(end); };
  rl_completion_word_break_hook = [] {
    return const_cast<char*>(Session::takes_file(rl_line_buffer) ? kFileBreaks : kWordBreaks);
  };
  rl_completion_display_matches_hook = [](char** matches, int count, int longest) {
    State::active->list(matches, count, longest);
  };
  if (state_->colours) {
    rl_redisplay_function = [] { State::active->draw(); };
    rl_add_defun(
        "fermiac-clear-screen", [](int, int) { return State::active->clear_screen(); }, 'L' & 0x1f);
  }
  state_->load_history();
}

LineEditor::~LineEditor() {
  if (!state_->history_file.empty()) history_truncate_file(state_->history_file.c_str(), kHistoryLength);
  State::active = nullptr;
}

LineEditor::End LineEditor::read(const std::string& before, std::string* out) {
  return state_->read(before, out);
}

void LineEditor::remember(const std::string& input) {
  const HIST_ENTRY* last = history_length > 0 ? history_get(history_base + history_length - 1) : nullptr;
  if (last && input == last->line) return;
  add_history(input.c_str());
  state_->append_to_file();
}

}  // namespace fermiac::repl
