#include "cli/fermiac/shared/stop.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "inference/model/options.h"
#include "inference/output/run_io.h"
#include "support/platform/output.h"
#include "support/platform/signals.h"

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

void on_signal(int signal) {
  const std::int64_t now = signal_safe_milliseconds();
  std::int64_t first = 0;
  stop_flag = true;
  if (first_signal.compare_exchange_strong(first, now) || now - first < kOnePress) return;
  end_by_signal(signal);
}

}  // namespace

std::atomic<bool>& Stop::flag() {
  return stop_flag;
}

Stop::Stop(double seconds) : limit_(seconds, stop_flag) {
  handle_end_signals(on_signal);
  watch_.emplace(kLook, [this](double) { watch(); });
}

std::string Stop::reason() const {
  return inference::stop_reason({.limit = &limit_});
}

/// Looks again and again: a handler cannot safely wake a thread.
void Stop::watch() {
  if (!requested()) return;
  if (seen_ == Clock::time_point{}) seen_ = Clock::now();
  const auto waited = Clock::now() - seen_;
  if (!has_results_ ? waited > kGrace : limit_.reached() && waited > kGraceWithResults) end_program();
}

void Stop::end_program() const {
  flush_output_if_free();
  static_cast<void>(write_error_at_once("fermiac: " + reason() + "\n"));
  std::_Exit(1);
}

}  // namespace fermiac::cli
