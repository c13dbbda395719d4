#include "support/platform/terminal_signals.h"

#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>

#include "support/platform/descriptor.h"
#include "support/platform/signals.h"

namespace fermiac {
namespace {

constexpr int kNotEvaluating = -1;
constexpr std::int64_t kSecond = 1000;

// A signal handler can reach nothing but globals.
std::atomic<bool> interrupt_flag{false}, resize_flag{false};
std::atomic<std::int64_t> next_press{0};  // when it counts, in milliseconds
std::atomic<int> presses{kNotEvaluating};
int wake[2] = {-1, -1};  // a pipe
std::string_view patience_text;
struct sigaction interrupt_before {}, resize_before {};
termios terminal_before{};
bool terminal_changed = false;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free,
              "the handler must not wait for a lock");

void wake_up() {
  const int error = errno;
  const ssize_t written = write(wake[1], "!", 1);  // a full pipe wakes as well
  static_cast<void>(written);
  errno = error;
}

void restore_terminal() {
  if (terminal_changed) tcsetattr(STDIN_FILENO, TCSANOW, &terminal_before);
}

/// How often Ctrl-C was pressed in this evaluation; 0 for a press that comes within a second of another.
int counted_press() {
  const std::int64_t now = signal_safe_milliseconds();
  if (presses == kNotEvaluating || now < next_press) return 0;
  next_press = now + kSecond;
  return ++presses;
}

void end_program() {
  restore_terminal();
  end_by_signal(SIGINT);
}

/// Loops, samplers, solvers and the blocks of large matrices look at the flag. A few decompositions do not: who asks a
/// second time is told, and the third time ends the program.
void on_interrupt(int) {
  interrupt_flag = true;
  wake_up();
  const int press = counted_press();
  if (press == 2 && !write_error_at_once(patience_text)) return;  // there is nobody to tell
  if (press > 2) end_program();
}

void on_resize(int) {
  resize_flag = true;
  wake_up();
}

struct sigaction handler(void (*function)(int)) {
  struct sigaction action {};
  action.sa_handler = function;
  action.sa_flags = SA_RESTART;  // what is being printed is printed to its end
  return action;
}

void open_pipe() {
  if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0) wake[0] = wake[1] = -1;
}

void empty_pipe() {
  char bytes[64];
  while (read(wake[0], bytes, sizeof bytes) > 0) {
  }
}

/// On Ctrl-C a terminal sends the signal first, and then throws away what was typed and what is being printed: the
/// prompt that answers the signal may be among it, and so may the key that somebody was just told of. We drop keys
/// ourselves.
void keep_output_on_interrupt() {
  if (tcgetattr(STDIN_FILENO, &terminal_before) != 0) return;
  termios changed = terminal_before;
  changed.c_lflag |= NOFLSH;
  terminal_changed = tcsetattr(STDIN_FILENO, TCSANOW, &changed) == 0;
}

}  // namespace

TerminalSignals::TerminalSignals(std::string_view patience) {
  patience_text = patience;
  open_pipe();
  keep_output_on_interrupt();
  const struct sigaction interrupt = handler(on_interrupt), resize = handler(on_resize);
  sigaction(SIGINT, &interrupt, &interrupt_before);
  sigaction(SIGWINCH, &resize, &resize_before);
}

TerminalSignals::~TerminalSignals() {
  sigaction(SIGINT, &interrupt_before, nullptr);
  sigaction(SIGWINCH, &resize_before, nullptr);
  restore_terminal();
  for (const int end : wake) close(end);
}

std::atomic<bool>& TerminalSignals::interrupted() {
  return interrupt_flag;
}

void TerminalSignals::evaluation_begins() {
  next_press = 0;
  presses = 0;
}

void TerminalSignals::evaluation_ended() {
  presses = kNotEvaluating;
  if (interrupt_flag.exchange(false)) drop_keys();
}

TerminalSignals::Event TerminalSignals::wait() {
  for (;;) {
    empty_pipe();  // before the flags are read: what comes now wakes the poll
    if (interrupt_flag.exchange(false)) return Event::Interrupt;
    if (resize_flag.exchange(false)) return Event::Resize;
    pollfd ends[] = {{STDIN_FILENO, POLLIN, 0}, {wake[0], POLLIN, 0}};
    if (poll(ends, 2, -1) < 0 && errno != EINTR) return Event::Closed;
    if (ends[1].revents == 0 && ends[0].revents != 0) return Event::Key;
  }
}

bool TerminalSignals::key_waits(int milliseconds) { return input_waits(STDIN_FILENO, milliseconds); }

void TerminalSignals::drop_keys() { tcflush(STDIN_FILENO, TCIFLUSH); }

}  // namespace fermiac
