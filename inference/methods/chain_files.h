// One chain's way to its files, the console, and memory.
#pragma once

#include <charconv>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inference/mcmc/chain.h"
#include "inference/model/options.h"
#include "inference/output/checkpoint.h"
#include "inference/output/console.h"
#include "inference/output/csv.h"
#include "inference/output/output_layout.h"
#include "inference/output/init_files.h"
#include "inference/output/output.h"
#include "inference/output/sample_config.h"
#include "support/base/number_text.h"
#include "support/base/text_file.h"

namespace fermiac::inference {

class ChainFiles final : public ChainSink {
 public:
  /// `iterations` of the sampling phase at most. Draws go to `kept` too, unless it is null.
  ChainFiles(const SampleOptions& options, unsigned chain, unsigned iterations, Console& console, Vec* kept)
      : options_(options),
        chain_(chain),
        iterations_(iterations),
        console_(console),
        csv_(options.sig_figs),
        diagnostic_(options.sig_figs),
        kept_(kept) {}

  void tell(RunListener* listener) { csv_.tell(listener, chain_); }
  Status open(const std::string& path, const std::string& metric_path) {
    metric_path_ = metric_path;
    if (options_.layout->conventions().keeps_files_without_rows) csv_.keep_without_rows();
    return csv_.open(path, options_.overwrite);
  }
  /// Goes on with files that an earlier run left, as they were at `state`, after `draws` draws.
  Status reopen(const std::string& path, const std::string& metric_path, const ChainState& state, std::size_t draws) {
    std::int64_t size = 0;
    metric_path_ = metric_path;
    draws_ = draws;
    const bool in_rounds = options_.target_ess > 0;
    if (Status bad = rewind_csv(path, state.rows, iterations_, in_rounds, &header_end_, &size); !bad) return bad;
    comments_end_ = size - static_cast<std::int64_t>(state.rows);
    const std::string comments = fermiac::read_beginning(path, static_cast<std::size_t>(comments_end_));
    count_at_ = comments.find(kSamplesKey);
    warmup_at_ = comments.find(kWarmupKey);
    Status reopened = csv_.reopen(path, header_end_, size);
    return reopened && is_judged() && draws > 0 ? keep_again(path) : reopened;
  }
  /// From now on states go into this file, of a chain that has begun anew so often.
  void save_states(const std::string& path, unsigned restarts) { state_path_ = path, restarts_ = restarts; }
  Status open_diagnostic(const std::string& path, const std::string& prolog, const std::vector<std::string>& names) {
    has_diagnostic_ = true;
    if (Status bad = diagnostic_.open(path, options_.overwrite); !bad) return bad;
    diagnostic_.raw(prolog);
    diagnostic_.header(names);
    return {};
  }
  void begin(const std::string& prolog, const std::vector<std::string>& names) {
    count_at_ = prolog.find(kSamplesKey);
    warmup_at_ = prolog.find(kWarmupKey);
    comments_end_ = static_cast<std::int64_t>(prolog.size());
    csv_.raw(prolog);
    csv_.header(names);
  }
  /// How many iterations there were after all, in the place of how many there might be.
  void settle_count(unsigned iterations) { put_count(count_at_, kSamplesKey, iterations); }
  void settled(unsigned iterations) override {
    put_count(warmup_at_, kWarmupKey, iterations);
    if (options_.refresh > 0) console_.message(chain_, "The warm-up has settled and ends after " + std::to_string(iterations) + " iterations.\n");
  }

  Pulse* pulse() override { return pulse_; }
  void set_pulse(Pulse* pulse) { pulse_ = pulse; }
  void message(std::string_view text) override { console_.message(chain_, text); }

  void adaptation(double stepsize, const Metric& metric) override {
    csv_.adaptation(stepsize, metric);
    if (metric_path_.empty()) return;
    const std::string text = metric_file_text(stepsize, metric, options_.sig_figs);
    metric_written_ = write_text_file(metric_path_, options_.overwrite, text);
  }

  Status draw(ConstSpan sampler, ConstSpan model, bool warmup) override {
    csv_.row(sampler, model, warmup);
    draws_ += warmup ? 0 : 1;
    constexpr std::size_t kDivergent = 5;  // of the columns of NUTS
    if (options_.engine == Engine::Nuts && !warmup && sampler.size() > kDivergent) divergent_ += sampler[kDivergent] > 0;
    if (kept_ && !warmup) {
      keep(sampler);
      keep(model);
    }
    const auto now = std::chrono::steady_clock::now();
    if (now - flushed_ < kFlushEvery) return {};
    flushed_ = now;
    return csv_.flush();
  }

  void phase_point(ConstSpan sampler, ConstSpan q, ConstSpan p, ConstSpan gradient) override {
    if (!has_diagnostic_) return;
    point_.assign(q.begin(), q.end());
    point_.insert(point_.end(), p.begin(), p.end());
    point_.insert(point_.end(), gradient.begin(), gradient.end());
    diagnostic_.row(sampler, point_);
  }

  void progress(unsigned m, bool warmup) override {
    const unsigned before = warmup || options_.engine == Engine::FixedParam ? 0 : options_.num_warmup;
    const unsigned total = (options_.engine == Engine::FixedParam ? 0 : options_.num_warmup) + iterations_;
    console_.iteration(chain_, m, before, total, warmup, divergent_);
  }

  bool wants_state() override {
    if (state_path_.empty()) return false;
    return std::chrono::steady_clock::now() - saved_ >= std::chrono::duration<double>(options_.save_every);
  }
  /// The rows first: a state tells of no row that is not in the file. One that cannot be written leaves the last. What took less than
  /// a second is not worth waiting for the disk.
  void state(const std::string& bytes) override {
    const bool on_disk = std::chrono::steady_clock::now() - saved_ >= kFlushEvery;
    saved_ = std::chrono::steady_clock::now();
    if (state_path_.empty() || !(on_disk ? csv_.sync() : csv_.flush())) return;
    const auto rows = static_cast<std::uint64_t>(csv_.kept() - comments_end_);
    const Status written = replace_file(state_path_, chain_state_text({bytes, rows, restarts_}), on_disk);
    if (!written && !told_) console_.message(chain_, "Warning: cannot write '" + state_path_ + "': " + written.message + "; the one before stays\n");
    told_ = told_ || !written;
  }

  /// Closes the files of a chain that ended like `run`; the first error of all.
  Status end(ElapsedTime elapsed, Status run) {
    csv_.elapsed(elapsed);
    diagnostic_.elapsed(elapsed);
    Status diagnosed = diagnostic_.close();
    if (run) run = metric_written_ ? std::move(diagnosed) : metric_written_;
    return csv_.end(std::move(run));
  }
  void discard() { static_cast<void>(csv_.end(Status::failed("not started"))); }
  std::size_t draws() const { return draws_; }

 private:
  static constexpr auto kFlushEvery = std::chrono::seconds(1);

  /// What becomes of the run depends on its draws.
  bool is_judged() const { return options_.target_ess > 0 || options_.max_restarts > 0; }
  /// Chains are judged by the draws as the files have them, so that a run which goes on from there judges alike.
  void keep(ConstSpan values) {
    const bool as_in_file = is_judged() && !state_path_.empty();
    for (const double x : values) kept_->push_back(as_in_file ? as_written(x) : x);
  }
  double as_written(double x) const {
    char text[kNumberRoom];
    std::from_chars(text, write_number(x, options_.sig_figs, text), x);
    return x;
  }
  /// The draws that the file has from before.
  Status keep_again(const std::string& path) {
    CsvDraws file;
    if (Status bad = read_csv(path, &file); !bad) return bad;
    kept_->assign(file.values.begin() + static_cast<std::ptrdiff_t>(file.warmup_rows * file.columns()), file.values.end());
    return {};
  }

  void put_count(std::size_t at, std::string_view key, unsigned count) {
    if (at == std::string::npos) return;
    std::string text = std::to_string(count);
    text.resize(kCountWidth, ' ');
    csv_.replace(static_cast<std::int64_t>(at + key.size()), text);
  }

  const SampleOptions& options_;
  unsigned chain_, iterations_;
  Console& console_;
  Pulse* pulse_ = nullptr;
  unsigned divergent_ = 0;  // of the draws that are kept
  CsvWriter csv_, diagnostic_;
  bool has_diagnostic_ = false;
  Vec point_;  // a row of the diagnostic file
  std::string metric_path_;
  Status metric_written_;
  std::size_t draws_ = 0;  // of the sampling phase
  std::size_t count_at_ = std::string::npos, warmup_at_ = std::string::npos;  // in the comments
  std::int64_t comments_end_ = 0, header_end_ = 0;  // in the CSV file
  std::string state_path_;
  unsigned restarts_ = 0;
  bool told_ = false;  // that a state could not be written
  std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();
  Vec* kept_;
  std::chrono::steady_clock::time_point flushed_ = std::chrono::steady_clock::now();
};

}  // namespace fermiac::inference
