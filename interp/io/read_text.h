// Whole files as text.
#pragma once

#include <cstddef>
#include <istream>
#include <string>

namespace fermiac::interp {

inline constexpr std::size_t kMostProgram = std::size_t{64} << 20;
inline constexpr std::size_t kMostStreamedData = std::size_t{1} << 30;

/// The rest of a stream. Throws DataError, which names it, when there are more than `most` bytes: some never end.
std::string read_text(std::istream& in, const std::string& name, std::size_t most);

}  // namespace fermiac::interp
