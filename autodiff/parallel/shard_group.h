// Parts of a sum or list (shards.h) that are evaluated in one place, which may be another process.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fermiac::ad {

/// The gradient of what one part adds to the adjoints: scale times a number for each element in `used`.
struct PartSlopes {
  std::span<const std::uint32_t> used;  // elements of the operand
  std::vector<double> again;            // computed by the reverse sweep …
  const double* kept = nullptr;         // … or by the forward sweep, in the scratch space
  double scale = 1;
};

/// A run of consecutive parts. Immutable but for its caches, shared by threads.
///
/// Shapes:  x is the whole operand; results and seeds (adjoints of the results) are [results()], part by part;
///          scratch is [scratch()] and belongs to one workspace from a forward sweep to its reverse sweep.
/// Errors:  finish_… throw what the first part that failed has thrown, with the same text wherever it ran.
class ShardGroup {
 public:
  using Ticket = std::uint64_t;
  virtual ~ShardGroup() = default;
  virtual std::size_t parts() const = 0;
  virtual std::uint32_t results() const = 0;
  virtual std::uint32_t scratch() const = 0;
  /// Sweeps have two steps, so that groups elsewhere are at work while this process is.
  virtual Ticket start_forward(std::span<const double> x, const double* scratch) const = 0;
  virtual void finish_forward(Ticket ticket, std::span<const double> x, double* results, double* scratch) const = 0;
  virtual Ticket start_reverse(std::span<const double> x, const double* seeds, const double* scratch) const = 0;
  virtual std::vector<PartSlopes> finish_reverse(Ticket ticket, std::span<const double> x, const double* seeds,
                                                 const double* scratch) const = 0;
};

/// Where a part's numbers are, and how its scratch space is laid out: the path that was taken and the gradient at it of
/// a part with one result (-1 if that is too long); of several results the mark of the lane that has evaluated them.
struct PartPlace {
  std::uint32_t results_at, results, scratch_at, slopes;

  static PartPlace behind(std::uint32_t results_before, std::uint32_t scratch_before, std::uint32_t results,
                          std::uint32_t used) {
    return {results_before, results, scratch_before, results == 1 ? used : 0};
  }
  std::uint32_t scratch() const { return slopes + 1; }
  /// Whether the forward sweep left the gradient.
  bool kept(const double* scratch) const { return results == 1 && scratch[scratch_at] >= 0; }
};

}  // namespace fermiac::ad
