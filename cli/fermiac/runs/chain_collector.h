// The first process of a run whose chains several processes draw: prints what the others print, line by line, knows how they end, and writes
// what they draw where they have no folder in common.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cli/fermiac/runs/heartbeat.h"
#include "cli/fermiac/runs/team_message.h"
#include "inference/output/csv.h"
#include "plugins/mpi/transport.h"
#include "support/platform/periodic_task.h"

namespace fermiac::cli {

class ChainCollector {
 public:
  /// `lost` is called, once for each, with the number of a process of which nothing is heard any more.
  ChainCollector(Transport& transport, std::function<void(int)> lost);
  /// When all others have the model and its data: true. When all have tried, are gone, or `stop` is set: false.
  bool wait_for_loaded(const std::atomic<bool>& stop);
  /// `folder`: files that others send are written there; empty: they write themselves.
  void begin(const SharedRun& run, const std::string& folder, bool overwrite);
  /// `tell`: what those printed that could not load; otherwise it is known.
  void give_up(bool tell);
  /// When all others that draw are done or gone, or three seconds after `stop` is set. Those that serve jobs do so until it is over.
  void wait_for_done(const std::atomic<bool>& stop, const std::function<bool(int)>& draws);
  /// The last report of a process; null where there is none, whether it is gone or draws still.
  const Report* last_report(int process) const;
  bool is_gone(int process) const;
  /// Why something that was sent could not be written; empty otherwise.
  std::string write_error() const;
  /// Lets all others end. False where one is gone, so that nobody may wait for all.
  bool end();

 private:
  struct Other {
    bool gone = false;
    std::optional<bool> well;  // loading
    std::optional<Report> last;
    std::string while_loading;  // printed; what comes of programs that load is printed by the first process, too
    PeerTimeout silence;
    std::map<std::string, std::unique_ptr<inference::TextFile>> files;
  };
  void beat(double seconds);
  void take(Other& other, Report report);
  void write_pieces(Other& other, const Report& report);
  void settle_files(Other& other, const Report& last);
  void tell_all(const Order& order);
  template <class Condition>
  void wait_until(const std::atomic<bool>& stop, double patience, Condition condition);

  Transport& transport_;
  std::function<void(int)> lost_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Other> others_;  // by process; the first is this one, and not used
  std::string folder_, write_error_;
  bool begun_ = false, overwrite_ = false;
  RateLimiter time_to_send_;
  std::optional<PeriodicTask> heart_;
};

}  // namespace fermiac::cli
