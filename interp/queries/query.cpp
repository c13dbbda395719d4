#include "interp/queries/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "inference/diagnostics/ess.h"
#include "interp/model/conditioned_model.h"
#include "interp/queries/declared_bounds.h"
#include "interp/queries/enumerating.h"
#include "interp/value/numbers.h"
#include "support/base/errors.h"
#include "support/base/json.h"
#include "support/base/json_tree.h"
#include "support/base/render.h"
#include "support/base/rng.h"

namespace fermiac::interp {

// ---------------------------------------------------------------- numbers

std::unique_ptr<ConditionedModel> Questioner::conditioned_on(const Query& query, const std::map<std::string, std::string>& further) const {
  Conditioning conditioning = conditioning_;
  for (const QueryItem& given : query.given)
    if (given.relation != Relation::Equal) throw InputError(fmt::format("the probability given {} is an integral; --draws FILES estimates it", text_of(given)));
  for (const auto* list : {&query.events, &query.given})
    for (const QueryItem& item : *list) {
      if (!item.is_element) throw InputError(fmt::format("{} is not a number of the program, but an expression: its probability is an integral; --draws FILES estimates it", item.name));
      if (item.relation != Relation::Equal) conditioning.lifted.push_back(read_pattern(item.name).name);
      else if (!item.value.empty()) conditioning.condition.push_back({item.name, item.value});
    }
  for (const auto& [name, value] : further) conditioning.condition.push_back({name, value});
  return condition(plain_, data_, conditioning);
}

namespace {

using Numbers = std::vector<NumberName>;

Numbers numbers_of(const NumberTable& table, const QueryItem& item) {
  const Pattern pattern = read_pattern(item.name);
  const NumberTable::Variable* v = pattern.kind == Pattern::Kind::Name ? table.find(pattern.name) : nullptr;
  if (!v) throw InputError(fmt::format("the program has no data variable or parameter '{}'", pattern.name));
  return table.numbers(*v, pattern.steps, item.name);
}

/// Lists that elements of a site share are kept once: they may be long.
using Reads = std::shared_ptr<const Numbers>;

/// What is asked of a number: its density, or an interval.
struct Asked {
  Relation relation = Relation::Equal;
  double value = 0;  // of intervals
  bool is_interval() const { return relation != Relation::Equal; }
};
using AskedNumbers = std::map<NumberName, Asked>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNothingCut = -1e-12;  // log probability of bounds that leave all of a distribution

/// The values of an interval's end: one for all numbers, or one for each in a list.
std::vector<double> ends_of(const QueryItem& item, std::size_t count) {
  JsonValue json;
  std::vector<double> out;
  std::vector<std::size_t> shape;
  const bool numbers = parse_json(item.value, &json) && json_numbers(json, &out, &shape);
  if (numbers && shape.empty()) out.assign(count, out.at(0));
  if (!numbers || out.size() != count || shape.size() > 1)
    throw InputError(fmt::format("{} has {} number{}, but its value is {}", item.name, count, count == 1 ? "" : "s", item.value));
  return out;
}

AskedNumbers asked_of(const NumberTable& table, const Query& query) {
  AskedNumbers out;
  for (const QueryItem& event : query.events) {
    const Numbers numbers = numbers_of(table, event);
    const std::vector<double> ends = event.relation == Relation::Equal ? std::vector<double>(numbers.size()) : ends_of(event, numbers.size());
    for (std::size_t k = 0; k < numbers.size(); ++k)
      if (!out.try_emplace(numbers[k], Asked{event.relation, ends[k]}).second)
        throw InputError(fmt::format("{} is asked for twice", table.text({&numbers[k], 1})));
  }
  return out;
}

/// What a number may be, of `!=` what it may not.
Interval interval_of(const Asked& asked, bool ints) {
  const double v = asked.value;
  switch (asked.relation) {
    case Relation::Less: return {-kInfinity, ints ? std::ceil(v) - 1 : v};
    case Relation::AtMost: return {-kInfinity, v};
    case Relation::Above: return {ints ? std::floor(v) + 1 : v, kInfinity};
    case Relation::AtLeast: return {v, kInfinity};
    default: return ints && v != std::floor(v) ? Interval{kInfinity, -kInfinity} : Interval{v, v};
  }
}

/// What one run of the density says of the numbers asked for.
class Asking final : public EnumeratingHandler {
 public:
  Asking(const ConditionedModel& model, const AskedNumbers& asked, bool parameters_known, bool normalized)
      : c_(model.conditioned()), bounds_(model), asked_(asked), parameters_known_(parameters_known), normalized_(normalized) {}

  bool asks(std::span<const NumberName> names) const {
    return std::ranges::any_of(names, [&](NumberName n) { return asked_.contains(n); });
  }

  void visit(const SiteNode& node, Frame& f) override {
    SiteCall call(node, f);
    frame_ = &f;
    if (Enumeration* enumeration = enumeration_of(call.site())) {
      const std::vector<std::uint32_t> others = enumeration->take(call, f);
      const Reads shared = shared_reads(call);
      for (const std::uint32_t i : others) element(call, i, shared);
      for (std::size_t i = 0; i < call.size(); ++i)
        if (!std::ranges::binary_search(others, static_cast<std::uint32_t>(i)))
          if (const NumberName* first = follow(call, i, shared)) require_density(*first);
      return;
    }
    const bool named = std::ranges::any_of(call.all_names(), [&](NumberName n) { return asked_.contains(n); });
    if (!named && !details) return;
    call.evaluate();
    const Reads shared = shared_reads(call);
    for (std::size_t i = 0; i < call.size(); ++i) element(call, i, shared);
    if (!named && masses_wanted) note_masses(call);
  }

  double logprob = 0;
  bool masses_wanted = false;                             // of the bounds of what is not asked for
  std::map<NumberName, double> masses;                    // their logs
  std::set<std::string> cut;                              // variables whose density the bounds cut
  bool details = true;                                    // the graph is built too
  std::set<NumberName> found;                             // of the numbers asked for
  std::map<NumberName, std::vector<Reads>> parents;       // what the distribution of a number depends on
  std::set<Reads> in_terms;                               // read by terms

 protected:
  /// Unknown ints that what is asked for depends on are summed out.
  void components(const std::vector<ComponentSum>& sums) override {
    for (const ComponentSum& sum : sums)
      if (!sum.observed.empty()) logprob += log_sum_of(sum.joint);
  }

 private:
  Reads shared_reads(SiteCall& call) const {
    Numbers out;
    if (details) call.each_shared_read([&](NumberName n, bool) { out.push_back(n); });
    return std::make_shared<const Numbers>(std::move(out));
  }
  Reads own_reads(SiteCall& call, std::size_t i) const {
    Numbers out;
    if (details) call.each_own_read(i, [&](NumberName n, bool) { out.push_back(n); });
    return std::make_shared<const Numbers>(std::move(out));
  }

  /// What the element depends on, and what of it is asked for; null: nothing.
  const NumberName* follow(SiteCall& call, std::size_t i, const Reads& shared) {
    const std::span<const NumberName> names = call.names(i);
    const Reads own = own_reads(call, i);
    const bool term = call.site().kind == mir::SiteKind::Term;
    if (term) in_terms.insert({shared, own});
    const auto first = std::ranges::find_if(names, [&](NumberName n) { return asked_.contains(n); });
    for (const NumberName n : names) {
      if (n < 0) continue;
      if (!term) parents[n].insert(parents[n].end(), {shared, own});
      if (first != names.end()) found.insert(n);
    }
    if (first == names.end()) return nullptr;
    require_all(*own, *first);
    if (shared != required_) require_all(*shared, *first);
    required_ = shared;
    for (const NumberName& n : names)
      if (n >= 0) require(n, *first);
    return &*first;
  }
  void require_all(const Numbers& reads, NumberName by) const {
    for (const NumberName n : reads) require(n, by);
  }

  void element(SiteCall& call, std::size_t i, const Reads& shared) {
    const NumberName* first = follow(call, i, shared);
    if (!first) return;
    const Asked& asked = asked_.at(*first);
    if (asked.is_interval()) logprob += interval(call, i, *first, asked);
    else logprob += call.log_density(i) - cut_off(call, i, *first);
  }

  // ---- intervals

  double interval(SiteCall& call, std::size_t i, NumberName n, const Asked& asked) {
    const std::string one = text(n);
    if (call.names(i).size() != 1) throw InputError(fmt::format("{} shares a joint distribution with other numbers: the probability of an interval is an integral; ask for its density, {} = VALUE", one, one));
    if (call.site().kind != mir::SiteKind::Density || call.site().factor) throw InputError(fmt::format("{} has no distribution of its own: ask for its density, {} = VALUE", one, one));
    if (const std::string structure = bounds_.structure(n); !structure.empty())
      throw InputError(fmt::format("{} is a number of {} {}: the probability of an interval is an integral; --draws FILES estimates it", one, article(structure), structure));
    require_sources(n);
    const Interval bounds = bounds_.of(n, *frame_);
    const bool ints = c_.numbers().of(n).is_int;
    if (!ints && asked.relation == Relation::Same) return -kInfinity;
    if (!ints && asked.relation == Relation::Differs) return 0;
    const double inside = log_mass_within(call, i, bounds, interval_of(asked, ints));
    return asked.relation == Relation::Differs ? std::log1p(-std::exp(inside)) : std::min(inside, 0.0);
  }
  static std::string_view article(std::string_view noun) { return std::string_view("aeiou").find(noun[0]) == std::string_view::npos ? "a" : "an"; }
  std::string text(NumberName n) const { return c_.numbers().text({&n, 1}); }

  /// Bounds may be computed from parameters.
  void require_sources(NumberName n) const {
    for (const std::string& source : bounds_.sources(n))
      for (const NumberName s : c_.numbers().numbers(*c_.numbers().find(source))) require(s, n);
  }

  // ---- densities that bounds cut

  /// The log probability that a density is to be divided by; notes what bounds cut.
  double cut_off(SiteCall& call, std::size_t i, NumberName n) {
    if (call.site().kind != mir::SiteKind::Density || (!details && !normalized_)) return 0;
    const std::optional<double> mass = mass_of(call, i, n);
    if (mass && *mass > kNothingCut) return 0;
    if (!normalized_) return cut.insert(c_.numbers().of(n).name), 0;
    if (!mass) throw InputError(fmt::format("the probability of the constraint of {} is not known, so its density cannot be normalized", c_.numbers().of(n).name));
    return *mass;
  }
  /// None where it is not known.
  std::optional<double> mass_of(SiteCall& call, std::size_t i, NumberName n) const {
    const bool one = call.names(i).size() == 1;
    if (!bounds_.structure(n).empty()) return one ? std::optional<double>() : 0.0;  // joint distributions live on the set itself
    for (const NumberName other : call.names(i)) {
      if (other < 0) continue;
      const Interval bounds = bounds_.of(other, *frame_);
      if (std::isinf(bounds.lower) && std::isinf(bounds.upper)) continue;
      if (!one) return std::nullopt;
      try {
        return log_mass_of_bounds(call, i, bounds);
      } catch (const ad::EvalError&) {  // no cumulative distribution function
        return std::nullopt;
      } catch (const ad::FatalError&) {
        return std::nullopt;
      }
    }
    return 0.0;
  }

  void note_masses(SiteCall& call) {
    if (call.site().kind != mir::SiteKind::Density) return;
    for (std::size_t i = 0; i < call.size(); ++i)
      for (const NumberName n : call.names(i))
        if (n >= 0 && c_.state(n) == NumberState::Free && c_.is_parameter(n)) masses[n] = mass_of(call, i, n).value_or(std::nan(""));
  }

  void require(const NumberName& n, const NumberName& by) const {
    if (const auto asked = asked_.find(n); asked != asked_.end() && asked->second.is_interval()) {
      if (n == by) return;
      const std::string on = c_.numbers().text({&n, 1});
      throw InputError(fmt::format("{} depends on {}, of which an interval is asked for: the probability of both is an integral; give {} a value", c_.numbers().text({&by, 1}), on, on));
    }
    if (c_.state(n) != NumberState::Free || (parameters_known_ && c_.is_parameter(n))) return;
    const std::string one = c_.numbers().text({&n, 1});
    if (n == by) throw InputError(fmt::format("{} has no value: write {} = VALUE", one, one));
    throw InputError(fmt::format("{} depends on {}, which is neither given nor asked for", c_.numbers().text({&by, 1}), one));
  }

  void require_density(const NumberName& asked) const {
    if (!asked_.at(asked).is_interval()) return;
    const std::string one = c_.numbers().text({&asked, 1});
    throw InputError(fmt::format("{} depends on ints that are missing: ask for its density, {} = VALUE", one, one));
  }

  const Conditioned& c_;
  DeclaredBounds bounds_;
  const AskedNumbers& asked_;
  bool parameters_known_, normalized_;
  Frame* frame_ = nullptr;
  Reads required_;  // of these nothing is unknown
};

/// Whether distributions depend on one of `events`, directly or through others. What leads to none is looked at once.
class Ancestry {
 public:
  Ancestry(const Asking& asking, const std::set<NumberName>& events) : asking_(asking), events_(events) {}

  bool depends(NumberName number, NumberName* on) {
    std::vector<NumberName> todo = {number};
    while (!todo.empty()) {
      const auto parents = asking_.parents.find(todo.back());
      todo.pop_back();
      if (parents == asking_.parents.end()) continue;
      for (const Reads& list : parents->second)
        if (seen_lists_.insert(list).second && leads_to_event(*list, todo, on)) return true;
    }
    return false;
  }

 private:
  bool leads_to_event(const Numbers& list, std::vector<NumberName>& todo, NumberName* on) {
    for (const NumberName parent : list) {
      if (events_.contains(parent)) return *on = parent, true;
      if (seen_.insert(parent).second) todo.push_back(parent);
    }
    return false;
  }
  const Asking& asking_;
  const std::set<NumberName>& events_;
  std::set<NumberName> seen_;
  std::set<Reads> seen_lists_;
};

std::string_view variable_of(const std::string& name) {
  return std::string_view(name).substr(0, name.find('['));
}

void refuse_integrals(const Conditioned& c, const Asking& asking, const Query& query, const std::set<NumberName>& events) {
  Ancestry ancestry(asking, events);
  for (const QueryItem& given : query.given)
    for (const NumberName n : numbers_of(c.numbers(), given)) {
      NumberName on = 0;
      if (!ancestry.depends(n, &on)) continue;
      const std::string event = c.numbers().text({&on, 1});
      throw InputError(fmt::format("{} is given, but depends on {}: the probability of {} given {} is an integral; without the bar the joint density is computed",
                                  given.name, event, event, given.name));
    }
  std::set<NumberName> in_terms;
  for (const Reads& list : asking.in_terms) in_terms.insert(list->begin(), list->end());
  for (const NumberName& n : events)
    if (in_terms.contains(n))
      throw InputError(fmt::format("a term that is no distribution of anything depends on {}, so its density is not that of the program", c.numbers().text({&n, 1})));
}

/// Whether a value of the variable is neither given, nor asked for, nor known from draws.
const NumberName* find_unknown(const Conditioned& c, const NumberTable::Variable& v, bool parameters_known, std::vector<NumberName>& numbers) {
  numbers = c.numbers().numbers(v);
  const auto found = std::ranges::find_if(numbers, [&](NumberName n) {
    return c.state(n) == NumberState::Free && !(parameters_known && c.is_parameter(n));
  });
  return found == numbers.end() ? nullptr : &*found;
}

/// A site that did not run may do so at other values of what its control flow depends on.
void refuse_undecided(const Conditioned& c, const std::set<std::string>& asked, bool parameters_known) {
  for (const auto& site : c.sites().sites) {
    std::string event;
    for (const mir::SiteLeft& left : site->left)
      for (const std::string& name : left.depends)
        if (asked.contains(name)) event = name;
    for (const std::string& name : event.empty() ? std::set<std::string>{} : site->controls) {
      const NumberTable::Variable* v = c.numbers().find(name);
      std::vector<NumberName> numbers;
      const NumberName* n = v ? find_unknown(c, *v, parameters_known, numbers) : nullptr;
      if (!n) continue;
      throw InputError(fmt::format("{} depends on {}, which is neither given nor asked for", event, c.numbers().text({n, 1})) + c.place_text(*site));
    }
  }
}

/// Elements asked for and distributions of unknown ints are summed up together.
EvalStatus ask(const ConditionedModel& model, std::span<const double> theta, Asking& asking) {
  const Conditioned& c = model.conditioned();
  const auto counts = [&](std::span<const NumberName> names) {
    return asking.asks(names) || std::ranges::any_of(names, [&](NumberName n) { return n >= 0 && c.state(n) == NumberState::Summed; });
  };
  return asking.run(model, theta, false, {.weighted = false, .parts = false, .counts = counts});
}

/// Bounds whose probability varies with what they are cut from weigh what that depends on: its probability is an integral then.
void refuse_cut_descendants(const ConditionedModel& model, Asking& first, const AskedNumbers& asked, const std::set<NumberName>& events) {
  const Conditioned& c = model.conditioned();
  Ancestry ancestry(first, events);
  Rng rng(1);
  for (int k = 0; k < 2; ++k) {
    std::vector<double> theta(model.unconstrained_size());
    for (double& x : theta) x = 2 * rng.uniform() - 1;
    Asking again(model, asked, false, false);
    again.masses_wanted = true;
    if (!ask(model, theta, again)) continue;
    for (const auto& [n, mass] : again.masses) {
      const double before = first.masses.contains(n) ? first.masses.at(n) : mass;
      NumberName on = 0;
      if (std::fabs(mass - before) <= 1e-9 * (1 + std::fabs(before)) || !ancestry.depends(n, &on)) continue;
      const std::string event = c.numbers().text({&on, 1}), one = c.numbers().text({&n, 1});
      throw InputError(fmt::format("the constraint declared for {} cuts a distribution that depends on {}, so the probability of {} is an integral; --draws FILES (of predict --prior, say) estimates it",
                                  one, event, event));
    }
  }
}

void refuse_without_distribution(const Conditioned& c, const Query& query, const Asking& asking) {
  for (const QueryItem& event : query.events)
    for (const NumberName& n : numbers_of(c.numbers(), event)) {
      if (asking.found.contains(n)) continue;
      const bool data = !c.is_parameter(n);
      const std::string name(variable_of(event.name));
      throw InputError(fmt::format("{} is {} without a distribution: it has no probability", name, data ? "data" : "a parameter"));
    }
}

std::vector<std::string> remarks_of(const Asking& asking) {
  std::vector<std::string> out;
  for (const std::string& name : asking.cut)
    out.push_back(fmt::format("the declared constraint of {} cuts its distribution: the density is the program's, not divided by the probability of the constraint", name));
  return out;
}

}  // namespace

/// Ints that are missing keep their sum unless they are asked for: these have a value, which an interval does not look at.
std::unique_ptr<ConditionedModel> Questioner::model(const Query& query) const {
  auto out = conditioned_on(query, {});
  const Conditioned& c = out->conditioned();
  std::map<std::string, std::string> values;
  for (const QueryItem& event : query.events) {
    if (event.relation == Relation::Equal) continue;
    for (const NumberName& n : numbers_of(c.numbers(), event))
      for (const UnknownInt& unknown : c.unknowns())
        if (unknown.number == n) values[c.numbers().text({&n, 1})] = std::to_string(unknown.low);
  }
  return values.empty() ? std::move(out) : conditioned_on(query, values);
}

namespace {

/// Standard error of the mean of values that depend on each other within chains.
double error_of_mean(const std::vector<double>& values, const std::vector<std::size_t>& lengths) {
  std::size_t from = 0, shortest = values.size();
  for (const std::size_t length : lengths) shortest = std::min(shortest, length);
  inference::ChainVecs chains;
  for (const std::size_t length : lengths) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(from);
    chains.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(shortest));
    from += length;
  }
  const double n = static_cast<double>(values.size()), mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return squares == 0 ? 0 : std::sqrt(squares / (n - 1) / inference::ess_mean(chains));
}

}  // namespace

Answer mean_over_draws(const std::vector<double>& log_values, const std::vector<std::size_t>& lengths, const std::vector<double>& given, bool exponential) {
  const std::size_t n = log_values.size();
  const double most = std::max(*std::ranges::max_element(log_values), -std::numeric_limits<double>::max());
  const auto counts = [&](std::size_t k) { return given.empty() ? 1.0 : given[k]; };
  const auto value = [&](std::size_t k) { return std::exp(log_values[k] - most); };
  double sum = 0, number = 0;
  for (std::size_t k = 0; k < n; ++k) sum += counts(k) * value(k), number += counts(k);
  if (number == 0) throw InputError(fmt::format("what is given holds in none of {} draws", n));
  const double mean = sum / number;
  std::vector<double> deviations(n);
  for (std::size_t k = 0; k < n; ++k) deviations[k] = counts(k) * (value(k) - mean) * static_cast<double>(n) / number;
  const double error = error_of_mean(deviations, lengths);
  Answer out{.value = most + std::log(mean), .mcse = error == 0 ? 0 : error / mean, .draws = static_cast<std::size_t>(number), .remarks = {}};
  if (exponential) out.value = mean * std::exp(most), out.mcse = error * std::exp(most);
  return out;
}

Answer Questioner::answer(const ConditionedModel& model, const Query& query, const QueryPoints& at, bool normalized) const {
  const Conditioned& c = model.conditioned();
  if (const auto read = c.sites().target_read)
    throw InputError("target() is read here, so distributions depend on more than their arguments (in " + location_text(model.compiled().sources(), *read) + ")");
  const AskedNumbers asked = asked_of(c.numbers(), query);
  std::set<NumberName> events;
  for (const auto& [n, what] : asked) events.insert(n);
  const bool intervals = std::ranges::any_of(asked, [](const auto& one) { return one.second.is_interval(); });
  std::vector<double> values;
  std::vector<std::string> remarks;
  for (std::size_t k = 0; k < at.points.size(); ++k) {
    Asking asking(model, asked, at.parameters_known, normalized);
    asking.details = k == 0;
    asking.masses_wanted = intervals && !at.parameters_known;
    if (const EvalStatus status = ask(model, at.points[k], asking); !status) throw InputError(status.message);
    if (k == 0) {
      std::set<std::string> variables;
      for (const NumberName n : events) variables.insert(c.numbers().of(n).name);
      refuse_undecided(c, variables, at.parameters_known);
      refuse_without_distribution(c, query, asking);
      refuse_integrals(c, asking, query, events);
      if (asking.masses_wanted) refuse_cut_descendants(model, asking, asked, events);
      remarks = remarks_of(asking);
    }
    values.push_back(at.holds.empty() || at.holds[k] != 0 ? asking.logprob : -kInfinity);
  }
  Answer out{.value = query.exponential ? std::exp(values[0]) : values[0], .mcse = {}, .draws = 0, .remarks = {}};
  if (at.parameters_known) out = mean_over_draws(values, at.lengths, at.given, query.exponential);
  out.remarks = std::move(remarks);
  return out;
}

std::string answer_json(const Query& query, const Answer& answer) {
  std::string out;
  JsonGroup object(out, JsonGroup::Kind::Object);
  object.member(query.exponential ? "prob" : "logprob") += json_number(answer.value);
  if (answer.mcse) object.member("mcse") += json_number(*answer.mcse);
  if (answer.draws > 0) object.member("draws") += std::to_string(answer.draws);
  object.end();
  return out + "\n";
}

}  // namespace fermiac::interp
