// Which lines of a text were replaced.
#pragma once

#include <string>
#include <string_view>

namespace fermiac::repl {

/// Lines of `before` that are gone, marked `-`, and new ones of `after`, marked `+`, each group under the last line without
/// indentation that precedes it. Empty if the texts are the same. Cost: the product of the numbers of lines between the first and
/// the last difference; beyond a limit these lines are all replaced.
std::string line_changes(std::string_view before, std::string_view after);

}  // namespace fermiac::repl
