// Compiled headers of users (interp/native/compile_header.h): loading them.
#pragma once

#include <memory>
#include <string_view>

#include "codegen/runtime/external_abi.h"

namespace fermiac::interp {

/// Loads the content of a shared object, which need not lie in a file system. It stays loaded as long as anything holds the module. Throws
/// InputError.
std::shared_ptr<const native::Module> load_native(std::string_view bytes);

}  // namespace fermiac::interp
