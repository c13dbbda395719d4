// What everything that writes a trace does alike: room for results, constants and gathers that are there already, calls.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

/// Operand of a kernel: numbers from `ref` on, or `ints`, or a `list` of numbers that need not be consecutive (which the
/// recorder makes a block of).
struct KernelOperand {
  Shape shape;
  Ref ref;
  bool autodiff = false;
  const std::int32_t* ints = nullptr;
  std::span<const Ref> list = {};

  Ref element(std::uint32_t i) const { return list.empty() ? ref + i : list[i]; }
};

class TraceBuilder {
 public:
  explicit TraceBuilder(Trace& trace) : t_(trace) {}

  /// Room for the n results of an op: one alone, or a block. Blocks of results have room for a whole line of lanes.
  Ref allocate(std::uint32_t n);
  Ref allocate_block(std::uint32_t n);

  // ---- constants, each once

  Ref constant(double value);
  /// n numbers as one block, which has no adjoints.
  Ref constant_block(const double* values, std::uint32_t n);
  /// The same, but a block of its own.
  Ref new_constant_block(const double* values, std::uint32_t n);

  // ---- scattered numbers

  /// The block that these numbers are: of none, or consecutive ones.
  static std::optional<Ref> view(std::span<const Ref> refs);
  /// An op, still to be pushed, that copies the numbers into a block with their values; none of them may be an element of a
  /// block of constants.
  Op gather(std::span<const Ref> refs);
  /// The block of an earlier shared_gather() of the same numbers, or a new one and the op for it.
  struct Gathered {
    Ref block;
    std::optional<Op> op;
  };
  Gathered shared_gather(std::span<const Ref> refs);

  // ---- calls

  /// A row of Trace::calls; its index. The result has room of its own unless it lies at `result`. Throws what the plan of the
  /// kernel throws.
  std::uint32_t add_call(const Kernel& kernel, std::string_view name, std::span<const KernelOperand> operands, Propto propto = {},
                         std::shared_ptr<const void> context = {}, std::optional<Ref> result = {});

 private:
  std::optional<Ref> known_gather(std::span<const Ref> refs, std::uint64_t hash) const;

  Trace& t_;
  std::unordered_map<std::uint64_t, Ref> constants_;                                         // by bit pattern
  std::unordered_multimap<std::uint64_t, std::pair<Ref, std::uint32_t>> constant_blocks_;    // block and length, by hash
  std::unordered_multimap<std::uint64_t, std::pair<Ref, std::uint32_t>> gathers_;            // result and first index, by hash
  std::vector<KernelArg> args_;
};

}  // namespace fermiac::ad
