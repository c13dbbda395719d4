#include "inference/diagnostics/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "inference/diagnostics/observed_text.h"
#include "inference/math/psis.h"
#include "support/base/json.h"
#include "support/base/text.h"

namespace fermiac::inference {
namespace {

constexpr double kBelow = 0.99, kAbove = 1.01, kNotable = 0.05;

/// Normalised weights of draws under component^alpha, and the tail shape of their ratios.
Vec power_weights(const Vec& sums, double alpha, double r_eff, double* k) {
  Vec weights(sums.size());
  for (std::size_t s = 0; s < sums.size(); ++s) weights[s] = (alpha - 1) * sums[s];
  *k = psis_log_weights(weights, r_eff);
  for (double& w : weights) w = std::exp(w);
  return weights;
}

/// Of the draws in increasing order.
double one_way(const Vec& draws, const Vec& weights) {
  std::vector<std::size_t> order(draws.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return draws[i]; });
  double p = 0, q = 0, distance = 0, scale = 0;
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    p += 1 / static_cast<double>(draws.size());
    q += weights[order[i]];
    const double b = draws[order[i + 1]] - draws[order[i]];
    if (p > 0) distance += b * p * std::log2(2 * p / (p + q));
    if (q > 0) distance += b * q * std::log2(2 * q / (p + q));
    scale += b * (p + q);
  }
  return scale > 0 ? distance / scale : 0;
}

std::string diagnosis(const Vec& by_component) {
  const double likelihood = by_component.back(), prior = *std::max_element(by_component.begin(), by_component.end() - 1);
  if (prior > kNotable && likelihood > kNotable) return "prior-data conflict";
  return prior > kNotable ? "strong prior or weak likelihood" : "-";
}

}  // namespace

double cumulative_distance(const Vec& draws, const Vec& weights) {
  Vec negated(draws.size());
  for (std::size_t i = 0; i < draws.size(); ++i) negated[i] = -draws[i];
  return std::sqrt(std::max({one_way(draws, weights), one_way(negated, weights), 0.0}));
}

std::vector<Sensitivity> sensitivities(const ScaledDraws& draws) {
  std::vector<Sensitivity> out;
  for (const std::string& name : draws.names) out.push_back({name, Vec(draws.components.size()), {}});
  for (std::size_t c = 0; c < draws.components.size(); ++c) {
    double k = 0;
    const Vec below = power_weights(draws.sums[c], kBelow, draws.r_eff, &k), above = power_weights(draws.sums[c], kAbove, draws.r_eff, &k);
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i].by_component[c] = (cumulative_distance(draws.values[i], below) + cumulative_distance(draws.values[i], above)) / (std::log2(kAbove) - std::log2(kBelow));
  }
  for (Sensitivity& s : out) s.diagnosis = diagnosis(s.by_component);
  return out;
}

std::vector<Scaled> scaled(const ScaledDraws& draws, const std::vector<double>& alphas) {
  std::vector<Scaled> out;
  for (std::size_t c = 0; c < draws.components.size(); ++c)
    for (const double alpha : alphas) {
      Scaled one{draws.components[c], alpha, 0, {}, {}};
      const Vec weights = power_weights(draws.sums[c], alpha, draws.r_eff, &one.k);
      for (const Vec& x : draws.values) {
        double mean = 0, squares = 0;
        for (std::size_t s = 0; s < x.size(); ++s) mean += weights[s] * x[s];
        for (std::size_t s = 0; s < x.size(); ++s) squares += weights[s] * (x[s] - mean) * (x[s] - mean);
        one.mean.push_back(mean);
        one.sd.push_back(std::sqrt(squares));
      }
      out.push_back(std::move(one));
    }
  return out;
}

std::string sensitivity_json(const ScaledDraws& draws, const std::vector<Sensitivity>& found, const std::vector<Scaled>& powers) {
  std::string out;
  JsonGroup object(out, JsonGroup::Kind::Object);
  add_observations(object, draws.observations, draws.of_what);
  JsonGroup quantities(object.member("quantities"), JsonGroup::Kind::Array);
  for (const Sensitivity& s : found) {
    JsonGroup one(quantities.item(), JsonGroup::Kind::Object);
    one.member("name") += json_quote(s.name);
    for (std::size_t c = 0; c < draws.components.size(); ++c) one.member(draws.components[c]) += json_number(s.by_component[c]);
    one.member("diagnosis") += json_quote(s.diagnosis);
    one.end();
  }
  quantities.end();
  if (!powers.empty()) {
    JsonGroup list(object.member("scaled"), JsonGroup::Kind::Array);
    for (const Scaled& p : powers) {
      JsonGroup one(list.item(), JsonGroup::Kind::Object);
      one.member("component") += json_quote(p.component);
      one.member("alpha") += json_number(p.alpha);
      const auto by_name = [&](const char* member, const Vec& values) {
        JsonGroup group(one.member(member), JsonGroup::Kind::Object);
        for (std::size_t i = 0; i < values.size(); ++i) group.member(draws.names[i]) += json_number(values[i]);
        group.end();
      };
      by_name("mean", p.mean);
      by_name("sd", p.sd);
      one.member("k") += json_number(p.k);
      one.end();
    }
    list.end();
  }
  object.end();
  return out + "\n";
}

std::string sensitivity_text(const ScaledDraws& draws, const std::vector<Sensitivity>& found, const std::vector<Scaled>& powers) {
  std::size_t width = 4;
  for (const std::string& name : draws.names) width = std::max(width, name.size());
  std::string out = observations_line(draws.observations, draws.of_what) + formatted("%-*s", static_cast<int>(width), "");
  for (const std::string& component : draws.components) out += formatted("  %10s", component.c_str());
  out += "  diagnosis\n";
  for (const Sensitivity& s : found) {
    out += formatted("%-*s", static_cast<int>(width), s.name.c_str());
    for (const double d : s.by_component) out += formatted("  %10.3f", d);
    out += "  " + s.diagnosis + "\n";
  }
  for (const Scaled& p : powers) {
    out += formatted("\n%s to the power %g (k %.2f%s)\n", p.component.c_str(), p.alpha, p.k, p.k > 0.7 ? ", not to be trusted" : "");
    for (std::size_t i = 0; i < draws.names.size(); ++i)
      out += formatted("%-*s  mean %10.4g  sd %10.4g\n", static_cast<int>(width), draws.names[i].c_str(), p.mean[i], p.sd[i]);
  }
  return out;
}

}  // namespace fermiac::inference
