#include "inference/console.h"

#include <algorithm>

namespace fermiac::inference {
namespace {

constexpr unsigned kBarWidth = 40;
constexpr auto kRedrawEvery = std::chrono::milliseconds(100);

unsigned percent(unsigned done, unsigned total) {
  return total == 0 ? 100 : static_cast<unsigned>(100ULL * done / total);
}

}  // namespace

Console::Console(const RunIo& io, unsigned chains, unsigned first_id, unsigned refresh)
    : io_(io), first_id_(first_id), refresh_(refresh), bars_(chains) {}

void Console::print_lines(unsigned chain, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (bars_.size() > 1 && !line.empty()) std::fprintf(io_.err, "Chain [%u] ", first_id_ + chain);
    std::fprintf(io_.err, "%.*s\n", static_cast<int>(line.size()), line.data());
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void Console::message(unsigned chain, std::string_view text) {
  const std::lock_guard lock(mutex_);
  clear_bars();
  print_lines(chain, text);
  if (io_.terminal && drawn_ == 0 && bars_[chain].done > 0) draw_bars(true);
  std::fflush(io_.err);
}

void Console::note(std::string_view text) {
  const std::lock_guard lock(mutex_);
  clear_bars();
  std::fwrite(text.data(), 1, text.size(), io_.err);
  std::fflush(io_.err);
}

void Console::iteration(unsigned chain, unsigned m, unsigned start, unsigned total, bool warmup) {
  if (refresh_ == 0) return;
  const unsigned done = start + m + 1;
  if (io_.terminal) {
    const std::lock_guard lock(mutex_);
    bars_[chain] = {done, total, warmup ? "Warmup" : "Sampling"};
    draw_bars(done == total);
    return;
  }
  if (m != 0 && done != total && (m + 1) % refresh_ != 0) return;
  const std::lock_guard lock(mutex_);
  if (bars_.size() > 1) std::fprintf(io_.err, "Chain [%u] ", first_id_ + chain);
  const int width = static_cast<int>(std::to_string(total).size());
  std::fprintf(io_.err, "Iteration: %*u / %u [%3u%%]  (%s)\n", width, done, total, percent(done, total),
               warmup ? "Warmup" : "Sampling");
  std::fflush(io_.err);
}

void Console::finished(unsigned chain) {
  if (!io_.terminal || refresh_ == 0) return;
  const std::lock_guard lock(mutex_);
  if (bars_[chain].done == bars_[chain].total) bars_[chain].phase = "done";
  draw_bars(true);
}

void Console::clear_bars() {
  if (drawn_ > 0) std::fprintf(io_.err, "\x1b[%uA\x1b[J", drawn_);
  drawn_ = 0;
}

void Console::draw_bars(bool now) {
  const auto time = std::chrono::steady_clock::now();
  if (!now && time - last_drawn_ < kRedrawEvery) return;
  last_drawn_ = time;
  clear_bars();
  for (std::size_t c = 0; c < bars_.size(); ++c) {
    const Bar& bar = bars_[c];
    const unsigned full = kBarWidth * percent(bar.done, bar.total) / 100;
    const std::string fill = std::string(full, '#') + std::string(kBarWidth - full, '.');
    std::fprintf(io_.err, "chain %2zu |%s| %3u%%  %u / %u (%s)\n", c + first_id_, fill.c_str(),
                 percent(bar.done, bar.total), bar.done, bar.total, bar.phase);
  }
  drawn_ = static_cast<unsigned>(bars_.size());
  std::fflush(io_.err);
}

}  // namespace fermiac::inference
