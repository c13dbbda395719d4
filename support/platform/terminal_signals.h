// Ctrl-C and changes of the window, as flags and a descriptor that can be waited for. A signal reaches whichever thread
// of the program the system chooses and may come at any moment; what the handlers write into a pipe stays there until
// somebody reads it, so that none is lost between looking and waiting.
#pragma once

#include <atomic>
#include <string_view>

namespace fermiac {

/// There is one at a time: a signal handler can reach nothing but globals.
class TerminalSignals {
 public:
  /// `patience` is printed at the second Ctrl-C in an evaluation; it must stay valid.
  explicit TerminalSignals(std::string_view patience);
  ~TerminalSignals();
  TerminalSignals(const TerminalSignals&) = delete;
  TerminalSignals& operator=(const TerminalSignals&) = delete;

  /// Set by Ctrl-C; whoever answers to it resets it.
  std::atomic<bool>& interrupted();
  /// Between these, who presses Ctrl-C again and again, a second apart, ends the program.
  void evaluation_begins();
  /// Drops keys that were typed before a Ctrl-C.
  void evaluation_ended();

  enum class Event { Key, Interrupt, Resize, Closed };
  /// Waits for a key to be there, or for a signal.
  Event wait();
  /// A key is there already, or comes within so many milliseconds.
  static bool key_waits(int milliseconds);
  /// Keys that were typed and that nobody has read are lost.
  static void drop_keys();
};

}  // namespace fermiac
