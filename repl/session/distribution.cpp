#include "repl/session/distribution.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "frontend/builtins/builtins.h"
#include "repl/session/commands.h"
#include "repl/session/plot.h"

namespace fermiac::repl {

using interp::Value;

namespace {

constexpr std::array kProbabilities{0.001, 0.005, 0.01, 0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975, 0.99, 0.995, 0.999};
constexpr int kNodes = 32;

/// Gauss-Legendre nodes and weights on (-1, 1), by Newton's method on the Legendre polynomial.
struct Quadrature {
  std::array<double, kNodes> x{}, w{};
  Quadrature() {
    for (int i = 0; i < kNodes; ++i) {
      double z = std::cos(M_PI * (i + 0.75) / (kNodes + 0.5)), slope = 1;
      for (int step = 0; step < 50; ++step) {
        double p = 1, before = 0;
        for (int k = 1; k <= kNodes; ++k) {
          const double next = ((2 * k - 1) * z * p - (k - 1) * before) / k;
          before = p;
          p = next;
        }
        slope = kNodes * (z * p - before) / (z * z - 1);
        const double move = p / slope;
        z -= move;
        if (std::fabs(move) < 1e-15) break;
      }
      x[static_cast<std::size_t>(i)] = z;
      w[static_cast<std::size_t>(i)] = 2 / ((1 - z * z) * slope * slope);
    }
  }
};

bool known_density(const Evaluator& evaluator, const std::string& name, std::string_view kind) {
  const BuiltinRow* row = find_distribution(name);
  if (row && row->kinds.find(kind) != std::string_view::npos) return true;
  return std::ranges::any_of(evaluator.functions(),
                             [&](const mir::Function& f) { return f.name == name + "_" + std::string(kind); });
}

/// The types of the arguments; errors in them are told as they would be anywhere else.
std::vector<std::string> argument_types(Evaluator& evaluator, const DistributionCall& call) {
  std::vector<std::string> types;
  for (const std::string& argument : split_arguments(call.arguments, ","))
    if (argument.find_first_not_of(" \t\n") != std::string::npos)
      types.push_back(evaluator.check(*evaluator.parse_expression(argument)).str());
  return types;
}

bool has_density_of_one_number(const Evaluator& evaluator, const std::string& density) {
  const auto scalar = [](const auto& signature) { return signature.formals.at(0).type.is_scalar(); };
  if (std::ranges::any_of(signatures(density), scalar)) return true;
  return std::ranges::any_of(evaluator.functions(), [&](const mir::Function& f) {
    return f.name == density && !f.args.empty() && f.args[0].type.is_scalar();
  });
}

bool fits(Evaluator& evaluator, ast::Expr& density) {
  try {
    return evaluator.check(density).is(BaseType::Real);
  } catch (const InputError&) {
    return false;
  }
}

/// Why there is no density with these arguments.
InputError unfit(const Evaluator& evaluator, const DistributionCall& call, const std::vector<std::string>& types) {
  if (!has_density_of_one_number(evaluator, call.name + (call.discrete ? "_lpmf" : "_lpdf")))
    return InputError(fmt::format("{} is no distribution of one number, only those are drawn; :doc {} tells more",
                               call.name, call.name));
  return InputError(fmt::format("{} does not take arguments of types ({}); :doc {} tells what it takes", call.name,
                             fmt::join(types, ", "), call.name));
}

}  // namespace

std::optional<DistributionCall> parse_distribution(Evaluator& evaluator, std::string_view text) {
  const std::size_t open = text.find('(');
  const std::size_t close = text.find_last_of(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  std::string name(text.substr(0, open));
  while (name.ends_with(' ')) name.pop_back();
  while (name.starts_with(' ')) name.erase(0, 1);
  const bool pdf = known_density(evaluator, name, "lpdf"), pmf = known_density(evaluator, name, "lpmf");
  if (!pdf && !pmf) return {};
  return DistributionCall{name, std::string(text.substr(open + 1, close - open - 1)), pmf};
}

double DistributionFacts::quantile(double p) const {
  for (const auto& [probability, value] : quantiles)
    if (probability == p) return value;
  return std::nan("");
}

Distribution::Distribution(Evaluator& evaluator, DistributionCall call)
    : evaluator_(evaluator), call_(std::move(call)) {
  const std::vector<std::string> types = argument_types(evaluator, call_);
  evaluator.set(kVariate, {call_.discrete ? BaseType::Int : BaseType::Real, call_.discrete ? Value(0) : Value(0.0)});
  const bool bare = call_.arguments.find_first_not_of(" \t\n") == std::string::npos;
  try {
    ast::ExprPtr expr = evaluator.parse_expression(fmt::format(
        "{}_{}({} {}{})", call_.name, call_.discrete ? "lpmf" : "lpdf", kVariate, bare ? "|" : "| ", call_.arguments));
    if (!fits(evaluator, *expr)) throw unfit(evaluator, call_, types);
    density_ = evaluator.prepare(evaluator.lower(std::move(expr)));
    if (call_.name == "von_mises") {
      const Typed mu = evaluator.evaluate(split_arguments(call_.arguments, ",").at(0));
      const double centre = mu.value.is_int() ? mu.value.as_int() : mu.value.as_real();
      lowest_ = centre - M_PI, highest_ = centre + M_PI;
    }
  } catch (...) {
    evaluator.forget(kVariate);
    throw;
  }
}

Distribution::~Distribution() {
  evaluator_.forget(kVariate);
}

double Distribution::log_density(double x) {
  evaluator_.poll();
  if ((call_.discrete && std::fabs(x) > 2e9) || x < lowest_ || x > highest_) return -INFINITY;
  const Value value = call_.discrete ? Value(static_cast<std::int32_t>(x)) : Value(x);
  evaluator_.set(kVariate, {call_.discrete ? BaseType::Int : BaseType::Real, value});
  try {
    const Value result = evaluator_.run(density_).result;
    return result.is_int() ? result.as_int() : result.as_real();
  } catch (const InputError&) {
    return std::nan("");
  }
}

double Distribution::density(double x) {
  const double lp = log_density(x);
  const double p = std::exp(lp);
  return std::isfinite(p) ? p : 0;  // a pole at the end of the support has no area
}

std::vector<Typed> draw(Evaluator& evaluator, const DistributionCall& call, std::size_t n) {
  ast::ExprPtr expr = evaluator.parse_expression(fmt::format("{}_rng({})", call.name, call.arguments));
  const Type type = evaluator.check(*expr);
  const Evaluator::Prepared prepared = evaluator.prepare(evaluator.lower(std::move(expr)));
  std::vector<Typed> out;
  out.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    evaluator.poll();
    out.push_back({type, evaluator.run(prepared).result});
  }
  return out;
}

Distribution::Start Distribution::start() {
  if (known_density(evaluator_, call_.name, "rng")) {
    const Rng before = evaluator_.rng();
    evaluator_.seed(1);
    struct Restore {
      Evaluator& e;
      const Rng& rng;
      ~Restore() { e.rng() = rng; }
    } const restore{evaluator_, before};
    std::vector<double> values;
    for (const Typed& t : draw(evaluator_, call_, 401)) {
      const bool scalar = t.type.is_number();
      if (!scalar)
        throw InputError(fmt::format("{} with these arguments is not a distribution of one number", call_.name));
      values.push_back(t.value.is_int() ? t.value.as_int() : t.value.as_real());
    }
    std::sort(values.begin(), values.end());
    const double spread = repl::quantile(values, .75) - repl::quantile(values, .25);
    return {repl::quantile(values, .5), spread > 0 ? spread : 1};
  }
  // No generator: the highest of a coarse set of points.
  double best = -INFINITY, at = 0;
  for (int k = -12; k <= 12; ++k)
    for (const double sign : {1.0, -1.0}) {
      const double x = sign * std::pow(2.0, k) * (call_.discrete ? 4096 : 1);
      const double lp = log_density(call_.discrete ? std::floor(x) : x);
      if (lp > best) best = lp, at = x;
    }
  if (const double lp = log_density(0); lp > best) best = lp, at = 0;
  if (!std::isfinite(best)) evaluator_.run(density_);  // tells why
  if (!std::isfinite(best)) throw InputError(fmt::format("no point was found where {} has a density", call_.name));
  return {call_.discrete ? std::floor(at) : at, std::max(std::fabs(at), 1.0) / 4};
}

DistributionFacts Distribution::explore() {
  DistributionFacts facts;
  facts.discrete = call_.discrete;
  const Start from = start();
  if (call_.discrete)
    explore_discrete(from, facts);
  else
    explore_continuous(from, facts);
  return facts;
}

// ---------------------------------------------------------------- continuous

namespace {

struct Panel {
  double low, high, mass = 0, first = 0, second = 0;  // moments about the centre
};

/// Sum over one side's panels, from the centre outwards. Nothing if the panels do not get smaller: the moment does not
/// exist.
std::optional<double> tail_sum(const std::vector<Panel>& panels, double Panel::*part, bool bounded) {
  double sum = 0;
  for (const Panel& p : panels) sum += p.*part;
  if (bounded || panels.size() < 4) return sum;
  const double last = std::fabs(panels.back().*part), before = std::fabs(panels[panels.size() - 2].*part);
  if (last <= 1e-12 * std::fabs(sum)) return sum;
  const double ratio = last / before;
  if (!(ratio < 0.98)) return {};
  return sum + panels.back().*part * ratio / (1 - ratio);  // a power law goes on like this
}

}  // namespace

namespace {

/// Bisection ends a few bits beside the end of a support, which is a round number as a rule.
double rounded(double x, double centre, double scale) {
  const double unit = 1e-9 * std::pow(10, std::floor(std::log10(std::max(std::fabs(centre), scale))));
  const double round = std::round(x / unit) * unit;
  return std::fabs(x - round) < 1e-4 * unit ? round : x;
}

}  // namespace

void Distribution::explore_continuous(Start from, DistributionFacts& facts) {
  static const Quadrature rule;
  const auto integrate = [&](Panel p) {
    const double half = (p.high - p.low) / 2, middle = p.low + half;
    for (std::size_t i = 0; i < kNodes; ++i) {
      const double x = middle + half * rule.x[i];
      const double w = half * rule.w[i] * density(x);
      p.mass += w;
      p.first += w * (x - from.centre);
      p.second += w * (x - from.centre) * (x - from.centre);
    }
    return p;
  };
  const auto defined = [&](double x) { return std::isfinite(x) && log_density(x) > -INFINITY; };
  // Panels of one side: growing from the centre; towards an end of the support, shrinking again.
  bool bounded[2] = {false, false};
  const auto side = [&](double sign, double* end) {
    std::vector<Panel> panels;
    double inner = 0, outer = from.scale / 4;
    const auto add = [&](double a, double b) {
      const double x = from.centre + sign * a, y = from.centre + sign * b;
      panels.push_back(integrate({std::min(x, y), std::max(x, y)}));
    };
    for (int k = 0; k < 200; ++k) {
      if (!defined(from.centre + sign * outer)) {
        double good = inner, bad = outer;
        for (int i = 0; i < 200 && bad - good > 1e-15 * bad; ++i) {
          const double middle = good + (bad - good) / 2;
          (defined(from.centre + sign * middle) ? good : bad) = middle;
        }
        bounded[sign > 0] = true;
        *end = rounded(from.centre + sign * good, from.centre, from.scale);
        // Halving panels, because the density may have a pole there. At 0 they can go on for long.
        double gap = std::fabs(*end - (from.centre + sign * inner));
        for (int i = 0; i < 1000 && gap > 1e-15 * std::fabs(*end); ++i, gap /= 2) {
          const double x = *end - sign * gap, y = *end - sign * gap / 2;
          panels.push_back(integrate({std::min(x, y), std::max(x, y)}));
          if (i > 60 && panels.back().mass < 1e-14) break;
        }
        return panels;
      }
      add(inner, outer);
      const Panel& last = panels.back();
      inner = outer;
      outer = k < 16 ? outer + from.scale / 4 : outer * 1.5;
      if (k > 24 && last.second <= 0) break;
    }
    *end = sign * INFINITY;
    return panels;
  };
  std::vector<Panel> left = side(-1, &facts.low), right = side(1, &facts.high);
  const auto both = [&](double Panel::*part) -> std::optional<double> {
    const auto a = tail_sum(left, part, bounded[0]), b = tail_sum(right, part, bounded[1]);
    if (!a || !b) return {};
    return *a + *b;
  };
  facts.total = both(&Panel::mass).value_or(std::nan(""));
  if (const auto first = both(&Panel::first)) facts.mean = from.centre + *first / facts.total;
  if (const auto second = both(&Panel::second); second && facts.mean) {
    const double shift = *facts.mean - from.centre;
    facts.sd = std::sqrt(std::max(0.0, *second / facts.total - shift * shift));
  }
  std::vector<Panel> panels(left.rbegin(), left.rend());
  panels.insert(panels.end(), right.begin(), right.end());
  double mass = 0, below = 0;
  for (const Panel& p : panels) mass += p.mass;
  std::size_t at = 0;
  for (const double probability : kProbabilities) {
    const double wanted = probability * mass;
    while (at + 1 < panels.size() && below + panels[at].mass < wanted) below += panels[at++].mass;
    double low = panels[at].low, high = panels[at].high;
    for (int i = 0; i < 50; ++i) {
      const double middle = low + (high - low) / 2;
      (below + integrate({panels[at].low, middle}).mass < wanted ? low : high) = middle;
    }
    facts.quantiles.emplace_back(probability, low + (high - low) / 2);
  }
}

// ---------------------------------------------------------------- discrete

void Distribution::explore_discrete(Start from, DistributionFacts& facts) {
  constexpr std::int64_t kMost = 200'000;
  const auto centre = static_cast<std::int64_t>(std::floor(from.centre));
  std::vector<std::pair<double, double>> terms;  // value, mass
  const auto side = [&](std::int64_t step, double* end) {
    double largest = 0;
    std::int64_t x = step > 0 ? centre : centre - 1;
    *end = static_cast<double>(step) * INFINITY;
    for (std::int64_t n = 0; n < kMost; ++n, x += step) {
      const double lp = log_density(static_cast<double>(x));
      if (!(lp > -INFINITY)) {
        *end = static_cast<double>(x - step);
        return true;
      }
      const double mass = std::exp(lp);
      terms.emplace_back(static_cast<double>(x), mass);
      largest = std::max(largest, mass);
      if (mass < 1e-18 * largest && n > 8) return true;
    }
    return false;
  };
  const bool left = side(-1, &facts.low), right = side(1, &facts.high), whole = left && right;
  // Far from the centre the masses vanish by rounding before the support ends; most supports end at 0.
  if (std::isinf(facts.low) && log_density(0) > -INFINITY && !(log_density(-1) > -INFINITY)) facts.low = 0;
  if (terms.empty()) {
    evaluator_.run(density_);
    throw InputError(fmt::format("no point was found where {} has mass", call_.name));
  }
  std::sort(terms.begin(), terms.end());
  double first = 0, second = 0;
  for (const auto& [x, mass] : terms) facts.total += mass, first += x * mass;
  const double mean = first / facts.total;
  for (const auto& [x, mass] : terms) second += (x - mean) * (x - mean) * mass;
  // A tail that is cut off after so many terms falls like a power; its moments are not to be had from a sum.
  if (whole) {
    facts.mean = mean;
    facts.sd = std::sqrt(second / facts.total);
  }
  double below = 0;
  std::size_t at = 0;
  for (const double probability : kProbabilities) {
    while (at + 1 < terms.size() && below + terms[at].second < probability * facts.total * (1 - 1e-12))
      below += terms[at++].second;
    facts.quantiles.emplace_back(probability, terms[at].first);
  }
}

}  // namespace fermiac::repl
