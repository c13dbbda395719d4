// Help texts, made from the table.
#pragma once

#include <string>
#include <string_view>

#include "cli/cmdstan/argument.h"

namespace fermiac::cmdstan {

/// One argument, indented by two blanks for each level; with `all` everything below it too.
std::string help_text(const Argument& argument, int level, bool all);
/// How the program is used: methods and the other arguments of the top level.
std::string usage_text(const Argument& tree, const std::string& program);
/// Where arguments of that name may stand, a line for each: `  method=sample sample num_samples=<int>`.
std::string places_text(const Argument& tree, std::string_view name);

}  // namespace fermiac::cmdstan
