// Draws of chains from files.

#include <algorithm>
#include <filesystem>
#include <utility>

#include "inference/output/csv.h"
#include "inference/output/draw_files.h"

namespace fermiac::inference {
namespace {

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
  out->blocks = read_blocks(draws.config);
}

ChainFile file_of(CsvDraws& draws) {
  ChainFile out{.path = draws.path, .id = std::string(draws.setting("id")), .seed = std::string(draws.setting("seed"))};
  out.config = std::move(draws.config);
  if (draws.adapted) out.stepsize = draws.stepsize;
  out.inverse_metric = std::move(draws.inverse_metric);
  if (draws.has_elapsed) out.elapsed = draws.elapsed;
  return out;
}

/// The last file against those before: a chain that counts twice makes every estimate look better than it is.
Status refuse_twice(const std::vector<ChainFile>& seen, const std::vector<std::vector<double>>& rows) {
  const ChainFile& last = seen.back();
  for (std::size_t i = 0; i + 1 < seen.size(); ++i) {
    std::error_code ignored;
    if (std::filesystem::equivalent(seen[i].path, last.path, ignored))
      return Status::failed("'" + last.path + "' is given twice");
    if (!last.id.empty() && last.id == seen[i].id && last.seed == seen[i].seed && rows[i] == rows.back())
      return Status::failed("'" + last.path + "' is a copy of '" + seen[i].path + "': the same chain counts once");
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

Status load_chains(const std::vector<std::string>& given, ChainSet* out) {
  *out = {};
  std::vector<std::string> empty;
  std::string first_path;
  const auto take = [&](CsvDraws& draws) -> Status {
    const std::string& file = draws.path;
    if (out->names.empty()) {
      first_path = file;
      out->names = draws.names;
      take_settings(draws, out);
    } else if (draws.names != out->names) {
      return Status::failed("'" + file + "' has other columns than '" + first_path + "': they are not chains of one run");
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
  if (Status bad = read_draws(given, take); !bad) return bad;
  if (out->files.empty() && !empty.empty()) return Status::failed(empty.front());
  for (const std::string& line : empty) out->missing.push_back(line + " and is left out");
  say_what_is_used(out);
  return {};
}

}  // namespace fermiac::inference
