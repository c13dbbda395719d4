// What in the program explains that a density refuses its arguments at every point.
#pragma once

#include <string>
#include <string_view>

#include "interp/model/compiled_model.h"

namespace fermiac::interp {

/// A sentence for a message such as `normal_lpdf: Scale parameter is 0, but must be positive! (in …)`, where the argument does not depend
/// on parameters: a division of ints that it is computed from, or the constant or data that it is. Otherwise empty.
std::string refusal_advice(const CompiledModel& compiled, std::string_view message);

}  // namespace fermiac::interp
