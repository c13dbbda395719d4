#include "support/platform/memory_file.h"

#include <sys/mman.h>

namespace fermiac {

MemoryFile::MemoryFile(const char* name) : file_(memfd_create(name, MFD_CLOEXEC)) {}

std::string MemoryFile::path() const { return "/proc/self/fd/" + std::to_string(file_.get()); }

}  // namespace fermiac
