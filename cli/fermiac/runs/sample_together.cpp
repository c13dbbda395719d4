#include "cli/fermiac/runs/sample_together.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "cli/fermiac/runs/netcdf.h"
#include "cli/fermiac/shared/questions.h"
#include "cli/fermiac/shared/refuse.h"
#include "cli/fermiac/shared/run_model.h"
#include "inference/mcmc/chain_plan.h"
#include "inference/methods/sample.h"
#include "inference/model/target.h"
#include "inference/output/checkpoint.h"
#include "inference/output/config.h"
#include "inference/output/draw_files.h"
#include "inference/output/run_io.h"
#include "support/base/number_text.h"
#include "support/platform/temporary.h"

namespace fermiac::cli {
namespace {

namespace fs = std::filesystem;
using inference::ChainPlan;
using inference::SampleOptions;

std::string file_of(const SampleOptions& o, unsigned id, const char* ending) { return o.output_name + "_" + std::to_string(id) + ending; }

/// The same for all chains that fail alike; where a process draws several, it says so of one of them or of all.
std::string in_any_chain(const std::string& error) {
  const std::string text = inference::mask_numbers(error);
  const std::size_t chain = text.starts_with("Chain [") ? text.find("] ") : std::string::npos;
  return chain == std::string::npos ? text : text.substr(chain + 2);
}

/// What the first process knows at the end of the run.
class Collected {
 public:
  Collected(const SampleArgs& args, const SampleOptions& options, const ChainPlan& plan, const ChainCollector& others)
      : args_(args), options_(options), plan_(plan), others_(others) {}

  void add_own(const inference::SampleRun& run) {
    note_gone(0);
    if (run.status) return add_chains(0);
    if (run.status.is_interrupted()) missing(0);
    else failed(0, run.status.message);
  }

  void add(int drawer) {
    note_gone(drawer);
    const Report* const last = others_.last_report(plan_.group_of(drawer).front());
    if (last && last->well) return add_chains(drawer);
    if (last && !last->error.empty()) return failed(drawer, last->error);
    missing(drawer);
  }

  /// On standard error. True where nothing is.
  bool tell() const {
    std::set<std::string> told;
    for (const auto& [error, own] : errors_)
      if (told.insert(in_any_chain(error)).second && !own) refuse(error);
    if (const std::string error = others_.write_error(); !error.empty()) refuse(error), told.insert(error);
    for (const int process : gone_) refuse("nothing has been heard of process " + std::to_string(process) + " for " + format_number(PeerTimeout::kSeconds, 3) + " seconds");
    if (!missing_.empty() && (told.empty() || !complete_.empty())) refuse(missing_text());  // drawn again it would fail again
    return told.empty() && gone_.empty() && missing_.empty();
  }

  /// Of all chains that are there; the exit status is that of the run if nothing else went wrong.
  inference::SampleRun run() const {
    inference::SampleRun out;
    out.directory = options_.output_dir;
    out.stem = (fs::path(options_.output_dir) / options_.output_name).string();
    for (const unsigned id : complete_) out.csv_files.push_back((fs::path(options_.output_dir) / file_of(options_, id, ".csv")).string());
    if (out.csv_files.empty()) return out;
    out.has_draws = bool(inference::load_chains(out.csv_files, &out.chains));
    out.status = {};
    return out;
  }

 private:
  /// Whether they drew or served.
  void note_gone(int drawer) {
    for (const int process : plan_.group_of(drawer))
      if (process > 0 && others_.is_gone(process) && !others_.last_report(process)) gone_.push_back(process);
  }
  void add_chains(int drawer) { append(complete_, drawer); }
  void missing(int drawer) { append(missing_, drawer); }
  void failed(int drawer, const std::string& error) {
    errors_.emplace_back(error, drawer == 0);
    missing(drawer);
  }
  void append(std::vector<unsigned>& to, int drawer) const {
    const std::vector<unsigned> ids = plan_.ids_of(drawer);
    to.insert(to.end(), ids.begin(), ids.end());
  }

  std::string missing_text() const {
    const std::string ids = inference::chain_ids_text(missing_), which = missing_.size() == 1 ? "chain " + ids + " is" : "chains " + ids + " are";
    return which + " not complete" + (complete_.empty() ? "" : ", all others are") + "; to have " + (missing_.size() == 1 ? "it" : "them") + ": " +
           command() + " --chain-ids " + ids;
  }
  /// A run that was collected left no states.
  std::string command() const {
    if (inference::keeps_states(options_)) return "fermiac resume " + options_.output_dir;
    std::string out = "fermiac sample";
    for (const std::string& word : inference::recorded_words(args_.options.record)) out += " " + word;
    if (!args_.options.seed) out += " --seed " + std::to_string(*options_.seed);
    if (args_.options.output_dir.empty()) out += " --output " + options_.output_dir;
    return out + (args_.options.overwrite ? "" : " --overwrite");
  }

  const SampleArgs& args_;
  const SampleOptions& options_;
  const ChainPlan& plan_;
  const ChainCollector& others_;
  std::vector<unsigned> complete_, missing_;
  std::vector<int> gone_;
  std::vector<std::pair<std::string, bool>> errors_;  // and whether they have been told
};

/// Of the run, for one process.
SampleOptions options_for(const SampleOptions& all, std::vector<unsigned> ids) {
  SampleOptions out = all;
  out.chain_ids = std::move(ids);
  out.summary = out.keep_draws = out.netcdf = false;
  return out;
}

std::vector<std::string> file_names(const SampleOptions& o) {
  std::vector<std::string> out;
  for (const unsigned id : o.chain_ids) {
    out.push_back(file_of(o, id, ".csv"));
    if (o.save_metric) out.push_back(file_of(o, id, "_metric.json"));
  }
  return out;
}

/// Null after the reason was printed: the other processes wait for an answer.
std::unique_ptr<interp::InterpModel> model_or_null(const Invocation& invocation, SampleOptions* options, const Stop& stop) {
  std::unique_ptr<interp::InterpModel> out;
  run_reported(invocation, [&] { return out = sampled_model(invocation.chains->model, options), 0; }, &stop);
  return out;
}

Report report_of(const inference::SampleRun& run) {
  Report out;
  out.well = bool(run.status);
  if (!run.status.is_interrupted()) out.error = run.status.message;
  return out;
}

}  // namespace

bool can_draw_apart(const SampleArgs& args) {
  const SampleOptions& o = args.options;
  return o.target_ess == 0 && o.max_restarts == 0 && o.profile_file.empty() && inference::check_options(o) && inference::drawn_chains(o).size() > 1;
}

int sample_and_collect(const Invocation& invocation, const ChainPlan& plan, ChainCollector& others, Stop& stop) {
  const SampleArgs& args = *invocation.chains;
  SampleOptions options = args.options;
  if (args.gather) options.record.options.clear();  // the states stay with the processes that drew the chains: there is nothing to resume
  const auto model = model_or_null(invocation, &options, stop);
  const bool loaded = others.wait_for_loaded(Stop::flag());
  if (!loaded || !model) return others.give_up(model != nullptr), 1;
  bool made = false;
  if (const Status bad = inference::settle_shared_run(*model, &options, &made); !bad) return others.give_up(false), refuse(bad.message);
  others.begin({*options.seed, options.output_dir, options.output_name}, args.gather ? options.output_dir : "", options.overwrite);

  const inference::RunIo io = terminal_io(stop);
  const inference::SampleRun own = inference::sample(*model, options_for(options, plan.ids_of(0)), io);
  if (own.status.is_interrupted()) refuse(own.status.message);
  others.wait_for_done(Stop::flag(), [&](int process) { return plan.draws(process); });
  Collected all(args, options, plan, others);
  all.add_own(own);
  for (int drawer = 1; drawer < plan.drawers(); ++drawer) all.add(drawer);
  const bool well = all.tell();
  inference::SampleRun run = all.run();
  const bool packed = !well || !options.netcdf || pack_draws(model->compiled(), args.model, &run);
  if (!run.csv_files.empty()) inference::print_results(run, options, io);
  std::error_code ignored;
  if (made) fs::remove(options.output_dir, ignored);  // unless there is something in it
  return well && packed && run.status ? 0 : 1;
}

bool sample_and_report(const Invocation& invocation, const std::vector<unsigned>& ids, ChainReporter& reporter, Stop& stop) {
  const SampleArgs& args = *invocation.chains;
  SampleOptions options = options_for(args.options, ids);
  if (args.gather) options.record.options.clear();
  const auto model = model_or_null(invocation, &options, stop);
  reporter.loaded(model != nullptr);
  const std::optional<SharedRun> run = reporter.wait_for_begin();
  if (!run) return reporter.done({.well = false});
  std::optional<TemporaryFolder> own;
  if (args.gather) own.emplace("fermiac-");
  options.seed = run->seed;
  options.output_name = run->name;
  options.output_dir = own ? own->path() : run->folder;
  if (own) options.final_dir = run->folder;
  if (own && !*own) return reporter.done({.well = false, .error = "cannot make a folder for temporary files"});
  if (own) reporter.send_files(own->path(), file_names(options));
  inference::RunIo io = terminal_io(stop);
  io.errors = stdout;  // which goes nowhere: the report has it
  const inference::SampleRun drawn = inference::sample(*model, options, io);
  Report last = report_of(drawn);
  if (own)
    for (const auto& entry : fs::directory_iterator(own->path())) last.files.push_back(entry.path().filename().string());
  const bool there = reporter.done(std::move(last));
  if (!there)
    std::fprintf(reporter.terminal(), "fermiac: the first process is gone; chains %s are %s in '%s', to go on: fermiac resume %s\n", inference::chain_ids_text(ids).c_str(),
                 drawn.status ? "complete" : "not complete", run->folder.c_str(), run->folder.c_str());
  return there;
}

}  // namespace fermiac::cli
