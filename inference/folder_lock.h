// Who works in a folder of results: a run that goes on cuts files that another process may be writing.
#pragma once

#include <string>

namespace fermiac::inference {

class FolderLock {
 public:
  FolderLock() = default;
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// As long as this lives nobody takes the folder alone. Where somebody has it alone, or the file system knows no locks,
  /// nothing happens.
  void share(const std::string& folder);
  /// False where another process works in the folder.
  bool take_alone(const std::string& folder);

 private:
  int fd_ = -1;
};

}  // namespace fermiac::inference
