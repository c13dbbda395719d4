#include "cli/fermiac/runs/chain_reporter.h"

#include <cstdlib>

#include "cli/fermiac/shared/stop.h"
#include "support/platform/descriptor.h"
#include "support/platform/output.h"

namespace fermiac::cli {

std::string Growth::news() {
  const Descriptor file(path_);
  std::string out;
  if (!file || move_to(file.get(), static_cast<std::uint64_t>(at_)) != 0) return out;
  read_rest(file.get(), &out);
  at_ += static_cast<std::int64_t>(out.size());
  return out;
}

ChainReporter::ChainReporter(Transport& transport, std::function<void()> orphaned) : transport_(transport), orphaned_(std::move(orphaned)) {
  terminal_ = copy_of_standard_error();
  if (silence(stdout)) printed_.emplace(send_standard_error_to(print_file_.get()) ? print_file_.path() : "");
  heart_.emplace(kHeartbeatPeriod, [this](double seconds) { beat(seconds); });
}

void ChainReporter::beat(double seconds) {
  const std::lock_guard lock(mutex_);
  first_.wait(seconds);
  while (auto arrival = transport_.receive()) {
    first_.heard();
    follow(Order::unpack(std::move(arrival->message)));
  }
  if (!ended_ && time_to_send_(seconds)) send({});
  if (first_.expired() && !first_gone_) {
    first_gone_ = true;
    orphaned_();
  }
  changed_.notify_all();
}

void ChainReporter::follow(const Order& order) {
  switch (order.kind) {
    case Order::Kind::Alive:
      break;
    case Order::Kind::Begin:
      run_ = order.run;
      break;
    case Order::Kind::GiveUp:
      gave_up_ = true;
      break;
    case Order::Kind::Stop:
      Stop::flag() = true;
      break;
    case Order::Kind::End:
      ended_ = true;
      if (!order.together) std::_Exit(0);
      break;
  }
}

/// With all that is new.
void ChainReporter::send(Report report) {
  if (printed_) line_ += printed_->news();
  const std::size_t end = report.kind == Report::Kind::Alive ? line_.rfind('\n') + 1 : line_.size();
  report.printed = line_.substr(0, end);
  line_.erase(0, end);
  for (auto& [name, growth] : files_)
    if (std::string news = growth.news(); !news.empty()) report.pieces.emplace_back(name, std::move(news));
  transport_.send(0, report.pack());
}

template <class Condition>
void ChainReporter::wait_until(Condition condition) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, condition);
}

void ChainReporter::loaded(bool well) {
  const std::lock_guard lock(mutex_);
  std::fflush(stderr);
  send({.kind = Report::Kind::Loaded, .well = well});
}

std::optional<SharedRun> ChainReporter::wait_for_begin() {
  wait_until([this] { return run_ || gave_up_ || ended_ || first_gone_; });
  return gave_up_ || ended_ || first_gone_ ? std::nullopt : run_;
}

void ChainReporter::send_files(const std::string& folder, const std::vector<std::string>& names) {
  const std::lock_guard lock(mutex_);
  for (const std::string& name : names) files_.emplace(name, Growth(folder + "/" + name));
}

bool ChainReporter::done(Report last) {
  {
    const std::lock_guard lock(mutex_);
    std::fflush(stderr);
    last.kind = Report::Kind::Done;
    send(std::move(last));
  }
  wait_until([this] { return ended_ || first_gone_; });
  heart_.reset();  // what comes behind leaves MPI
  return !first_gone_;
}

}  // namespace fermiac::cli
