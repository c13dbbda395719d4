// `fermiac check-model`: the warnings of pedantic mode, and what shows only when the model runs with its data.

#include "cli/fermiac/shared/commands.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/refuse.h"
#include "interp/model/model_check.h"
#include "mir/warnings/warnings.h"
#include "plugins/opencl/device.h"
#include "support/base/memory.h"
#include "support/base/render.h"
#include "support/platform/output.h"
#include "support/platform/stack.h"

namespace fermiac::cli {
namespace {

std::string note(const SourceMap& sources, Span span, const std::string& text) {
  const std::string head = span == Span{} ? "Note" : "Note in " + location_text(sources, span);
  return head + ":\n" + fill(text, 2);
}

std::string remarks(const interp::CompiledModel& compiled) {
  std::string out;
  for (const mir::Warning& warning : mir::pedantic_warnings(compiled.program, compiled.sources(), mir::PriorWarnings::Without))
    out += note(compiled.sources(), warning.span, warning.text);
  return out;
}

}  // namespace

int run_check_model(const ModelArgs& args, bool strict) {
  const auto compiled = load_program(args);
  if (const std::string problem = open_device(args.device).problem; !problem.empty()) return refuse("--device " + args.device + ": " + problem);
  std::string out;
  bool fatal = false;
  on_large_stack([&, most = ad::memory_limit()](int) {  // on a thread of its own
    const ad::MemoryScope limited(most);
    out += remarks(*compiled);
    const interp::DataSource data = open_data(args, *compiled);
    for (const interp::ModelFinding& finding : interp::check_model(compiled, data, read_conditioning(args.conditioning), &Stop::flag())) {
      out += note(compiled->sources(), finding.span, finding.text);
      fatal = fatal || finding.fatal;
    }
  });
  write_output(out.empty() ? "Nothing to remark.\n" : out);
  return fatal || (strict && !out.empty()) ? 1 : 0;
}

}  // namespace fermiac::cli
