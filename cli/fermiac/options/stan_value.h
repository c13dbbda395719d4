// Values on the command line.
#pragma once

#include <functional>
#include <string>

#include "interp/value/value.h"

namespace fermiac::cli {

/// JSON as data files have it; Stan's `1.` and `.5` are not.
bool is_json(const std::string& text);
/// JSON is taken as it is, anything else as a Stan expression. Throws DataError, which names `name`.
std::string json_of_value(const std::string& name, const std::string& text);
/// The JSON of what `evaluate` returns, which throws repl::Failure where it cannot. Throws DataError, which names `name`.
std::string value_text(const std::string& name, const std::function<interp::Value()>& evaluate);

}  // namespace fermiac::cli
