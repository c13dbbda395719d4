#include "cli/fermiac/run_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "autodiff/kernels/isa.h"

namespace fermiac::cli {
inference::RunIo terminal_io(Stop& stop) {
  const char* term = std::getenv("TERM");
  const bool can_redraw = isatty(STDERR_FILENO) != 0 && term && std::string_view(term) != "dumb";
  stop.has_results();
  return {.out = stdout, .err = stderr, .terminal = can_redraw, .prefix = "fermiac: ", .stop = &Stop::flag(), .limit = &stop.limit()};
}

void describe_model(const ModelArgs& args, inference::CommonOptions* options) {
  options->model_path = args.model;
  options->data_file = fmt::format("{}", fmt::join(args.data, ","));
  options->instruction_set = ad::isa_name(ad::active_isa());
  options->conditioning = read_conditioning(args.conditioning).comments();
}

}  // namespace fermiac::cli
