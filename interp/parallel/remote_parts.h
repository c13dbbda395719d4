// Jobs of map_rect that another process evaluates (serve.cpp).
#pragma once

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "autodiff/parallel/shard_parts.h"
#include "interp/parallel/cluster.h"
#include "interp/parallel/shard_source.h"

namespace fermiac::interp {

/// The other processes, and the program they have loaded too: what recordings find in Machine::remote.
struct RemoteJobs {
  Cluster& cluster;
  const Code& code;
};

/// Calls of one function as they travel: the function by its number, arguments as OuterReferences leaves them.
struct JobsMessage {
  static void put(Packer& to, const Code& code, const ShardedFunction& function,
                  std::span<const std::vector<Value>> calls);
  /// The sources of the calls.
  static ad::ShardSources get(Unpacker& from, const Code& code);
};

class RemoteParts final : public ad::ShardGroup {
 public:
  /// Asks the worker to record; recordings() waits for it.
  RemoteParts(const RemoteJobs& remote, int worker, const ShardedFunction& function,
              std::span<const std::vector<Value>> calls, std::span<const double> x);
  ~RemoteParts() override;
  /// One of each part, without tapes. Once, before anything else.
  std::vector<ad::ShardRecording> recordings();

  std::size_t parts() const override { return places_.size(); }
  std::uint32_t results() const override { return results_; }
  std::uint32_t scratch() const override { return scratch_; }
  Ticket start_forward(std::span<const double> x, const double* scratch) const override;
  void finish_forward(Ticket ticket, std::span<const double> x, double* results, double* scratch) const override;
  Ticket start_reverse(std::span<const double> x, const double* seeds, const double* scratch) const override;
  std::vector<ad::PartSlopes> finish_reverse(Ticket ticket, std::span<const double> x, const double* seeds,
                                             const double* scratch) const override;

 private:
  std::span<const std::uint32_t> used(std::size_t part, std::size_t path) const;

  Cluster& cluster_;
  int worker_;
  std::uint64_t group_, recording_;
  std::vector<ad::PartPlace> places_;
  std::uint32_t results_ = 0, scratch_ = 0;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::size_t, std::size_t>, std::vector<std::uint32_t>> used_;  // by part and path
};

}  // namespace fermiac::interp
