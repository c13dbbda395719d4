// `fermiac predict`: draws from a program's joint density, forwards.
#include "interp/questions/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "autodiff/interrupted.h"
#include "cli/fermiac/given_points.h"
#include "cli/fermiac/load.h"
#include "cli/fermiac/questions.h"
#include "cli/fermiac/run_model.h"
#include "inference/method_run.h"
#include "support/output.h"

namespace fermiac::cli {
namespace {

using namespace inference;

/// Where the parameters come from.
std::string source_of(const PredictArgs& args) {
  return args.prior ? "prior" : args.point.at.empty() ? "draws" : "at";
}

/// Generator of draw i: it does not depend on how many are drawn, nor by whom.
Rng generator(std::uint64_t seed, std::uint64_t i) {
  return Rng(seed * 0x9e3779b97f4a7c15ULL + i);
}

struct Table {
  std::vector<std::string> names;
  std::vector<double> values;  // row-major
  std::size_t rows() const { return names.empty() ? 0 : values.size() / names.size(); }
};

Table draw_all(interp::Predictor& predictor, const PredictArgs& args, const std::vector<std::vector<double>>& points, std::uint64_t seed) {
  Table table{predictor.names(), {}};
  const std::size_t n = args.point.draws.empty() ? args.num_draws : points.size();
  table.values.resize(n * table.names.size());
  const std::vector<double> nothing(predictor.model().unconstrained_size());
  for (std::size_t i = 0; i < n; ++i) {
    if (Stop::requested()) throw ad::Interrupted();
    Rng rng = generator(seed, i);
    const std::vector<double>& theta = args.prior ? nothing : points[args.point.draws.empty() ? 0 : i];
    predictor.draw(theta, rng, std::span(table.values).subspan(i * table.names.size(), table.names.size()));
  }
  return table;
}

ConfigNode config(const PredictArgs& args, const interp::Predictor& predictor) {
  std::vector<ConfigNode> inside = {ConfigNode::text("from", source_of(args), ""),
                                    ConfigNode::text("what", fmt::format("{}", fmt::join(args.what, ",")), ""),
                                    ConfigNode::number("acceptance", predictor.acceptance())};
  return ConfigNode::choice("method", "predict", "sample", {ConfigNode::group("predict", std::move(inside))});
}

Result write(MethodRun& run, const PredictArgs& args, const interp::Predictor& predictor, const Table& table, std::size_t index) {
  CsvWriter csv(args.options.sig_figs);
  if (Result bad = run.open(config(args, predictor), fmt::format("_predict_{}.csv", index + 1), &csv); !bad) return csv.end(bad);
  csv.header(table.names);
  for (std::size_t i = 0; i < table.rows(); ++i) csv.row({}, std::span(table.values).subspan(i * table.names.size(), table.names.size()));
  return csv.end({});
}

/// Mean and standard deviation of each column.
std::string summary(const Table& table) {
  std::size_t width = 4;
  for (const std::string& name : table.names) width = std::max(width, pretty_name(name).size());
  std::string out = fmt::format("{:{}}  {:>12}  {:>12}\n", "", width, "mean", "sd");
  const auto n = static_cast<double>(table.rows());
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < table.rows(); ++i) sum += table.values[i * table.names.size() + c];
    for (std::size_t i = 0; i < table.rows(); ++i) squares += std::pow(table.values[i * table.names.size() + c] - sum / n, 2);
    out += fmt::format("{:{}}  {:>12}  {:>12}\n", pretty_name(table.names[c]), width, fmt::format("{:.6g}", sum / n),
                       fmt::format("{:.6g}", std::sqrt(squares / (n - 1))));
  }
  return out;
}

Result predict(MethodRun& run, interp::Predictor& predictor, const PredictArgs& args) {
  try {
    std::vector<std::vector<double>> point;
    if (!args.point.at.empty()) point.push_back(point_in(predictor.model(), args.point.at));
    for (std::size_t f = 0; f < std::max<std::size_t>(1, args.point.draws.size()); ++f) {
      if (!args.point.draws.empty()) point = draws_in(predictor.model(), args.point.draws[f]);
      const Table table = draw_all(predictor, args, point, run.seed() + f);
      if (Result bad = write(run, args, predictor, table, f); !bad) return bad;
      if (f == 0 && table.rows() > 1) run.print(summary(table));
    }
  } catch (const interp::BindError& e) {
    return Result::fail(e.what());
  } catch (const DataError& e) {
    return Result::fail(e.what());
  } catch (const ad::Interrupted&) {
    return Result::fail(kInterrupted);
  }
  if (predictor.acceptance() < 0.01)
    run.say(fmt::format("{:.3g} % of the draws kept to the constraints of the program\n", 100 * predictor.acceptance()));
  run.conclude(fmt::format("the draws are in '{}'\n", run.directory()));
  return {};
}

}  // namespace

int run_predict(const PredictArgs& args, Stop& stop) {
  if (args.prior + !args.point.at.empty() + !args.point.draws.empty() != 1) {
    std::fprintf(stderr, "fermiac: one of --prior, --at and --draws says where the parameters come from\n");
    return 2;
  }
  const auto program = load_program(args.model);
  if (!program) return 1;
  try {
    const interp::DataSource data = open_data(args.model, *program);
    interp::Predictor predictor(*program, data, read_conditioning(args.model.conditioning), {.prior = args.prior, .what = args.what, .only_ask = false}, &Stop::flag());
    CommonOptions options = args.options;
    describe_model(args.model, &options);
    MethodRun run(predictor.model(), options, terminal_io(stop));
    return run.finish(predict(run, predictor, args));
  } catch (const interp::BindError& e) {
    std::fprintf(stderr, "fermiac: %s\n", e.what());
  } catch (const DataError& e) {
    std::fprintf(stderr, "fermiac: %s\n", e.what());
  } catch (const ad::Interrupted&) {
    std::fprintf(stderr, "fermiac: %s\n", stop.reason().c_str());
  }
  return 1;
}

}  // namespace fermiac::cli
