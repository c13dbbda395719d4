#include "cli/fermiac/shared/stop.h"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>

#include "inference/model/options.h"
#include "inference/output/run_io.h"

namespace fermiac::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kLook = std::chrono::milliseconds(50);
constexpr auto kGrace = std::chrono::milliseconds(900), kGraceWithResults = std::chrono::milliseconds(10'000);
constexpr std::int64_t kOnePress = 250;  // milliseconds: a terminal that closes sends several signals at once

// A signal handler can reach nothing but globals.
std::atomic<bool> stop_flag{false};
std::atomic<std::int64_t> first_signal{0};  // when, in milliseconds
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free,
              "the handler must not wait for a lock");

std::int64_t milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

void on_signal(int signal) {
  const std::int64_t now = milliseconds();
  std::int64_t first = 0;
  stop_flag = true;
  if (first_signal.compare_exchange_strong(first, now) || now - first < kOnePress) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void handle(int signal) {
  struct sigaction before {};
  sigaction(signal, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;  // nohup, or a shell's command in the background
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

std::atomic<bool>& Stop::flag() {
  return stop_flag;
}

Stop::Stop(double seconds) : limit_(seconds, stop_flag) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) handle(signal);
  watch_ = std::thread([this] { watch(); });
}

Stop::~Stop() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  watch_.join();
}

std::string Stop::reason() const {
  return inference::stop_reason({.limit = &limit_});
}

/// Looks again and again: a handler cannot safely wake a thread.
void Stop::watch() {
  Clock::time_point seen{};
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kLook, [this] { return over_; })) {
    if (!requested()) continue;
    if (seen == Clock::time_point{}) seen = Clock::now();
    const auto waited = Clock::now() - seen;
    if (!has_results_ ? waited > kGrace : limit_.reached() && waited > kGraceWithResults) end_program();
  }
}

void Stop::end_program() const {
  if (ftrylockfile(stdout) == 0) {  // else somebody waits in a write
    std::fflush(stdout);
    funlockfile(stdout);
  }
  const std::string text = "fermiac: " + reason() + "\n";
  static_cast<void>(write(STDERR_FILENO, text.data(), text.size()) + 0);
  _exit(1);
}

}  // namespace fermiac::cli
