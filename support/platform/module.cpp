#include "support/platform/module.h"

#include <dlfcn.h>

namespace fermiac {
namespace {

std::string last_problem() {
  const char* problem = dlerror();
  return problem ? problem : "";
}

}  // namespace

Module::Module(const std::string& file, Symbols symbols)
    : handle_(dlopen(file.c_str(), RTLD_NOW | (symbols == Symbols::Visible ? RTLD_GLOBAL : RTLD_LOCAL))) {
  if (!handle_) why_ = last_problem();
}

Module::~Module() {
  if (handle_ && !kept_) dlclose(handle_);
}

void* Module::symbol(const char* name) {
  if (!handle_) return nullptr;
  void* const found = dlsym(handle_, name);
  if (!found) why_ = last_problem();
  return found;
}

std::string file_with(const void* address) {
  Dl_info info{};
  return dladdr(address, &info) != 0 && info.dli_fname ? info.dli_fname : "";
}

}  // namespace fermiac
