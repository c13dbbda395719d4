// Typed values of oracle cases as Stan source and as data.
#pragma once

#include <string>

#include "support/base/json_tree.h"

namespace fermiac::selfcheck {

/// `array[4] vector[2] name`: sizes from the value.
std::string declaration(const JsonValue& typed, const std::string& name);

}  // namespace fermiac::selfcheck
