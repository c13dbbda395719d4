// The checks on a finished run and their wording.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "inference/diagnostics/summary.h"
#include "inference/model/column_names.h"
#include "support/base/number_text.h"

namespace fermiac::inference {
namespace {

constexpr double kMinEbfmi = 0.3;
constexpr double kMaxRhat = 1.01;

/// Energy Bayesian fraction of missing information (Betancourt 2016).
double ebfmi(const Vec& energy) {
  double mean = 0, steps = 0, spread = 0;
  for (const double e : energy) mean += e / static_cast<double>(energy.size());
  for (std::size_t i = 0; i < energy.size(); ++i) {
    if (i > 0) steps += (energy[i] - energy[i - 1]) * (energy[i] - energy[i - 1]);
    spread += (energy[i] - mean) * (energy[i] - mean);
  }
  return steps / spread;
}

/// Probability that a chi-squared variable with k > 0 degrees of freedom is above x.
double chi_squared_above(std::size_t k, double x) {
  const double half = 0.5 * x;
  const bool odd = k % 2 == 1;
  double sum = odd ? std::erfc(std::sqrt(half)) : std::exp(-half);
  double a = odd ? 0.5 : 1;  // Q(a + 1, y) = Q(a, y) + y^a e^-y / Gamma(a + 1)
  for (; 2 * a < static_cast<double>(k); ++a) sum += std::exp(a * std::log(half) - half - std::lgamma(a + 1));
  return sum;
}

/// Probability that R-hat of independent draws is above kMaxRhat. R-hat^2 = 1 + (F - 1) / n, where F, the ratio of the variances
/// between and within m split chains of n draws, is nearly chi-squared with m - 1 degrees of freedom over m - 1. R-hat is the larger of
/// two such statistics, which are nearly independent: of the ranks, and of their distances from the median.
double high_rhat_probability(std::size_t chains, std::size_t draws) {
  if (chains == 0 || draws < 2) return 0;
  const std::size_t m = 2 * chains;
  const double n = 0.5 * static_cast<double>(draws), f = 1 + n * (kMaxRhat * kMaxRhat - 1);
  return std::min(1.0, 2 * chi_squared_above(m - 1, static_cast<double>(m - 1) * f));
}

std::size_t count_if_column(const ChainSet& chains, std::string_view name, double at_least) {
  const std::size_t index = chains.find(name);
  std::size_t count = 0;
  if (index == npos) return 0;
  for (const Vec& chain : chains.column(index))
    count +=
        static_cast<std::size_t>(std::count_if(chain.begin(), chain.end(), [=](double x) { return x >= at_least; }));
  return count;
}

std::string share(std::size_t part, std::size_t whole) {
  return std::to_string(part) + " of " + std::to_string(whole) + " (" +
         format_number(100.0 * static_cast<double>(part) / static_cast<double>(whole), 3) + "%)";
}

/// With as many digits as it takes to look unlike the limit: 1.0102 is not 1.01, 0.297 not 0.3.
template <class Text>
std::string unlike(double limit, double value, int digits, Text text) {
  constexpr int kMostDigits = 17;
  while (digits < kMostDigits && value != limit && text(value, digits) == text(limit, digits)) ++digits;
  return text(value, digits);
}
std::string rhat_value(double value) {
  return unlike(kMaxRhat, value, 3, [](double x, int decimals) { return fmt::format("{:.{}f}", x, decimals); });
}
std::string ess_value(double value) { return fmt::format("{:.0f}", value); }

/// Findings of one variable: the worst comes first.
struct VariableFindings {
  std::string variable;
  Finding worst;
  std::size_t count = 0;
};

std::vector<VariableFindings> by_variable(const std::vector<Finding>& sorted) {
  std::vector<VariableFindings> out;
  std::map<std::string, std::size_t> place;
  for (const Finding& f : sorted) {
    const std::string variable(variable_of(f.name));
    const auto [at, fresh] = place.emplace(variable, out.size());
    if (fresh) out.push_back({variable, f});
    ++out[at->second].count;
  }
  return out;
}

/// `tau (1.034)`, `12 elements of theta (worst theta[3], 1.021)`
std::string entry(const VariableFindings& v, std::string (*text)(double)) {
  const std::string name = pretty_name(v.worst.name), value = std::isnan(v.worst.value) ? "stuck" : text(v.worst.value);
  if (v.count == 1) return name + " (" + value + ")";
  return std::to_string(v.count) + " elements of " + v.variable + " (worst " + name + ", " + value + ")";
}

/// All variables in one line, as CmdStan lists columns. A variable with one finding is listed without its value.
std::string list(const std::vector<Finding>& found, std::string (*text)(double)) {
  std::string out;
  for (const VariableFindings& v : by_variable(found)) out += (out.empty() ? "  " : ", ") + (v.count == 1 ? pretty_name(v.worst.name) : entry(v, text));
  return out + "\n";
}

/// One entry per variable: `tau (1.034), 12 elements of theta (worst theta[3], 1.021) and 3 more variables`.
std::string short_list(const std::vector<Finding>& found, std::string (*text)(double)) {
  constexpr std::size_t kShown = 8;
  const std::vector<VariableFindings> variables = by_variable(found);
  std::string out;
  for (std::size_t i = 0; i < std::min(variables.size(), kShown); ++i) out += (i > 0 ? ", " : "") + entry(variables[i], text);
  const std::size_t rest = variables.size() - std::min(variables.size(), kShown);
  if (rest > 0) out += " and " + std::to_string(rest) + " more variable" + (rest == 1 ? "" : "s");
  return out;
}

std::vector<Finding> joined(std::vector<Finding> first, const std::vector<Finding>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// `below 400 (100 per chain)`
std::string too_few_text(const Problems& p) {
  const std::string per_chain = format_number(p.ess_limit.per_chain, 6);
  if (p.chains == 1) return "below " + per_chain;
  return "below " + format_number(p.ess_limit.per_chain * static_cast<double>(p.chains), 6) + " (" + per_chain + " per chain)";
}

std::string cause_of_low_ess(const Problems& p) {
  if (static_cast<double>(p.draws) <= p.ess_limit.per_chain * static_cast<double>(p.chains)) return "There are only " + std::to_string(p.draws) + " draws.\n";
  if (p.drawn.low_ess_by_chance) return "With so few draws, some are below by chance.\n";
  return "They depend on parameters that mix slowly.\n";
}

std::string chance_of_rhat(const SimulatedColumns& drawn) {
  const std::string expected =
      drawn.expected_high_rhat >= 0.5 ? "about " + format_number(std::round(drawn.expected_high_rhat), 6) + " are" : "none is";
  if (drawn.rhat_by_chance()) return "By chance alone, " + expected + " expected.\n";
  return "By chance alone, " + expected + " expected: these depend on parameters on which the chains do not agree yet.\n";
}

/// `Simulated quantities (25000 columns): R-hat above 1.01 for 12 elements of y (worst y[3], 1.012). By chance alone, about 10 are expected.`
std::string simulated_in_words(const Problems& p) {
  const SimulatedColumns& drawn = p.drawn;
  const std::string head = "Simulated quantities (" + std::to_string(drawn.count) + (drawn.count == 1 ? " column): " : " columns): ");
  std::string out;
  if (!drawn.high_rhat.empty()) out += head + "R-hat above 1.01 for " + short_list(drawn.high_rhat, rhat_value) + ". " + chance_of_rhat(drawn);
  if (!drawn.low_ess.empty())
    out += head + "effective sample size " + too_few_text(p) + " for " + short_list(drawn.low_ess, ess_value) + ". " + cause_of_low_ess(p);
  return out;
}

std::string ebfmi_values(const std::vector<double>& values) {
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i) out += (i > 0 ? ", " : "") + unlike(kMinEbfmi, values[i], 2, format_number);
  return out;
}

std::string missing_text(const Problems& p) {
  if (p.missing.empty()) return {};
  std::string out = "Checking that the files are complete.\n";
  for (const std::string& line : p.missing) out += line + "\n";
  return out + "\n";
}

std::string treedepth_text(const Problems& p) {
  std::string out = "Checking sampler transitions treedepth.\n";
  if (p.at_max_treedepth == 0) return out + "Treedepth satisfactory for all transitions.\n\n";
  const std::string depth = std::to_string(p.max_treedepth);
  return out + share(p.at_max_treedepth, p.draws) + " transitions hit the maximum treedepth limit of " + depth +
         ", or 2^" + depth + " leapfrog steps.\n" +
         "Trajectories that are prematurely terminated due to this limit will result in slow exploration.\n"
         "For optimal performance, increase this limit.\n\n";
}

std::string divergence_text(const Problems& p) {
  std::string out = "Checking sampler transitions for divergences.\n";
  if (p.divergent == 0) return out + "No divergent transitions found.\n\n";
  return out + share(p.divergent, p.draws) +
         " transitions ended with a divergence.\n"
         "These divergent transitions indicate that HMC is not fully able to explore the posterior distribution.\n"
         "Try increasing adapt delta closer to 1.\n"
         "If this doesn't remove all divergences, try to reparameterize the model.\n\n";
}

std::string energy_text(const Problems& p) {
  std::string out = "Checking E-BFMI - sampler transitions HMC potential energy.\n";
  if (p.low_ebfmi.empty()) return out + "E-BFMI satisfactory.\n\n";
  return out + "The E-BFMI, " + ebfmi_values(p.low_ebfmi) +
         ", is below the nominal threshold of 0.30 which suggests that "
         "HMC may have trouble exploring the target distribution.\n"
         "If possible, try to reparameterize the model.\n\n";
}

std::string ess_text(const Problems& p) {
  const std::vector<Finding> found = joined(p.low_ess, p.drawn.low_ess);
  if (found.empty()) return "Rank-normalized split effective sample size satisfactory for all parameters.\n\n";
  const std::string limit = p.ess_limit.per_chain > 0
                                ? "rank-normalized split effective sample size less than " +
                                      format_number(p.ess_limit.per_chain, 3) + " per chain"
                                : "fewer than " + format_number(p.ess_limit.per_draw, 3) + " effective draws per transition";
  return "The following parameters had " + limit + ":\n" +
         list(found, ess_value) +
         "Such low values indicate that estimates of their posterior summaries are unreliable.\n"
         "Run longer chains, or look for a more effective parameterization.\n\n";
}

std::string rhat_text(const Problems& p) {
  const std::vector<Finding> found = joined(p.high_rhat, p.drawn.high_rhat);
  if (found.empty()) return "Rank-normalized split R-hat values satisfactory for all parameters.\n\n";
  return "The following parameters had rank-normalized split R-hat greater than 1.01:\n" + list(found, rhat_value) +
         "Such high values indicate incomplete mixing and biased estimation.\n"
         "You should consider regularizating your model with additional prior information or a more effective "
         "parameterization.\n\n";
}

}  // namespace

std::string stuck_where(const StuckChain& s) {
  const auto number = [](double x) { return format_number(x, 4); };
  std::string out = "Chain " + std::to_string(s.chain + 1) + " is stuck: its log density is between " + number(s.lowest) +
                    " and " + number(s.highest) + ", where 99 in 100 draws of chain " + std::to_string(s.best + 1) + " have " +
                    number(s.best_lowest) + " to " + number(s.best_highest) + ".";
  for (std::size_t i = 0; i < s.places.size(); ++i) {
    const StuckChain::Place& p = s.places[i];
    out += (i == 0 ? " It sits at " : ", ") + pretty_name(p.quantity) + " = " + number(p.here) + " (there " + number(p.there) +
           " ± " + number(p.spread) + ")";
  }
  return out + (s.places.empty() ? "" : ".");
}

namespace {

std::string stuck_text(const StuckChain& s) {
  return stuck_where(s) +
         " Its draws are not of the posterior as the other chain sees it. Run with another --seed, give initial values "
         "(--init), or look for what makes that region attractive.\n";
}

std::string divergences_in_words(const Problems& p) {
  const std::string rest = ", so those regions are missing from the draws and estimates may be biased. Raise ";
  return "Divergences: " + share(p.divergent, p.draws) + " draws. The posterior bends too sharply for " +
         (p.divides_steps ? "even the shortest steps there" + rest + "--max-halvings"
                          : "the step size there" + rest + "--adapt-delta (0.95, 0.99), or let steps be divided (--sampler walnuts)") +
         "; if they stay, reparameterise (for example, non-centred group effects) or use tighter priors.\n";
}

}  // namespace

bool SimulatedColumns::rhat_by_chance() const {
  const double most = expected_high_rhat < 0.5 ? 0 : expected_high_rhat + 4 * std::sqrt(expected_high_rhat) + 1;
  return static_cast<double>(high_rhat.size()) <= most;
}

Problems find_problems(const ChainSet& chains, const std::vector<ColumnSummary>& columns, EssLimit limit) {
  Problems p;
  p.ess_limit = limit;
  p.chains = chains.rows.size();
  p.draws = chains.draws_per_chain() * p.chains;
  p.max_treedepth = chains.max_treedepth;
  p.missing = chains.missing;
  p.has_sampler = chains.find("divergent__") != npos;
  p.divides_steps = chains.method.ends_with("walnuts");
  p.divergent = count_if_column(chains, "divergent__", 1);
  p.at_max_treedepth = count_if_column(chains, "treedepth__", chains.max_treedepth);
  if (const std::size_t energy = chains.find("energy__"); energy != npos)
    for (const Vec& chain : chains.column(energy)) p.ebfmi.push_back(ebfmi(chain));
  std::ranges::copy_if(p.ebfmi, std::back_inserter(p.low_ebfmi), [](double value) { return value < kMinEbfmi; });
  p.stuck = find_stuck(chains);
  const double enough = limit.per_chain * static_cast<double>(p.chains) + limit.per_draw * static_cast<double>(p.draws);
  for (const ColumnSummary& c : columns) {
    if (c.name.ends_with("__")) continue;
    const VariableBlock block = block_of(chains.blocks, c.name);
    const bool drawn = block == VariableBlock::Simulated;
    p.drawn.count += drawn ? 1 : 0;
    if (c.ess_bulk < enough || c.ess_tail < enough) (drawn ? p.drawn.low_ess : p.low_ess).push_back({c.name, std::min(c.ess_bulk, c.ess_tail), block});
    if (c.rhat > kMaxRhat || c.stuck) (drawn ? p.drawn.high_rhat : p.high_rhat).push_back({c.name, c.stuck ? kNaN : c.rhat, block});
  }
  p.drawn.expected_high_rhat = static_cast<double>(p.drawn.count) * high_rhat_probability(p.chains, chains.draws_per_chain());
  p.drawn.low_ess_by_chance = static_cast<double>(p.draws) < 2 * enough || p.low_ess.empty();  // parameters that mix well carry no blame
  for (std::vector<Finding>* found : {&p.low_ess, &p.drawn.low_ess}) std::ranges::stable_sort(*found, {}, [](const Finding& f) { return std::pair(f.block, f.value); });
  for (std::vector<Finding>* found : {&p.high_rhat, &p.drawn.high_rhat})
    std::ranges::stable_sort(*found, {}, [](const Finding& f) { return std::pair(f.block, std::isnan(f.value) ? -kInf : -f.value); });
  return p;
}

std::string check_text(const Problems& p) {
  std::string out = missing_text(p);
  if (p.has_sampler) out += treedepth_text(p) + divergence_text(p) + energy_text(p);
  out += ess_text(p) + rhat_text(p);
  const bool listed = !p.drawn.high_rhat.empty() || !p.drawn.low_ess.empty();
  return out + (p.any() || listed ? "Processing complete.\n" : "Processing complete, no problems detected.\n");
}

std::string problems_in_words(const Problems& p) {
  std::string out;
  for (const std::string& line : p.missing) out += line + "\n";
  for (const StuckChain& s : p.stuck) out += stuck_text(s);
  if (p.divergent > 0) out += divergences_in_words(p);
  if (p.at_max_treedepth > 0)
    out += "Tree depth: " + share(p.at_max_treedepth, p.draws) + " draws stopped at the limit of " +
           std::to_string(p.max_treedepth) +
           ". The draws are valid if R-hat and ESS are good, but cost much and move little. Raise --max-treedepth, or rescale strongly "
           "correlated or badly scaled parameters (--metric dense_e may help).\n";
  if (!p.low_ebfmi.empty())
    out += "Energy: E-BFMI is " + ebfmi_values(p.low_ebfmi) +
           ", below 0.3. The tails are explored too slowly. Reparameterise heavy-tailed or hierarchical parts, or run "
           "a longer warm-up.\n";
  if (!p.high_rhat.empty())
    out += "R-hat: above 1.01 for " + short_list(p.high_rhat, rhat_value) +
           ". The chains do not agree yet, so do not use these estimates. Run longer; if it stays, look for several "
           "modes, parameters the data cannot tell apart, or missing priors.\n";
  if (!p.low_ess.empty())
    out += "Effective sample size: " + too_few_text(p) + " for " + short_list(p.low_ess, ess_value) +
           ". Means and intervals of these are imprecise. Draw more samples (--samples), or reparameterise so that "
           "successive draws are less alike.\n";
  return out + simulated_in_words(p);
}

std::string problems_in_brief(const Problems& p) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : "; ") + text; };
  for (const StuckChain& s : p.stuck) add("chain " + std::to_string(s.chain + 1) + " is stuck");
  if (p.divergent > 0) add(share(p.divergent, p.draws) + " divergent transitions");
  if (p.at_max_treedepth > 0) add(share(p.at_max_treedepth, p.draws) + " transitions at the maximum tree depth");
  if (!p.low_ebfmi.empty()) add("E-BFMI " + ebfmi_values(p.low_ebfmi));
  if (!p.high_rhat.empty()) add("R-hat above 1.01 for " + short_list(p.high_rhat, rhat_value));
  if (!p.low_ess.empty()) add("effective sample size " + too_few_text(p) + " for " + short_list(p.low_ess, ess_value));
  return out;
}

std::string verdict(const Problems& p) {
  return (p.any() || !p.has_sampler ? "" : "No sampling problems found.\n") + problems_in_words(p);
}

}  // namespace fermiac::inference
