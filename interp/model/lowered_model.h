// A program without its code: all that can be said of one whose functions are still to come from a header in C++.
#pragma once

#include <memory>

#include "interp/model/interp_model.h"

namespace fermiac::interp {

/// Parses, checks and lowers; nothing is prepared.
std::shared_ptr<const CompiledModel> lower_model(const ModelSource& source);

}  // namespace fermiac::interp
