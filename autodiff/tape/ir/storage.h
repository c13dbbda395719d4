// Where the numbers of a trace lie.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "autodiff/tape/ir/trace.h"
#include "support/base/memory.h"

namespace fermiac::ad {

/// Blocks start at a multiple of this many doubles and end padded to one, so that vector loops may run over their end.
inline constexpr std::uint32_t kPad = 8;
constexpr std::uint32_t padded(std::size_t n) {
  return static_cast<std::uint32_t>((n + kPad - 1) / kPad * kPad);
}

/// So many numbers of one kind have references.
inline void check_addressable(std::size_t n) {
  if (n >= Ref::kIndexes) [[unlikely]]
    throw MemoryError(
        fmt::format("one evaluation has more than {} numbers that depend on parameters or go with them", Ref::kIndexes));
}

inline constexpr std::size_t kManySlots = std::size_t{1} << 20;

/// Room for n results: a scalar takes one slot, a block is aligned and padded.
inline Ref allocate_slots(Trace& t, std::uint32_t n) {
  std::size_t offset = t.values.size();
  if (n != 1) offset = (offset + kPad - 1) / kPad * kPad;
  const std::size_t end = offset + (n == 1 ? 1 : padded(n));
  check_addressable(end);
  // Vector loops over the last scalars read a whole block: keep that much room behind the end.
  // Room that is not used yet costs address space alone, moving many numbers costs them twice.
  if (t.values.capacity() < end + kPad) {
    memory_point(end * sizeof(double));
    t.values.reserve((end < kManySlots ? 2 : 4) * end + kPad);
  }
  t.values.resize(end);
  return Ref::slot(offset);
}

/// The numbers from `r` on, until the trace changes.
inline const double* numbers_at(const Trace& t, Ref r) {
  const std::uint32_t i = r.index();
  if (!r.is_constant()) return t.values.data() + i;  // of no numbers, there need be none
  return (r.is_const_vector() ? t.const_vectors : t.const_scalars).data() + i;
}

}  // namespace fermiac::ad
