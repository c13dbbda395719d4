// How a call of a density falls into elements: which of its arguments go along with them, and how.
#pragma once

#include <cstdint>
#include <string_view>

namespace fermiac::interp {

enum class Along : std::uint8_t {
  Whole,     // the same for all elements
  Elements,  // one number for each
  Rows,      // one row of a matrix for each
  Arrays     // one element of an array for each, if it is an array of containers; else the same for all
};

/// Argument k (the left side is 0) of a distribution by name, without its ending. Functions of the program are not split.
Along goes_along(std::string_view distribution, std::size_t k);

}  // namespace fermiac::interp
