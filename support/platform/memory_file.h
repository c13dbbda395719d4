// A file that lies in memory alone, for what can be read or loaded only from a file.
#pragma once

#include <string>

#include "support/platform/descriptor.h"

namespace fermiac {

class MemoryFile {
 public:
  /// Without a file, and errno says why, where the system has none. `name` is for those who list the files of the process.
  explicit MemoryFile(const char* name);

  explicit operator bool() const { return static_cast<bool>(file_); }
  int get() const { return file_.get(); }
  /// Opens the file within this process, as long as this lives.
  std::string path() const;

 private:
  Descriptor file_;
};

}  // namespace fermiac
