#include "inference/diagnostics/loo.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "inference/diagnostics/ess.h"
#include "inference/diagnostics/observed_text.h"
#include "inference/math/psis.h"
#include "inference/model/column_names.h"
#include "support/base/json.h"
#include "support/base/text.h"

namespace fermiac::inference {
namespace {

double log_sum(ConstSpan x) {
  double top = -kInf, sum = 0;
  for (const double v : x) top = std::max(top, v);
  if (!std::isfinite(top)) return top;
  for (const double v : x) sum += std::exp(v - top);
  return top + std::log(sum);
}

}  // namespace

double log_mean_exp(ConstSpan x) {
  return log_sum(x) - std::log(static_cast<double>(x.size()));
}

LogLik log_lik_columns(const ChainSet& chains) {
  LogLik out;
  out.chains = chains.rows.size();
  out.of_what = {"log_lik"};
  for (std::size_t c = 0; c < chains.names.size(); ++c) {
    if (!chains.names[c].starts_with("log_lik")) continue;
    out.observations.push_back(pretty_name(chains.names[c]));
    Vec& values = out.values.emplace_back();
    for (const Vec& part : chains.column(c)) values.insert(values.end(), part.begin(), part.end());
  }
  return out;
}

double relative_efficiency(const Vec& log_lik, std::size_t chains) {
  const std::size_t each = log_lik.size() / chains;
  const double top = *std::ranges::max_element(log_lik);
  ChainVecs parts(chains);
  for (std::size_t c = 0; c < chains; ++c)
    for (std::size_t i = 0; i < each; ++i) parts[c].push_back(std::exp(log_lik[c * each + i] - top));
  const double ess = ess_mean(parts);
  return std::isfinite(ess) && ess > 0 ? ess / static_cast<double>(log_lik.size()) : 1;
}

LooPoint importance_point(const Vec& log_lik, Vec log_ratios, double r_eff) {
  LooPoint out{};
  Vec& weights = log_ratios;
  out.k = psis_log_weights(weights, r_eff);
  Vec weighted(weights.size());
  add(weights, log_lik, weighted);
  out.elpd = log_sum(weighted);
  double variance = 0;
  for (std::size_t s = 0; s < weights.size(); ++s) variance += std::exp(2 * weights[s]) * std::pow(std::expm1(log_lik[s] - out.elpd), 2);
  out.mcse = std::sqrt(variance / r_eff);
  return out;
}

LooPoint average_point(const Vec& log_lik, std::size_t chains) {
  const double elpd = log_mean_exp(log_lik), r_eff = relative_efficiency(log_lik, chains), n = static_cast<double>(log_lik.size());
  double squares = 0;
  for (const double x : log_lik) squares += std::pow(std::expm1(x - elpd), 2);
  Vec weights = log_lik;
  const double k = psis_log_weights(weights, r_eff);
  return {elpd, k, std::sqrt(squares / (n - 1) / (n * r_eff))};
}

double CrossValidation::elpd() const {
  double sum = 0;
  for (const Point& p : points) sum += p.elpd;
  return sum;
}

double CrossValidation::p() const {
  double sum = 0;
  for (const Point& point : points) sum += point.p;
  return sum;
}

double CrossValidation::se() const {
  const auto n = static_cast<double>(points.size());
  const double mean = elpd() / n;
  double squares = 0;
  for (const Point& p : points) squares += (p.elpd - mean) * (p.elpd - mean);
  return std::sqrt(n * squares / (n - 1));
}

std::vector<std::size_t> CrossValidation::bad() const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!(points[i].k <= limit)) out.push_back(i);
  return out;
}

CrossValidation psis_loo(const LogLik& log_lik, std::optional<double> r_eff, std::optional<double> k_threshold) {
  CrossValidation out;
  out.kind = "loo";
  out.of_what = log_lik.of_what;
  out.limit = k_threshold ? *k_threshold : std::min(1 - 1 / std::log10(static_cast<double>(log_lik.draws())), 0.7);
  for (std::size_t i = 0; i < log_lik.values.size(); ++i) {
    const Vec& x = log_lik.values[i];
    Vec ratios(x.size());
    std::ranges::transform(x, ratios.begin(), std::negate());
    const LooPoint p = importance_point(x, std::move(ratios), r_eff ? *r_eff : relative_efficiency(x, log_lik.chains));
    out.points.push_back({.observation = log_lik.observations[i], .elpd = p.elpd, .k = p.k, .mcse = p.mcse, .p = log_mean_exp(x) - p.elpd});
  }
  return out;
}

CrossValidation waic(const LogLik& log_lik) {
  CrossValidation out;
  out.kind = "waic";
  out.of_what = log_lik.of_what;
  out.limit = kInf;
  for (std::size_t i = 0; i < log_lik.values.size(); ++i) {
    const Vec& x = log_lik.values[i];
    double mean = 0, squares = 0;
    for (const double v : x) mean += v / static_cast<double>(x.size());
    for (const double v : x) squares += (v - mean) * (v - mean);
    CrossValidation::Point point;
    point.observation = log_lik.observations[i];
    point.p = squares / static_cast<double>(x.size() - 1);
    point.elpd = log_mean_exp(x) - point.p;
    out.points.push_back(point);
  }
  return out;
}

Status log_lik_at(const ObservedModel& observed, const std::vector<Vec>& points, std::size_t chains, LogLik* out) {
  if (points.size() < 2) return Status::failed("there are too few draws");
  *out = {observed.observations(), std::vector<Vec>(observed.observations().size()), chains, observed.of_what(), points};
  Vec row(observed.observations().size());
  for (const Vec& theta : points) {
    if (const EvalStatus status = observed.pointwise(theta, row); !status) return Status::failed(status.message);
    for (std::size_t i = 0; i < row.size(); ++i) out->values[i].push_back(row[i]);
  }
  return {};
}

std::string cross_validation_json(const CrossValidation& r) {
  std::string out;
  JsonGroup object(out, JsonGroup::Kind::Object);
  add_observations(object, r.points.size(), r.of_what);
  object.member("elpd_" + r.kind) += json_number(r.elpd());
  object.member("se") += json_number(r.se());
  if (r.kind != "kfold") object.member("p_" + r.kind) += json_number(r.p());
  object.member(r.kind == "kfold" ? "kfoldic" : r.kind == "waic" ? "waic" : "looic") += json_number(-2 * r.elpd());
  if (r.kind == "loo") {
    JsonGroup bad(object.member("bad"), JsonGroup::Kind::Array);
    for (const std::size_t i : r.bad()) bad.item() += json_quote(r.points[i].observation);
    bad.end();
  }
  if (!r.refitted.empty()) object.member("refitted") += json_list(r.refitted);
  if (!r.matched.empty()) object.member("matched") += json_list(r.matched);
  JsonGroup points(object.member("pointwise"), JsonGroup::Kind::Array);
  for (const CrossValidation::Point& p : r.points) {
    JsonGroup point(points.item(), JsonGroup::Kind::Object);
    point.member("observation") += json_quote(p.observation);
    point.member("elpd") += json_number(p.elpd);
    if (r.kind == "loo") {
      point.member("k") += json_number(p.k);
      point.member("mcse") += json_number(p.mcse);
    }
    point.end();
  }
  points.end();
  object.end();
  return out + "\n";
}

namespace {

/// Tail shapes as a picture: a dot for each observation between 0 and 1, the limit as a bar.
std::string shapes_picture(const CrossValidation& r) {
  constexpr std::size_t kWidth = 40;
  std::size_t width = 0;
  for (const CrossValidation::Point& p : r.points) width = std::max(width, p.observation.size());
  std::string out;
  for (const CrossValidation::Point& p : r.points) {
    std::string line(kWidth + 1, ' ');
    const auto at = [&](double k) { return static_cast<std::size_t>(std::clamp(k, 0.0, 1.0) * kWidth); };
    line[at(r.limit)] = '|';
    line[at(p.k)] = p.k > r.limit ? '#' : 'o';
    while (line.ends_with(' ')) line.pop_back();
    out += formatted("  %-*s %6.2f  %s\n", static_cast<int>(width), p.observation.c_str(), p.k, line.c_str());
  }
  return out;
}

/// What the shapes say, and what helps where some are bad.
std::string shapes_line(const CrossValidation& r, const std::vector<std::size_t>& bad) {
  if (bad.empty()) return formatted("all %zu shapes are at most %.2f\n", r.points.size(), r.limit);
  const std::string above = formatted("%zu of %zu shapes are above %.2f: ", bad.size(), r.points.size(), r.limit);
  if (r.refitted.empty()) return above + "--moment-match moves the draws, --reloo refits the model without these observations\n";
  return above + "even without the observation, a few draws make up the average; raise --samples\n";
}

}  // namespace

std::string cross_validation_text(const CrossValidation& r) {
  constexpr std::size_t kMostShown = 40;
  std::string out = observations_line(r.points.size(), r.of_what);
  const std::string se = r.points.size() > 1 ? formatted("se %.2f", r.se()) : "one observation has no se";
  out += formatted("elpd_%s %10.2f  (%s)\n", r.kind.c_str(), r.elpd(), se.c_str());
  if (r.kind != "kfold") out += formatted("p_%-7s %10.2f\n", r.kind.c_str(), r.p());
  if (r.kind != "loo") return out;
  out += formatted("looic     %10.2f\n", -2 * r.elpd());
  const std::vector<std::size_t> bad = r.bad();
  if (r.points.size() <= kMostShown) out += "\ntail shapes k, | where they begin to be bad\n" + shapes_picture(r);
  out += "\n" + shapes_line(r, bad);
  for (const std::string& name : r.matched) out += "draws moved for " + name + "\n";
  for (const std::string& name : r.refitted) out += "sampled again without " + name + "\n";
  return out;
}

}  // namespace fermiac::inference
