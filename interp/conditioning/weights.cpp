#include "interp/conditioning/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mir/sites/definitions.h"

namespace fermiac::interp {

std::string_view role_name(SiteRole role) {
  return role == SiteRole::Prior ? "prior" : role == SiteRole::Likelihood ? "likelihood" : "unclear";
}

namespace {

bool names(const mir::Site& site, const std::string& variable) {
  return std::ranges::any_of(site.left, [&](const mir::SiteLeft& left) { return left.names && mir::variables_moved(*left.names).contains(variable); });
}

bool at(const Pattern& pattern, SitePlace place) {
  return pattern.line == place.line && (!pattern.has_column || pattern.column == place.column);
}

[[noreturn]] void matches_nothing(const std::string& pattern) {
  throw InputError(fmt::format("no site matches '{}'", pattern));
}

}  // namespace

Weights::Weights(const Conditioning& conditioning, const NumberTable& numbers, const mir::SiteTable& sites, const SourceMap& sources)
    : context_(conditioning.context), named_(numbers.size(), std::numeric_limits<double>::quiet_NaN()), special_(numbers.size()) {
  trivial_ = context_ == ContextKind::Joint && conditioning.weights.empty();
  for (const Conditioning::Weight& weight : conditioning.weights) add(weight, numbers, sites, sources);
}

void Weights::add(const Conditioning::Weight& weight, const NumberTable& numbers, const mir::SiteTable& sites, const SourceMap& sources) {
  const Pattern pattern = read_pattern(weight.pattern);
  if (pattern.kind != Pattern::Kind::Name && weight.list)
    throw InputError(fmt::format("'{}' stands for no variable, so it takes one weight", weight.pattern));
  switch (pattern.kind) {
    case Pattern::Kind::All: all_ = {weight.values[0], true}; return;
    case Pattern::Kind::Role: role_[pattern.prior ? 0 : 1] = {weight.values[0], true}; return;
    case Pattern::Kind::Place:
      if (std::ranges::none_of(sites.sites, [&](const auto& site) { return at(pattern, sources.line_column(site->span.begin)); }))
        matches_nothing(weight.pattern);
      places_.push_back({pattern, weight.values[0]});
      return;
    case Pattern::Kind::Name: break;
  }
  const NumberTable::Variable* variable = numbers.find(pattern.name);
  if (!variable || std::ranges::none_of(sites.sites, [&](const auto& site) { return names(*site, pattern.name); }))
    matches_nothing(weight.pattern);
  const std::vector<NumberName> chosen = numbers.numbers(*variable, pattern.steps, weight.pattern);
  if (weight.list && weight.values.size() != chosen.size())
    throw InputError(fmt::format("'{}' has {} elements, but {} weight{} given", weight.pattern, chosen.size(), weight.values.size(),
                                weight.values.size() == 1 ? " is" : "s are"));
  const std::uint8_t level = pattern.is_whole() ? 1 : 2;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto number = static_cast<std::size_t>(chosen[i]);
    if (special_[number] > level) continue;
    named_[number] = weight.values[weight.list ? i : 0];
    special_[number] = level;
  }
}

double Weights::general(SiteRole role, SitePlace place, ContextKind context) const {
  for (std::size_t i = places_.size(); i-- > 0;)
    if (places_[i].pattern.has_column && at(places_[i].pattern, place)) return places_[i].weight;
  for (std::size_t i = places_.size(); i-- > 0;)
    if (at(places_[i].pattern, place)) return places_[i].weight;
  if (role != SiteRole::Unclear && role_[role == SiteRole::Likelihood].set) return role_[role == SiteRole::Likelihood].weight;
  if (all_.set) return all_.weight;
  if (context == ContextKind::Joint) return 1;
  return (context == ContextKind::Prior) == (role == SiteRole::Prior) ? 1 : 0;
}

double Weights::of(NumberName number, SiteRole role, SitePlace place, bool whole) const {
  if (number >= 0 && special_[static_cast<std::size_t>(number)] > 0) return named_[static_cast<std::size_t>(number)];
  return general(role, place, whole ? ContextKind::Joint : context_);
}

void Weights::set(NumberName number, double weight) {
  named_[static_cast<std::size_t>(number)] = weight;
  special_[static_cast<std::size_t>(number)] = 3;
  trivial_ = false;
}

}  // namespace fermiac::interp
