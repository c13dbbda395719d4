#include "interp/conditioning/conditioned.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "interp/value/numbers.h"
#include "interp/value/selection.h"
#include "support/base/errors.h"
#include "support/base/render.h"

namespace fermiac::interp {
namespace {

constexpr const char* kGiven = "the value given";

/// The numbers that a name stands for, as the JSON has them: one, or a list of as many.
std::vector<double> numbers_of(const std::string& name, const std::string& json, std::size_t count, bool ints) {
  const bool one = count == 1 && !json.starts_with('[');
  ExpectedType type{.base = ints ? BaseType::Int : BaseType::Real, .array_dims = {}, .slots = {}};
  if (!one) type.array_dims = {static_cast<std::uint32_t>(count)};
  const Value value = DataSource::parse("{\"x\": " + json + "}", fmt::format("{} of {}", kGiven, name)).read("x", type);
  if (value.kind() == Value::Kind::Int) return {static_cast<double>(value.as_int())};
  if (value.kind() == Value::Kind::Real) return {value.as_real()};
  if (value.kind() == Value::Kind::Ints) return {value.int_data().begin(), value.int_data().end()};
  return {value.real_data().data(), value.real_data().data() + value.real_data().size()};
}

Value whole_value(const std::string& name, const std::string& json, const ExpectedType& type) {
  return DataSource::parse("{\"" + name + "\": " + json + "}", std::string(kGiven)).read(name, type);
}

/// All of it is missing.
Value nothing_of(const std::string& variable, const ExpectedType& type, MissingNumbers* missing) {
  return DataSource::parse("{\"" + variable + "\": null}", "data").read(variable, type, missing);
}

NumberTable table_of(const std::string& name, const ExpectedType& type) {
  NumberTable table;
  Type t = type.base;
  table.add({NumberTable::Kind::Data, name, t}, type);
  return table;
}

/// Offsets in the layout of the value.
std::vector<std::uint32_t> offsets_of(const Pattern& pattern, const std::string& text, const ExpectedType& type) {
  const NumberTable table = table_of(pattern.name, type);
  if (!pattern.is_whole() && !table.variables()[0].is_plain()) NumberTable::refuse_part(table.variables()[0]);
  std::vector<std::uint32_t> out;
  for (const NumberName n : table.numbers(table.variables()[0], pattern.steps, text)) out.push_back(static_cast<std::uint32_t>(n));
  return out;
}

}  // namespace

// ---------------------------------------------------------------- data

DataChanges::DataChanges(const Conditioning& conditioning) : conditioning_(conditioning) {}

Value DataChanges::read(const DataSource& data, const std::string& variable, const ExpectedType& type) {
  MissingNumbers missing{.nan_too = conditioning_.nan_is_missing, .offsets = {}};
  Value value;
  if (std::ranges::find(conditioning_.drawn, variable) != conditioning_.drawn.end()) {
    if (data.has(variable)) return data.read(variable, type, &missing);
    return nothing_of(variable, type, &missing);
  }
  bool replaced = false;
  for (const auto* list : {&conditioning_.fix, &conditioning_.condition})
    for (const Conditioning::Given& given : *list)
      if (given.name == variable) value = whole_value(variable, given.value, type), replaced = true;
  const auto all_missing = [&](const std::string& text) { return read_pattern(text).name == variable && read_pattern(text).is_whole(); };
  const bool absent = !data.has(variable) && std::ranges::any_of(conditioning_.missing, all_missing);
  if (!replaced) value = absent ? nothing_of(variable, type, &missing) : data.read(variable, type, &missing);
  std::set<std::uint32_t> unknown(missing.offsets.begin(), missing.offsets.end());
  for (const auto* list : {&conditioning_.fix, &conditioning_.condition})
    for (const Conditioning::Given& given : *list) {
      const Pattern pattern = read_pattern(given.name);
      if (pattern.name != variable || pattern.is_whole()) continue;
      const std::vector<std::uint32_t> at = offsets_of(pattern, given.name, type);
      const std::vector<double> x = numbers_of(given.name, given.value, at.size(), type.base == BaseType::Int);
      for (std::size_t i = 0; i < at.size(); ++i) put_number(value, at[i], x[i]), unknown.erase(at[i]);
    }
  for (const std::string& text : conditioning_.missing) {
    const Pattern pattern = read_pattern(text);
    if (pattern.name != variable) continue;
    for (const std::uint32_t at : offsets_of(pattern, text, type)) unknown.insert(at);
  }
  if (!unknown.empty()) missing_[variable].assign(unknown.begin(), unknown.end());
  return value;
}

// ---------------------------------------------------------------- structures

std::string structure_name(mir::TransformKind kind) {
  using Kind = mir::TransformKind;
  switch (kind) {
    case Kind::Ordered: return "ordered vector";
    case Kind::PositiveOrdered: return "positive ordered vector";
    case Kind::Simplex: return "simplex";
    case Kind::UnitVector: return "unit vector";
    case Kind::SumToZeroVector: return "sum to zero vector";
    case Kind::SumToZeroMatrix: return "sum to zero matrix";
    case Kind::CholeskyCorr: return "Cholesky factor of a correlation matrix";
    case Kind::CholeskyCov: return "Cholesky factor of a covariance matrix";
    case Kind::Correlation: return "correlation matrix";
    case Kind::Covariance: return "covariance matrix";
    case Kind::StochasticColumn:
    case Kind::StochasticRow: return "stochastic matrix";
    default: return {};
  }
}

// ---------------------------------------------------------------- states

Conditioned::Conditioned(const Conditioning& conditioning, const mir::SiteTable& sites, const SourceMap& sources, NumberTable numbers,
                         const DataChanges& changes, const std::vector<ConditionedVariable>& variables)
    : sites_(sites), sources_(sources), numbers_(std::move(numbers)), states_(numbers_.size(), NumberState::Observed),
      max_table_(conditioning.max_table), weights_(conditioning, numbers_, sites, sources) {
  for (const NumberTable::Variable& v : numbers_.variables())
    if (v.kind == NumberTable::Kind::Parameter && v.has_names)
      for (const NumberName n : numbers_.numbers(v)) states_[static_cast<std::size_t>(n)] = NumberState::Free;
  for (const auto& [place, role] : conditioning.roles) {
    const Pattern pattern = read_pattern(place);
    const bool known = role == "prior" || role == "likelihood";
    const bool found = pattern.kind == Pattern::Kind::Place && std::ranges::any_of(sites.sites, [&](const auto& site) {
      return sources.line_column(site->span.begin).line == pattern.line;
    });
    if (!known) throw InputError(fmt::format("'{}' is no role; there are prior and likelihood", role));
    if (!found) throw InputError(fmt::format("no site matches '{}'", place));
    roles_[pattern.line] = role == "prior" ? SiteRole::Prior : SiteRole::Likelihood;
  }
  for (const std::string& text : conditioning.missing) {  // reading the data did the rest
    const std::string name = read_pattern(text).name;
    const NumberTable::Variable* named = numbers_.find(name);
    if (!named || named->kind != NumberTable::Kind::Data) throw InputError(fmt::format("the program has no data variable '{}' that could be missing", name));
  }
  hold(conditioning, changes, variables);
  for (const NumberTable::Variable& v : numbers_.variables())
    for (NumberName n = v.first; n < v.first + static_cast<NumberName>(v.count); ++n) {
      any_fixed_ |= state(n) == NumberState::Fixed;
      any_missing_ |= v.kind == NumberTable::Kind::Data && state(n) == NumberState::Free;
    }
}

void Conditioned::give(const Conditioning::Given& given, NumberState state, const std::vector<ConditionedVariable>& variables,
                       std::vector<std::shared_ptr<HeldNumbers>>& held) {
  const Pattern pattern = read_pattern(given.name);
  const NumberTable::Variable* named = numbers_.find(pattern.name);
  if (!named || named->kind == NumberTable::Kind::TransformedData)
    throw InputError(fmt::format("the program has no data variable or parameter '{}'", pattern.name));
  if (!pattern.is_whole() && !named->is_plain()) NumberTable::refuse_part(*named);
  const std::vector<NumberName> chosen = pattern.is_whole() ? numbers_.numbers(*named) : numbers_.numbers(*named, pattern.steps, given.name);
  for (const NumberName n : chosen) set_state(n, state);
  const auto at = std::ranges::find(variables, pattern.name, &ConditionedVariable::name);
  if (at == variables.end() || at->data) return;  // reading the data did the rest
  const auto position = static_cast<std::size_t>(at - variables.begin());
  if (!at->elementwise && !pattern.is_whole())
    throw InputError(fmt::format("{} cannot be held alone: {} is a {}", given.name, pattern.name, at->structure));
  std::shared_ptr<HeldNumbers>& mine = held[position];
  if (pattern.is_whole()) {
    mine = std::make_shared<HeldNumbers>(HeldNumbers{whole_value(pattern.name, given.value, at->type), {}});
    return;
  }
  if (!mine) {
    mine = std::make_shared<HeldNumbers>();
    mine->value = at->type.shape().is_scalar() ? Value(0.0) : Value::reals(at->type.shape(), std::numeric_limits<double>::quiet_NaN());
    for (const NumberName n : numbers_.numbers(*named)) mine->free.push_back(static_cast<std::uint32_t>(n - named->first));
  }
  const std::vector<double> x = numbers_of(given.name, given.value, chosen.size(), named->is_int);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto offset = static_cast<std::uint32_t>(chosen[i] - named->first);
    put_number(mine->value, offset, x[i]);
    std::erase(mine->free, offset);
  }
}

void Conditioned::hold(const Conditioning& conditioning, const DataChanges& changes, const std::vector<ConditionedVariable>& variables) {
  std::vector<std::shared_ptr<HeldNumbers>> held(variables.size());
  std::set<NumberName> sampled;
  for (const std::string& text : conditioning.sampled) {
    const Pattern pattern = read_pattern(text);
    const NumberTable::Variable* v = pattern.kind == Pattern::Kind::Name ? numbers_.find(pattern.name) : nullptr;
    if (!v || !v->is_int) continue;  // who samples it says so
    for (const NumberName n : numbers_.numbers(*v, pattern.steps, text)) sampled.insert(n);
  }
  const auto is_sampled = [&](NumberName n) { return sampled.contains(n); };
  for (const Conditioning::Given& given : conditioning.condition) give(given, NumberState::Observed, variables, held);
  for (const Conditioning::Given& given : conditioning.fix) give(given, NumberState::Fixed, variables, held);
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const ConditionedVariable& v = variables[k];
    if (!v.data) continue;
    const NumberTable::Variable* named = numbers_.find(v.name);
    const auto found = changes.missing().find(v.name);
    auto mine = std::make_shared<HeldNumbers>(HeldNumbers{*v.data, {}});
    const std::set<std::uint32_t> missing = found == changes.missing().end() ? std::set<std::uint32_t>{} : std::set<std::uint32_t>(found->second.begin(), found->second.end());
    if (!v.elementwise && !missing.empty()) {
      const std::size_t all = named->count;
      if (missing.size() != all) {
        const NumberName first = named->first + *missing.begin();
        throw InputError(fmt::format("{} is missing, but {} is a {}: give all of it or none", numbers_.text({&first, 1}), v.name, v.structure));
      }
      for (const std::uint32_t offset : missing) set_state(named->first + offset, NumberState::Free);
      continue;  // all of it is free, by its transformation
    }
    for (const NumberName n : numbers_.numbers(*named)) {
      const auto offset = static_cast<std::uint32_t>(n - named->first);
      if (!missing.contains(offset)) continue;
      (named->is_int ? mine->drawn : mine->free).push_back(offset);
      set_state(n, named->is_int ? NumberState::Summed : NumberState::Free);
      if (named->is_int) (is_sampled(n) ? sampled_ : unknowns_).push_back({.number = n, .position = k, .offset = offset, .declared = "int"});
    }
    held[k] = std::move(mine);
  }
  for (const auto& one : held) {
    own_held_.push_back(one);
    held_.push_back(one.get());
  }
}

namespace {

void bound(UnknownInt& unknown, double low, double high) {
  std::vector<std::string> bounds;
  if (std::isfinite(low)) bounds.push_back(fmt::format("lower={}", low));
  if (std::isfinite(high)) bounds.push_back(fmt::format("upper={}", high));
  if (!bounds.empty()) unknown.declared = fmt::format("int<{}>", fmt::join(bounds, ", "));
  unknown.bounded = bounds.size() == 2;
  unknown.rises = std::isfinite(low) && !unknown.bounded;
  unknown.falls = std::isfinite(high) && !unknown.bounded;
  if (!bounds.empty()) unknown.low = static_cast<std::int32_t>(std::isfinite(low) ? low : high);
  if (unknown.bounded) unknown.high = static_cast<std::int32_t>(high);
}

}  // namespace

void Conditioned::put_sampled(std::size_t i, std::int32_t value) {
  const UnknownInt& u = sampled_[i];
  auto held = std::make_shared<HeldNumbers>(*own_held_[u.position]);
  put_number(held->value, u.offset, value);
  own_held_[u.position] = std::move(held);
  held_[u.position] = own_held_[u.position].get();
}

void Conditioned::set_unknown_bounds(std::size_t position, const std::vector<double>& lower, const std::vector<double>& upper) {
  auto held = std::make_shared<HeldNumbers>(*own_held_[position]);
  for (auto* list : {&unknowns_, &sampled_})
    for (UnknownInt& unknown : *list) {
      if (unknown.position != position) continue;
      bound(unknown, lower[lower.size() == 1 ? 0 : unknown.offset], upper[upper.size() == 1 ? 0 : unknown.offset]);
      put_number(held->value, unknown.offset, unknown.low);
    }
  own_held_[position] = std::move(held);
  held_[position] = own_held_[position].get();
}

void Conditioned::set_held(std::size_t position, Value value) {
  own_held_[position] = std::make_shared<HeldNumbers>(HeldNumbers{std::move(value), {}});
  held_[position] = own_held_[position].get();
}

// ---------------------------------------------------------------- roles and weights

std::string Conditioned::place_text(const mir::Site& site) const {
  return " (in " + location_text(sources_, site.span) + ")";
}

SiteRole Conditioned::role(const mir::Site& site, std::span<const NumberName> names) const {
  const bool any = std::ranges::any_of(names, [](NumberName n) { return n >= 0; });
  for (const NumberName n : names)
    if (n >= 0 && state(n) == NumberState::Observed) return SiteRole::Likelihood;
  const bool computed = std::ranges::find(names, NumberName{kComputedName}) != names.end();
  if (site.kind != mir::SiteKind::Term && any) return SiteRole::Prior;
  const bool derived = site.kind != mir::SiteKind::Term && computed;
  if (any && !derived) return SiteRole::Prior;
  if (site.kind == mir::SiteKind::Term || derived)
    if (const auto given = roles_.find(place(site).line); given != roles_.end()) return given->second;
  const std::set<std::string>* from = derived ? &site.left[0].from : nullptr;
  const auto is_data = [&](const std::string& name) { return sites_.is_data(name); };
  if (derived) return from->empty() || std::ranges::any_of(*from, is_data) ? SiteRole::Likelihood : SiteRole::Prior;
  if (site.kind != mir::SiteKind::Term) return SiteRole::Likelihood;  // constants
  return sites_.reads_data(site) ? SiteRole::Unclear : SiteRole::Prior;
}

namespace {

}  // namespace

std::string Conditioned::unclear_text(const mir::Site& site) const {
  std::set<std::string> data;
  for (const auto* names : {&site.reads, &site.tests, &site.bounds})
    for (const std::string& name : *names)
      if (sites_.is_data(name) && (names != &site.bounds || sites_.modeled.contains(name))) data.insert(name);
  const std::uint32_t line = place(site).line;
  return fmt::format("this term names no distribution, but depends on {}; say --role '@{}=likelihood' or --role '@{}=prior'",
                     name_list({data.begin(), data.end()}), line, line);
}

double Conditioned::weight(const mir::Site& site, std::span<const NumberName> names, bool whole) const {
  const SiteRole r = role(site, names);
  const SitePlace at = place(site);
  if (r == SiteRole::Unclear && weights_.needs_roles()) throw ad::FatalError(unclear_text(site));
  std::optional<double> out;
  NumberName first = kComputedName;
  bool fixed = true, any = false;
  for (const NumberName n : names) {
    if (n < 0) continue;
    any = true;
    fixed &= state(n) == NumberState::Fixed;
    const double own = weights_.of(n, r, at, whole);
    if (out && *out != own) {
      const NumberName two[] = {first, n};
      const char* what = site.kind == mir::SiteKind::Term ? "one term" : "one distribution";
      std::vector<std::string> all;
      for (const NumberName& k : names)
        if (k >= 0) all.push_back(numbers_.text({&k, 1}));
      throw ad::FatalError(fmt::format("the weights of {} and {} differ, but this is {} for {}", numbers_.text({&two[0], 1}),
                                       numbers_.text({&two[1], 1}), what, name_list(all)));
    }
    out = own;
    first = n;
  }
  if (any && fixed && site.kind != mir::SiteKind::Term) return 0;
  return out ? *out : weights_.of(kComputedName, r, at, whole);
}

std::optional<double> Conditioned::common_weight(const SiteCall& call) const {
  const mir::Site& site = call.site();
  const std::span<const NumberName> names = call.all_names();
  if (site.part ? false : site.kind == mir::SiteKind::Term || names.empty()) return weight(site, names);
  std::optional<double> out;
  for (const NumberName& n : names) {
    const double own = weight(site, {&n, 1});
    if (out && *out != own) return std::nullopt;
    out = own;
  }
  return out ? out : weight(site, names);
}

}  // namespace fermiac::interp
