#include "interp/conditioning/enumeration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "autodiff/tape/record/recorder.h"
#include "interp/functions/builtin_tools.h"
#include "interp/functions/functions.h"
#include "interp/value/numbers.h"
#include "mir/sites/definitions.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// ---------------------------------------------------------------- sums of values

/// Sums and log sums of numbers that may carry derivatives.
class ValueSums {
 public:
  explicit ValueSums(Frame& f) : f_(f) {}

  Value plus(const Value& a, const Value& b) const { return apply(Builtin::Plus, {a, b}); }
  Value minus(const Value& a, const Value& b) const { return apply(Builtin::Minus, {a, b}); }
  Value times(const Value& a, double b) const { return apply(Builtin::Times, {a, b}); }
  Value sum(std::span<const Value> numbers) const {
    Value out = numbers[0];
    for (const Value& v : numbers.subspan(1)) out = plus(out, v);
    return out;
  }
  Value log_sum_exp(std::span<const Value> numbers) const {
    if (numbers.size() == 2) return apply(Builtin::log_sum_exp, {numbers[0], numbers[1]});
    const Shape shape = Shape::vector(static_cast<std::uint32_t>(numbers.size()));
    if (std::ranges::none_of(numbers, [](const Value& v) { return v.is_autodiff(); })) {
      RealBuffer reals(numbers.size());
      std::ranges::transform(numbers, reals.data(), [](const Value& v) { return number(v); });
      return apply(Builtin::log_sum_exp, {Value::reals(shape, std::move(reals))});
    }
    std::vector<Ref> refs;
    for (const Value& v : numbers) refs.push_back(to_ref(*f_.m.recorder, v));
    return apply(Builtin::log_sum_exp, {Value::refs(shape, std::move(refs))});
  }
  double at_this_point(const Value& v) const { return element_value(f_.context(false), v, 0); }
  /// Whether the weight is more than nothing; a recording holds for points where that is so too.
  bool is_possible(const Value& v) const {
    if (at_this_point(v) != -kInfinity) return true;
    if (is_ref(v)) f_.m.recorder->guard(ad::Compare::Less, f_.m.recorder->constant(-kInfinity), v.as_ref());
    return false;
  }

 private:
  Value apply(Builtin function, std::initializer_list<Value> args) const {
    CallContext context = f_.context(false);
    return LibraryFunction::find(function)->apply(context, {args.begin(), args.size()});
  }
  Frame& f_;
};

bool meets(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::ranges::any_of(a, [&](const std::string& name) { return b.contains(name); });
}

bool depends_on(const mir::Site& site, const std::set<std::string>& names) {
  if (meets(site.depends, names) || meets(site.controls, names)) return true;
  const auto moves = [&](const mir::ExprPtr& e) { return meets(mir::variables_moved(*e), names); };
  return std::ranges::any_of(site.left, [&](const mir::SiteLeft& left) { return meets(left.depends, names); }) ||
         std::ranges::any_of(site.read, [&](const mir::SiteRead& read) { return moves(read.names); });
}

}  // namespace

// ---------------------------------------------------------------- what is unknown

Enumeration::Enumeration(const Conditioned& conditioned, Options options)
    : conditioned_(conditioned), options_(options), held_(conditioned.held()) {
  options_.parts |= conditioned.weights().context() == ContextKind::Likelihood;
  std::set<std::string> names;
  const std::vector<UnknownInt>& unknowns = conditioned.unknowns();
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    names.insert(conditioned.numbers().of(unknowns[i].number).name);
    own_held_.try_emplace(unknowns[i].position, *held_[unknowns[i].position]);
    if (!unknowns[i].bounded) {
      unbounded_.insert(unknowns[i].number);
      continue;
    }
    by_number_[unknowns[i].number] = static_cast<std::uint32_t>(summed_.size());
    const std::int64_t count = std::int64_t{unknowns[i].high} - unknowns[i].low + 1;
    counts_.push_back(static_cast<std::uint32_t>(std::clamp<std::int64_t>(count, 0, std::numeric_limits<std::uint32_t>::max())));
    summed_.push_back(i);
  }
  for (const auto& [position, held] : own_held_) held_[position] = &held;
  for (const auto& [mark, site] : conditioned.sites().marks)
    if (depends_on(*site, names)) involved_.insert(site.get());
  values_.resize(counts_.size(), 0);
  put_values();
}

void Enumeration::put_values() {
  for (std::size_t k = 0; k < summed_.size(); ++k) {
    const UnknownInt& unknown = conditioned_.unknowns()[summed_[k]];
    put_number(own_held_.at(unknown.position).value, unknown.offset, static_cast<double>(unknown.low) + values_[k]);
  }
}

// ---------------------------------------------------------------- elements

/// Unknowns that every element reads.
Scope Enumeration::shared_scope(SiteCall& call) const {
  std::set<std::uint32_t> out;
  call.each_shared_read([&](NumberName n, bool) {
    if (const auto found = by_number_.find(n); found != by_number_.end()) out.insert(found->second);
  });
  return {out.begin(), out.end()};
}

Scope Enumeration::scope_of(SiteCall& call, std::size_t i, const Scope& shared) const {
  std::set<std::uint32_t> out(shared.begin(), shared.end());
  const auto add = [&](NumberName n) {
    if (const auto found = by_number_.find(n); found != by_number_.end()) out.insert(found->second);
  };
  std::ranges::for_each(call.names(i), add);
  call.each_own_read(i, [&](NumberName n, bool) { add(n); });
  return {out.begin(), out.end()};
}

std::size_t Enumeration::combination(const Scope& scope) const {
  std::size_t out = 0, stride = 1;
  for (const std::uint32_t unknown : scope) {
    out += stride * values_[unknown];
    stride *= counts_[unknown];
  }
  return out;
}

void Enumeration::refuse(const TableTooLarge& e, const char* where) const {
  const std::size_t most = conditioned_.max_table();
  if (e.scope.size() == 1) {
    const NumberName n = conditioned_.unknowns()[summed_[e.scope[0]]].number;
    throw ad::FatalError(fmt::format("{} is missing, and may have {} values, more than the {} that --max-discrete-states allows", conditioned_.numbers().text({&n, 1}), e.size, most));
  }
  throw ad::FatalError(fmt::format("{} missing ints meet in {}: {} combinations, more than the {} that --max-discrete-states allows", e.scope.size(), where, e.size, most));
}

Enumeration::Group& Enumeration::group(const Scope& scope) {
  const auto [at, fresh] = groups_.try_emplace(scope);
  if (!fresh) return at->second;
  const std::uint64_t size = combinations(counts_, scope);
  if (size > conditioned_.max_table()) refuse(TableTooLarge(scope, size), "this statement");
  at->second.joint.resize(size);
  if (options_.parts) at->second.prior.resize(size);
  at->second.known.resize(size);
  return at->second;
}

std::vector<std::uint32_t> Enumeration::take(SiteCall& call, Frame& f) {
  std::vector<std::uint32_t> others;
  try {
    call.evaluate();
  } catch (const ad::DomainError&) {  // of all elements together
    const Scope all = scope_of(call, 0, shared_scope(call));
    if (all.empty()) throw;
    Group& mine = group(all);
    mine.joint[combination(all)].possible = false;
    return others;
  }
  const Scope shared = shared_scope(call);
  if (call.size() > 0)
    call.each_shared_read([&](NumberName n, bool) {
      if (unbounded_.contains(n)) refuse_unbounded(n);
    });
  for (std::size_t i = 0; i < call.size(); ++i) {
    const Scope scope = scope_of(call, i, shared);
    if (leaves_out(call, i)) continue;
    if (scope.empty()) others.push_back(static_cast<std::uint32_t>(i));
    else add(call, i, scope, f);
  }
  return others;
}

void Enumeration::refuse_unbounded(NumberName n) const {
  const auto found = std::ranges::find(conditioned_.unknowns(), n, &UnknownInt::number);
  const std::string& variable = conditioned_.numbers().of(n).name;
  throw ad::FatalError(fmt::format("{} is missing, and its values have no end: {} is declared as {}, and other statements depend on it; "
                                   "declare both bounds, or sample it in a block (--block '{}: walk')",
                                   conditioned_.numbers().text({&n, 1}), variable, found->declared, variable));
}

/// Elements of ints without two bounds, which only their own distribution reads, sum to one. Of shared reads none is such an int.
bool Enumeration::leaves_out(SiteCall& call, std::size_t i) {
  const auto unbounded = [&](NumberName n) { return unbounded_.contains(n); };
  call.each_own_read(i, [&](NumberName n, bool) {
    if (unbounded(n)) refuse_unbounded(n);
  });
  const std::span<const NumberName> names = call.names(i);
  if (std::ranges::none_of(names, unbounded)) return false;
  const NumberName n = *std::ranges::find_if(names, unbounded);
  const mir::Site& site = call.site();
  const bool own = names.size() == 1 && site.kind == mir::SiteKind::Density && !site.factor &&
                   (!options_.weighted || conditioned_.weight(site, names, true) == 1);
  if (!own || leaves_.try_emplace(n, &site).first->second != &site || !leaves_of_run_.insert(n).second) refuse_unbounded(n);
  for (std::size_t k = 0; k < conditioned_.unknowns().size(); ++k)
    if (conditioned_.unknowns()[k].number == n) distributed_.insert(k);
  return true;
}

void Enumeration::add(SiteCall& call, std::size_t i, const Scope& scope, Frame& f) {
  const std::span<const NumberName> names = call.names(i);
  for (const NumberName n : names)
    if (const auto found = by_number_.find(n); found != by_number_.end()) distributed_.insert(summed_[found->second]);
  const SiteRole role = conditioned_.role(call.site(), names);
  const bool whole = conditioned_.weights().context() == ContextKind::Likelihood;
  const double weight = options_.weighted ? conditioned_.weight(call.site(), names, whole) : 1;
  if (weight == 0 || (options_.counts && !options_.counts(names))) return;
  Group& mine = group(scope);
  mine.nameless |= role == SiteRole::Likelihood && std::ranges::none_of(names, [&](NumberName n) { return n >= 0 && conditioned_.state(n) == NumberState::Observed; });
  for (const NumberName n : names)
    if (n >= 0 && (conditioned_.state(n) == NumberState::Observed || (options_.counts && !by_number_.contains(n)))) mine.observed.insert(n);
  const std::size_t at = combination(scope);
  if (mine.known[at]) return;
  const ValueSums sums(f);
  const auto into = [&](Entry& entry, const Value& lp) { entry.sum = entry.sum.is_none() ? lp : sums.plus(entry.sum, lp); };
  try {
    const auto element = static_cast<std::uint32_t>(i);
    Value lp = call.density({&element, 1}, false);
    if (weight != 1) lp = sums.times(lp, weight);
    into(mine.joint[at], lp);
    if (options_.parts && role == SiteRole::Prior) into(mine.prior[at], lp);
  } catch (const ad::DomainError&) {  // this value is outside of what the distribution knows
    mine.joint[at].possible = false;
    if (options_.parts && role == SiteRole::Prior) mine.prior[at].possible = false;
    const auto& args = call.whole_arguments();
    f.m.only_here |= std::ranges::any_of(args, [](const Value& v) { return v.is_autodiff(); });
  }
}

void Enumeration::choose(const SiteNode& node, Frame& f) {
  SiteCall call(node, f);
  call.each_read([&](NumberName n, bool) {
    if (unbounded_.contains(n)) refuse_unbounded(n);
  });
  const Scope scope = scope_of(call, 0, shared_scope(call));
  if (scope.empty()) return node.run_as_written(f);
  if (!node.parts.site->guards) return void(group(scope));
  try {
    node.run_as_written(f);
  } catch (const ad::DomainError&) {  // only now there is something to choose
    if (combinations(counts_, scope) > conditioned_.max_table()) throw;
    const std::size_t at = combination(scope);
    Group& mine = group(scope);
    mine.joint[at].possible = false;
    if (options_.parts) mine.prior[at].possible = false;
  }
}

// ---------------------------------------------------------------- runs

/// Chooses values for a combination that no run had yet, if one fits what is chosen already.
void Enumeration::require(Group& group, const Scope& scope, std::vector<std::int64_t>& wanted) {
  while (group.open < group.known.size() && group.known[group.open]) ++group.open;
  if (group.open == group.known.size()) return;
  Scope free;
  std::size_t base = 0, stride = 1;
  std::vector<std::size_t> strides;
  for (const std::uint32_t unknown : scope) {
    if (wanted[unknown] >= 0) base += stride * static_cast<std::size_t>(wanted[unknown]);
    else free.push_back(unknown), strides.push_back(stride);
    stride *= counts_[unknown];
  }
  bool found = false;
  std::vector<std::uint32_t> at(free.size(), 0);
  for (std::size_t offset = base; !found;) {
    if ((found = !group.known[offset])) break;
    std::size_t k = 0;
    for (; k < free.size(); ++k) {
      if (++at[k] < counts_[free[k]]) {
        offset += strides[k];
        break;
      }
      offset -= strides[k] * (counts_[free[k]] - 1);
      at[k] = 0;
    }
    if (k == free.size()) return;
  }
  for (std::size_t k = 0; k < free.size(); ++k) wanted[free[k]] = at[k];
}

bool Enumeration::next() {
  ++runs_;
  leaves_of_run_.clear();
  for (auto& [scope, mine] : groups_) mine.known[combination(scope)] = 1;
  std::vector<std::int64_t> wanted(counts_.size(), -1);
  bool any = false;
  for (auto& [scope, mine] : groups_) {
    require(mine, scope, wanted);
    any |= mine.open < mine.known.size();
  }
  if (!any) return false;
  for (std::size_t k = 0; k < values_.size(); ++k) values_[k] = static_cast<std::uint32_t>(std::max<std::int64_t>(wanted[k], 0));
  put_values();
  return true;
}

/// The program gets to its end with other values of the ints: what failed depends on them, and no statement was found to which the
/// failure belongs.
void Enumeration::refuse_failure(std::string_view why) const {
  std::vector<std::string> values;
  for (std::size_t k = 0; k < summed_.size() && values.size() <= 3; ++k) {
    const UnknownInt& unknown = conditioned_.unknowns()[summed_[k]];
    const std::string name = conditioned_.numbers().text({&unknown.number, 1});
    values.push_back(values.size() == 3 ? "…" : fmt::format("{} = {}", name, std::int64_t{unknown.low} + values_[k]));
  }
  throw ad::FatalError(fmt::format("missing ints cannot be summed out: with {} the program fails: {}; keep it from failing, or bound the ints more closely",
                                   fmt::join(values, ", "), why));
}

/// After a first run that failed: a failure that does not depend on the ints rejects the point.
void Enumeration::refuse_if_others_run(std::string_view why, const std::function<void()>& run) {
  const std::vector<std::uint32_t> first = values_;
  for (std::uint32_t k = 0; k < values_.size(); ++k) values_[k] = std::max(counts_[k], 1u) - 1;
  put_values();
  try {
    run();
  } catch (const ad::EvalError&) {
    return;
  }
  values_ = first;
  put_values();
  refuse_failure(why);
}

void UnknownsAlone::visit(const SiteNode& node, Frame& f) {
  if (!enumeration_.involves(*node.parts.site)) return;
  SiteCall call(node, f);
  enumeration_.take(call, f);
}

void UnknownsAlone::choose(const SiteNode& node, Frame& f) { enumeration_.choose(node, f); }

void run_enumerated(const Section& section, Frame& f, SiteHandler& first, Enumeration& enumeration) {
  static const PrintSink nowhere = [](std::string_view) {};
  Machine& m = f.m;
  const auto* held = m.held;
  const auto* print = m.print;
  const bool jacobian = m.jacobian;
  m.held = &enumeration.held();
  m.sites = &first;
  const auto restore = [&] { m.held = held, m.print = print, m.jacobian = jacobian, m.sites = &first; };
  const auto run = [&] {
    m.poll();
    m.next_free = 0;
    run_section(section, f);
  };
  try {
    UnknownsAlone later(enumeration);
    const auto quietly = [&] { m.sites = &later, m.print = &nowhere, m.jacobian = false; };
    try {
      run_section(section, f);
    } catch (const ad::EvalError& e) {
      quietly();
      enumeration.refuse_if_others_run(e.what(), run);
      throw;
    }
    quietly();
    while (enumeration.next()) {
      try {
        run();
      } catch (const ad::EvalError& e) {
        enumeration.refuse_failure(e.what());
      }
    }
  } catch (...) {
    restore();
    throw;
  }
  restore();
}

// ---------------------------------------------------------------- sums

std::vector<Scope> Enumeration::scopes() const {
  std::vector<Scope> out;
  for (const auto& [scope, mine] : groups_) out.push_back(scope);
  return out;
}

const EliminationOrder& Enumeration::order() const {
  if (order_) return *order_;
  try {
    order_ = std::make_unique<EliminationOrder>(counts_, scopes(), conditioned_.max_table());
  } catch (const TableTooLarge& e) {
    refuse(e, "the elimination");
  }
  return *order_;
}

std::vector<LogTable<Value>> Enumeration::tables(Frame& f, std::vector<Entry> Group::* part) const {
  const ValueSums sums(f);
  std::vector<LogTable<Value>> out;
  for (const auto& [scope, mine] : groups_) {
    LogTable<Value> table{scope, {}};
    for (const Entry& entry : mine.*part) {
      const Value sum = entry.sum.is_none() ? Value(0.0) : entry.sum;
      const bool possible = entry.possible && sums.is_possible(sum);
      table.entries.push_back(possible ? std::optional<Value>(sum) : std::nullopt);
    }
    out.push_back(std::move(table));
  }
  return out;
}

std::vector<ComponentSum> Enumeration::sums(Frame& f) const {
  const ValueSums sums(f);
  const auto log_sums = [&](std::vector<Entry> Group::* part) {
    return eliminate<Value>(order(), tables(f, part), Value(0.0), [&](std::span<const Value> v) { return sums.sum(v); },
                            [&](std::span<const Value> v) { return sums.log_sum_exp(v); });
  };
  std::vector<ComponentSum> out(order().components().size());
  const auto joint = log_sums(&Group::joint);
  for (std::size_t c = 0; c < out.size(); ++c) {
    for (const std::uint32_t unknown : order().components()[c]) out[c].unknowns.push_back(summed_[unknown]);
    out[c].joint = joint[c];
  }
  if (options_.parts) {
    const auto prior = log_sums(&Group::prior);
    for (std::size_t c = 0; c < out.size(); ++c) out[c].prior = prior[c];
  }
  for (const auto& [scope, mine] : groups_) {
    ComponentSum& component = out[order().component_of(scope[0])];
    component.observed.insert(component.observed.end(), mine.observed.begin(), mine.observed.end());
    component.nameless |= mine.nameless;
  }
  for (ComponentSum& c : out) {
    std::ranges::sort(c.observed);
    c.observed.erase(std::unique(c.observed.begin(), c.observed.end()), c.observed.end());
  }
  return out;
}

Value Enumeration::target(Frame& f) const {
  const ValueSums sums(f);
  Value out = 0.0;
  const bool likelihood = conditioned_.weights().context() == ContextKind::Likelihood;
  for (const ComponentSum& c : this->sums(f)) {
    if (!c.joint || (likelihood && !c.prior)) {
      const NumberName n = conditioned_.unknowns()[c.unknowns[0]].number;
      throw ad::DomainError(fmt::format("no value of {}, which is missing, is possible", conditioned_.numbers().text({&n, 1})));
    }
    out = sums.plus(out, likelihood ? sums.minus(*c.joint, *c.prior) : *c.joint);
  }
  return out;
}

std::shared_ptr<const Eliminated> Enumeration::numbers(Frame& f) const {
  const ValueSums sums(f);
  std::vector<LogTable<double>> plain;
  for (const LogTable<Value>& table : tables(f, &Group::joint)) {
    plain.push_back({table.scope, {}});
    for (const auto& entry : table.entries)
      plain.back().entries.push_back(entry ? std::optional<double>(sums.at_this_point(*entry)) : std::nullopt);
  }
  return std::make_shared<const Eliminated>(order(), std::move(plain));
}

}  // namespace fermiac::interp
