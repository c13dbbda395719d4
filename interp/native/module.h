// Files of machine code that codegen/native made of a program: loading them.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "codegen/runtime/native.h"

namespace fermiac::interp {

/// A file that holds no machine code of this version.
struct NativeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Loads a shared object. It stays loaded as long as anything holds the module. Throws NativeError.
std::shared_ptr<const native::Module> load_native(const std::string& file);
/// The same of the file's content, which need not lie in a file system.
std::shared_ptr<const native::Module> load_native_bytes(std::string_view bytes);

}  // namespace fermiac::interp
