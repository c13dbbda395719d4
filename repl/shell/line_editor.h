// Lines typed at a terminal: readline with history, completion, colours while typing, and Ctrl-C.
#pragma once

#include <memory>
#include <string>

#include "repl/session/session.h"
#include "support/platform/terminal_signals.h"

namespace fermiac::repl {

/// There is one at a time: readline has one terminal, and its callbacks are handed no context.
class LineEditor {
 public:
  /// An empty `history_file` keeps no history.
  LineEditor(const Session& session, std::string history_file, TerminalSignals& signals);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  enum class End { Line, Interrupted, Input };
  /// One line into `out`; `before` are the lines of the same input that were typed already. Interrupted: Ctrl-C threw
  /// the line away. Input: Ctrl-D, there are no more lines.
  End read(const std::string& before, std::string* out);
  /// What Ctrl-P brings back: a whole input, of several lines perhaps.
  void remember(const std::string& input);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fermiac::repl
