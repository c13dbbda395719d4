// Whole files. Reading: never more of them than a limit, programs never from a device or a folder. Writing: as a whole, or the file is left
// as it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "support/base/status.h"

namespace fermiac {

/// No program is longer, its includes counted.
inline constexpr std::size_t kLongestProgram = std::size_t{64} << 20;

/// UTF-8 byte order mark. It is not part of the text of a file.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct TextFile {
  enum class State : std::uint8_t { Read, Missing /* or a folder, or not readable */, Refused };
  State state = State::Missing;
  std::string text;
  std::string problem;  // unless it was read: what is wrong with it, as "cannot open 'm.stan': No such file or directory"
};

/// Reads a regular file; with `streams` pipes, sockets and terminals too, to their end.
TextFile read_text_file(const std::string& path, bool streams, std::size_t most = kLongestProgram);

/// Reads whatever opens, devices too, as long as it has no zero byte: some devices never end.
TextFile read_plain_text(const std::string& path);

/// The same of a descriptor (support/platform/descriptor.h); `name` is what the problem calls it: "standard input".
TextFile read_text(int descriptor, const std::string& name, std::size_t most = kLongestProgram);

/// The first bytes of a file, as many as there are up to `most`; none where it cannot be read.
std::string read_beginning(const std::string& path, std::size_t most);

/// `; did you mean 'line.stan'?`: a file of the same folder whose name is `path`'s with an ending, or a few letters from it. Empty where
/// there is none.
std::string similar_file(const std::string& path);

/// Puts `text` into the file. An existing one is replaced only when all of the text is on the disk, so that a full disk
/// costs nobody the old text; a new one that cannot be written to its end is removed.
Status write_whole_file(const std::string& path, std::string_view text);

/// The same for a file that is written again and again: whenever the program is killed, `path` has all of one text or another. What
/// is not finished lies in `path`.new until the next time. With `on_disk` this holds when the power fails, too; it waits for the disk,
/// some milliseconds.
Status replace_file(const std::string& path, std::string_view text, bool on_disk = false);

}  // namespace fermiac
