#include "inference/summary.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "inference/config.h"
#include "inference/draw_files.h"
#include "inference/ordered_draws.h"
#include "inference/output.h"
#include "inference/parallel.h"
#include "support/platform/output.h"

namespace fermiac::inference {
namespace {

struct SpreadStats {
  double mean, sd;
};

/// Of the draws of all chains, so many.
SpreadStats moments(const ChainVecs& chains, std::size_t draws) {
  const double n = static_cast<double>(draws), first = chains[0][0];
  bool constant = true;
  double sum = 0, squares = 0;
  for (const Vec& chain : chains)
    for (const double x : chain) {
      constant = constant && x == first;
      sum += x;
    }
  if (constant) return {first, 0};
  const double mean = sum / n;
  for (const Vec& chain : chains)
    for (const double x : chain) squares += (x - mean) * (x - mean);
  return {mean, std::sqrt(squares / (n - 1))};
}

bool stuck_apart(const ChainVecs& chains) {
  bool apart = false;
  for (const Vec& chain : chains) {
    if (chain.size() < 4 || !all_finite(chain)) return false;
    if (std::any_of(chain.begin(), chain.end(), [&](double x) { return x != chain[0]; })) return false;
    apart = apart || chain[0] != chains[0][0];
  }
  return apart;
}

/// From the median absolute distance to the standard deviation of a normal distribution.
constexpr double kMadScale = 1.482602218505602;

ColumnSummary summarise_column(const std::string& name, const ChainVecs& chains, const std::vector<double>& percentiles,
                               const NormalScores& scores) {
  ColumnSummary s{name, kNaN, kNaN, kNaN, kNaN, Vec(percentiles.size(), kNaN), kNaN, kNaN, kNaN, stuck_apart(chains)};
  if (scores.draws() == 0) return s;
  for (const Vec& chain : chains)
    if (std::any_of(chain.begin(), chain.end(), [](double x) { return std::isnan(x); })) return s;
  const OrderedDraws ordered = order_draws(chains), distances = order_distances(ordered);
  const SpreadStats m = moments(chains, scores.draws());
  const Convergence c = convergence(chains, ordered, distances, scores);
  s.mean = m.mean;
  s.sd = m.sd;
  s.mcse = m.sd / std::sqrt(c.ess_mean);
  for (std::size_t i = 0; i < percentiles.size(); ++i) s.quantiles[i] = ordered.quantile(percentiles[i] / 100);
  s.ess_bulk = c.ess_bulk;
  s.ess_tail = c.ess_tail;
  s.rhat = c.rhat;
  s.mad = kMadScale * distances.median();
  return s;
}

/// So many columns beside each other, which is quicker than one by one.
std::vector<ChainVecs> neighbours(const ChainSet& chains, std::size_t first, std::size_t count) {
  const std::size_t n = chains.draws_per_chain();
  std::vector<ChainVecs> out(count, ChainVecs(chains.rows.size(), Vec(n)));
  for (std::size_t c = 0; c < chains.rows.size(); ++c)
    for (std::size_t i = 0; i < n; ++i) {
      const double* const row = &chains.rows[c][i * chains.names.size() + first];
      for (std::size_t k = 0; k < count; ++k) out[k][c][i] = row[k];
    }
  return out;
}

std::string method_of(const CsvDraws& draws) {
  const std::string algorithm(draws.setting("algorithm")), engine(draws.setting("engine"));
  if (algorithm.empty()) return std::string(draws.setting("method"));
  return engine.empty() ? algorithm : algorithm + " with " + engine;
}

/// Files may say anything.
unsigned count_of(const CsvDraws& draws, std::string_view key, unsigned otherwise) {
  const double value = draws.number(key, -1);
  return value >= 0 && value <= 2147483647.0 ? static_cast<unsigned>(value) : otherwise;
}

void take_settings(const CsvDraws& draws, ChainSet* out) {
  for (const auto& [key, value] : draws.config)
    if (key == "model") out->model_name = value;
  out->num_samples = count_of(draws, "num_samples", static_cast<unsigned>(draws.rows));
  out->num_warmup = count_of(draws, "num_warmup", 0);
  out->thin = count_of(draws, "thin", 1);
  out->max_treedepth = static_cast<int>(count_of(draws, "max_depth", 10));
  out->method = method_of(draws);
}

}  // namespace

std::size_t ChainSet::draws_per_chain() const {
  std::size_t shortest = npos;
  for (const std::vector<double>& chain : rows) shortest = std::min(shortest, chain.size());
  return rows.empty() || names.empty() ? 0 : shortest / names.size();
}

ChainVecs ChainSet::column(std::size_t index) const {
  return std::move(neighbours(*this, index, 1).front());
}

std::size_t ChainSet::find(std::string_view name) const {
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? npos : static_cast<std::size_t>(at - names.begin());
}

namespace {

ChainFile file_of(CsvDraws& draws) {
  ChainFile out{.path = draws.path, .id = std::string(draws.setting("id")), .seed = std::string(draws.setting("seed"))};
  out.config = std::move(draws.config);
  if (draws.adapted) out.stepsize = draws.stepsize;
  out.inverse_metric = std::move(draws.inverse_metric);
  if (draws.has_elapsed) out.elapsed = draws.elapsed;
  return out;
}

/// The last file against those before: a chain that counts twice makes every estimate look better than it is.
Result refuse_twice(const std::vector<ChainFile>& seen, const std::vector<std::vector<double>>& rows) {
  const ChainFile& last = seen.back();
  for (std::size_t i = 0; i + 1 < seen.size(); ++i) {
    std::error_code ignored;
    if (std::filesystem::equivalent(seen[i].path, last.path, ignored))
      return Result::fail("'" + last.path + "' is given twice");
    if (!last.id.empty() && last.id == seen[i].id && last.seed == seen[i].seed && rows[i] == rows.back())
      return Result::fail("'" + last.path + "' is a copy of '" + seen[i].path + "': the same chain counts once");
  }
  return {};
}

void say_what_is_used(ChainSet* out) {
  const std::size_t used = out->draws_per_chain();
  const bool differ = std::any_of(out->rows.begin(), out->rows.end(),
                                  [&](const Vec& chain) { return chain.size() != used * out->names.size(); });
  if (differ)
    out->missing.push_back("The chains differ in length; the first " + std::to_string(used) + " draws of each are used.");
}

}  // namespace

Result load_chains(const std::vector<std::string>& given, ChainSet* out) {
  *out = {};
  std::vector<std::string> empty;
  std::string first_path;
  const auto take = [&](CsvDraws& draws) -> Result {
    const std::string& file = draws.path;
    if (out->names.empty()) {
      first_path = file;
      out->names = draws.names;
      take_settings(draws, out);
    } else if (draws.names != out->names) {
      return Result::fail("'" + file + "' has other columns than '" + first_path + "': they are not chains of one run");
    }
    if (draws.rows <= draws.warmup_rows) {
      empty.push_back("'" + file + "' has no draws after the warm-up");
      return {};
    }
    if (std::string missing = draws.what_is_missing(); !missing.empty()) out->missing.push_back(std::move(missing));
    const auto first = static_cast<std::ptrdiff_t>(draws.warmup_rows * draws.columns());
    out->rows.emplace_back(draws.values.begin() + first, draws.values.end());
    if (draws.has_elapsed) out->elapsed.push_back(draws.elapsed);
    out->files.push_back(file_of(draws));
    return refuse_twice(out->files, out->rows);
  };
  if (Result bad = read_draws(given, take); !bad) return bad;
  if (out->files.empty() && !empty.empty()) return Result::fail(empty.front());
  for (const std::string& line : empty) out->missing.push_back(line + " and is left out");
  say_what_is_used(out);
  return {};
}

std::vector<ColumnSummary> summarise(const ChainSet& chains, unsigned threads, const std::vector<double>& percentiles) {
  constexpr std::size_t kTogether = 8;  // columns: what a row has of them lies on one or two lines of the cache
  const std::size_t columns = chains.names.size();
  const NormalScores scores(chains.rows.size() * chains.draws_per_chain());
  std::vector<ColumnSummary> out(columns);
  run_parallel(threads, (columns + kTogether - 1) / kTogether, [&](std::size_t block) {
    const std::size_t first = block * kTogether, count = std::min(kTogether, columns - first);
    const std::vector<ChainVecs> values = neighbours(chains, first, count);
    for (std::size_t k = 0; k < count; ++k)
      out[first + k] = summarise_column(chains.names[first + k], values[k], percentiles, scores);
  });
  return out;
}

}  // namespace fermiac::inference
