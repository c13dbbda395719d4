// What a recorder and its sinks share: the trace, or without a tape the numbers and what waits for the reverse sweep.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "autodiff/tape/ir/storage.h"
#include "autodiff/tape/ir/trace.h"
#include "autodiff/tape/ir/trace_builder.h"

namespace fermiac::ad {

/// A recording went beyond Recording::most_ops.
struct RecordingTooLong {};

class Recording {
 public:
  Recording() = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  Trace trace;
  TraceBuilder build{trace};
  Site site = kNoSite;  // of what is recorded next
  Weight weight = kOne;  // of what goes to target next
  std::size_t most_ops = std::numeric_limits<std::size_t>::max();  // about; asked when room for more is needed

  /// The parameters are the first numbers.
  void start(std::span<const double> theta);
  /// Forgets everything but the room that it took.
  void clear();

  double value(Ref r) const { return *numbers_at(trace, r); }
  [[gnu::always_inline]] Ref new_scalar(double value) {
    const std::size_t n = trace.values.size();
    // Vector loops over the last scalars read a whole block (allocate_slots).
    if (trace.values.capacity() < n + 1 + kPad) [[unlikely]] grow_values();
    trace.values.push_back(value);
    return Ref::slot(n);
  }
  /// Room for n scalars, whose numbers come later. Returns the first.
  std::uint32_t add_scalars(std::uint32_t n);
  /// A constant that is not shared.
  Ref new_constant(double value) {
    if (trace.const_scalars.size() == trace.const_scalars.capacity()) [[unlikely]] grow_constants();
    trace.const_scalars.push_back(value);
    return Ref::const_scalar(trace.const_scalars.size() - 1);
  }
  /// What a term of target counts now.
  double weight_now() const { return value_of(trace, weight); }
  /// At the trace's end; of the site at hand.
  void append(const Op& op) {
    if (trace.ops.size() == trace.ops.capacity()) [[unlikely]] grow_ops();
    trace.ops.push_back(op);
    trace.sites.push_back(site);
  }

 private:
  void grow_values(std::size_t least = 1);
  void grow_constants();
  void grow_ops();
};

}  // namespace fermiac::ad
