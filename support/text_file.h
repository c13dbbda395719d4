// Files that programs are read from: never a device or a folder, never more than a limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace fermiac {

/// No program is longer, its includes counted.
inline constexpr std::size_t kLongestProgram = std::size_t{64} << 20;

struct TextFile {
  enum class State : std::uint8_t { Read, Missing /* or a folder, or not readable */, Refused };
  State state = State::Missing;
  std::string text;
  std::string
      problem;  // unless it was read: what is wrong with it, as "cannot open 'm.stan': No such file or directory"
};

/// Reads a regular file; with `streams` pipes, sockets and terminals too, to their end.
TextFile read_text_file(const std::string& path, bool streams, std::size_t most = kLongestProgram);

/// The same of an open descriptor; `name` is what the problem calls it: "standard input".
TextFile read_text(int descriptor, const std::string& name, std::size_t most = kLongestProgram);

}  // namespace fermiac
