#include "interp/native/module.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "support/base/errors.h"
#include "support/platform/memory_file.h"
#include "support/platform/module.h"

namespace fermiac::interp {
namespace {

/// Unloaded when the last holder is gone.
class Library {
 public:
  explicit Library(const std::string& file) : loaded_(file) {
    if (!loaded_) throw InputError(fmt::format("cannot load machine code: {}", loaded_.why()));
  }

  const native::Module& module() {
    const auto* found = static_cast<const native::Module*>(loaded_.symbol("fermiac_native_module"));
    if (!found) throw InputError("the file holds no machine code of a Stan program");
    if (found->abi != native::kAbi)
      throw InputError(fmt::format("the machine code is of format {}, but this program takes format {}", found->abi, native::kAbi));
    return *found;
  }

 private:
  fermiac::Module loaded_;
};

[[noreturn]] void not_loaded(int error) { throw InputError(fmt::format("cannot load machine code: {}", std::strerror(error))); }

std::shared_ptr<MemoryFile> memory_file_of(std::string_view bytes) {
  auto file = std::make_shared<MemoryFile>("fermiac_native");
  if (!*file) not_loaded(errno);
  if (const int error = write_all(file->get(), bytes).error; error != 0) not_loaded(error);
  return file;
}

std::shared_ptr<const native::Module> load_file(const std::string& file) {
  const auto library = std::make_shared<Library>(file);
  return {library, &library->module()};
}

}  // namespace

std::shared_ptr<const native::Module> load_native(std::string_view bytes) {
  const std::shared_ptr<MemoryFile> file = memory_file_of(bytes);
  // The linker takes files of one name for one file: the number that names this one stays taken as long as the code is loaded.
  const auto held = std::make_shared<std::pair<std::shared_ptr<MemoryFile>, std::shared_ptr<const native::Module>>>(file, load_file(file->path()));
  return {held, held->second.get()};
}

}  // namespace fermiac::interp
