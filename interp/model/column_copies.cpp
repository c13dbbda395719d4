#include "interp/model/column_copies.h"

#include <limits>

namespace fermiac::interp {
namespace {

constexpr std::size_t kShort = 6;  // stretches that cost as much as their numbers

}  // namespace

void ColumnCopies::add(std::size_t from, std::size_t to) {
  Stretch* const last = stretches_.empty() ? nullptr : &stretches_.back();
  if (last && last->from + last->count == from && last->to + last->count == to) ++last->count;
  else stretches_.push_back({from, to, 1});
}

void ColumnCopies::settle() {
  const auto is_short = [](const Stretch& s) { return s.count <= kShort && s.to + kShort <= std::numeric_limits<std::uint32_t>::max(); };
  for (const Stretch& s : stretches_)
    for (std::size_t i = 0; is_short(s) && i < s.count; ++i)
      singles_.push_back({static_cast<std::uint32_t>(s.from + i), static_cast<std::uint32_t>(s.to + i)});
  std::erase_if(stretches_, is_short);
  stretches_.shrink_to_fit();
}

void ColumnCopies::copy_stretches(const double* numbers, double* row) const {
  for (const Stretch& s : stretches_) copy_numbers(numbers + s.from, s.count, row + s.to);
}

}  // namespace fermiac::interp
