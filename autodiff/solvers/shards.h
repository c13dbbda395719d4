// Sums and lists of results whose parts are independent of each other (reduce_sum, map_rect): every part is a tape of
// its own, all of them are one operation of the outer tape, replayed on as many threads as are free. Parts and the
// order in which their results are added do not depend on the number of threads, so results are the same bit for bit.
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "autodiff/solvers/function.h"
#include "autodiff/solvers/solver_call.h"
#include "autodiff/tape/tape.h"

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
  Site site = 0;             // where the error came up
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

/// All parts; how `solver_kernel` calls them.
class Shards final : public SolverCall {
 public:
  enum class Join : std::uint8_t { Sum, List };
  using Sources = std::vector<std::shared_ptr<const ShardSource>>;
  /// `recordings`: one of each part (record_all), with results and without errors.
  Shards(const Sources& sources, Join join, std::vector<ShardRecording> recordings);
  ~Shards() override;

  Plan plan(const KernelCall& call) const override;
  void forward(const KernelCall& call) const override;
  void reverse(const KernelCall& call) const override;

 private:
  class Lane;
  struct Shared;
  struct Where {
    std::uint32_t out, scratch;
  };
  void evaluate(std::size_t part, const KernelCall& call) const;
  /// Slopes of a part times the adjoints of its results, and behind them the number of the path.
  std::vector<double> gradient_again(std::size_t part, const KernelCall& call) const;

  std::vector<std::unique_ptr<Shared>> parts_;
  std::vector<Where> where_;
  Join join_;
  std::uint32_t outputs_ = 0, scratch_ = 0;
};

/// Whether the trace has an operation of this kind. Its failures say where only when they are recorded anew.
bool has_shards(const Trace& trace);

/// The first recordings, in parallel.
std::vector<ShardRecording> record_all(const Shards::Sources& sources, std::span<const double> x);

/// The elements of the operand that the trace of a function of `parameters` numbers reads.
std::vector<std::uint32_t> parameters_read(const Trace& trace);

/// Numbers that a replay of the tape computes, roughly: what decides whether threads pay.
std::size_t work_of(const Tape& tape);

}  // namespace fermiac::ad
