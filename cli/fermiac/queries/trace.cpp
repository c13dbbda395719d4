// `fermiac terms`: the log density term by term.
#include <cstdio>

#include "cli/fermiac/shared/given_points.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/questions.h"
#include "cli/fermiac/shared/refuse.h"
#include "interp/queries/trace.h"
#include "support/platform/output.h"

namespace fermiac::cli {
namespace {

using interp::Trace;

std::string text_of(const interp::ConditionedModel& model, const Trace& trace, const TraceArgs& args) {
  if (args.format != "table") return interp::trace_json(model, trace);
  return args.elements ? interp::trace_by_element(model, trace) : interp::trace_by_site(model, trace);
}

bool print_trace(const interp::ConditionedModel& model, const std::vector<double>& theta, const TraceArgs& args) {
  Trace trace;
  if (const EvalStatus status = interp::trace(model, theta, true, args.format == "jsonl", &trace); !status) throw InputError(status.message);
  if (const std::string text = interp::not_finite_text(trace); !text.empty()) std::fprintf(stderr, "%s\n", text.c_str());
  return write_output(text_of(model, trace, args));
}

}  // namespace

int run_trace(const TraceArgs& args) {
  ModelArgs given = args.model;
  given.prints_to_errors = true;  // standard output is data
  const auto model = load_conditioned_model(given);
  require_point(*model, args.point, "terms");
  if (args.point.at.empty() && args.point.draws.empty()) return print_trace(*model, {}, args) ? 0 : 1;
  if (!args.point.at.empty()) return print_trace(*model, point_in(*model, args.point.at), args) ? 0 : 1;
  for (const std::string& file : args.point.draws)
    for (const std::vector<double>& theta : draws_in(*model, {file}))
      if (!print_trace(*model, theta, args)) return 1;
  return 0;
}

}  // namespace fermiac::cli
