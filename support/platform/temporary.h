// Files and folders in the folder for temporary files, and files beside others that take their place.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "support/platform/descriptor.h"

namespace fermiac {

/// A new folder that only this user can enter; removed, with all that is in it, at the end.
class TemporaryFolder {
 public:
  /// Its name begins with `prefix`.
  explicit TemporaryFolder(std::string_view prefix);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// Whether it could be made.
  explicit operator bool() const { return made_; }
  /// Where it is, or where it was to be.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool made_ = false;
};

/// A new, empty file that only this user can read; removed at the end.
class TemporaryFile {
 public:
  /// Its name begins with `prefix` and ends with `suffix`.
  TemporaryFile(std::string_view prefix, std::string_view suffix);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  explicit operator bool() const { return made_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool made_ = false;
};

/// A new file in the folder of `path`, whose name it begins with, for a text that is to replace that file. Its path is in `beside`. Without
/// a file, and errno says why, where the folder takes none.
Descriptor create_beside(const std::string& path, std::string* beside);

}  // namespace fermiac
