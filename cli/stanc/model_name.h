// Names that a path or an option give.
#pragma once

#include <string>

namespace fermiac::stanc {

/// Name of the model that `--name` or the path gives.
std::string model_name(const std::string& source);
/// The file the C++ goes to if no other is named.
std::string default_output(const std::string& model);

}  // namespace fermiac::stanc
