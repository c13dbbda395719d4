// Small helpers on text that several folders need.
#pragma once

#include <cstddef>
#include <string_view>

namespace fermiac {

/// Insertions, deletions and substitutions that lead from one text to the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace fermiac
