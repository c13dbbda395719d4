#include "cli/fermiac/runs/chain_collector.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>

namespace fermiac::cli {
namespace {

constexpr double kNow = 0, kAMoment = 3;  // seconds

/// In one piece.
void print(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

ChainCollector::ChainCollector(Transport& transport, std::function<void(int)> lost)
    : transport_(transport), lost_(std::move(lost)), others_(static_cast<std::size_t>(transport.size())) {
  heart_.emplace(kHeartbeatPeriod, [this](double seconds) { beat(seconds); });
}

void ChainCollector::beat(double seconds) {
  const std::lock_guard lock(mutex_);
  for (Other& other : others_) other.silence.wait(seconds);
  while (auto arrival = transport_.receive()) {
    Other& other = others_[static_cast<std::size_t>(arrival->from)];
    other.silence.heard();
    take(other, Report::unpack(std::move(arrival->message)));
  }
  if (time_to_send_(seconds)) tell_all({});
  for (std::size_t k = 1; k < others_.size(); ++k) {
    Other& other = others_[k];
    if (other.gone || !other.silence.expired()) continue;
    other.gone = true;
    if (!other.last) lost_(static_cast<int>(k));
  }
  changed_.notify_all();
}

void ChainCollector::take(Other& other, Report report) {
  if (begun_) print(report.printed);
  else other.while_loading += report.printed;
  write_pieces(other, report);
  if (report.kind == Report::Kind::Loaded) other.well = report.well;
  if (report.kind != Report::Kind::Done) return;
  settle_files(other, report);
  other.last = std::move(report);
}

void ChainCollector::write_pieces(Other& other, const Report& report) {
  for (const auto& [name, bytes] : report.pieces) {
    std::unique_ptr<inference::TextFile>& file = other.files[name];
    inference::Result written;
    if (!file) {
      file = std::make_unique<inference::TextFile>();
      written = file->open(folder_ + "/" + name, overwrite_);
    }
    file->append(bytes);
    if (written) written = file->flush();
    if (!written && write_error_.empty()) write_error_ = written.error;
  }
}

/// A file that its process did not keep has no draws.
void ChainCollector::settle_files(Other& other, const Report& last) {
  for (auto& [name, file] : other.files) {
    if (std::ranges::find(last.files, name) == last.files.end()) file->discard();
    else if (const inference::Result closed = file->close(); !closed && write_error_.empty()) write_error_ = closed.error;
  }
}

void ChainCollector::tell_all(const Order& order) {
  for (std::size_t k = 1; k < others_.size(); ++k)
    if (!others_[k].gone) transport_.send(static_cast<int>(k), order.pack());
}

/// `patience`: seconds after `stop` was set.
template <class Condition>
void ChainCollector::wait_until(const std::atomic<bool>& stop, double patience, Condition condition) {
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> stopped;
  std::unique_lock lock(mutex_);
  const auto met = [&] {
    for (std::size_t k = 1; k < others_.size(); ++k)
      if (!condition(others_[k], static_cast<int>(k))) return false;
    return true;
  };
  while (!met()) {
    changed_.wait(lock);
    if (!stop) continue;
    if (!stopped) stopped = Clock::now();
    if (std::chrono::duration<double>(Clock::now() - *stopped).count() >= patience) return;
  }
}

bool ChainCollector::wait_for_loaded(const std::atomic<bool>& stop) {
  wait_until(stop, kNow, [](const Other& o, int) { return o.well || o.gone; });
  const std::lock_guard lock(mutex_);
  return std::all_of(others_.begin() + 1, others_.end(), [](const Other& o) { return o.well.value_or(false) && !o.gone; });
}

void ChainCollector::begin(const SharedRun& run, const std::string& folder, bool overwrite) {
  const std::lock_guard lock(mutex_);
  begun_ = true;
  folder_ = folder;
  overwrite_ = overwrite;
  tell_all({.kind = Order::Kind::Begin, .run = run});
}

void ChainCollector::give_up(bool tell) {
  const std::lock_guard lock(mutex_);
  std::set<std::string> told;
  for (const Other& other : others_)
    if (tell && other.well == false && told.insert(other.while_loading).second) print(other.while_loading);
  tell_all({.kind = Order::Kind::GiveUp});
}

void ChainCollector::wait_for_done(const std::atomic<bool>& stop, const std::function<bool(int)>& draws) {
  wait_until(stop, kAMoment, [&](const Other& o, int process) { return o.last || o.gone || !draws(process); });
}

const Report* ChainCollector::last_report(int process) const {
  const std::lock_guard lock(mutex_);
  const Other& other = others_[static_cast<std::size_t>(process)];
  return other.last ? &*other.last : nullptr;
}

bool ChainCollector::is_gone(int process) const {
  const std::lock_guard lock(mutex_);
  return others_[static_cast<std::size_t>(process)].gone;
}

std::string ChainCollector::write_error() const {
  const std::lock_guard lock(mutex_);
  return write_error_;
}

bool ChainCollector::end() {
  heart_.reset();
  const std::lock_guard lock(mutex_);
  const bool together = std::none_of(others_.begin() + 1, others_.end(), [](const Other& o) { return o.gone; });
  tell_all({.kind = Order::Kind::End, .together = together});
  return together;
}

}  // namespace fermiac::cli
