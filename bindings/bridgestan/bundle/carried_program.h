// From a payload to a program that runs: what a library and a program that carry a model have in common.
#pragma once

#include <memory>

#include "bindings/bridgestan/bundle/payload.h"
#include "interp/model/interp_model.h"

namespace fermiac::capi {

/// Compiles it at the level of its flags, with the texts of its includes in place of files. Throws InputError with
/// the messages where it does not compile.
std::shared_ptr<const interp::CompiledModel> compile_carried(const Payload& payload);

}  // namespace fermiac::capi
