// What is known of a distribution besides its code: arguments with their domains, a formula, numbers to test it with.
//
// A header of this folder holds one distribution: its Law, and its code in sections that the including file switches on
// before its first include:
//   FERMIAC_LAW_LANES     density and tails on lanes, for the *_family.isa.cpp file that lists them
//   FERMIAC_LAW_SCALARS   density and tails written for doubles and duals (scalar_laws.cpp)
//   FERMIAC_LAW_DRAWS     the random draw (rng.cpp)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "autodiff/kernels/map_op.h"

namespace fermiac::ad {

struct Condition {
  Rule rule = Rule::NotNan;
  int than = 0;      // the argument that a comparing rule is about
  double bound = 0;  // of NotBelow and NotAbove
  constexpr Condition() = default;
  constexpr Condition(Rule r, int argument = 0, double b = 0) : rule(r), than(argument), bound(b) {}
};

/// What an argument must obey, in the order in which it is checked; at most two conditions.
struct Conditions {
  std::array<Condition, 2> at{};
  std::size_t count = 0;
  constexpr Conditions() = default;
  constexpr Conditions(Rule rule) : at{Condition(rule)}, count(1) {}
  constexpr Conditions(std::initializer_list<Condition> all) {
    for (const Condition& c : all) at[count++] = c;
  }
};

/// The domain holds for density, tails and draws. Where the language differs between them, an exception says so.
struct LawArgument {
  std::string_view name;         // as users write it: "sigma"
  const char* label = nullptr;   // as messages call it: "Scale parameter"
  Conditions domain;
  std::string_view range;        // numbers to test with, in the notation of sweep_arguments.cpp; empty: its default
  std::optional<Conditions> tails_domain, draws_domain;
  const char* draws_label = nullptr;

  constexpr LawArgument in_tails(Conditions c) const {
    LawArgument other = *this;
    other.tails_domain = c;
    return other;
  }
  constexpr LawArgument in_draws(Conditions c) const {
    LawArgument other = *this;
    other.draws_domain = c;
    return other;
  }
  constexpr LawArgument called_in_draws(const char* text) const {
    LawArgument other = *this;
    other.draws_label = text;
    return other;
  }
};

/// A density as a function of one operand theta or lambda, given the numbers x of all others, is
/// a log theta + b log(1 - theta) or a log lambda - b lambda; sums over observations are sums of a and b (tape/rewrite/statistics.cpp).
enum class StatisticsScale : std::uint8_t { Logit, Log };
struct StatisticsTerm {
  double a = 0, b = 0;
};
struct SufficientStatistics {
  int operand;
  StatisticsScale scale;
  bool linked;  // the operand is theta = inv_logit(p) or lambda = exp(p); else it is p
  StatisticsTerm (*term)(const double* x);
};

struct Law {
  std::string_view name;     // "normal"
  std::string_view formula;  // of the density or mass, one line
  std::span<const LawArgument> arguments;  // the outcome first
  bool counts = false;       // a mass function; its tails take any whole number
  std::span<const SufficientStatistics> statistics = {};
};

/// Null for names that are no distribution.
const Law* find_law(std::string_view name);
std::span<const Law* const> all_laws();

// ---- domain rules of functions

enum class LawPart : std::uint8_t { Density, Tails, Draw };

/// What argument j must obey in a part; a draw has no outcome, and tails take counts outside the support.
constexpr Conditions conditions_of(const Law& law, LawPart part, std::size_t j) {
  const LawArgument& a = law.arguments[j];
  if (j == 0 && (part == LawPart::Draw || (part == LawPart::Tails && law.counts))) return {};
  if (part == LawPart::Tails && a.tails_domain) return *a.tails_domain;
  if (part == LawPart::Draw && a.draws_domain) return *a.draws_domain;
  return a.domain;
}

constexpr std::size_t rule_count(const Law& law, LawPart part) {
  std::size_t n = 0;
  for (std::size_t j = 0; j < law.arguments.size(); ++j) n += conditions_of(law, part, j).count;
  return n;
}

constexpr DomainRule rule_of(const Law& law, LawPart part, std::size_t j, const Condition& c) {
  const std::size_t first = part == LawPart::Draw ? 1 : 0;
  const LawArgument& a = law.arguments[j];
  DomainRule rule{static_cast<std::uint8_t>(j - first), c.rule, a.label};
  if (part == LawPart::Draw && a.draws_label) rule.label = a.draws_label;
  if (c.rule == Rule::GreaterOrEqual || c.rule == Rule::LessOrEqual || c.rule == Rule::Less || c.rule == Rule::Greater) {
    rule.other = static_cast<std::uint8_t>(static_cast<std::size_t>(c.than) - first);
    rule.other_label = law.arguments[static_cast<std::size_t>(c.than)].label;
  }
  rule.bound = c.bound;
  return rule;
}

template <const Law& L, LawPart Part>
constexpr auto make_rules() {
  std::array<DomainRule, rule_count(L, Part)> rules{};
  std::size_t n = 0;
  for (std::size_t j = 0; j < L.arguments.size(); ++j) {
    const Conditions all = conditions_of(L, Part, j);
    for (std::size_t k = 0; k < all.count; ++k) rules[n++] = rule_of(L, Part, j, all.at[k]);
  }
  return rules;
}

template <const Law& L>
inline constexpr auto kDensityRules = make_rules<L, LawPart::Density>();
template <const Law& L>
inline constexpr auto kTailRules = make_rules<L, LawPart::Tails>();
template <const Law& L>
inline constexpr auto kDrawRules = make_rules<L, LawPart::Draw>();

}  // namespace fermiac::ad
