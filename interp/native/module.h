// Compiled headers of users (interp/native/compile_header.h): loading them.
#pragma once

#include <memory>
#include <stdexcept>
#include <string_view>

#include "codegen/runtime/external_abi.h"

namespace fermiac::interp {

/// The bytes are not a compiled header of this version.
struct NativeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Loads the content of a shared object, which need not lie in a file system. It stays loaded as long as anything holds the module. Throws
/// NativeError.
std::shared_ptr<const native::Module> load_native(std::string_view bytes);

}  // namespace fermiac::interp
