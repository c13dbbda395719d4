// Signals that ask the program to end. A handler may run at any moment on any thread: it may use lock-free atomic variables and
// the functions here that say so, and nothing else.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace fermiac {

/// Calls handler(signal) at Ctrl-C, at a request to end, and when the terminal closes, except for signals that the program was
/// started to ignore (by nohup, or in the background). System calls that a signal interrupts go on.
void handle_end_signals(void (*handler)(int signal));
/// Ends the program as the signal does where nobody handles it. For handlers.
void end_by_signal(int signal);

void ignore_interrupts();
/// All signals of handle_end_signals().
void ignore_end_signals();

/// Of a clock that never goes back. For handlers.
std::int64_t signal_safe_milliseconds();
/// Writes to standard error, past its buffer; false where that fails. For handlers, and for ends without a way back.
bool write_error_at_once(std::string_view text);

/// Threads that start in this scope receive no signals: they all go to the threads that are there already.
class SignalsHeldBack {
 public:
  SignalsHeldBack();
  ~SignalsHeldBack();
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;

 private:
  struct Before;
  std::unique_ptr<Before> before_;
};

}  // namespace fermiac
