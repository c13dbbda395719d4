// Sums and lists of results whose parts are independent of each other (reduce_sum, map_rect): every part is a tape of
// its own, all of them are one operation of the outer tape, replayed on as many threads as are free and, with MPI, in
// other processes too. Parts and the order in which their results are added do not depend on where they run, so results
// are the same bit for bit.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "autodiff/parallel/shard_group.h"
#include "autodiff/solvers/solver_call.h"
#include "autodiff/tape/replay/tape.h"

namespace fermiac::ad {

/// All parts; how `solver_kernel` calls them.
class Shards final : public SolverCall {
 public:
  enum class Join : std::uint8_t { Sum, List };
  using Groups = std::vector<std::shared_ptr<const ShardGroup>>;
  /// The groups of parts, in their order.
  Shards(Groups groups, Join join);

  Plan plan(const KernelCall& call) const override;
  void forward(const KernelCall& call) const override;
  void reverse(const KernelCall& call) const override;

 private:
  struct Place {
    std::uint32_t results, scratch;
  };
  Groups groups_;
  std::vector<Place> places_;
  Join join_;
  std::uint32_t results_ = 0, scratch_ = 0;
};

/// Whether the trace has an operation of this kind. Its failures say where only when they are recorded anew.
bool has_shards(const Trace& trace);

/// The elements of the operand that the trace of a function of `parameters` numbers reads.
std::vector<std::uint32_t> parameters_read(const Trace& trace);

/// Numbers that a replay of the tape computes, roughly: what decides whether threads pay.
std::size_t work_of(const Tape& tape);

}  // namespace fermiac::ad
