#include "inference/methods/sample.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "inference/approximate/start.h"
#include "inference/diagnostics/until.h"
#include "inference/mcmc/blocks.h"
#include "inference/mcmc/chain.h"
#include "inference/mcmc/chain_plan.h"
#include "inference/methods/chain_files.h"
#include "inference/methods/method_run.h"
#include "inference/methods/slow_chains.h"
#include "inference/output/checkpoint.h"
#include "inference/output/console.h"
#include "inference/output/draw_files.h"
#include "inference/output/folder_lock.h"
#include "inference/output/init_files.h"
#include "inference/output/output.h"
#include "inference/output/output_layout.h"
#include "inference/output/posterior_table.h"
#include "inference/output/restarts.h"
#include "inference/output/run_io.h"
#include "inference/output/sample_config.h"
#include "support/base/text_file.h"
#include "support/platform/output.h"
#include "support/platform/terminal.h"
#include "support/platform/threads.h"

namespace fermiac::inference {
namespace {

constexpr std::size_t kMaxKeptValues = std::size_t{1} << 27;  // one GiB of draws in memory for the summary

std::string rejects_text(const RejectLog& log, const char* what) {
  std::string out;
  for (const auto& [key, entry] : log.entries()) {
    const std::string message = entry.first.empty() ? "the model gave no reason" : entry.first;
    out += std::to_string(entry.count) + what + (entry.count > 1 ? "s" : "") + ": " + message + "\n";
  }
  return out;
}

/// As CmdStan words it, once for each kind of message; its clients look for lines that begin with Exception.
std::string rejects_like_stan(const RejectLog& log) {
  std::string out;
  for (const auto& [key, entry] : log.entries())
    out += "Informational Message: The current Metropolis proposal is about to be rejected because of the following issue:\n"
           "Exception: " + entry.first +
           "\nIf this warning occurs sporadically, such as for highly constrained variable types like covariance matrices, "
           "then the sampler is fine,\n"
           "but if this warning occurs often then your model may be either severely ill-conditioned or misspecified.\n" +
           (entry.count > 1 ? "(" + std::to_string(entry.count) + " proposals)\n\n" : "\n");
  return out;
}

/// One process for each run: that which draws its first chain.
bool writes_config(const SampleOptions& options, const std::vector<unsigned>& ids) {
  return options.save_config && ids.front() == options.id;
}

/// Before anything is created: a run either gets all its files or touches none.
Status refuse_overwriting(const OutputFiles& files, const SampleOptions& options, const std::vector<unsigned>& ids) {
  if (options.overwrite) return {};
  std::vector<std::string> names;
  if (writes_config(options, ids)) names.push_back("_config.json");
  if (options.netcdf) names.push_back(".nc");
  for (const unsigned id : ids) {
    const std::string chain = "_" + std::to_string(id);
    names.push_back(chain + ".csv");
    if (options.save_metric) names.push_back(chain + "_metric.json");
  }
  for (const std::string& name : names) {
    std::error_code ignored;
    if (std::filesystem::exists(files.path(name), ignored))
      return Status::failed("'" + files.path(name) + "' exists already; choose another --output, or allow --overwrite");
  }
  return {};
}

class Runner {
 public:
  Runner(const Model& model, const SampleOptions& options, const RunIo& io)
      : model_(model), options_(options), io_(io), ids_(drawn_chains(options)), console_(io, ids_, options.refresh, options.chains > 1) {
    if (model.unconstrained_size() == 0 && conventions_.chooses_fixed_param && !options_.blocks) options_.engine = Engine::FixedParam;
    if (options_.refresh == 0 && !conventions_.always_reports) options_.tell_times = false;
    if (options_.resume) options_.overwrite = true;
  }

  SampleRun run() {
    Status result = prepare();
    if (result) {
      sample_all();
      result = report();
    } else {
      for (const auto& sink : sinks_) sink->discard();
    }
    if (!result) forget_nothing();
    if (!result) files_.discard_if_empty();
    if (!result && !result.is_interrupted()) tell(std::string(io_.prefix) + result.message + "\n");
    run_.status = std::move(result);
    return std::move(run_);
  }

 private:
  void tell(const std::string& error) {
    if (io_.listener) return io_.listener->failed(std::string_view(error).substr(io_.prefix.size(), error.size() - io_.prefix.size() - 1));
    if (!io_.errors) return console_.note(error);
    std::fputs(error.c_str(), io_.errors);
    std::fflush(io_.errors);
  }

  /// Where CmdStan writes what is wrong with proposals, in one piece.
  void warn(unsigned chain, const std::string& text) const {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      if (options_.chains > 1 && end > at) out += "Chain [" + std::to_string(ids_[chain]) + "] ";
      out += text.substr(at, end - at) + "\n";
      at = end + 1;
    }
    std::FILE* const to = io_.errors ? io_.errors : io_.err;
    std::fputs(out.c_str(), to);
    std::fflush(to);
  }

  Status prepare() {
    if (Status bad = check_options(options_); !bad && conventions_.checks_settings) return bad;
    if (Status bad = load_starts(options_, &inits_); !bad) return bad;
    if (const std::string unknown = unknown_inits(inits_, model_); !unknown.empty()) console_.note(unknown);
    if (options_.blocks && options_.save_metric) return Status::failed("blocks have a metric each: --save-metric cannot write them");
    if (Status bad = load_metrics(options_, model_.unconstrained_size(), &metrics_); !bad) return bad;
    if (options_.engine == Engine::FixedParam && model_.unconstrained_size() == 0) options_.adapt.engaged = false;
    run_.seed = settle_seed(options_);
    if (!writes_files(options_, io_)) return open_tables();
    if (Status bad = files_.prepare(options_, model_.name()); !bad) return bad;
    if (!files_.directory().empty())
      if (Status bad = refuse_folder_of_others(files_.directory(), files_.name()); !bad) return bad;
    run_.directory = files_.directory();
    run_.stem = files_.path("");
    if (Status bad = refuse_overwriting(files_, options_, ids_); !bad) return bad;
    if (Status bad = refuse_chains_of_other_data(); !bad) return bad;
    return open_tables();
  }

  /// Chains in the folder that are not of this run. Commands read all chains there as one run.
  std::vector<unsigned> other_chains_in_folder() const {
    if (options_.resume || files_.directory().empty()) return {};
    return other_chains(files_.directory(), files_.name(), options_.id, options_.chains);
  }
  std::string earlier_text(const std::vector<unsigned>& chains) const {
    return fmt::format("chain{} {} of the earlier run in '{}'", chains.size() == 1 ? "" : "s", fmt::join(chains, ", "), files_.directory());
  }

  /// Without --overwrite, chains of an earlier run may stay only if they are of the same program and data.
  Status refuse_chains_of_other_data() const {
    const std::vector<unsigned> others = options_.overwrite ? std::vector<unsigned>() : other_chains_in_folder();
    RunRecord there;
    if (others.empty() || !read_run_record_file(record_path(), &there)) return {};
    const Status same = check_identity(there, options_.record.identity);
    if (same) return same;
    return Status::failed("commands would read " + earlier_text(others) + " together with these: " + same.message + "; choose another --output, or allow --overwrite");
  }

  void remove_other_chains() {
    const std::vector<unsigned> others = options_.overwrite ? other_chains_in_folder() : std::vector<unsigned>();
    if (others.empty()) return;
    remove_chains(files_.directory(), files_.name(), others);
    console_.note("Removed " + earlier_text(others) + ".\n");
  }

  Status open_tables() {
    if (Status bad = begin_record(); !bad) return bad;
    remove_other_chains();  // only now: until the folder is locked, they may be of a run that is not over
    names_ = options_.blocks ? block_columns(*options_.blocks) : sampler_names(options_.engine);
    for (std::string& name : model_.names(true, true)) names_.push_back(std::move(name));
    plan_draws();
    if (options_.max_restarts > 0 && !run_.has_draws) return Status::failed("max_restarts judges chains by their draws in memory, and these are too many");
    restart_errors_.resize(ids_.size());
    chains_.resize(ids_.size());
    pulses_.resize(ids_.size());
    run_.chains.rows.resize(ids_.size());
    for (unsigned c = 0; c < ids_.size(); ++c) {
      sinks_.push_back(make_sink(c));
      sinks_[c]->tell(io_.listener);
      if (!writes_files(options_, io_)) {
        sinks_[c]->begin("", names_);
        continue;
      }
      const std::string path = files_.csv("_" + std::to_string(ids_[c]) + ".csv", c), metric = metric_path(c);
      if (!states_[c].bytes.empty())
        if (Status bad = restore(c, path); !bad) return bad;
      if (std::error_code ignored; !states_[c].bytes.empty() && std::filesystem::exists(path, ignored)) {
        if (Status bad = sinks_[c]->reopen(path, metric, states_[c], draws_at(c)); !bad) return bad;
        run_.csv_files.push_back(path);
        continue;
      }
      if (Status bad = open_files(c, path, metric); !bad) return bad;
      if (keeps_states()) forget_state(c);
      run_.csv_files.push_back(path);
    }
    return in_rounds() ? Status{} : write_config(options_.num_samples);  // of rounds it tells how many there were
  }

  std::unique_ptr<ChainFiles> make_sink(unsigned c) {
    auto sink = std::make_unique<ChainFiles>(options_, c, most_, console_, run_.has_draws ? &run_.chains.rows[c] : nullptr);
    sink->set_pulse(&pulses_[c]);
    if (keeps_states()) sink->save_states(state_path(c), restarts(c));
    return sink;
  }

  /// Where the file is to end up.
  std::string in_its_place(const std::string& path) const {
    const std::filesystem::path file(path);
    return options_.final_dir.empty() ? path : (std::filesystem::path(options_.final_dir) / file.filename()).string();
  }

  Status open_files(unsigned c, const std::string& path, const std::string& metric) {
    if (Status bad = sinks_[c]->open(path, metric); !bad) return bad;
    const auto config = run_config(method_config(options_, most_, in_rounds(), true), options_, run_.seed, in_its_place(path));
    sinks_[c]->begin(csv_prolog(model_, config, options_), names_);
    return open_diagnostic(c, config);
  }
  std::string metric_path(unsigned c) {
    return options_.save_metric ? files_.metric("_" + std::to_string(ids_[c]) + "_metric.json", c) : "";
  }

  Status write_config(unsigned iterations) const {
    if (!writes_config(options_, ids_) || run_.csv_files.empty()) return {};
    const auto config = run_config(method_config(options_, iterations, false, false), options_, run_.seed, run_.csv_files.front());
    return write_text_file(files_.config(), options_.overwrite, config_file_json(model_, config, options_));
  }

  bool in_rounds() const { return options_.target_ess > 0; }
  bool keeps_states() const { return inference::keeps_states(options_) && writes_files(options_, io_); }
  std::string state_path(unsigned c) const { return files_.path("_" + std::to_string(ids_[c]) + ".state"); }

  /// How the run was started, ahead of its other files; of one that goes on, where its chains stand.
  Status begin_record() {
    states_.resize(ids_.size());
    RunRecord& record = options_.record;
    record.name = files_.name();
    record.seed = run_.seed;
    record.samples = options_.num_samples;
    if (!keeps_states()) return have_folder_alone();
    if (Status bad = options_.resume && options_.chain_ids.empty() ? have_folder_alone() : share_folder(); !bad) return bad;
    for (unsigned c = 0; c < ids_.size(); ++c) {
      bool found = false;
      if (!options_.resume) continue;
      if (Status bad = read_chain_state(state_path(c), &states_[c], &found); !bad) return bad;
      if (found && states_[c].restarts != restarts(c)) states_[c] = {};  // the chain was to begin anew
    }
    return {};
  }

  /// Runs whose chains nobody else may draw meanwhile. Callers of the library look after their folders themselves.
  Status have_folder_alone() {
    if (options_.record.options.empty() || !writes_files(options_, io_)) return {};
    if (!lock_.take_alone(files_.directory())) return Status::failed("another process draws into '" + files_.directory() + "'");
    return write_record();
  }

  /// The folder together with processes that draw other chains of the same run.
  Status share_folder() {
    const std::string& folder = files_.directory();
    const FolderLock::Taken taken = lock_.take(folder);
    if (taken == FolderLock::Taken::Refused) return Status::failed("another process draws into '" + folder + "'");
    RunRecord there;
    const bool known = read_run_record_file(record_path(), &there);
    const Status same = known ? check_same_run(there, options_.record) : Status::failed("it has left no record of its run");
    const bool shared = taken == FolderLock::Taken::Shared;
    if (shared && !same) return same.prefixed("another process draws another run into '" + folder + "': ");
    if (!options_.resume && !options_.overwrite && known && !options_.chain_ids.empty() && !same)
      return Status::failed("'" + folder + "' has chains of another run: " + same.message + "; choose another --output, or allow --overwrite");
    Status written = same ? same : write_record();
    if (!shared) lock_.let_others_in();
    return written;
  }

  std::string record_path() const { return files_.path("_run.json"); }
  Status write_record() const {
    return replace_file(record_path(), run_record_text(options_.record)).prefixed("cannot write '" + record_path() + "': ");
  }

  /// Of a run whose file has just begun anew.
  void forget_state(unsigned c) const {
    std::error_code ignored;
    std::filesystem::remove(state_path(c), ignored);
  }

  /// The chain where its state has it.
  Status restore(unsigned c, const std::string& path) {
    chains_[c] = make_chain(c);
    if (Status bad = chains_[c]->restore(states_[c].bytes); !bad) return Status::failed("'" + state_path(c) + "': " + bad.message);
    const unsigned done = chains_[c]->iterations();
    if (done > most_)
      return Status::failed("samples is " + std::to_string(most_) + ", but chain " + std::to_string(ids_[c]) + " has " + std::to_string(done) + " already");
    std::size_t header = 0;  // the file of a run that was asked to end before its first draw is gone
    for (const std::string& name : names_) header += name.size() + 1;
    if (std::error_code ignored; states_[c].rows > header && !std::filesystem::exists(path, ignored))
      return Status::failed("'" + path + "' is not there, but the state of its chain tells of draws in it");
    return {};
  }
  std::size_t draws_at(unsigned c) const { return (chains_[c]->iterations() + options_.thin - 1) / options_.thin; }

  /// A run that has left neither rows nor states is no run to go on with.
  void forget_nothing() {
    if (options_.record.options.empty() || files_.directory().empty() || !lock_.is_alone()) return;
    std::error_code ignored;
    for (unsigned id = options_.id; id < options_.id + options_.chains; ++id)
      for (const char* ending : {".state", ".csv"})
        if (std::filesystem::exists(files_.path("_" + std::to_string(id) + ending), ignored)) return;
    std::filesystem::remove(record_path(), ignored);
  }

  std::size_t position(unsigned c) const { return ids_[c] - options_.id; }
  unsigned restarts(unsigned c) const { return restarts_of(options_.record, position(c)); }
  InitSpec start_of(unsigned c) const { return restarted_start(inits_[position(c)], restarts(c)); }
  const Metric* metric_of(unsigned c) const {
    const auto& metric = metrics_[position(c)];
    return metric ? &*metric : nullptr;
  }
  std::unique_ptr<Chain> make_chain(unsigned c) {
    return std::make_unique<Chain>(model_, options_, restarted_seed(run_.seed, restarts(c)), ids_[c], io_.stop, *sinks_[c]);
  }

  /// Which of the draws stay in memory, and how many there can be. Rounds cannot be judged without them.
  void plan_draws() {
    const auto values = [&](std::size_t iterations) { return names_.size() * (iterations / options_.thin + 1) * ids_.size(); };
    most_ = in_rounds() ? options_.max_samples : options_.num_samples;
    if (in_rounds() && values(most_) > kMaxKeptValues) {
      const std::size_t rows = std::max<std::size_t>(kMaxKeptValues / (names_.size() * ids_.size()), 1);
      most_ = static_cast<unsigned>(std::min<std::size_t>(most_, rows * options_.thin));
    }
    const bool from_start = !options_.resume || options_.max_restarts > 0;  // else the files alone have those from before
    run_.has_draws = in_rounds() || (from_start && options_.keep_draws && conventions_.keeps_draws && (options_.keep_many || values(most_) <= kMaxKeptValues));
  }

  Status open_diagnostic(unsigned c, const std::vector<ConfigNode>& config) {
    const std::string path = options_.layout->diagnostic(c);
    if (path.empty()) return {};
    std::vector<std::string> names = sampler_names(options_.engine);
    for (const char* prefix : {"", "p_", "g_"})
      for (const std::string& name : model_.unconstrained_names()) names.push_back(prefix + name);
    return sinks_[c]->open_diagnostic(path, diagnostic_prolog(model_, config, options_), names);
  }

  void sample_all() {
    outcomes_.resize(ids_.size());
    std::optional<SlowChains> slow;
    if (options_.refresh > 0 && conventions_.guides && !io_.listener) slow.emplace(console_, pulses_, model_.solves_differential_equations());
    started_ = std::chrono::steady_clock::now();
    const unsigned first = in_rounds() ? end_of_round() : most_;
    each_chain([&](unsigned c) {
      if (!chains_[c]) chains_[c] = make_chain(c);
      pulses_[c].running = true;
      chains_[c]->warm_up(start_of(c), metric_of(c));
      chains_[c]->sample(first - chains_[c]->iterations());
      pulses_[c].running = false;
      if (!ends_together()) end_chain(c);
    });
    if (!ends_together()) return;
    if (in_rounds()) go_on(first);
    else restart_stuck_chains();
    each_chain([&](unsigned c) { end_chain(c); });
  }

  /// Of the round that the chains are in: the first, unless they go on.
  unsigned end_of_round() const {
    unsigned done = 0;
    for (const auto& chain : chains_) done = std::max(done, chain ? chain->iterations() : 0);
    unsigned end = next_round_end(0, options_.thin, most_);
    while (end < done) end = next_round_end(end, options_.thin, most_);
    return end;
  }

  /// Chains that have their draws may get others, or more.
  bool ends_together() const { return in_rounds() || options_.max_restarts > 0; }

  /// Chains that are stuck run again from other random numbers, so many times at most.
  void restart_stuck_chains() {
    describe_chains();
    options_.overwrite = true;  // what is there is ours
    for (unsigned attempt = most_restarts(options_.record) + 1; attempt <= options_.max_restarts; ++attempt) {
      if (!std::ranges::all_of(chains_, [](const auto& chain) { return chain->goes_on(); })) return;
      std::vector<std::size_t> again;
      for (const StuckChain& s : find_stuck(run_.chains)) {
        again.push_back(static_cast<std::size_t>(s.chain));
        console_.note(stuck_where(s) + " It runs again from other random numbers (" + std::to_string(attempt) + " of " + std::to_string(options_.max_restarts) + ").\n");
      }
      if (again.empty()) return;
      const Status noted = note_restarts(again, attempt);
      run_parallel(options_.threads, again.size(), [&](std::size_t k) {
        const std::size_t c = again[k];
        restart_errors_[c] = noted ? run_again(static_cast<unsigned>(c)) : noted;
      });
    }
  }

  /// Before anything of these chains is touched, so that a run which is killed here goes on alike.
  Status note_restarts(const std::vector<std::size_t>& again, unsigned attempt) {
    options_.record.restarts.resize(ids_.size());
    for (const std::size_t c : again) options_.record.restarts[position(static_cast<unsigned>(c))] = attempt;
    return keeps_states() ? write_record() : Status{};
  }

  /// Its files begin anew.
  Status run_again(unsigned c) {
    sinks_[c]->discard();
    run_.chains.rows[c].clear();
    sinks_[c] = make_sink(c);
    if (keeps_states()) forget_state(c);
    if (Status bad = open_files(c, run_.csv_files[c], metric_path(c)); !bad) return bad;
    chains_[c] = make_chain(c);
    chains_[c]->warm_up(start_of(c), metric_of(c));
    chains_[c]->sample(most_);
    return {};
  }

  void each_chain(const std::function<void(unsigned)>& body) {
    run_parallel(options_.threads, ids_.size(), [&](std::size_t c) { body(static_cast<unsigned>(c)); });
  }

  /// Round after round until the draws suffice, a limit is reached, or a chain ends.
  void go_on(unsigned done) {
    describe_chains();
    const auto ready = [&] { return std::ranges::all_of(chains_, [](const auto& chain) { return chain->goes_on(); }); };
    while (ready()) {
      rounds_ = {.limit = RoundsEnd::Limit::None, .iterations = done, .worth = draws_worth(run_.chains, options_.threads)};
      if (rounds_->worth.enough(options_.target_ess)) return;
      const unsigned end = next_round_end(done, options_.thin, most_);
      if (end == done) rounds_->limit = most_ < options_.max_samples ? RoundsEnd::Limit::Memory : RoundsEnd::Limit::Samples;
      else if (const unsigned in_time = end_in_time(done, end); in_time > done) {
        each_chain([&](unsigned c) { chains_[c]->sample(in_time - done); });
        done = in_time;
        continue;
      } else rounds_->limit = RoundsEnd::Limit::Time;
      return;
    }
    rounds_.reset();
  }

  /// Where a round from `done` to `end` is expected to be when the time is up.
  unsigned end_in_time(unsigned done, unsigned end) const {
    if (!std::isfinite(options_.target_ess_max_time)) return end;
    double slowest = 0;
    for (const auto& chain : chains_) slowest = std::max(slowest, chain->outcome().elapsed.sampling / done);
    const double left = options_.target_ess_max_time - std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    const std::size_t threads = resolved_threads(options_.threads), turns = (ids_.size() + threads - 1) / threads;
    const double fits = left / (slowest * static_cast<double>(turns));
    return fits < end - done ? done + static_cast<unsigned>(std::max(0.0, fits)) : end;
  }

  void end_chain(unsigned c) {
    if (in_rounds() && !rounds_) chains_[c]->sample(0);  // another chain may have ended the run, or the stop flag between two rounds
    outcomes_[c] = chains_[c]->outcome();
    if (rounds_) sinks_[c]->settle_count(rounds_->iterations);
    if (chains_[c]->goes_on()) sinks_[c]->state(chains_[c]->state());
    close_chain(c);
  }

  /// Files and words of a chain that has its outcome.
  void close_chain(unsigned c) {
    ChainOutcome& outcome = outcomes_[c];
    Status ran = restart_errors_[c] ? outcome.status : restart_errors_[c];
    if (ran && outcome.interrupted) ran = Status::interrupted();
    outcome.status = sinks_[c]->end(outcome.elapsed, std::move(ran));
    console_.finished(c);
    if (conventions_.reports_each_chain) {
      warn(c, rejects_like_stan(outcome.rejects));
      console_.message(c, failures_text(outcome.output_failures, conventions_));
    }
    if (outcome.status && !outcome.interrupted && (options_.refresh > 0 || conventions_.always_reports) && options_.tell_times)
      console_.message(c, elapsed_text(outcome.elapsed, ""));
  }

  Status report() {
    RejectLog rejects, failures;
    std::vector<std::string> errors;
    bool interrupted = false;
    for (unsigned c = 0; c < ids_.size(); ++c) {
      rejects.merge(outcomes_[c].rejects);
      failures.merge(outcomes_[c].output_failures);
      interrupted = interrupted || outcomes_[c].interrupted;
      if (const Status& ended = outcomes_[c].status; !ended && !ended.is_interrupted())
        errors.push_back(same_error_in_all() ? ended.message : "Chain [" + std::to_string(ids_[c]) + "] " + ended.message);
      run_.chains.elapsed.push_back(outcomes_[c].elapsed);
    }
    if (!rejects.empty() && !conventions_.reports_each_chain)
      console_.note("Some proposals were rejected, which is harmless if it happens now and then:\n" +
                    rejects_text(rejects, " proposal"));
    if (!failures.empty() && !conventions_.reports_each_chain)
      console_.note("Some transformed parameters or generated quantities failed and are NaN:\n" +
                    rejects_text(failures, " draw"));
    describe_chains();
    run_.has_draws = run_.has_draws && run_.chains.draws_per_chain() > 0;
    Status result;
    if (rounds_) {
      console_.note(rounds_in_words(*rounds_, options_));
      result = write_config(rounds_->iterations);
    }
    if (options_.resume && errors.empty() && !interrupted) result = read_again();
    if (same_error_in_all()) errors.resize(1);
    for (const std::string& error : errors) result = Status::failed(result.message + (result ? "" : "\n") + error);
    if (conventions_.guides && result.message.find(kImproper) != std::string::npos)
      result.message += "\nfermiac check-model says along which parameters the density does not fall.";
    if (interrupted) return {StatusCode::Interrupted, result ? interrupted_text() : result.message};
    return result;
  }

  /// Draws from before are in the files alone.
  Status read_again() {
    Status read = load_chains(run_.csv_files, &run_.chains);
    run_.has_draws = bool(read);
    return read;
  }

  /// All chains ended alike, which is told once; CmdStan tells it of each.
  bool same_error_in_all() const {
    const Status& first = outcomes_.front().status;
    if (conventions_.reports_each_chain || outcomes_.size() < 2 || first || first.is_interrupted()) return false;
    const std::string same = mask_numbers(first.message);
    return std::ranges::all_of(outcomes_, [&](const ChainOutcome& o) { return mask_numbers(o.status.message) == same; });
  }

  std::string interrupted_text() const {
    std::size_t draws = 0;
    for (const auto& sink : sinks_) draws += sink->draws();
    if (draws == 0) return stop_reason(io_) + ": there are no draws yet" + way_on();
    if (run_.directory.empty()) return stop_reason(io_) + ": there are " + std::to_string(draws) + " draws so far";
    return stop_reason(io_) + ": the draws so far (" + std::to_string(draws) + ") are in '" + run_.directory + "'" + way_on();
  }

  /// What to type, where a chain has left a state.
  std::string way_on() const {
    bool any = false;
    std::error_code ignored;
    for (unsigned c = 0; keeps_states() && c < ids_.size(); ++c) any = any || std::filesystem::exists(state_path(c), ignored);
    return any ? "; fermiac resume '" + run_.directory + "' goes on" : "";
  }

  void describe_chains() {
    ChainSet& s = run_.chains;
    s.model_name = csv_model_name(model_.name());
    s.names = names_;
    s.blocks = variable_blocks(model_);
    s.num_samples = rounds_ ? rounds_->iterations : most_;
    s.num_warmup = options_.num_warmup;
    s.thin = options_.thin;
    s.max_treedepth = options_.max_treedepth;
    s.method = options_.engine == Engine::FixedParam ? "fixed_param" : "hmc with " + engine_name(options_.engine);
  }

  const Model& model_;
  SampleOptions options_;
  const OutputConventions& conventions_ = options_.layout->conventions();
  RunIo io_;
  std::vector<unsigned> ids_;  // of the chains that are drawn here: which numbers they have in the run
  OutputFiles files_;
  FolderLock lock_;
  Console console_;
  std::deque<Pulse> pulses_;  // of the chains
  std::vector<InitSpec> inits_;                 // of all chains of the run
  std::vector<std::optional<Metric>> metrics_;  // likewise
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<ChainFiles>> sinks_;
  std::vector<ChainState> states_;  // of a run that goes on; without bytes: the chain begins
  std::vector<std::unique_ptr<Chain>> chains_;
  std::vector<ChainOutcome> outcomes_;
  std::vector<Status> restart_errors_;  // by chain: its files could not begin anew
  unsigned most_ = 0;                 // iterations of the sampling phase at most
  std::optional<RoundsEnd> rounds_;   // of a run in rounds that came to an end by itself
  std::chrono::steady_clock::time_point started_;
  SampleRun run_;
};

}  // namespace

SampleRun sample(const Model& model, const SampleOptions& options, const RunIo& io) {
  return Runner(model, options, io).run();
}

namespace {

/// A chain of an interrupted run that had hardly begun is none.
void keep_begun_chains(SampleRun* run) {
  ChainSet& chains = run->chains;
  for (std::size_t c = chains.rows.size(); c-- > 0;) {
    if (chains.rows[c].size() >= 2 * chains.names.size()) continue;
    chains.rows.erase(chains.rows.begin() + static_cast<std::ptrdiff_t>(c));
    chains.elapsed.erase(chains.elapsed.begin() + static_cast<std::ptrdiff_t>(c));
  }
  run->has_draws = !chains.rows.empty();
}

/// As one types them: `DIR/m_*.csv`.
std::string files_in_words(const std::vector<std::string>& files) {
  const std::string& first = files.front();
  return files.size() == 1 ? first : first.substr(0, first.rfind('_')) + "_*.csv";
}

}  // namespace

Status settle_shared_run(const Model& model, SampleOptions* options, bool* made) {
  OutputFiles files;
  std::error_code ignored;
  *made = !std::filesystem::exists(options->output_dir, ignored);
  if (Status bad = files.prepare(*options, model.name()); !bad) return bad;
  options->seed = settle_seed(*options);
  options->output_dir = files.directory();
  options->output_name = files.name();
  return refuse_overwriting(files, *options, drawn_chains(*options));
}

void print_results(const SampleRun& run, const SampleOptions& options, const RunIo& io) {
  const bool usable = run.has_draws && run.chains.draws_per_chain() >= 2 && (run.status || run.status.is_interrupted());
  if (usable) {
    const std::vector<ColumnSummary> columns = summarise(run.chains, options.threads);
    const std::size_t width = terminal_columns(io.out);
    const std::string rest = run.directory.empty() ? "" : "fermiac summary --pars {} " + files_in_words(run.csv_files);
    const Problems problems = find_problems(run.chains, columns);
    if (options.summary) write_output(posterior_text(run.chains, columns, {.width = width, .rest = rest}) + "\n", io.out);
    if (options.summary || problems.any()) write_output(filled(verdict(problems), width), io.out);
  } else if (run.status && !run.has_draws && options.keep_draws && options.num_samples > 0) {
    write_output(options.summary ? "Too many draws to summarise in memory: run `fermiac summary` on the files.\n"
                                 : "Too many draws to check in memory: run `fermiac check-draws` on the files.\n", io.out);
  }
  if (run.status) write_output("Draws are in '" + run.directory + "'.\n", io.out);
  flush_output(io.out);
}

Status run_sample(const Model& model, const SampleOptions& options, const RunIo& io) {
  return conclude_sample(sample(model, options, io), options, io);
}

Status conclude_sample(SampleRun run, const SampleOptions& options, const RunIo& io) {
  if (run.status.is_interrupted()) {
    keep_begun_chains(&run);
    std::fprintf(io.err, "%s%s\n", std::string(io.prefix).c_str(), run.status.message.c_str());
  }
  print_results(run, options, io);
  return run.status;
}

}  // namespace fermiac::inference
