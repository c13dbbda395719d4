// Whether a pass that collects ops of one kind, each behind the other, can find any.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "autodiff/tape/ir/operands.h"

namespace fermiac::ad {

enum class Between : bool { Nothing, OtherOps };

/// Whether a number hangs on `length` ops of the kind, one behind the other, with other ops between them or without. What reads a part of
/// a block counts as reading all of it, so "yes" may be wrong. Cost: once over the trace.
template <class Kind>
bool has_path(const Trace& t, Kind is_of_kind, std::uint8_t length, Between between) {
  std::vector<std::uint8_t> behind(t.values.size(), 0);
  for (const Op& op : t.ops) {
    const bool counts = is_of_kind(op), passes = counts || between == Between::OtherOps || op.kind == OpKind::Gather;
    if (!passes || !has_result(op.kind)) continue;
    std::uint8_t most = 0;
    for_each_operand(t, op, [&](Ref first, std::uint32_t n) {
      if (first.is_constant()) return;
      for (std::uint32_t k = 0; k < n; ++k) most = std::max(most, behind[(first + k).index()]);
    });
    if (counts && ++most == length) return true;
    if (most > 0) std::fill_n(behind.begin() + op.d.index(), op.n_results(), most);
  }
  return false;
}

}  // namespace fermiac::ad
