#include "inference/output/draw_files.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string_view>

#include "inference/output/checkpoint.h"
#include "inference/output/inference_data.h"
#include "plugins/netcdf/array_file.h"
#include "support/base/text_file.h"

namespace fermiac::inference {
namespace {

namespace fs = std::filesystem;

constexpr char kNetcdf[] = ".nc";
constexpr std::string_view kChainEndings[] = {".csv", ".state"}, kMetricEnding = "_metric.json";  // follow the number of a chain in file names

/// By the number of the chain.
using Chains = std::map<unsigned, std::string>;

/// Methods whose files have no draws from a posterior of their own.
constexpr std::string_view kOptimum = "optimize";                              // one point, or the points of its iterations
constexpr std::string_view kGenerated[] = {"generate_quantities", "predict"};  // for draws that may be in the same folder
constexpr std::string_view kNoDraws[] = {"", "diagnose", "log_lik", "log_prob"};

bool is_generated(std::string_view method) { return std::ranges::find(kGenerated, method) != std::end(kGenerated); }

/// The method that the comments before the header line name; empty in other CSV files (profiles, summaries).
std::string method_of(const fs::path& path) {
  constexpr std::size_t kBeginning = 16384;
  constexpr std::string_view kKey = "# method = ";
  const std::string head = fermiac::read_beginning(path.string(), kBeginning);
  const std::size_t at = head.find(kKey);
  return at == std::string::npos ? "" : head.substr(at + kKey.size(), head.find_first_of(" \r\n", at + kKey.size()) - at - kKey.size());
}

/// `m_2` as `m` and 2; a name without a number has 0.
std::pair<std::string, unsigned> run_and_chain(const std::string& stem) {
  const std::size_t bar = stem.rfind('_');
  unsigned chain = 0;
  if (bar == std::string::npos) return {stem, 0};
  const char* const end = stem.data() + stem.size();
  const auto [at, error] = std::from_chars(stem.data() + bar + 1, end, chain);
  return error == std::errc() && at == end ? std::pair{stem.substr(0, bar), chain} : std::pair{stem, 0U};
}

Status runs_in(const std::string& folder, std::map<std::string, Chains>* out) {
  std::error_code error;
  std::map<std::string, std::string> whole;
  std::map<std::string, Chains> optima, generated, others;
  fs::directory_iterator entries(folder, error);
  if (error) return Status::failed("cannot read the folder '" + folder + "': " + error.message());
  for (const fs::directory_entry& entry : entries) {
    if (!entry.is_regular_file(error)) continue;
    const std::string path = entry.path().string(), stem = entry.path().stem().string();
    if (entry.path().extension() == kNetcdf && is_array_file(path)) whole[stem] = path;
    if (entry.path().extension() != ".csv") continue;
    const auto [run, chain] = run_and_chain(stem);
    const std::string method = method_of(entry.path());
    if (writes_draws(method)) (*out)[run][chain] = path;
    else if (method == kOptimum) optima[run][chain] = path;
    else if (is_generated(method)) generated[run][chain] = path;
    else if (chain > 0 && entry.file_size(error) > 0) others[run][chain] = path;  // an empty one has not begun
  }
  // Single paths of pathfinder are among its draws already.
  std::erase_if(*out, [&](const auto& run) { return run.first.ends_with("_path") && out->contains(run.first + "finder"); });
  // What is numbered like a chain of a run is one: where it is damaged, its reader says so.
  for (auto& [run, chains] : *out) chains.merge(others[run]);
  for (auto* const instead : {&optima, &generated})
    if (out->empty()) *out = std::move(*instead);
  for (const auto& [run, path] : whole)
    if (out->empty() || !out->contains(run)) (*out)[run][0] = path;
  return {};
}

Status add_folder(const std::string& folder, std::vector<std::string>* out) {
  std::map<std::string, Chains> runs;
  if (Status bad = runs_in(folder, &runs); !bad) return bad;
  if (runs.empty()) return Status::failed("the folder '" + folder + "' has no files of draws");
  if (runs.size() > 1) {
    std::string names;
    for (const auto& [run, chains] : runs) names += (names.empty() ? "'" : ", '") + run + "'";
    return Status::failed("the folder '" + folder + "' has draws of several runs: " + names + "; give the files of one");
  }
  for (const auto& [chain, file] : runs.begin()->second) out->push_back(file);
  return {};
}

}  // namespace

bool writes_draws(std::string_view method) {
  return method != kOptimum && !is_generated(method) && std::ranges::find(kNoDraws, method) == std::end(kNoDraws);
}

Status refuse_folder_of_others(const std::string& folder, const std::string& name) {
  std::map<std::string, Chains> runs;
  if (Status bad = runs_in(folder, &runs); !bad) return bad;
  std::set<std::string> others;
  // NAME_METHOD.csv belongs to the same run.
  for (const auto& [run, chains] : runs)
    if (!run.starts_with(name + "_") || !method_of(chains.begin()->second).starts_with(run.substr(name.size() + 1))) others.insert(run);
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (const std::string file = entry.path().filename().string(); file.ends_with(kRecordEnding)) others.insert(file.substr(0, file.size() - kRecordEnding.size()));
  others.erase(name);
  if (others.empty()) return {};
  return Status::failed("the folder '" + folder + "' has the run '" + *others.begin() + "', so '" + name +
                      "' cannot go there: commands read one run from a folder; choose another --output");
}

std::vector<unsigned> other_chains(const std::string& folder, const std::string& name, unsigned first, unsigned count) {
  std::set<unsigned> out;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const auto [run, chain] = run_and_chain(entry.path().stem().string());
    const bool is_chain = std::ranges::find(kChainEndings, entry.path().extension().string()) != std::end(kChainEndings);
    if (is_chain && run == name && chain > 0 && (chain < first || chain - first >= count)) out.insert(chain);
  }
  return {out.begin(), out.end()};
}

void remove_chains(const std::string& folder, const std::string& name, const std::vector<unsigned>& chains) {
  std::error_code ignored;
  for (const unsigned chain : chains)
    for (const std::string_view ending : {kChainEndings[0], kChainEndings[1], kMetricEnding})
      fs::remove(fs::path(folder) / (name + "_" + std::to_string(chain) + std::string(ending)), ignored);
}

Status draw_files(const std::vector<std::string>& given, std::vector<std::string>* out) {
  for (const std::string& path : given) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) out->push_back(path);
    else if (Status bad = add_folder(path, out); !bad) return bad;
  }
  return {};
}

Status read_draws(const std::vector<std::string>& given, const std::function<Status(CsvDraws&)>& use) {
  std::vector<std::string> files;
  if (Status bad = draw_files(given, &files); !bad) return bad;
  for (const std::string& file : files) {
    std::vector<CsvDraws> chains(1);
    Status read;
    if (is_array_file(file)) {
      ArrayFile arrays;
      chains.clear();
      read = read_array_file(file, &arrays).prefixed("cannot read '" + file + "': ");
      if (read) read = chains_in(arrays, file, &chains);
    } else if (file.ends_with(kNetcdf)) {
      const fermiac::TextFile text = fermiac::read_text_file(file, false);
      const bool opens = text.state != fermiac::TextFile::State::Missing;
      read = Status::failed(opens ? "'" + file + "' is not a netCDF file" : text.problem);
    } else {
      read = read_csv(file, &chains[0]);
    }
    if (!read) return read;
    for (CsvDraws& draws : chains)
      if (Status bad = use(draws); !bad) return bad;
  }
  return {};
}

}  // namespace fermiac::inference
