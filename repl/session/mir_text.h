// What `:mir` prints.
#pragma once

#include <string>
#include <string_view>

namespace fermiac::repl {

class Session;

/// The intermediate form of the model, or of an expression, as the arguments of `:mir` ask for it: as lowered, optimized, the
/// changes of passes, memory patterns, pedantic warnings. Throws Failure.
std::string mir_text(Session& session, std::string_view arguments);

}  // namespace fermiac::repl
