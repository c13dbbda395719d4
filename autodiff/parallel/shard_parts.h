// Parts of a sum or list that are evaluated in this process, on as many threads as are free (shards.h).
#pragma once

#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "autodiff/parallel/shard_group.h"
#include "autodiff/tape/replay/tape.h"

namespace fermiac::ad {

/// One path through a part.
struct ShardPath {
  std::shared_ptr<const Tape> tape;
  std::vector<std::uint32_t> used;  // elements of the operand that are the tape's parameters
  std::uint32_t outputs = 1;        // a density if there is one, else a function with results
};

struct ShardRecording {
  ShardPath path;
  std::string printed;
  std::exception_ptr error;  // instead of a path
  Site site = kNoSite;       // where the error came up
};

/// Where the tapes of one part come from. Immutable, shared by threads.
class ShardSource {
 public:
  virtual ~ShardSource() = default;
  /// Records the path taken at x, the whole operand.
  virtual ShardRecording record(std::span<const double> x) const = 0;
  /// Called before every evaluation. Throws Interrupted.
  virtual void poll() const {}
};
using ShardSources = std::vector<std::shared_ptr<const ShardSource>>;

/// Runs body(i) for every part, in parallel; throws what the first part that failed has thrown.
void each_part(std::size_t count, const std::function<void(std::size_t)>& body);

/// The first recordings, in parallel.
std::vector<ShardRecording> record_all(const ShardSources& sources, std::span<const double> x);

class ShardParts final : public ShardGroup {
 public:
  /// `recordings`: one of each part (record_all), with results and without errors.
  ShardParts(const ShardSources& sources, std::vector<ShardRecording> recordings);
  ~ShardParts() override;

  std::size_t parts() const override { return parts_.size(); }
  std::uint32_t results() const override { return results_; }
  std::uint32_t scratch() const override { return scratch_; }
  Ticket start_forward(std::span<const double>, const double*) const override { return 0; }
  void finish_forward(Ticket, std::span<const double> x, double* results, double* scratch) const override;
  Ticket start_reverse(std::span<const double>, const double*, const double*) const override { return 0; }
  std::vector<PartSlopes> finish_reverse(Ticket, std::span<const double> x, const double* seeds,
                                         const double* scratch) const override;

  const PartPlace& place(std::size_t part) const { return places_[part]; }
  /// What the parameters of a path through a part are.
  const std::vector<std::uint32_t>& used(std::size_t part, std::size_t path) const;
  /// A reverse sweep of one part whose gradient was not kept; `mark`: the first number of its scratch space.
  struct Slopes {
    std::size_t path;
    std::vector<double> slopes;
  };
  Slopes pull_back(std::size_t part, double mark, std::span<const double> x, const double* seeds) const;

 private:
  class Lane;
  class Lanes;
  struct Part;
  void evaluate(std::size_t part, std::span<const double> x, double* results, double* scratch) const;

  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<PartPlace> places_;
  std::uint32_t results_ = 0, scratch_ = 0;
};

}  // namespace fermiac::ad
