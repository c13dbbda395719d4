#include "interp/native/module.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "interp/exec/runs/native_code.h"

namespace fermiac::interp {
namespace {

/// Where `dlclose` is called when the last holder is gone.
class Library {
 public:
  explicit Library(const std::string& file) : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!handle_) throw NativeError(fmt::format("cannot load machine code: {}", dlerror()));
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() { dlclose(handle_); }

  const native::Module& module() const {
    const auto* found = static_cast<const native::Module*>(dlsym(handle_, "fermiac_native_module"));
    if (!found) throw NativeError("the file holds no machine code of a Stan program");
    if (found->abi != native::kAbi)
      throw NativeError(fmt::format("the machine code is of format {}, but this program takes format {}", found->abi, native::kAbi));
    return *found;
  }

 private:
  void* handle_;
};

class MemoryFile {
 public:
  MemoryFile() : fd_(memfd_create("fermiac_native", MFD_CLOEXEC)) { check(fd_ >= 0); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(fd_); }
  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t done = ::write(fd_, bytes.data(), bytes.size());
      if (done < 0 && errno == EINTR) continue;
      check(done > 0);
      bytes.remove_prefix(static_cast<std::size_t>(done));
    }
  }
  std::string path() const { return fmt::format("/proc/self/fd/{}", fd_); }

 private:
  static void check(bool done) {
    if (!done) throw NativeError(fmt::format("cannot load machine code: {}", std::strerror(errno)));
  }
  int fd_;
};

}  // namespace

std::shared_ptr<const native::Module> load_native(const std::string& file) {
  const auto library = std::make_shared<const Library>(file);
  const native::Module& module = library->module();
  module.load(&native_runtime());
  return {library, &module};
}

std::shared_ptr<const native::Module> load_native_bytes(std::string_view bytes) {
  const auto file = std::make_shared<MemoryFile>();
  file->write(bytes);
  // The linker takes files of one name for one file: the number that names this one stays taken as long as the code is loaded.
  const auto held = std::make_shared<std::pair<std::shared_ptr<MemoryFile>, std::shared_ptr<const native::Module>>>(file, load_native(file->path()));
  return {held, held->second.get()};
}

}  // namespace fermiac::interp
