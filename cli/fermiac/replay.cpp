// `fermiac replay`: one transition of a run again, step by step, and where it diverged.
#include "inference/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "cli/fermiac/commands.h"
#include "cli/fermiac/load.h"
#include "cli/fermiac/refuse.h"
#include "inference/posterior_table.h"
#include "interp/model/conditioned_model.h"
#include "interp/questions/explain_text.h"
#include "support/json.h"
#include "support/output.h"
#include "support/text_table.h"

namespace fermiac::cli {
namespace {

using namespace inference;
using Doubling = TransitionWatcher::Doubling;

constexpr std::size_t kMostQuantities = 5;  // that nobody asked for

/// Constrained parameters along a transition, the start first.
struct Path {
  std::vector<std::string> names;
  std::vector<Vec> points;
};

Path path_of(const interp::InterpModel& model, const ReplayedTransition& t) {
  Path out{model.names(false, false), {}};
  const auto workspace = model.workspace();
  Rng rng(1);  // parameters draw nothing
  const auto add = [&](const Vec& q) {
    out.points.emplace_back(out.names.size(), kNaN);
    if (!workspace->write_array(q, false, false, rng, out.points.back())) std::ranges::fill(out.points.back(), kNaN);
  };
  add(t.start);
  for (const ReplayedStep& step : t.steps) add(step.q);
  return out;
}

double sd_in(const CsvDraws& file, const std::string& name) {
  const std::size_t column = file.column(name);
  double n = 0, mean = 0, squares = 0;
  for (std::size_t row = file.warmup_rows; column != npos && row < file.rows; ++row) {
    const double d = file.at(row, column) - mean;
    mean += d / ++n;
    squares += d * (file.at(row, column) - mean);
  }
  return n > 1 ? std::sqrt(squares / (n - 1)) : 1;
}

/// How far a quantity moves, in standard deviations of the chain's draws.
double movement(const Path& path, std::size_t k, const CsvDraws& file) {
  double low = kInf, high = -kInf;
  for (const Vec& point : path.points) {
    if (!std::isfinite(point[k])) continue;
    low = std::min(low, point[k]);
    high = std::max(high, point[k]);
  }
  const double sd = sd_in(file, path.names[k]);
  return high > low && sd > 0 ? (high - low) / sd : 0;
}

/// Positions in Path::names, in their order.
Result chosen_quantities(const Path& path, const CsvDraws& file, const std::vector<std::string>& wanted, std::vector<std::size_t>* out) {
  std::vector<ColumnSummary> all(path.names.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k].name = path.names[k];
  if (!wanted.empty()) {
    std::string error;
    const auto columns = select_columns(all, wanted, &error);
    if (!columns) return Result::fail("there is no '" + error + "' among the parameters" + similar_name(error, all));
    for (const ColumnSummary& c : *columns) out->push_back(static_cast<std::size_t>(std::ranges::find(path.names, c.name) - path.names.begin()));
    return {};
  }
  std::vector<std::pair<double, std::size_t>> moved;
  for (std::size_t k = 0; k < all.size(); ++k) moved.emplace_back(-movement(path, k, file), k);
  std::ranges::sort(moved);
  for (std::size_t i = 0; i < std::min(kMostQuantities, moved.size()); ++i) out->push_back(moved[i].second);
  std::ranges::sort(*out);
  return {};
}

std::string_view in_words(Doubling how) {
  switch (how) {
    case Doubling::Grown: return "grown";
    case Doubling::Turned: return "the whole turned back";
    case Doubling::Inside: return "the new half turned back within itself and is left out";
    case Doubling::OneWay: return "the new half has a step that the way back would divide otherwise, and is left out";
    case Doubling::Diverged: return "the new half diverged and is left out";
    case Doubling::Stopped: return "stopped";
  }
  return {};
}

std::string steps_text(const ReplayedTransition& t, const Path& path, const std::vector<std::size_t>& shown) {
  std::vector<std::string> heading = {"step", "way", "energy error", "log density"};
  for (const std::size_t k : shown) heading.push_back(pretty_name(path.names[k]));
  TextTable table(std::move(heading));
  const auto add = [&](std::size_t step, const char* way, double error, double lp) {
    std::vector<std::string> row = {std::to_string(step), way, fmt::format("{:.4g}", error), fmt::format("{:.5g}", lp)};
    for (const std::size_t k : shown) row.push_back(fmt::format("{:.4g}", path.points[step][k]));
    table.add(std::move(row));
  };
  add(0, "", 0, t.lp);
  auto doubling = t.doublings.begin();
  for (std::size_t i = 0; i < t.steps.size(); ++i) {
    const ReplayedStep& s = t.steps[i];
    add(i + 1, s.forward ? "+" : "-", s.energy_error, s.lp);
    for (; doubling != t.doublings.end() && doubling->steps == i + 1; ++doubling)
      table.note(fmt::format("      depth {}, {}: {}", doubling->depth, doubling->forward ? "forward" : "backward", in_words(doubling->how)));
  }
  return table.text();
}

/// The step that left the trajectory, if one did.
std::optional<std::size_t> divergent_step(const ReplayedTransition& t) {
  if (!t.doublings.empty()) return t.doublings.back().how == Doubling::Diverged ? std::optional(t.steps.size() - 1) : std::nullopt;
  const auto found = std::ranges::find_if(t.steps, [](const ReplayedStep& s) { return s.energy_error > Hmc::kMaxEnergyError; });
  return found == t.steps.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - t.steps.begin()));
}

/// Where the trajectory came from, in that direction.
const Vec& before(const ReplayedTransition& t, std::size_t step) {
  for (std::size_t i = step; i-- > 0;)
    if (t.steps[i].forward == t.steps[step].forward) return t.steps[i].q;
  return t.start;
}

/// The lines of the program at the step that diverged, and just before. The sampled model may know no sites.
struct Blame {
  std::unique_ptr<interp::InterpModel> own;
  const interp::InterpModel* model = nullptr;
  interp::Explanation before, there;
};

Blame blame(const ModelArgs& args, const interp::InterpModel& sampled, const ReplayedTransition& t, std::size_t step) {
  Blame out;
  out.model = &sampled;
  if (!sampled.conditioned()) {
    const interp::DataSource data = open_data(args, sampled.compiled(), false);
    out.own = interp::condition(sampled.compiled(), data, read_conditioning(args.conditioning), 0, PrintSink(), &Stop::flag());
    out.model = out.own.get();
  }
  out.before = interp::explain(*out.model, before(t, step), {.elements = 0});
  out.there = interp::explain(*out.model, t.steps[step].q, {.elements = 0});
  return out;
}

std::string blame_text(const Blame& b, const ReplayedTransition& t, std::size_t step) {
  const double error = t.steps[step].energy_error;
  const std::string how = std::isfinite(error) ? fmt::format("the energy is {:.4g} above that of the start", error) : "there is no energy";
  return fmt::format("diverged at step {}: {}\n", step + 1, how) + interp::change_text(*b.model, b.before, b.there);
}

std::string steps_json(const ReplayArgs& args, const ReplayedTransition& t, const Path& path, const std::vector<std::size_t>& shown, const Blame* b) {
  using Kind = JsonGroup::Kind;
  std::string out;
  JsonGroup all(out, Kind::Object);
  all.member("chain") += std::to_string(args.chain);
  all.member("draw") += std::to_string(args.draw);
  all.member("stepsize") += json_number(t.stepsize);
  all.member("energy") += json_number(t.energy);
  JsonGroup steps(all.member("steps"), Kind::Array);
  for (std::size_t i = 0; i <= t.steps.size(); ++i) {
    JsonGroup step(steps.item(), Kind::Object);
    if (i > 0) step.member("forward") += t.steps[i - 1].forward ? "true" : "false";
    step.member("energy_error") += json_number(i > 0 ? t.steps[i - 1].energy_error : 0);
    step.member("lp") += json_number(i > 0 ? t.steps[i - 1].lp : t.lp);
    JsonGroup values(step.member("values"), Kind::Object);
    for (const std::size_t k : shown) values.member(path.names[k]) += json_number(path.points[i][k]);
    values.end();
    step.end();
  }
  steps.end();
  JsonGroup doublings(all.member("doublings"), Kind::Array);
  for (const ReplayedDoubling& d : t.doublings) {
    JsonGroup doubling(doublings.item(), Kind::Object);
    doubling.member("steps") += std::to_string(d.steps);
    doubling.member("depth") += std::to_string(d.depth);
    doubling.member("forward") += d.forward ? "true" : "false";
    doubling.member("how") += json_quote(in_words(d.how));
    doubling.end();
  }
  doublings.end();
  if (b) {
    const std::size_t step = *divergent_step(t);
    all.member("divergent_step") += std::to_string(step + 1);
    all.member("before") += interp::explanation_json(*b->model, before(t, step), b->before);
    out.pop_back();  // the end of its line
    all.member("there") += interp::explanation_json(*b->model, t.steps[step].q, b->there);
    out.pop_back();
  }
  all.end();
  return out + "\n";
}

int print_replay(const ModelArgs& args, const interp::InterpModel& model, const ReplayArgs& wanted, const ReplayedTransition& t, const CsvDraws& file,
                 bool are_divided) {
  const Path path = path_of(model, t);
  std::vector<std::size_t> shown;
  if (const Result bad = chosen_quantities(path, file, wanted.names, &shown); !bad) return refuse(bad.error);
  const auto step = divergent_step(t);
  std::optional<Blame> b;
  if (step) b = blame(args, model, t, *step);
  if (wanted.format == "json") return write_output(steps_json(wanted, t, path, shown, b ? &*b : nullptr)) ? 0 : 1;
  std::string out = fmt::format("chain {}, draw {}: {} {} of size {:.4g}; energy {:.5g} at the start\n", wanted.chain, wanted.draw, t.steps.size(),
                                are_divided ? "steps" : "leapfrog steps", t.stepsize, t.energy);
  out += steps_text(t, path, shown);
  if (b) out += blame_text(*b, t, *step);
  out += fmt::format("the draw is that of '{}'\n", file.path);
  return write_output(out) ? 0 : 1;
}

}  // namespace

int run_replay(const ModelArgs& args, SampleOptions options, const ReplayArgs& wanted, Stop& stop) {
  const auto model = sampled_model(args, &options, stop);
  if (!model) return 1;
  const std::string stem = fmt::format("{}/{}_{}", options.output_dir, options.output_name, wanted.chain);
  ReplayedTransition t;
  CsvDraws file;
  if (const Result bad = replay(*model, options, {wanted.chain, wanted.draw}, stem + ".state", &Stop::flag(), &t); !bad)
    return refuse(bad.error == kInterrupted ? stop.reason() : bad.error);
  if (const Result bad = read_csv(stem + ".csv", &file); !bad) return refuse(bad.error);
  file.path = fmt::format("{}/{}_{}.csv", wanted.folder, options.output_name, wanted.chain);  // as it was asked for
  if (const Result bad = compare_with_file(t, file, wanted.draw, options.sig_figs); !bad) return refuse(bad.error);
  try {
    return print_replay(args, *model, wanted, t, file, options.engine == Engine::Walnuts);
  } catch (const interp::BindError& e) {
    return refuse(e.what());
  } catch (const DataError& e) {
    return refuse(e.what());
  }
}

}  // namespace fermiac::cli
