#include "inference/methods/replay.h"

#include <cmath>
#include <cstdlib>
#include <optional>

#include "inference/approximate/start.h"
#include "inference/mcmc/blocks.h"
#include "inference/mcmc/chain.h"
#include "inference/output/checkpoint.h"
#include "inference/output/init_files.h"
#include "inference/output/restarts.h"
#include "support/base/number_text.h"

namespace fermiac::inference {
namespace {

/// Keeps what a transition does.
class Recorder final : public TransitionWatcher {
 public:
  Recorder(std::vector<ReplayedMove>& moves, const BlockSampling* blocks) : moves_(moves), blocks_(blocks) {}
  void begins(const PhasePoint& z, double energy, double stepsize) override {
    if (!blocks_) moves_.push_back({.start = {z.q, {}}});
    move().lp = z.lp;
    move().energy = energy;
    move().stepsize = stepsize;
  }
  void steps(const PhasePoint& z, bool forward, double energy) override {
    move().steps.push_back({forward, energy - move().energy, z.lp, whole(z.q)});
  }
  void doubles(int depth, bool forward, Doubling how) override { move().doublings.push_back({move().steps.size(), depth, forward, how}); }
  void block_begins(std::size_t block, const SweepPoint& at) override { moves_.push_back({.start = at, .block = block}); }
  void block_ends(const SweepPoint& at, double accept) override {
    move().end = at;
    move().accept = accept;
  }

 private:
  ReplayedMove& move() { return moves_.back(); }
  /// What a block has of its own, with all else where it was.
  Vec whole(const Vec& q) {
    if (!blocks_) return q;
    Vec out = move().start.q;
    const std::vector<std::size_t>& coordinates = blocks_->blocks[move().block].coordinates;
    for (std::size_t k = 0; k < q.size(); ++k) out[coordinates[k]] = q[k];
    return out;
  }
  std::vector<ReplayedMove>& moves_;
  const BlockSampling* blocks_;
};

/// Drops all draws but one.
class OneDraw final : public ChainSink {
 public:
  explicit OneDraw(ReplayedTransition& out) : out_(out) {}
  bool wanted = false;
  void message(std::string_view) override {}
  void adaptation(double, const Metric&) override {}
  Status draw(ConstSpan sampler, ConstSpan model, bool) override {
    if (!wanted) return {};
    out_.row.assign(sampler.begin(), sampler.end());
    out_.row.insert(out_.row.end(), model.begin(), model.end());
    return {};
  }
  void progress(unsigned, bool) override {}

 private:
  ReplayedTransition& out_;
};

Status ended(const Chain& chain) {
  if (!chain.outcome().status) return chain.outcome().status;
  return chain.goes_on() ? Status{} : Status::interrupted();
}

std::unique_ptr<Chain> make_chain(const Model& model, const SampleOptions& o, unsigned id, const std::atomic<bool>* stop, ChainSink& sink) {
  return std::make_unique<Chain>(model, o, restarted_seed(*o.seed, restarts_of(o.record, id - o.id)), id, stop, sink);
}

/// The chain where its last state has it, if that is not behind the iteration.
std::unique_ptr<Chain> from_state(const Model& model, const SampleOptions& o, unsigned id, unsigned iteration, const std::string& path,
                                  const std::atomic<bool>* stop, ChainSink& sink) {
  ChainState state;
  bool found = false;
  if (!read_chain_state(path, &state, &found) || !found || state.restarts != restarts_of(o.record, id - o.id)) return nullptr;
  auto chain = make_chain(model, o, id, stop, sink);
  if (!chain->restore(state.bytes) || chain->iterations() > iteration) return nullptr;
  chain->warm_up({}, nullptr);  // the rest of it
  return chain;
}

/// The chain behind its warm-up.
Status from_start(const Model& model, const SampleOptions& o, unsigned id, const std::atomic<bool>* stop, ChainSink& sink, std::unique_ptr<Chain>* out) {
  std::vector<InitSpec> inits;
  std::vector<std::optional<Metric>> metrics;
  if (Status bad = load_starts(o, &inits); !bad) return bad;
  if (Status bad = load_metrics(o, model.unconstrained_size(), &metrics); !bad) return bad;
  const auto& metric = metrics[id - o.id];
  *out = make_chain(model, o, id, stop, sink);
  (*out)->warm_up(restarted_start(inits[id - o.id], restarts_of(o.record, id - o.id)), metric ? &*metric : nullptr);
  return {};
}

Status check(const Model& model, const SampleOptions& o, WhichDraw which) {
  const unsigned last = o.id + o.chains - 1, draws = (o.num_samples + o.thin - 1) / o.thin;
  const auto number = [](unsigned n) { return std::to_string(n); };
  if (which.chain < o.id || which.chain > last)
    return Status::failed("there is no chain " + number(which.chain) + ": the run has chains " + number(o.id) + " to " + number(last));
  if (which.draw < 1 || which.draw > draws)
    return Status::failed("there is no draw " + number(which.draw) + ": each chain of the run has " + number(draws));
  const bool moves = o.blocks || (model.unconstrained_size() > 0 && o.engine != Engine::FixedParam);
  if (!moves) return Status::failed("nothing moves in this run: there are no transitions");
  return {};
}

/// Trajectories of a block leave out what depends on sampled ints alone.
void count_ints(double lp, ReplayedMove& move) {
  const double ints = lp - move.lp;
  move.lp = lp;
  move.energy -= ints;
  for (ReplayedStep& step : move.steps) step.lp += ints;
}

/// With a state of its own, so that the chain's goes on as it did.
void add_densities(const BlockSampling& blocks, std::vector<ReplayedMove>& moves) {
  const std::unique_ptr<BlockState> state = blocks.state();
  const auto density = [&](const SweepPoint& at) {
    state->set_ints(at.ints);
    return sweep_density(*state, at.q);
  };
  for (ReplayedMove& move : moves) {
    const double lp = density(move.start);
    if (!move.start.ints.empty() && !move.steps.empty()) count_ints(lp, move);
    if (move.steps.empty()) move.lp = lp;
    move.end_lp = density(move.end);
  }
}

}  // namespace

Status replay(const Model& model, SampleOptions options, WhichDraw which, const std::string& state_path, const std::atomic<bool>* stop,
              ReplayedTransition* out) {
  if (Status bad = check(model, options, which); !bad) return bad;
  const unsigned iteration = (which.draw - 1) * options.thin;
  OneDraw sink(*out);
  std::unique_ptr<Chain> chain = from_state(model, options, which.chain, iteration, state_path, stop, sink);
  if (!chain)
    if (Status bad = from_start(model, options, which.chain, stop, sink, &chain); !bad) return bad;
  chain->sample(iteration - chain->iterations());
  if (Status bad = ended(*chain); !bad) return bad;
  Recorder recorder(out->moves, options.blocks.get());
  sink.wanted = true;
  chain->watch(&recorder);
  chain->sample(1);
  if (Status bad = ended(*chain); !bad) return bad;
  if (options.blocks) add_densities(*options.blocks, out->moves);
  out->names = options.blocks ? block_columns(*options.blocks) : sampler_names(options.engine);
  for (std::string& name : model.names(true, true)) out->names.push_back(std::move(name));
  return {};
}

namespace {

/// What a reader finds where the number was written with so many digits.
double as_written(double value, int digits) {
  char text[kNumberRoom + 1];
  *write_number(value, digits, text) = '\0';
  return std::strtod(text, nullptr);
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

Status compare_with_file(const ReplayedTransition& replayed, const CsvDraws& file, unsigned draw, int sig_figs) {
  const std::size_t row = file.warmup_rows + draw - 1;
  if (row >= file.rows)
    return Status::failed("'" + file.path + "' has " + std::to_string(file.rows - file.warmup_rows) + " draws, so draw " + std::to_string(draw) + " cannot be compared");
  if (file.names != replayed.names) return Status::failed("'" + file.path + "' has other columns than the model");
  for (std::size_t k = 0; k < file.columns(); ++k) {
    const double here = as_written(replayed.row[k], sig_figs);
    if (!same(here, file.at(row, k)))
      return Status::failed("the replayed draw is not that of '" + file.path + "': there " + file.names[k] + " is " + format_number(file.at(row, k), sig_figs) +
                          ", here " + format_number(here, sig_figs));
  }
  return {};
}

}  // namespace fermiac::inference
