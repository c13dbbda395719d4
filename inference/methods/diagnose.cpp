// The small methods that look at a model: gradients against differences, densities at given points, generated
// quantities of earlier draws.
#include <algorithm>
#include <chrono>
#include <optional>

#include "inference/math/difference_slope.h"
#include "inference/methods/method_run.h"
#include "inference/methods/methods.h"
#include "inference/output/draw_files.h"
#include "inference/output/run_io.h"
#include "support/base/elapsed.h"
#include "support/base/json_tree.h"
#include "support/base/number_text.h"
#include "support/base/text.h"
#include "support/platform/threads.h"

namespace fermiac::inference {
namespace {

// --- diagnose -------------------------------------------------------------------------------------------------------

ConfigNode diagnose_config(const DiagnoseOptions& o) {
  ConfigNode gradient = ConfigNode::group(
      "gradient", {ConfigNode::number("epsilon", o.epsilon, 1e-6), ConfigNode::number("error", o.error, 1e-6)});
  return ConfigNode::choice(
      "method", "diagnose", "sample",
      {ConfigNode::group("diagnose", {ConfigNode::choice("test", "gradient", "gradient", {std::move(gradient)})})});
}

double finite_difference(Target& target, Vec& q, std::size_t i, double epsilon) {
  const double centre = q[i];
  q[i] = centre + epsilon;
  const double above = target.value(q);
  q[i] = centre - epsilon;
  const double below = target.value(q);
  q[i] = centre;
  return (above - below) / (2 * epsilon);
}

Judgement judgement(Target& target, const Vec& q, std::size_t i, double gradient, double tolerance) {
  const auto again = [&] {
    Vec slopes(q.size());
    target.gradient(q, slopes);
    return slopes[i];
  };
  const auto value = [&](std::span<const double> x) { return target.value(x); };
  const auto best = [&] { return difference_along(value, q, i, kAllSteps); };
  return judge(gradient, tolerance, best, [&] { return target.model().stricter_solvers(kStricter); }, again).judgement;
}

Status diagnose(MethodRun& run, const Model& model, const DiagnoseOptions& o, const RunIo& io) {
  Target target(model, {}, io.stop);
  Vec q(model.unconstrained_size()), gradient(q.size());
  Rng rng(run.seed(), o.id);
  std::optional<SlowWork> slow;
  run.watch(slow, target, "looking for a start");
  if (Status bad = run.initial_point(target, o.id, rng, q); !bad) return bad;
  CsvWriter csv(o.sig_figs);
  if (Status bad = run.open(diagnose_config(o), "_diagnose.csv", &csv); !bad) return csv.end(bad);
  std::string out = "\n Log probability=" + format_number(target.gradient(q, gradient), 6) +
                    "\n\n param idx           value           model     finite diff           error\n";
  std::size_t wrong = 0, solver = 0;
  run.watch(slow, target, "gradients compared", q.size());
  for (std::size_t i = 0; i < q.size() && !target.stopped(); ++i) {
    if (slow) slow->done(i);
    const double difference = finite_difference(target, q, i, o.epsilon);
    const double error = gradient[i] - difference;
    const bool close = std::fabs(error) <= o.error;
    const Judgement judged = close ? Judgement::Difference : !run.conventions().judges_differences ? Judgement::Slope : judgement(target, q, i, gradient[i], o.error);
    wrong += judged == Judgement::Slope;
    solver += judged == Judgement::Solver;
    out += formatted("%10zu%16s%16s%16s%16s\n", i, format_number(q[i], 6).c_str(), format_number(gradient[i], 6).c_str(),
                format_number(difference, 6).c_str(), format_number(error, 6).c_str());
  }
  slow.reset();
  if (Status bad = target.ended(); !bad) return csv.end(bad);
  std::string comments;
  for (std::size_t at = 0; at < out.size();) {
    const std::size_t end = out.find('\n', at);
    comments += "# " + out.substr(at, end - at) + "\n";
    at = end + 1;
  }
  csv.raw(comments);
  if (run.conventions().always_reports || o.refresh > 0 || wrong + solver > 0) run.print("TEST GRADIENT MODE\n" + out);
  if (solver > 0)
    run.say(formatted("%zu of %zu gradients differ from finite differences by what the tolerances of the program's solvers leave: where these are "
                 "smaller, they come together\n", solver, q.size()));
  if (Status bad = csv.end({}); !bad) return bad;
  if (wrong == 0) return {};
  return Status::failed(
      formatted("%zu of %zu gradients differ from finite differences by more than %g%s", wrong, q.size(), o.error,
           !run.conventions().judges_differences ? "" : " and than the differences are off themselves"));
}

// --- log_prob -------------------------------------------------------------------------------------------------------

ConfigNode log_prob_config(const LogProbOptions& o) {
  return ConfigNode::choice(
      "method", "log_prob", "sample",
      {ConfigNode::group("log_prob", {ConfigNode::text("unconstrained_params", o.unconstrained_params, ""),
                                      ConfigNode::text("constrained_params", o.constrained_params, ""),
                                      ConfigNode::boolean("jacobian", o.jacobian, true)})});
}

/// Points as rows of `out`, from an array of arrays, one array, an object with "params_r", or CSV columns.
Status unconstrained_points(const LogProbOptions& o, std::size_t n, std::vector<Vec>* out) {
  const std::string& file = o.unconstrained_params;
  Vec values;
  std::size_t width = 0;
  if (file.ends_with(".json") || (o.layout->conventions().reads_r_dump && !file.ends_with(".csv"))) {
    std::string json;
    JsonValue value;
    std::vector<std::size_t> shape;
    if (Status bad = read_values_file(file, *o.layout, &json); !bad) return bad;
    if (const Status bad = parse_json(json, &value); !bad) return Status::failed("'" + file + "', " + bad.message);
    const JsonValue* inner = value.kind == JsonValue::Kind::Object ? value.find("params_r") : &value;
    if (inner == nullptr || !json_numbers(*inner, &values, &shape) || shape.empty() || shape.size() > 2)
      return Status::failed("'" + file + "' must hold an array of points, or an object with \"params_r\"");
    width = shape.back();
  } else {
    CsvDraws draws;
    if (Status bad = read_csv(file, &draws); !bad) return bad;
    values = draws.values;
    width = draws.columns();
  }
  if (width != n)
    return Status::failed(
        formatted("points in '%s' have %zu values, but the model has %zu unconstrained parameters", file.c_str(), width, n));
  for (std::size_t at = 0; at < values.size(); at += n)
    out->emplace_back(values.begin() + static_cast<std::ptrdiff_t>(at),
                      values.begin() + static_cast<std::ptrdiff_t>(at + n));
  return {};
}

Status constrained_points(const Model& model, const std::string& file, std::vector<Vec>* out) {
  if (file.ends_with(".json")) {
    std::string json;
    if (Status bad = read_text_file(file, &json); !bad) return bad;
    const EvalStatus status = model.unconstrain_json(json, {}, out->emplace_back(model.unconstrained_size()));
    return status ? Status{} : Status::failed("'" + file + "': " + status.message);
  }
  CsvDraws draws;
  RowReader reader;
  if (Status bad = read_csv(file, &draws); !bad) return bad;
  if (Status bad = reader.open(model, draws); !bad) return bad;
  for (std::size_t row = 0; row < draws.rows; ++row)
    if (Status bad = reader.unconstrain(draws, row, out->emplace_back(model.unconstrained_size())); !bad) return bad;
  return {};
}

Status log_prob(MethodRun& run, const Model& model, const LogProbOptions& o, const RunIo& io) {
  if (o.unconstrained_params.empty() == o.constrained_params.empty())
    return Status::failed("log_prob needs either unconstrained_params or constrained_params");
  std::vector<Vec> points;
  Status loaded = o.constrained_params.empty()
                      ? unconstrained_points(o, model.unconstrained_size(), &points)
                      : constrained_points(model, o.constrained_params, &points);
  if (!loaded) return loaded;
  CsvWriter csv(o.sig_figs);
  if (Status bad = run.open(log_prob_config(o), "_log_prob.csv", &csv); !bad) return csv.end(bad);
  std::vector<std::string> names = {"lp__"};
  for (const std::string& name : model.unconstrained_names()) names.push_back("g_" + name);
  csv.header(names);
  Target target(model, {.propto = true, .jacobian = o.jacobian}, io.stop);
  Vec gradient(model.unconstrained_size());
  for (const Vec& point : points) {
    double lp = target.gradient(point, gradient);
    if (Status bad = target.ended(); !bad) return csv.end(bad);
    if (!target.last_message().empty()) {
      run.say(std::string(run.conventions().exception_prefix) + target.last_message() + "\n");
      lp = kNaN;
      std::fill(gradient.begin(), gradient.end(), kNaN);
    }
    csv.row(Vec{lp}, gradient);
  }
  if (Status bad = csv.end({}); !bad) return bad;
  run.conclude("Log densities are in '" + csv.path() + "'.\n");
  return {};
}

// --- generate -------------------------------------------------------------------------------------------------------

ConfigNode generate_config(const GenerateOptions& o, const std::string& file) {
  return ConfigNode::choice(
      "method", "generate_quantities", "sample",
      {ConfigNode::group("generate_quantities",
                         {ConfigNode::text("fitted_params", file, ""),
                          ConfigNode::integer("num_chains", static_cast<long long>(o.fitted_params.size()), 1)})});
}

/// The time of a chain, each line starting with `prefix`.
std::string generated_time_text(const std::string& seconds, const std::string& prefix) {
  return prefix + "\n" + prefix + " Elapsed Time: " + seconds + " seconds (Generated Quantities)\n" + prefix + "\n";
}

Status generate_one(const Model& model, const GenerateOptions& o, const CsvDraws& draws, std::uint64_t seed,
                    unsigned chain_id, const RunIo& io, CsvWriter& csv, RejectLog* failures) {
  RowReader reader;
  const bool by_position = o.layout->conventions().draws_by_position;
  Status opened = by_position ? reader.open_by_position(model, draws) : reader.open(model, draws);
  if (!opened) return opened;
  const std::unique_ptr<ModelWorkspace> workspace = model.workspace();
  DrawRows rows(model, *workspace, generated_rng(seed, chain_id), io, csv, model.names(true, false).size());
  Vec theta(model.unconstrained_size());
  for (std::size_t row = by_position ? 0 : draws.warmup_rows; row < draws.rows; ++row) {
    if (Status bad = reader.unconstrain(draws, row, theta); !bad) return bad;
    if (!rows.add({}, theta)) break;
    if (o.refresh > 0 && (row + 1) % 1000 == 0)
      if (Status bad = csv.flush(); !bad) return bad;
  }
  *failures = rows.failures();
  return rows.result();
}

Status generate(MethodRun& run, const Model& model, const GenerateOptions& o, const RunIo& io) {
  if (o.fitted_params.empty()) return Status::failed("generate needs the CSV files of an earlier run");
  std::vector<std::string> names = model.names(true, true);
  names.erase(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(model.names(true, false).size()));
  if (names.empty()) run.say("Model doesn't generate any quantities of interest.\n");
  std::vector<CsvDraws> draws;
  std::vector<std::unique_ptr<CsvWriter>> csv;
  const Status read = read_draws(o.fitted_params, [&](CsvDraws& chain) {
    if (const std::string missing = chain.what_is_missing(); !missing.empty() && run.conventions().guides) run.say("Warning: " + missing + "\n");
    draws.push_back(std::move(chain));
    return Status{};
  });
  if (!read) return read;
  const std::size_t files = draws.size();
  Status opened;
  for (std::size_t i = 0; i < files && opened; ++i) {
    csv.push_back(std::make_unique<CsvWriter>(o.sig_figs));
    const std::string suffix = "_generate_" + std::to_string(o.id + i) + ".csv";
    opened = run.open(generate_config(o, draws[i].path), suffix, csv[i].get(), i);
    if (opened && !names.empty()) csv[i]->header(names);
  }
  if (!opened || names.empty()) {
    for (const auto& file : csv) opened = file->end(std::move(opened));
    return opened;
  }
  run.drop_others("_generate", o.id, files);
  std::vector<Status> results(files);
  std::vector<RejectLog> failures(files);
  std::vector<std::string> took(files);
  run_parallel(o.threads, files, [&](std::size_t i) {
    const auto start = std::chrono::steady_clock::now();
    Status made = generate_one(model, o, draws[i], run.seed(), o.id + static_cast<unsigned>(i), io, *csv[i], &failures[i]);
    took[i] = format_number(seconds_since(start), 3);
    if (run.conventions().times_generation && made) csv[i]->raw(generated_time_text(took[i], "# "));
    results[i] = csv[i]->end(std::move(made));
  });
  RejectLog all;
  for (const RejectLog& log : failures) all.merge(log);
  run.say(failures_text(all, run.conventions()));
  for (Status& result : results)
    if (!result) return result;
  if (run.conventions().times_generation)
    for (const std::string& seconds : took) run.say(generated_time_text(seconds, ""));
  run.conclude("Generated quantities are in '" + run.directory() + "'.\n");
  return {};
}

}  // namespace

Status run_diagnose(const Model& model, const DiagnoseOptions& options, const RunIo& io) {
  MethodRun run(model, options, io);
  return run.finish(diagnose(run, model, options, io));
}

Status run_log_prob(const Model& model, const LogProbOptions& options, const RunIo& io) {
  MethodRun run(model, options, io);
  return run.finish(log_prob(run, model, options, io));
}

Status run_generate(const Model& model, const GenerateOptions& options, const RunIo& io) {
  MethodRun run(model, options, io);
  return run.finish(generate(run, model, options, io));
}

}  // namespace fermiac::inference
