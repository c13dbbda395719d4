#include "inference/diagnostics/sbc.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "inference/model/column_names.h"
#include "support/base/json.h"
#include "support/base/text.h"

namespace fermiac::inference {

// ---------------------------------------------------------------- uniformity

namespace {

struct Tails {
  Vec low, high;  // P(X <= k), P(X >= k)
};

Tails binomial_tails(std::size_t n, double p) {
  Tails out{Vec(n + 1), Vec(n + 1)};
  Vec mass(n + 1);
  const auto log_factorial = [](std::size_t k) { return std::lgamma(static_cast<double>(k) + 1); };
  for (std::size_t k = 0; k <= n; ++k)
    mass[k] = std::exp(log_factorial(n) - log_factorial(k) - log_factorial(n - k) + static_cast<double>(k) * std::log(p) +
                       static_cast<double>(n - k) * std::log1p(-p));
  double sum = 0;
  for (std::size_t k = 0; k <= n; ++k) out.low[k] = sum += mass[k];
  sum = 0;
  for (std::size_t k = n + 1; k-- > 0;) out.high[k] = sum += mass[k];
  return out;
}

}  // namespace

namespace {

/// Tails of how many of `n` ranks are below i = 1 … cells - 1, each in order.
std::vector<Tails> ecdf_tails(std::size_t n, std::size_t cells) {
  std::vector<Tails> out;
  for (std::size_t i = 1; i < cells; ++i) out.push_back(binomial_tails(n, static_cast<double>(i) / static_cast<double>(cells)));
  return out;
}

/// The probability that no count below any i has a tail as small as `limit`.
double stays_probability(const std::vector<Tails>& sides, std::size_t n, double limit) {
  const std::size_t cells = sides.size() + 1;
  std::map<std::size_t, double> state = {{0, 1.0}};  // ranks below i -> probability that none before was as unlikely
  for (std::size_t i = 1; i < cells; ++i) {
    std::map<std::size_t, double> after;
    const double p = 1 / static_cast<double>(cells - i + 1);
    for (const auto& [k, mass] : state) {
      const std::size_t left = n - k;
      double step = mass * std::pow(1 - p, static_cast<double>(left));
      for (std::size_t j = 0; j <= left; ++j) {
        if (sides[i - 1].low[k + j] > limit && sides[i - 1].high[k + j] > limit) after[k + j] += step;
        step *= static_cast<double>(left - j) / static_cast<double>(j + 1) * p / (1 - p);
      }
    }
    if (after.empty()) return 0;
    state = std::move(after);
  }
  double kept = 0;
  for (const auto& [k, mass] : state) kept += mass;
  return kept;
}

}  // namespace

double ecdf_probability(const std::vector<std::size_t>& ranks, std::size_t largest) {
  const std::size_t n = ranks.size(), cells = largest + 1;
  std::vector<std::size_t> counts(cells);
  for (const std::size_t r : ranks) ++counts[r];
  const std::vector<Tails> sides = ecdf_tails(n, cells);
  double smallest = 1;
  std::size_t seen = 0;
  for (std::size_t i = 1; i < cells; ++i) {
    seen += counts[i - 1];
    smallest = std::min({smallest, sides[i - 1].low[seen], sides[i - 1].high[seen]});
  }
  const double union_bound = 2 * static_cast<double>(cells) * smallest;
  if (union_bound < 1e-7) return union_bound;
  return std::max(0.0, 1 - stays_probability(sides, n, smallest * (1 + 1e-12)));
}

EcdfBand ecdf_band(std::size_t n, std::size_t largest, double probability) {
  const std::vector<Tails> sides = ecdf_tails(n, largest + 1);
  double low = 0, high = 1 - probability;  // of the tails that are too small; one point alone takes no more
  for (int step = 0; step < 20; ++step) {
    const double middle = 0.5 * (low + high);
    (stays_probability(sides, n, middle) >= probability ? low : high) = middle;
  }
  EcdfBand out;
  for (const Tails& t : sides) {
    std::size_t least = 0, most = n;
    while (least < n && t.low[least] <= low) ++least;
    while (most > least && t.high[most] <= low) --most;
    out.least.push_back(least);
    out.most.push_back(most);
  }
  return out;
}

double chi_square_tail(double x, double degrees) {
  const double a = degrees / 2, z = x / 2;
  if (z <= 0) return 1;
  if (z < a + 1) {  // series of the lower tail
    double term = 1 / a, sum = term;
    for (double k = a + 1; term > sum * 1e-16; ++k) sum += term *= z / k;
    return 1 - sum * std::exp(-z + a * std::log(z) - std::lgamma(a));
  }
  double b = z + 1 - a, c = 1e300, d = 1 / b, h = d;  // continued fraction of the upper one
  for (int i = 1; i < 1000; ++i) {
    const double an = -i * (i - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    h *= d * c;
    if (std::fabs(d * c - 1) < 1e-15) break;
  }
  return std::exp(-z + a * std::log(z) - std::lgamma(a)) * h;
}

bool mixed(const Vec& ess, std::size_t draws) {
  return std::ranges::all_of(ess, [&](double x) { return !std::isfinite(x) || x >= static_cast<double>(draws) / 2; });
}

namespace {

void judge(SbcQuantity& q, const SbcOptions& o) {
  const std::size_t cells = o.draws + 1, bins = std::min(o.bins, cells);
  Vec counts(bins), expected(bins);
  for (std::size_t r = 0; r < cells; ++r) expected[r * bins / cells] += static_cast<double>(q.ranks.size()) / static_cast<double>(cells);
  for (const std::size_t r : q.ranks) counts[r * bins / cells] += 1;
  double chi2 = 0;
  for (std::size_t b = 0; b < bins; ++b) chi2 += (counts[b] - expected[b]) * (counts[b] - expected[b]) / expected[b];
  q.p_chi2 = chi_square_tail(chi2, static_cast<double>(bins - 1));
  q.inside = ecdf_probability(q.ranks, o.draws) > 1 - o.band;
}

}  // namespace

void judge(SbcResult& result, const SbcOptions& options) {
  for (SbcQuantity& q : result.quantities) judge(q, options);
}

void SbcResult::add(const std::vector<SbcRow>& simulation, std::size_t draws) {
  if (quantities.empty())
    for (const SbcRow& row : simulation) quantities.push_back({pretty_name(row.quantity), {}, 1, true});
  Vec ess;
  for (std::size_t q = 0; q < simulation.size(); ++q) {
    quantities[q].ranks.push_back(simulation[q].rank);
    ess.push_back(simulation[q].ess);
  }
  not_mixed += !mixed(ess, draws);
  ++simulations;
}

std::string sbc_json(const SbcResult& r) {
  std::string out;
  JsonGroup object(out, JsonGroup::Kind::Object);
  JsonGroup quantities(object.member("quantities"), JsonGroup::Kind::Array);
  for (const SbcQuantity& q : r.quantities) {
    JsonGroup one(quantities.item(), JsonGroup::Kind::Object);
    one.member("name") += json_quote(q.name);
    one.member("ranks") += json_list(q.ranks);
    one.member("p_chi2") += json_number(q.p_chi2);
    one.member("inside") += q.inside ? "true" : "false";
    one.end();
  }
  quantities.end();
  object.member("not_mixed") += std::to_string(r.not_mixed);
  object.end();
  return out + "\n";
}

std::string sbc_text(const SbcResult& r, const SbcOptions& o) {
  static constexpr const char* kBars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::size_t width = 8;
  for (const SbcQuantity& q : r.quantities) width = std::max(width, q.name.size());
  std::string out = formatted("%-*s  %-*s  %6s  ECDF\n", static_cast<int>(width), "quantity", static_cast<int>(o.bins), "ranks", "p");
  for (const SbcQuantity& q : r.quantities) {
    Vec counts(o.bins);
    for (const std::size_t rank : q.ranks) counts[rank * o.bins / (o.draws + 1)] += 1;
    const double most = std::max(1.0, *std::ranges::max_element(counts));
    out += formatted("%-*s  ", static_cast<int>(width), q.name.c_str());
    for (const double count : counts) out += kBars[static_cast<std::size_t>(8 * count / most)];
    out += formatted("  %6.3f  %s\n", q.p_chi2, q.inside ? "inside" : "outside");
  }
  if (r.not_mixed > 0) out += formatted("%zu of %zu simulations did not mix\n", r.not_mixed, r.simulations);
  return out;
}

}  // namespace fermiac::inference
