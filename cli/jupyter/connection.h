// Where a client expects the kernel's sockets: the file that it gives the kernel.
#pragma once

#include <string>
#include <string_view>

namespace fermiac::jupyter {

struct Connection {
  std::string shell, control, iopub, input, heartbeat;  // addresses
  std::string key;

  /// Throws std::runtime_error that names what is missing.
  static Connection read(const std::string& path);
};

}  // namespace fermiac::jupyter
