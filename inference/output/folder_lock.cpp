#include "inference/output/folder_lock.h"

#include <chrono>
#include <thread>

#include "support/platform/descriptor.h"

namespace fermiac::inference {

void FolderLock::open(const std::string& folder) {
  if (!folder_) folder_ = Descriptor(folder, OpenMode::Folder);
}

FolderLock::Taken FolderLock::take(const std::string& folder) {
  constexpr auto kPatience = std::chrono::seconds(2);
  constexpr auto kPause = std::chrono::milliseconds(20);
  open(folder);
  for (const auto end = std::chrono::steady_clock::now() + kPatience;; std::this_thread::sleep_for(kPause)) {
    if (try_lock(folder_, Lock::Alone)) return Taken::Alone;
    if (try_lock(folder_, Lock::Shared)) return Taken::Shared;
    if (std::chrono::steady_clock::now() > end) return Taken::Refused;
  }
}

bool FolderLock::take_alone(const std::string& folder) {
  open(folder);
  return is_alone();
}

void FolderLock::let_others_in() { wait_for_lock(folder_, Lock::Shared); }

bool FolderLock::is_alone() { return try_lock(folder_, Lock::Alone); }

}  // namespace fermiac::inference
