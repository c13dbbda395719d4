#include "capi/bundle/carried_program.h"

#include "support/render.h"

namespace fermiac::capi {
namespace {

mir::OptLevel level_of(const std::string& flags) {
  if (flags.find("--Oexperimental") != std::string::npos) return mir::OptLevel::Oexperimental;
  return flags.find("--O1") != std::string::npos ? mir::OptLevel::O1 : interp::kDefaultLevel;
}

}  // namespace

std::shared_ptr<const interp::CompiledModel> compile_carried(const Payload& payload) {
  auto out = interp::compile_model({.text = payload.text,
                                    .path = payload.path,
                                    .name = payload.name,
                                    .include_paths = payload.include_paths,
                                    .carried_includes = &payload.includes,
                                    .level = level_of(payload.flags)});
  if (*out) return out;
  throw PayloadError("the program that the file carries does not compile:\n" +
                     render_errors(out->sources, out->diagnostics));
}

}  // namespace fermiac::capi
