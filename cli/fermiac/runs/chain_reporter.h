// A process that draws chains of a run, or serves one that does, and is not the first of its run (chain_collector.h).
#pragma once

#include <condition_variable>
#include <cstdio>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cli/fermiac/runs/heartbeat.h"
#include "cli/fermiac/runs/team_message.h"
#include "plugins/mpi/transport.h"
#include "support/platform/memory_file.h"
#include "support/platform/periodic_task.h"

namespace fermiac::cli {

/// What has come to a file since it was asked last; nothing of a file that is not there.
class Growth {
 public:
  explicit Growth(std::string path) : path_(std::move(path)) {}
  std::string news();

 private:
  std::string path_;
  std::int64_t at_ = 0;
};

/// From its construction on, what the process prints to standard error goes to the first process, and what it prints to standard output nowhere.
class ChainReporter {
 public:
  /// `orphaned` is called, once, when nothing is heard of the first process any more.
  ChainReporter(Transport& transport, std::function<void()> orphaned);
  /// The program and its data are there, or not, for reasons that were printed.
  void loaded(bool well);
  /// What the first process has settled; nothing where it gives up, or is gone.
  std::optional<SharedRun> wait_for_begin();
  /// These files of the folder go to the first process while they grow.
  void send_files(const std::string& folder, const std::vector<std::string>& names);
  /// The last report, of kind Done. Returns when the first process has all of them; false where it is gone. Where others are gone it does
  /// not return, for nobody can leave together with those: the process ends.
  bool done(Report last);
  /// Where standard error went before.
  std::FILE* terminal() const { return terminal_; }

 private:
  void beat(double seconds);
  void follow(const Order& order);
  void send(Report report);
  template <class Condition>
  void wait_until(Condition condition);

  Transport& transport_;
  std::function<void()> orphaned_;
  std::FILE* terminal_ = nullptr;
  std::mutex mutex_;
  std::condition_variable changed_;
  MemoryFile print_file_{"printed"};  // where standard error goes
  std::optional<Growth> printed_;
  std::string line_;  // printed, without an end so far
  std::map<std::string, Growth> files_;
  PeerTimeout first_;
  bool first_gone_ = false, gave_up_ = false, ended_ = false;
  std::optional<SharedRun> run_;
  RateLimiter time_to_send_;
  std::optional<PeriodicTask> heart_;
};

}  // namespace fermiac::cli
