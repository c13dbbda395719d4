// Random number generators against exact moments, quantiles and probabilities. The generator is seeded, so the outcome is
// always the same; the bounds are five to six standard errors wide.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "frontend/builtins/builtins.h"
#include "interp/functions/builtin_tools.h"
#include "interp/functions/functions.h"
#include "tests/conformance/oracle_values.h"

namespace fermiac::selfcheck::oracle {
namespace {

constexpr int kDraws = 60000;
constexpr double kWide = 5.5;

/// An argument that some signature takes as an int stays one.
bool may_be_int(const std::string& function, std::size_t arg) {
  for (const Signature& s : signatures(function))
    if (arg < s.formals.size() && s.formals[arg].type.base() == BaseType::Int) return true;
  return false;
}

Value argument(const std::string& function, std::size_t j, const Json& a) {
  if (const Json* m = a.find("cholesky_of")) {
    const Value matrix = to_value("matrix", *m);
    CallContext context;
    return LibraryFunction::find("cholesky_decompose")->apply(context, {&matrix, 1});
  }
  const Value v = guess_value(a);
  return v.is_int() && !may_be_int(function, j) ? to_reals(v) : v;
}

std::vector<double> numbers_of(const Json& c, std::string_view key) {
  const Json* found = c.find(key);
  std::vector<double> out;
  if (!found || found->kind == Json::Kind::Null) return out;
  if (found->kind != Json::Kind::Array) return {to_double(*found)};
  for (const Json& j : found->items) {
    if (j.kind != Json::Kind::Array) out.push_back(to_double(j));
    else for (const Json& k : j.items) out.push_back(to_double(k));
  }
  return out;
}

/// All draws, element after element of the result.
struct Sample {
  std::vector<std::vector<double>> elements;

  double mean(std::size_t i) const {
    double sum = 0;
    for (const double x : elements[i]) sum += x;
    return sum / static_cast<double>(elements[i].size());
  }
  double covariance(std::size_t i, std::size_t j) const {
    const double mi = mean(i), mj = mean(j);
    double sum = 0;
    for (std::size_t k = 0; k < elements[i].size(); ++k) sum += (elements[i][k] - mi) * (elements[j][k] - mj);
    return sum / static_cast<double>(elements[i].size() - 1);
  }
};

Sample draw(const std::string& function, Args args) {
  Rng rng(20261, 1);
  CallContext context{.rng = &rng};
  const LibraryFunction* builtin = LibraryFunction::find(function);
  Sample sample;
  for (int k = 0; k < kDraws; ++k) {
    const std::vector<double> x = flatten(builtin->apply(context, args));
    sample.elements.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) sample.elements[i].push_back(x[i]);
  }
  return sample;
}

std::string off(std::string_view what, std::size_t i, double ours, double theirs, double allowed) {
  if (std::abs(ours - theirs) <= allowed) return {};
  return fmt::format("{} of element {} is {:.6g}, expected {:.6g} +- {:.2g}", what, i + 1, ours, theirs, allowed);
}

/// Standard error of a mean of kDraws draws, and of the file's own mean where only that is known.
std::string check_means(const Json& c, const Sample& s, Rules& rules) {
  std::vector<double> mean = numbers_of(c, "exact_mean");
  const bool exact = c.find("exact_mean") != nullptr;  // null where there is none
  if (!exact) {
    rules.note(Rule::SampleMean);
    mean = numbers_of(c, "sample_mean");
  }
  for (std::size_t i = 0; i < std::min(mean.size(), s.elements.size()); ++i) {
    if (!std::isfinite(mean[i])) rules.note(Rule::InfiniteInFile);
    if (!std::isfinite(mean[i])) continue;
    const double se = std::sqrt(s.covariance(i, i) / kDraws) * (exact ? 1 : 1.5);
    if (auto wrong = off("mean", i, s.mean(i), mean[i], kWide * se + 1e-12); !wrong.empty()) return wrong;
  }
  return {};
}

/// The spread of a sample variance comes from the sample's own fourth moment; heavy tails are left to the quantiles.
std::string check_variances(const Json& c, const Sample& s, Rules& rules) {
  const std::vector<double> variance = numbers_of(c, "exact_var");
  if (!c.find("var_se")) {
    if (!variance.empty()) rules.note(Rule::HeavyTail);
    return {};
  }
  for (std::size_t i = 0; i < std::min(variance.size(), s.elements.size()); ++i) {
    if (!std::isfinite(variance[i])) rules.note(Rule::InfiniteInFile);
    if (!std::isfinite(variance[i])) continue;
    const double m = s.mean(i), v = s.covariance(i, i);
    double fourth = 0;
    for (const double x : s.elements[i]) fourth += std::pow(x - m, 4) / kDraws;
    const double se = std::sqrt(std::max(fourth - v * v, 0.0) / kDraws);
    if (auto wrong = off("variance", i, v, variance[i], 2 * kWide * se); !wrong.empty()) return wrong;
  }
  return {};
}

std::string check_covariances(const Json& c, const Sample& s, Rules&) {
  const std::vector<double> cov = numbers_of(c, "exact_cov");
  const std::size_t n = s.elements.size();
  if (cov.size() != n * n) return {};
  for (std::size_t k = 0; k < cov.size(); ++k) {
    const std::size_t i = k / n, j = k % n;
    const double allowed = 3 * kWide * std::sqrt((cov[i * n + i] * cov[j * n + j] + cov[k] * cov[k]) / kDraws) + 1e-12;
    if (auto wrong = off("covariance", k, s.covariance(i, j), cov[k], allowed); !wrong.empty()) return wrong;
  }
  return {};
}

/// How many draws lie below each exact quantile.
std::string check_quantiles(const Json& c, const Sample& s, Rules&) {
  const Json* quantiles = c.find("exact_quantiles");
  if (!quantiles) return {};
  for (const auto& [text, value] : quantiles->members) {
    const double p = std::stod(text), q = to_double(value);
    const auto below = std::ranges::count_if(s.elements[0], [q](double x) { return x <= q; });
    const double allowed = kWide * std::sqrt(p * (1 - p) / kDraws);
    if (auto wrong = off("probability below the quantile " + text, 0, static_cast<double>(below) / kDraws, p, allowed);
        !wrong.empty())
      return wrong;
  }
  return {};
}

std::string check_probabilities(const Json& c, const Sample& s, Rules&) {
  const Json* pmf = c.find("exact_pmf");
  if (!pmf) return {};
  std::map<double, double> counts;
  for (const double x : s.elements[0]) counts[x] += 1.0 / kDraws;
  for (const auto& [text, value] : pmf->members) {
    const double p = to_double(value);
    const double allowed = kWide * std::sqrt(p * (1 - p) / kDraws) + 3.0 / kDraws;
    if (auto wrong = off("probability of " + text, 0, counts[std::stod(text)], p, allowed); !wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace

OracleOutcome check_rng(const Json& c) {
  const std::string function = text_of(c, "fn");
  if (!LibraryFunction::find(function)) return unsupported(c, "there is no function of this name");
  try {
    std::vector<Value> args;
    const std::vector<Json>& items = member(c, "args").items;
    for (std::size_t j = 0; j < items.size(); ++j) args.push_back(argument(function, j, items[j]));
    const Sample sample = draw(function, args);
    OracleOutcome outcome = passed(c);
    for (auto check : {check_means, check_variances, check_covariances, check_quantiles, check_probabilities})
      if (std::string wrong = check(c, sample, outcome.rules); !wrong.empty()) return failed(c, wrong);
    return outcome;
  } catch (const std::exception& e) {
    return failed(c, fmt::format("raised an error: {}", e.what()));
  }
}

}  // namespace fermiac::selfcheck::oracle
