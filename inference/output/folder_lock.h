// Who works in a folder of results: a run that goes on cuts files that another process may be writing, and processes that draw
// chains of one run share its folder.
#pragma once

#include <cstdint>
#include <string>

#include "support/platform/descriptor.h"

namespace fermiac::inference {

/// A file system that knows no locks says of every folder that nobody is there.
class FolderLock {
 public:
  enum class Taken : std::uint8_t { Alone, Shared, Refused };
  /// The folder alone where nobody is in it, else together with those who share it. Waits two seconds for one who has it alone, as all
  /// do at their beginning, and is refused then.
  Taken take(const std::string& folder);
  /// False where another process works in the folder.
  bool take_alone(const std::string& folder);
  /// From here on others may share what was taken alone.
  void let_others_in();
  /// Whether nobody shares the folder with us; it is ours alone then.
  bool is_alone();

 private:
  void open(const std::string& folder);

  Descriptor folder_;
};

}  // namespace fermiac::inference
