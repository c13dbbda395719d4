#include "inference/report/report_data.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "inference/diagnostics/loo.h"
#include "inference/math/quantiles.h"
#include "inference/model/column_names.h"
#include "inference/output/posterior_table.h"
#include "support/base/encodings.h"
#include "support/base/json.h"
#include "support/base/json_build.h"
#include "support/platform/threads.h"

namespace fermiac::inference {
namespace {

using Kind = JsonGroup::Kind;

constexpr std::size_t kMostValues = std::size_t{12} << 20;  // in a page: 64 MiB of letters
constexpr std::size_t kGrowthSteps = 8;

/// Any value of the column near its middle, so that differences keep their digits in 32 bits.
double centre_of(const ChainVecs& chains) {
  Vec all;
  for (const Vec& chain : chains) std::ranges::copy_if(chain, std::back_inserter(all), [](double x) { return std::isfinite(x); });
  if (all.empty()) return 0;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::ranges::nth_element(all, middle);
  return *middle;
}

/// After how many draws of each chain effective sizes are shown.
std::vector<std::size_t> growth_steps(std::size_t draws) {
  std::vector<std::size_t> out;
  for (std::size_t k = 1; k <= kGrowthSteps; ++k)
    if (const std::size_t n = draws * k / kGrowthSteps; n >= 4) out.push_back(n);
  return out;
}

/// Bulk and tail at each step.
std::string growth_of(const ChainVecs& whole, const std::vector<std::size_t>& steps, const ColumnSummary& summary) {
  std::string out;
  JsonGroup pairs(out, Kind::Array, kJsonTight);
  for (const std::size_t n : steps) {
    ChainVecs part;
    for (const Vec& chain : whole) part.emplace_back(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(n));
    Convergence c{.ess_bulk = summary.ess_bulk, .ess_tail = summary.ess_tail};
    if (n < whole[0].size()) c = convergence(part);
    pairs.item() += "[" + json_number(std::round(c.ess_bulk)) + "," + json_number(std::round(c.ess_tail)) + "]";
  }
  pairs.end();
  return out;
}

std::string number_list(ConstSpan values) {
  std::string out;
  JsonGroup list(out, Kind::Array, kJsonTight);
  for (const double x : values) list.item() += json_number(x);
  list.end();
  return out;
}

std::string text_list(const std::vector<std::string>& texts) {
  std::vector<std::string> items;
  for (const std::string& text : texts) items.push_back(json_quote(text));
  return json_array(items);
}

std::string column_json(const ChainSet& chains, std::size_t index, const ColumnSummary& s, const std::vector<std::size_t>& steps) {
  const ChainVecs values = chains.column(index);
  std::string out;
  JsonGroup object(out, Kind::Object, kJsonTight);
  object.member("name") += json_quote(s.name);
  object.member("shown") += json_quote(pretty_name(s.name));
  object.member("decimals") += std::to_string(decimals_of(s.mcse));
  object.member("centre") += json_number(centre_of(values));
  object.member("stats") += number_list(Vec{s.mean, s.mcse, s.sd, s.mad, s.quantiles[0], s.quantiles[1], s.quantiles[2],
                                            s.ess_bulk, s.ess_tail, s.rhat});
  object.member("growth") += growth_of(values, steps, s);
  object.end();
  return out;
}

std::string columns_json(const ChainSet& chains, const std::vector<ColumnSummary>& columns, unsigned threads) {
  const std::vector<std::size_t> steps = growth_steps(chains.draws_per_chain());
  std::vector<std::string> texts(columns.size());
  run_parallel(threads, columns.size(), [&](std::size_t i) { texts[i] = column_json(chains, i, columns[i], steps); });
  std::string out;
  JsonGroup list(out, Kind::Array, kJsonTight);
  for (const std::string& text : texts) list.item() += "\n" + text;
  list.end();
  return out;
}

/// The diagonal, or all elements of a dense one: least, middle, greatest.
Vec spread_of(Vec values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  return {values.front(), quantile_sorted(values, 0.5), values.back()};
}

std::string chain_json(const ChainFile& file) {
  std::string out;
  JsonGroup object(out, Kind::Object, kJsonTight);
  object.member("file") += json_quote(file.path);
  object.member("stepsize") += json_number(file.stepsize);
  object.member("seconds") += number_list(Vec{file.elapsed.warmup, file.elapsed.sampling});
  object.member("inv_metric") += number_list(spread_of(file.inverse_metric));
  object.end();
  return out;
}

std::string chains_json(const ChainSet& chains) {
  std::string out;
  JsonGroup list(out, Kind::Array, kJsonTight);
  for (const ChainFile& file : chains.files) list.item() += chain_json(file);
  list.end();
  return out;
}

/// Of the first chain, without what belongs to it alone.
std::string settings_json(const ChainFile& file) {
  std::string out;
  JsonGroup list(out, Kind::Array, kJsonTight);
  for (const auto& [key, value] : file.config)
    if (key != "id" && key != "output.file" && !is_blocks_key(key)) list.item() += text_list({key, value});
  list.end();
  return out;
}

std::string_view setting_of(const ChainFile& file, std::string_view key) {
  for (const auto& [name, value] : file.config)
    if (name == key) return value;
  return {};
}

/// One paragraph each.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) out.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

/// Of columns log_lik: what is expected of new data, and the tail shape of each observation left out; empty without such columns.
std::string leave_one_out_json(const ChainSet& chains) {
  const LogLik log_lik = log_lik_columns(chains);
  if (log_lik.values.empty()) return {};
  const CrossValidation found = psis_loo(log_lik, std::nullopt, std::nullopt);
  std::string out;
  JsonGroup object(out, Kind::Object, kJsonTight);
  object.member("elpd") += json_number(found.elpd());
  object.member("se") += json_number(found.se());
  object.member("p") += json_number(found.p());
  object.member("limit") += json_number(found.limit);
  JsonGroup points(object.member("points"), Kind::Array, kJsonTight);
  for (const CrossValidation::Point& p : found.points)
    points.item() += "[" + json_quote(p.observation) + "," + json_number(p.k) + "," + json_number(p.elpd) + "]";
  points.end();
  object.end();
  return out;
}

}  // namespace

KeptDraws kept_draws(const ChainSet& chains) {
  const std::size_t draws = chains.draws_per_chain(), values = draws * chains.rows.size() * chains.names.size();
  const std::size_t stride = std::max<std::size_t>(1, (values + kMostValues - 1) / kMostValues);
  return {stride, (draws + stride - 1) / stride};
}

std::string report_json(const ChainSet& chains, const ProgramText& program, KeptDraws kept, unsigned threads) {
  const std::vector<ColumnSummary> columns = summarise(chains, threads);
  const Problems problems = find_problems(chains, columns);
  std::string out;
  JsonGroup object(out, Kind::Object, {",\n", ":"});
  const auto count = [&](std::string_view key, std::size_t n) { object.member(key) += std::to_string(n); };
  object.member("method") += json_quote(chains.method);
  object.member("about") += json_quote("Made by fermiac report");
  object.member("started") += json_quote(setting_of(chains.files.front(), "start_datetime"));
  count("draws", chains.draws_per_chain());
  count("stride", kept.stride);
  count("kept", kept.kept);
  count("warmup", chains.num_warmup);
  count("thin", chains.thin);
  count("max_treedepth", static_cast<std::size_t>(problems.max_treedepth));
  count("divergent", problems.divergent);
  count("at_max_treedepth", problems.at_max_treedepth);
  object.member("ebfmi") += number_list(problems.ebfmi);
  object.member("verdict") += text_list(lines_of(verdict(problems)));
  object.member("chains") += chains_json(chains);
  object.member("settings") += settings_json(chains.files.front());
  object.member("growth_at") += [&] {
    std::vector<double> at;
    for (const std::size_t n : growth_steps(chains.draws_per_chain())) at.push_back(static_cast<double>(n));
    return number_list(at);
  }();
  if (const std::string loo = leave_one_out_json(chains); !loo.empty()) object.member("loo") += loo;
  if (!program.path.empty())
    object.member("source") += "{\"path\":" + json_quote(program.path) + ",\"text\":" + json_quote(program.text) + "}";
  object.member("columns") += columns_json(chains, columns, threads);
  object.end();
  return json_in_html(std::move(out));
}

std::string packed_draws(const ChainSet& chains, KeptDraws kept) {
  std::string out;
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < chains.names.size(); ++i) {
    const ChainVecs values = chains.column(i);
    const double centre = centre_of(values);
    bytes.clear();
    for (const Vec& chain : values)
      for (std::size_t k = 0; k < chain.size(); k += kept.stride) {
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(chain[k] - centre));
        for (int b = 0; b < 4; ++b) bytes.push_back(static_cast<std::byte>(bits >> (8 * b) & 255));
      }
    append_base64(bytes, out);
  }
  return out;
}

}  // namespace fermiac::inference
