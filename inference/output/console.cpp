#include "inference/output/console.h"

#include <algorithm>
#include <cmath>

#include "inference/output/posterior_table.h"
#include "inference/output/run_io.h"
#include "support/base/text.h"
#include "support/platform/output.h"
#include "support/platform/terminal.h"

namespace fermiac::inference {
namespace {

constexpr unsigned kBarWidth = 40, kLeastBarWidth = 10;
constexpr auto kRedrawEvery = std::chrono::milliseconds(100);

unsigned percent(unsigned done, unsigned total) {
  return total == 0 ? 100 : static_cast<unsigned>(100ULL * done / total);
}

/// Green is done, yellow is warming up.
std::string_view code_of(std::string_view phase) {
  return phase == "Warmup" ? "\x1b[33m" : "\x1b[32m";
}

}  // namespace

namespace {

/// `  1:05 left`
std::string left_text(double seconds) {
  if (!(seconds >= 0) || seconds > 1e8) return {};
  const auto s = static_cast<unsigned long>(std::ceil(seconds));
  char text[48];
  if (s < 3600) std::snprintf(text, sizeof text, "  %lu:%02lu left", s / 60, s % 60);
  else std::snprintf(text, sizeof text, "  %lu:%02lu:%02lu left", s / 3600, s / 60 % 60, s % 60);
  return text;
}

}  // namespace

std::string bar_text(const Bar& bar, unsigned columns, bool colours) {
  const unsigned done = percent(bar.done, bar.total);
  char head[32], tail[96];
  std::snprintf(head, sizeof head, "chain %2u ", bar.id);
  if (bar.id == 0) std::snprintf(head, sizeof head, "chains ");
  std::snprintf(tail, sizeof tail, " %3u%%  %u / %u (%s)", done, bar.done, bar.total, bar.phase);
  if (bar.done == 0) std::snprintf(tail, sizeof tail, "   0%%  (%s)", bar.phase);
  const std::string more = tail + (bar.divergent > 0 ? "  " + std::to_string(bar.divergent) + " divergent" : "") + left_text(bar.left);
  if (std::string_view(head).size() + more.size() + 2 + kLeastBarWidth <= columns) std::snprintf(tail, sizeof tail, "%s", more.c_str());
  const auto room = [&] { return static_cast<int>(columns) - static_cast<int>(std::string_view(head).size() + std::string_view(tail).size() + 2); };
  if (room() < static_cast<int>(kLeastBarWidth)) std::snprintf(tail, sizeof tail, " %3u%%", done);
  if (room() < static_cast<int>(kLeastBarWidth)) return (head + std::string(tail)).substr(0, columns);
  const unsigned width = std::min(kBarWidth, static_cast<unsigned>(room())), full = width * done / 100;
  const std::string_view on = colours ? code_of(bar.phase) : "", off = colours ? "\x1b[0m" : "";
  return std::string(head) + "|" + std::string(on) + std::string(full, '#') + std::string(off) +
         std::string(width - full, '.') + "|" + tail;
}

Console::Console(const RunIo& io, std::vector<unsigned> ids, unsigned refresh, bool named)
    : io_(io), ids_(std::move(ids)), refresh_(refresh), named_(named), bars_(ids_.size()), paces_(ids_.size()), colours_(io.terminal && wants_color(io.err)) {
  for (std::size_t c = 0; c < ids_.size(); ++c) bars_[c].id = ids_[c];
}

std::string Console::lines_of(unsigned chain, std::string_view text) const {
  const std::size_t window = io_.terminal ? terminal_columns(io_.err) : 0;
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    if (named_ && !line.empty()) line = "Chain [" + std::to_string(ids_[chain]) + "] " + line;
    out += (window > 0 && columns_of(line) > window ? filled(line, window) : line) + '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

void Console::message(unsigned chain, std::string_view text) {
  if (io_.listener) return io_.listener->message(lines_of(chain, text));
  const std::lock_guard lock(mutex_);
  clear_bars();
  const std::string lines = lines_of(chain, text);
  std::fwrite(lines.data(), 1, lines.size(), io_.err);
  if (io_.terminal && drawn_.empty() && bars_[chain].done > 0) draw_bars(true);
  std::fflush(io_.err);
}

void Console::note(std::string_view text) {
  if (io_.listener) return io_.listener->message(text);
  const std::lock_guard lock(mutex_);
  clear_bars();
  std::fwrite(text.data(), 1, text.size(), io_.err);
  std::fflush(io_.err);
}

/// By the pace of the phase so far; the sampling after a warm-up is counted as fast as that.
double Console::seconds_left(unsigned chain, unsigned done, unsigned total, bool warmup) {
  const auto now = std::chrono::steady_clock::now();
  Pace& pace = paces_[chain];
  if (!pace.known || pace.warmup != warmup) {
    pace = {.since = now, .done = done, .warmup = warmup, .known = true};
    return done < total ? bars_[chain].left : -1;
  }
  const double took = std::chrono::duration<double>(now - pace.since).count();
  constexpr unsigned kFew = 10;
  return done < pace.done + kFew || done == total ? -1 : took / (done - pace.done) * (total - done);
}

void Console::iteration(unsigned chain, unsigned m, unsigned start, unsigned total, bool warmup, unsigned divergent) {
  if (refresh_ == 0) return;
  const unsigned done = start + m + 1;
  if (io_.terminal) {
    const std::lock_guard lock(mutex_);
    bars_[chain] = {ids_[chain], done, total, warmup ? "Warmup" : "Sampling", divergent, seconds_left(chain, done, total, warmup)};
    draw_bars(done == total);
    return;
  }
  if (m != 0 && done != total && (m + 1) % refresh_ != 0) return;
  if (io_.listener) return io_.listener->progress(chain, done, total, warmup);
  const std::lock_guard lock(mutex_);
  if (named_) std::fprintf(io_.err, "Chain [%u] ", ids_[chain]);
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

/// The cursor stands below the bars, behind a ^C perhaps. Where the window became narrower, a bar takes several rows.
void Console::clear_bars() {
  if (drawn_.empty()) return;
  const unsigned columns = std::max(screen_of(io_.err).columns, 1u);
  unsigned rows = 0;
  for (const unsigned width : drawn_) rows += (std::max(width, 1u) - 1) / columns + 1;
  std::fprintf(io_.err, "\r\x1b[%uA\x1b[J", rows);
  drawn_.clear();
}

/// All chains as one, where the screen has no room for a line each.
Bar Console::sum_of_bars() const {
  Bar sum{0, 0, 0, "Sampling"};
  for (const Bar& bar : bars_) {
    sum.done += bar.done;
    sum.divergent += bar.divergent;
    sum.left = std::max(sum.left, bar.left);
    sum.total += bar.total > 1 ? bar.total : bars_[0].total;
    if (bar.phase == std::string_view("Warmup")) sum.phase = "Warmup";
  }
  return sum;
}

void Console::draw_bars(bool now) {
  const auto time = std::chrono::steady_clock::now();
  if (!now && time - last_drawn_ < kRedrawEvery) return;
  last_drawn_ = time;
  clear_bars();
  const Screen screen = screen_of(io_.err);
  const std::vector<Bar> shown = bars_.size() + 1 < screen.rows ? bars_ : std::vector<Bar>{sum_of_bars()};
  std::string out;
  for (const Bar& bar : shown) {
    out += bar_text(bar, screen.columns, colours_) + "\n";
    drawn_.push_back(static_cast<unsigned>(bar_text(bar, screen.columns, false).size()));
  }
  std::fputs(out.c_str(), io_.err);
  std::fflush(io_.err);
}

}  // namespace fermiac::inference
