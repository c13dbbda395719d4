// A folder that belongs to this user and that no one else can write, for files that are executed later. Nothing in it is reached
// through a symbolic link, and what others could have changed counts as absent.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "support/platform/descriptor.h"

namespace fermiac {

class PrivateFolder {
 public:
  /// An absolute path. With `make`, the folder and its parents are made where they are missing, for this user alone.
  PrivateFolder(const std::filesystem::path& path, bool make);

  explicit operator bool() const { return static_cast<bool>(folder_); }
  /// Why the folder cannot be used.
  const std::string& problem() const { return problem_; }

  /// The content of a regular file of this user; empty where there is none or it cannot be read.
  std::string read(const std::string& name) const;
  /// Puts the file there in one step, on the disk: readers find all of it or what was there before. False, and errno says why.
  bool keep(const std::string& name, std::string_view content) const;

 private:
  std::string distrust(const std::filesystem::path& path) const;
  Descriptor folder_;
  std::string problem_;
};

}  // namespace fermiac
