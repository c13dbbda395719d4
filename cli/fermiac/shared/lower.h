// Programs whose functions are not all defined yet.
#pragma once

#include <memory>
#include <string>

#include "cli/fermiac/shared/commands.h"

namespace fermiac::cli {

/// Parsed, checked and lowered alone. `name`: of the model; empty: after the file. Null after the reason was printed.
std::shared_ptr<const interp::CompiledModel> lower_program(const ModelArgs& args, const std::string& name);

}  // namespace fermiac::cli
