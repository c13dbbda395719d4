// The simulations of a calibration.
#include <algorithm>
#include <cmath>
#include <limits>

#include "inference/diagnostics/ess.h"
#include "inference/methods/method_run.h"
#include "inference/methods/runs_in_memory.h"
#include "inference/methods/sample.h"
#include "inference/output/run_io.h"
#include "inference/output/sbc_file.h"
#include "support/base/rng.h"

namespace fermiac::inference {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class Simulation {
 public:
  Simulation(Simulator& simulator, const SbcOptions& options, std::uint64_t seed, const RunIo& io) : simulator_(simulator), o_(options), seed_(seed), io_(io) {}

  Status run(std::size_t i, std::vector<SbcRow>* out) {
    std::unique_ptr<Model> model;
    Vec truth;
    if (Status bad = simulator_.simulate(seed_, i, &model, &truth); !bad) return bad;
    const std::vector<std::string> names = model->names(false, false);
    Vec at_truth(names.size() + 1);
    if (Status bad = quantities(*model, truth, at_truth); !bad) return bad;
    Chain chain;
    const unsigned least = o_.thin > 0 ? o_.thin : kThin, most = o_.thin > 0 ? 0 : kDoublings;
    for (unsigned doubling = 0; doubling == 0 || (doubling <= most && !mixed(chain.ess, o_.draws)); ++doubling)
      if (Status bad = sample_once(*model, i, static_cast<unsigned>(least * o_.draws) << doubling, &chain); !bad) return bad;
    Rng ties(seed_ + 0x5bd1e995u * (i + 1));
    for (std::size_t q = 0; q < chain.draws.size(); ++q)
      out->push_back({q < names.size() ? names[q] : "log_lik", at_truth[q], rank(at_truth[q], chain.draws[q], ties), chain.ess[q], chain.divergences});
    return {};
  }

 private:
  static constexpr unsigned kThin = 10, kDoublings = 3;
  struct Chain {
    std::vector<Vec> draws;  // [quantity][draw], thinned
    Vec ess;                 // of all
    std::size_t divergences = 0;
  };

  /// Constrained parameters, and the likelihood.
  Status quantities(const Model& model, ConstSpan theta, Vec& out) {
    Rng rng(1);
    const auto workspace = model.workspace();
    if (const EvalStatus status = workspace->write_array(theta, false, false, rng, Span(out).first(out.size() - 1)); !status)
      return Status::failed(status.message);
    const EvalStatus status = simulator_.log_lik(model, theta, &out.back());
    return status ? Status{} : Status::failed(status.message);
  }

  Status sample_once(const Model& model, std::size_t i, unsigned count, Chain* out) {
    SampleOptions o = o_.sampling;
    o.chains = 1;
    o.num_samples = count;
    o.thin = 1;
    o.threads = 1;
    o.seed = seed_ + i + 1;
    if (o_.prepare)
      if (Status bad = o_.prepare(model, &o); !bad) return bad;
    SampleRun run;
    if (Status bad = sample_quietly(model, o, io_, &run); !bad) return bad;
    CsvDraws draws;
    draws.names = run.chains.names;
    draws.values = run.chains.rows[0];
    draws.rows = draws.values.size() / draws.names.size();
    RowReader reader;
    if (Status bad = reader.open(model, draws); !bad) return bad;
    const std::vector<std::string> names = model.names(false, false);
    *out = {};
    for (const std::string& name : names) out->ess.push_back(ess_bulk({column(draws, draws.column(name))}));
    out->ess.push_back(kNaN);
    if (const std::size_t divergent = draws.column("divergent__"); divergent != npos)
      for (const double x : column(draws, divergent)) out->divergences += x > 0;
    out->draws.assign(names.size() + 1, {});
    Vec theta(model.unconstrained_size()), row(names.size() + 1);
    for (std::size_t k = 0; k < o_.draws; ++k) {
      const std::size_t at = (k + 1) * draws.rows / o_.draws - 1;
      if (Status bad = reader.unconstrain(draws, at, theta); !bad) return bad;
      if (Status bad = quantities(model, theta, row); !bad) return bad;
      for (std::size_t q = 0; q < row.size(); ++q) out->draws[q].push_back(row[q]);
    }
    return {};
  }

  static Vec column(const CsvDraws& draws, std::size_t c) {
    Vec out;
    for (std::size_t r = 0; r < draws.rows; ++r) out.push_back(draws.at(r, c));
    return out;
  }

  static std::size_t rank(double truth, const Vec& draws, Rng& ties) {
    std::size_t below = 0, equal = 0;
    for (const double x : draws) below += x < truth, equal += x == truth;
    return below + static_cast<std::size_t>(ties.uniform() * static_cast<double>(equal + 1));
  }

  Simulator& simulator_;
  const SbcOptions& o_;
  std::uint64_t seed_;
  const RunIo& io_;
};

}  // namespace

Status run_sbc(Simulator& simulator, const SbcOptions& options, std::uint64_t seed, const RunIo& io, SbcResult* out) {
  Simulation simulation(simulator, options, seed, io);
  SbcFile file;
  Status result = file.open(options, seed, out);
  for (std::size_t i = out->simulations; result && i < options.simulations; ++i) {
    std::vector<SbcRow> rows;
    result = is_set(io.stop) ? Status::interrupted() : simulation.run(i, &rows);
    if (!result) break;
    out->add(rows, options.draws);
    result = file.append(i, rows);
  }
  judge(*out, options);
  return result;
}

}  // namespace fermiac::inference
