// A file written as a whole, or left as it was.
#pragma once

#include <string>
#include <string_view>

namespace fermiac {

/// Puts `text` into the file. An existing one is replaced only when all of the text is on the disk, so that a full disk
/// costs nobody the old text; a new one that cannot be written to its end is removed. Empty, or why it failed.
std::string write_whole_file(const std::string& path, std::string_view text);

/// The same for a file that is written again and again: whenever the program is killed, `path` has all of one text or another. What
/// is not finished lies in `path`.new until the next time. With `on_disk` this holds when the power fails, too; it waits for the disk,
/// some milliseconds.
std::string replace_file(const std::string& path, std::string_view text, bool on_disk = false);

}  // namespace fermiac
