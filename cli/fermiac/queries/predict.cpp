// `fermiac predict`: draws from a program's joint density, forwards.
#include "interp/queries/predicted.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/fermiac/options/arguments.h"
#include "cli/fermiac/shared/given_points.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/questions.h"
#include "cli/fermiac/shared/refuse.h"
#include "cli/fermiac/shared/run_model.h"
#include "inference/methods/method_run.h"
#include "inference/output/config.h"
#include "inference/output/csv.h"
#include "support/base/interrupted.h"
#include "support/platform/output.h"

namespace fermiac::cli {
namespace {

using namespace inference;

/// Where the parameters come from.
std::string source_of(const PredictArgs& args) {
  return args.prior ? "prior" : args.point.at.empty() ? "draws" : "at";
}

ConfigNode config(const PredictArgs& args, const interp::Predictor& predictor) {
  std::vector<ConfigNode> inside = {ConfigNode::text("from", source_of(args), ""),
                                    ConfigNode::text("what", fmt::format("{}", fmt::join(args.what, ",")), ""),
                                    ConfigNode::number("acceptance", predictor.acceptance())};
  return ConfigNode::choice("method", "predict", "sample", {ConfigNode::group("predict", std::move(inside))});
}

Status write(MethodRun& run, const PredictArgs& args, const interp::Predictor& predictor, const interp::PredictedDraws& table, std::size_t index) {
  CsvWriter csv(args.options.sig_figs);
  if (Status bad = run.open(config(args, predictor), fmt::format("_predict_{}.csv", index + 1), &csv); !bad) return csv.end(bad);
  csv.header(table.names);
  csv.rows(table.values, table.names.size(), args.options.threads);
  return csv.end({});
}

Status predict(MethodRun& run, interp::Predictor& predictor, const PredictArgs& args) {
  try {
    std::vector<std::vector<double>> point;
    if (!args.point.at.empty()) point.push_back(point_in(predictor.model(), args.point.at));
    for (std::size_t f = 0; f < std::max<std::size_t>(1, args.point.draws.size()); ++f) {
      if (!args.point.draws.empty()) point = draws_in(predictor.model(), {args.point.draws[f]});
      const std::size_t n = args.point.draws.empty() ? args.num_draws : point.size();
      const interp::PredictedDraws table = interp::predict_many(predictor, point, {.draws = n, .seed = run.seed() + f, .threads = args.options.threads, .stop = &Stop::flag()});
      if (Status bad = write(run, args, predictor, table, f); !bad) return bad;
      if (f == 0 && table.rows() > 1) run.print(interp::predicted_table(table));
    }
    run.drop_others("_predict", 1, std::max<std::size_t>(1, args.point.draws.size()));
  } catch (const InputError& e) {
    return Status::failed(e.what());
  } catch (const ad::Interrupted&) {
    return Status::interrupted();
  }
  if (predictor.acceptance() < 0.01)
    run.say(fmt::format("{:.3g} % of the draws kept to the constraints of the program\n", 100 * predictor.acceptance()));
  run.conclude(fmt::format("the draws are in '{}'\n", run.directory()));
  return {};
}

}  // namespace

int run_predict(const PredictArgs& given, Stop& stop) {
  PredictArgs args = given;
  args.what = names_between_commas(args.what);
  if (args.prior + !args.point.at.empty() + !args.point.draws.empty() != 1)
    return refuse("one of --prior, --at and --draws says where the parameters come from", 2);
  const auto program = load_program(args.model);
  const interp::DataSource data = open_data(args.model, *program);
  interp::Predictor predictor(*program, data, read_conditioning(args.model.conditioning), {.prior = args.prior, .what = args.what, .only_ask = false}, &Stop::flag());
  CommonOptions options = args.options;
  describe_model(args.model, &options);
  MethodRun run(predictor.model(), options, terminal_io(stop));
  return exit_status(run.finish(predict(run, predictor, args)));
}

}  // namespace fermiac::cli
