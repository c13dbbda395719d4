#include "support/platform/signals.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <ctime>

namespace fermiac {
namespace {

constexpr int kEndSignals[] = {SIGINT, SIGTERM, SIGHUP};

void handle(int signal, void (*handler)(int)) {
  struct sigaction before {};
  sigaction(signal, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;  // nohup, or a shell's command in the background
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void handle_end_signals(void (*handler)(int signal)) {
  for (const int signal : kEndSignals) handle(signal, handler);
}

void end_by_signal(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void ignore_interrupts() { std::signal(SIGINT, SIG_IGN); }

void ignore_end_signals() {
  for (const int signal : kEndSignals) std::signal(signal, SIG_IGN);
}

std::int64_t signal_safe_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

bool write_error_at_once(std::string_view text) { return write(STDERR_FILENO, text.data(), text.size()) >= 0; }

struct SignalsHeldBack::Before {
  sigset_t signals;
};

SignalsHeldBack::SignalsHeldBack() : before_(std::make_unique<Before>()) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before_->signals);
}

SignalsHeldBack::~SignalsHeldBack() { pthread_sigmask(SIG_SETMASK, &before_->signals, nullptr); }

}  // namespace fermiac
