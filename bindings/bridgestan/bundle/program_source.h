// The program of a payload, ready to be compiled.
#pragma once

#include <string>

#include "bindings/bridgestan/bundle/payload.h"
#include "interp/model/interp_model.h"
#include "interp/native/module.h"

namespace fermiac::capi {

/// Of stanc's flags; the first of O0, O1 and Oexperimental counts, in this order.
inline mir::OptLevel level_of(const std::string& flags) {
  const auto given = [&](const char* flag) { return (" " + flags + " ").find(std::string(" ") + flag + " ") != std::string::npos; };
  if (given("--O0")) return mir::OptLevel::O0;
  if (given("--O1") || given("--O")) return mir::OptLevel::O1;
  return given("--Oexperimental") ? mir::OptLevel::Oexperimental : kDefaultLevel;
}

/// Null where there is none. Throws InputError where it cannot be loaded.
inline std::shared_ptr<const native::Module> compiled_header(const Payload& payload) {
  return payload.native.empty() ? nullptr : interp::load_native(payload.native);
}

/// Refers to the payload.
inline CompileOptions compile_options(const Payload& payload) {
  return {.text = payload.text,
          .path = payload.path,
          .name = payload.name,
          .include_paths = payload.include_paths,
          .carried_includes = &payload.includes,
          .allow_undefined = !payload.native.empty(),  // the header has functions of it
          .level = level_of(payload.flags),
          .keep_tree = false};
}

}  // namespace fermiac::capi
