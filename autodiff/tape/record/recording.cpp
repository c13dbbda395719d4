#include "autodiff/tape/record/recording.h"

#include <algorithm>

#include "support/base/evaluation_progress.h"
#include "support/base/memory.h"

namespace fermiac::ad {
namespace {

/// Room for twice as many, which the limit on memory must allow.
template <class T>
void grow(std::vector<T>& all, std::size_t least = 1) {
  const std::size_t n = std::max({std::size_t{64}, 2 * all.size(), all.size() + least});
  memory_point(n * sizeof(T));
  all.reserve(n);
}

}  // namespace

void Recording::start(std::span<const double> theta) {
  trace.parameters = static_cast<std::uint32_t>(theta.size());
  trace.values.assign(theta.begin(), theta.end());
  trace.values.resize(padded(trace.parameters) + kPad);
}

void Recording::clear() {
  trace.const_scalars.clear();
  trace.const_vectors.clear();
  trace.ops.clear();
  trace.sites.clear();
  trace.index.clear();
  trace.ints.clear();
  trace.calls.clear();
  trace.call_operands.clear();
  trace.constant = 0;
  trace.weights.clear();
  trace.settable_weights = 0;
  weight = kOne;
}

void Recording::grow_values(std::size_t least) {
  report_recorded(trace.ops.size());  // in all of these, which come at different times
  check_addressable(trace.values.size() + least);
  grow(trace.values, least + kPad);
}
std::uint32_t Recording::add_scalars(std::uint32_t n) {
  const auto first = static_cast<std::uint32_t>(trace.values.size());
  if (trace.values.capacity() < std::size_t{first} + n + kPad) grow_values(n);
  trace.values.resize(std::size_t{first} + n);
  return first;
}
void Recording::grow_constants() {
  report_recorded(trace.ops.size());
  check_addressable(trace.const_scalars.size() + 1);
  grow(trace.const_scalars);
}
void Recording::grow_ops() {
  report_recorded(trace.ops.size());
  if (trace.ops.size() >= most_ops) throw RecordingTooLong();
  grow(trace.ops);
}

}  // namespace fermiac::ad
