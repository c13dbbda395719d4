// One run of stanc: read, parse, check, then whatever the flags ask for, in the documented order.
#pragma once

#include <string>

#include "cli/stanc/options.h"

namespace fermiac::stanc {

/// The compiler whose place it takes.
inline constexpr char kVersion[] = "stanc3 v2.39.0";

/// Name of the model that `--name` or the path gives.
std::string model_name(const std::string& source);
/// The file the C++ goes to if no other is named.
std::string default_output(const std::string& model);

/// Returns the exit status.
int run(const Options& options);

}  // namespace fermiac::stanc
