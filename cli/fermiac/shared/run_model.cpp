#include "cli/fermiac/shared/run_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "autodiff/kernels/isa.h"
#include "cli/fermiac/shared/load.h"
#include "inference/output/run_io.h"
#include "interp/model/conditioned_model.h"
#include "interp/queries/explain_text.h"
#include "support/base/interrupted.h"
#include "support/platform/terminal.h"

namespace fermiac::cli {
namespace {

/// The program bound once more, with its sites opened. Data that can be read only once are gone by then.
std::string why_not_finite(const ModelArgs& args, const interp::InterpModel& model, std::span<const double> theta) {
  try {
    const auto opened = interp::condition(model.compiled(), open_data(args, model.compiled(), false), read_conditioning(args.conditioning), 0,
                                          PrintSink(), &Stop::flag());
    return interp::problem_text(*opened, interp::explain(*opened, theta));
  } catch (const InputError&) {
  } catch (const ad::Interrupted&) {
  }
  return {};
}

}  // namespace

inference::RunIo terminal_io(Stop& stop) {
  stop.has_results();
  return {.out = stdout, .err = stderr, .terminal = understands_escapes(stderr), .prefix = "fermiac: ", .stop = &Stop::flag(), .limit = &stop.limit()};
}

void describe_model(const ModelArgs& args, inference::CommonOptions* options) {
  options->model_path = args.model;
  options->data_file = fmt::format("{}", fmt::join(args.data, ","));
  options->instruction_set = ad::isa_name(ad::active_isa());
  options->conditioning = read_conditioning(args.conditioning).comments();
}

void explain_starts(const ModelArgs& args, const interp::InterpModel& model, inference::CommonOptions* options) {
  options->why_not_finite = [args, &model](std::span<const double> theta) { return why_not_finite(args, model, theta); };
}

}  // namespace fermiac::cli
