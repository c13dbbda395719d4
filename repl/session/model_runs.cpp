// Runs of the session's model: their files and messages are hidden, what they found is not.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>

#include "inference/methods/methods.h"
#include "inference/methods/sample.h"
#include "inference/model/column_names.h"
#include "inference/output/csv.h"
#include "inference/output/draw_files.h"
#include "inference/output/run_io.h"
#include "repl/session/loaded_model.h"
#include "repl/session/show.h"
#include "support/base/interrupted.h"
#include "support/base/memory.h"
#include "support/platform/temporary.h"
#include "support/platform/text_streams.h"

namespace fermiac::repl {

namespace {

/// How long it took is no property of the draws.
inference::ChainSet without_times(inference::ChainSet chains) {
  chains.elapsed.clear();
  return chains;
}

/// The lines that speak neither of files nor of how long things take.
std::string without_paths(const std::string& text, const std::string& folder) {
  static constexpr std::string_view kTiming[] = {"Gradient evaluation took", "leapfrog steps per transition would take",
                                                 "Adjust your expectations"};
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const bool timing = std::ranges::any_of(kTiming, [&](auto words) { return line.find(words) != std::string::npos; });
    if (!timing && !line.empty() && line.find(folder) == std::string::npos) out += line + "\n";
    at = end + 1;
  }
  return out;
}

/// A run whose files and messages stay here.
struct HiddenRun {
  HiddenRun(inference::CommonOptions& options, const std::string& model_path) {
    if (!folder) throw InputError("no temporary folder can be made in " + folder.path());
    options.output_dir = folder.path();
    options.output_name = "run";
    options.model_path = model_path;
  }
  inference::RunIo io(const std::atomic<bool>* stop) { return {.out = out.file(), .err = err.file(), .terminal = false, .stop = stop}; }
  std::string told(const std::string& text) const { return without_paths(text, folder.path()); }

  const TemporaryFolder folder{"fermiac-repl-"};
  TextStream out, err;
};

}  // namespace

LoadedModel::Optimum LoadedModel::optimize(inference::OptimizeOptions options, const std::atomic<bool>* stop) {
  HiddenRun hidden(options, path());
  options.refresh = 0;
  options.sig_figs = 17;
  const inference::RunIo io = hidden.io(stop);
  if (!inference::run_optimize(model(), options, io)) throw StatusError(StatusCode::Failed, hidden.err.text() + hidden.out.text());
  inference::CsvDraws csv;
  if (const auto result = inference::read_csv(hidden.folder.path() + "/run_optimize.csv", &csv); !result)
    throw InputError(result.message);
  Optimum best;
  best.names = model().names(true, true);
  const std::size_t count = model().names(false, false).size(), first = csv.column("lp__") + 1;
  if (csv.rows == 0 || csv.columns() < first + best.names.size()) throw InputError("the run left no optimum");
  const double* row = csv.values.data() + (csv.rows - 1) * csv.columns() + first;
  best.lp = row[-1];
  best.values.assign(row, row + best.names.size());
  std::vector<double> theta = point_;
  if (model().unconstrain_array({row, count}, {}, theta)) point_ = std::move(theta);
  return best;
}

LoadedModel::Run LoadedModel::sample(inference::SampleOptions options, const std::atomic<bool>* stop, bool terminal, const PrintSink& progress) {
  HiddenRun hidden(options, path());
  LineStream lines([&](const std::string& text) { progress(hidden.told(text)); });
  constexpr unsigned kLinesPerChain = 4;
  if (!terminal) options.refresh = progress ? std::max(1u, (options.num_warmup + options.num_samples) / kLinesPerChain) : 0;
  options.tell_times = false;
  options.keep_many = true;
  if (const auto bad = inference::check_options(options); !bad) throw InputError(bad.message);
  inference::RunIo io = hidden.io(stop);
  io.terminal = terminal;
  if (terminal) io.err = stderr;
  else if (progress) io.err = lines.file();
  if (progress) io.errors = hidden.err.file();
  inference::SampleRun run = inference::sample(model(), options, io);
  std::fflush(lines.file());
  const bool full = !run.status.is_interrupted() && run.status.message.find("out of memory") != std::string::npos;
  if (run.status.is_interrupted() || full) {
    const std::size_t row = run.chains.names.size();
    std::erase_if(run.chains.rows, [&](const auto& rows) { return rows.size() < 2 * row; });
    if (run.chains.rows.empty() && full) throw ad::MemoryError("out of memory");
    if (run.chains.rows.empty()) throw ad::Interrupted();
    const std::string said = fmt::format("{}: {} draws per chain are kept.\n", full ? "Out of memory" : "Interrupted", run.chains.draws_per_chain());
    return {without_times(std::move(run.chains)), said};
  }
  if (!run.status) throw StatusError(StatusCode::Failed, hidden.told(hidden.err.text() + hidden.out.text()));
  if (!run.has_draws) throw InputError("so many draws do not fit into memory");
  return {without_times(std::move(run.chains)), hidden.told(hidden.err.text())};
}

LoadedModel::Run LoadedModel::pathfinder(inference::PathfinderOptions options, const std::atomic<bool>* stop) {
  HiddenRun hidden(options, path());
  options.refresh = 0;
  options.sig_figs = 17;
  const inference::RunIo io = hidden.io(stop);
  if (!inference::run_pathfinder(model(), options, io)) throw StatusError(StatusCode::Failed, hidden.told(hidden.err.text()));
  Run run;
  if (const auto bad = inference::load_chains({hidden.folder.path() + "/run_pathfinder.csv"}, &run.chains); !bad) throw InputError(bad.message);
  run.chains = without_times(std::move(run.chains));
  run.said = hidden.told(hidden.err.text());
  return run;
}

namespace {

/// Where the columns of `names` are; they follow each other in the order of the model.
std::size_t first_column(const inference::ChainSet& draws, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (std::ranges::find(draws.names, name) == draws.names.end())
      throw InputError(fmt::format("the draws have no '{}', which is a parameter of the model", inference::pretty_name(name)));
  const auto at = std::search(draws.names.begin(), draws.names.end(), names.begin(), names.end());
  if (at == draws.names.end() && !names.empty()) throw InputError("the draws have the parameters in another order than the model");
  return static_cast<std::size_t>(at - draws.names.begin());
}

}  // namespace

inference::ChainSet LoadedModel::generate(const inference::ChainSet& draws, std::uint64_t seed, const Evaluator& evaluator) const {
  const std::vector<std::string> parameters = model().names(false, false), all = model().names(true, true);
  const std::size_t first = first_column(draws, parameters), width = draws.names.size();
  const auto own = [](const std::string& name) { return name.ends_with("__"); };  // columns of the sampler
  const auto sampler = static_cast<std::size_t>(std::ranges::find_if_not(draws.names, own) - draws.names.begin());
  inference::ChainSet out = draws;
  out.names.resize(sampler);
  out.names.insert(out.names.end(), all.begin(), all.end());
  out.blocks = inference::variable_blocks(model());
  const auto workspace = model().workspace();
  std::vector<double> theta(model().unconstrained_size()), values(all.size());
  for (std::size_t chain = 0; chain < draws.rows.size(); ++chain) {
    Rng rng(seed, static_cast<unsigned>(chain));
    out.rows[chain].clear();
    for (std::size_t at = 0; at + width <= draws.rows[chain].size(); at += width) {
      evaluator.poll();
      const double* row = draws.rows[chain].data() + at;
      if (const EvalStatus bad = model().unconstrain_array({row + first, parameters.size()}, {.rounding = inference::kPrintedRounding}, theta); !bad) throw InputError(bad.message);
      if (const EvalStatus bad = workspace->write_array(theta, true, true, rng, values); !bad) throw InputError(bad.message);
      std::copy(row + first, row + first + parameters.size(), values.begin());  // as they were drawn, to the last digit
      out.rows[chain].insert(out.rows[chain].end(), row, row + sampler);
      out.rows[chain].insert(out.rows[chain].end(), values.begin(), values.end());
    }
  }
  return out;
}

}  // namespace fermiac::repl
