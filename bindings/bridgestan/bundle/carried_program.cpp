#include "bindings/bridgestan/bundle/carried_program.h"

#include "bindings/bridgestan/bundle/program_source.h"
#include "support/base/render.h"

namespace fermiac::capi {
std::shared_ptr<const interp::CompiledModel> compile_carried(const Payload& payload) {
  auto out = interp::compile_model(compile_options(payload), {.header = compiled_header(payload)});
  if (*out) return out;
  throw InputError("the program that the file carries does not compile:\n" +
                     render_errors(out->sources(), out->diagnostics));
}

}  // namespace fermiac::capi
