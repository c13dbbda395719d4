#include "interp/queries/likelihood_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "mir/ir/build.h"
#include "mir/sites/definitions.h"

namespace fermiac::interp {
namespace {

using Kind = mir::NamedVariable::Kind;
using Names = std::set<std::string>;

/// Disjoint sets of elements.
class Sets {
 public:
  explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[std::max(find(a), find(b))] = std::min(find(a), find(b)); }

 private:
  std::vector<std::size_t> parent_;
};

bool meet(const Names& a, const Names& b) {
  return std::ranges::any_of(a, [&](const std::string& name) { return b.contains(name); });
}

class Joiner {
 public:
  Joiner(const ConditionedModel& model, LikelihoodRows& out) : c_(model.conditioned()), out_(out), sets_(0) {}

  void run(const std::vector<ElementMet>& met, const std::vector<ComponentMet>& components) {
    for (const ElementMet& e : met)
      if (e.role == SiteRole::Likelihood) add(&e, observed(e.names));
    for (const ComponentMet& component : components)
      for (const NumberName n : component.observed) add(nullptr, {n});
    for (LikelihoodElement& e : out_.elements) add_origins(e);
    refuse_parts_of_one();
    sets_ = Sets(out_.elements.size());
    if (std::ranges::any_of(out_.elements, [&](const LikelihoodElement& e) { return !e.named; })) place_nameless();
    join_numbers();
    for (std::size_t i = 0; i < out_.elements.size(); ++i) out_.first.push_back(sets_.find(i));
    refuse_whole();
  }

 private:
  void add(const ElementMet* met, std::vector<NumberName> numbers) {
    const NumberTable::Variable* last = nullptr;
    for (const NumberName n : numbers)
      if (const NumberTable::Variable* v = &c_.numbers().of(n); v != last) modeled_.insert((last = v)->name);
    const bool named = !numbers.empty();
    LikelihoodElement& e = out_.elements.emplace_back(LikelihoodElement{.met = met, .numbers = numbers, .shown = std::move(numbers), .named = named});
    if (met) e.key = met->key, e.line = c_.place(*met->site).line;
  }

  std::vector<NumberName> observed(const std::vector<NumberName>& names) const {
    std::vector<NumberName> out;
    for (const NumberName n : names)
      if (n >= 0 && c_.state(n) == NumberState::Observed) out.push_back(n);
    return out;
  }

  void doubt(std::string why, const LikelihoodElement& e) {
    if (!out_.doubt.empty()) return;
    out_.doubt = std::move(why);
    out_.doubtful = e.met ? e.met->site.get() : nullptr;
  }

  // ---- data that were computed from data

  /// What the number was computed from, if its variable has a row for each row of modeled data; else nothing.
  std::vector<NumberName> origins(NumberName n) const {
    std::vector<NumberName> out;
    const NumberTable::Variable& v = c_.numbers().of(n);
    if (v.kind != Kind::TransformedData) return out;
    for (const std::string& name : c_.sites().find(v.name)->from) {
      const NumberTable::Variable* origin = modeled_.contains(name) ? c_.numbers().find(name) : nullptr;
      if (!origin || NumberTable::rows(*origin) == 0 || NumberTable::rows(*origin) != NumberTable::rows(v)) continue;
      const std::vector<NumberName>& same = rows(*origin)[c_.numbers().row(n)];
      out.insert(out.end(), same.begin(), same.end());
    }
    return out;
  }

  /// Observed numbers of a variable by its first index.
  const std::vector<std::vector<NumberName>>& rows(const NumberTable::Variable& v) const {
    std::vector<std::vector<NumberName>>& out = rows_[v.name];
    if (!out.empty()) return out;
    out.resize(NumberTable::rows(v));
    for (NumberName n = v.first; n < v.first + static_cast<NumberName>(v.count); ++n)
      if (c_.state(n) == NumberState::Observed) out[c_.numbers().row(n)].push_back(n);
    return out;
  }

  void add_origins(LikelihoodElement& e) {
    std::vector<NumberName> all, shown;
    for (const NumberName n : e.numbers) {
      const std::vector<NumberName> from = origins(n);
      all.insert(all.end(), from.begin(), from.end());
      shown.insert(shown.end(), from.begin(), from.end());
      if (from.empty()) shown.push_back(n);
    }
    e.numbers.insert(e.numbers.end(), all.begin(), all.end());
    e.shown = std::move(shown);
  }

  /// Two modeled variables, one computed from the other or both from the same data, whose rows do not correspond.
  void refuse_parts_of_one() {
    for (const LikelihoodElement& e : out_.elements)
      for (const NumberName n : e.numbers)
        if (!looked_at_.contains(c_.numbers().of(n).name)) refuse_parts_of_one(e, c_.numbers().of(n));
  }
  void refuse_parts_of_one(const LikelihoodElement& e, const NumberTable::Variable& v) {
    looked_at_.insert(v.name);
    if (v.kind != Kind::TransformedData) return;
    const Names& from = c_.sites().find(v.name)->from;
    for (const std::string& other : modeled_) {
      const NumberTable::Variable& w = *c_.numbers().find(other);
      if (other == v.name || NumberTable::rows(w) == NumberTable::rows(v)) continue;
      const bool shares = w.kind == Kind::TransformedData && std::ranges::any_of(c_.sites().find(other)->from, [&](const std::string& name) {
        return from.contains(name) && mir::is_container(c_.sites().find(name)->type);
      });
      if (from.contains(other) || shares)
        doubt(fmt::format("{} and {} are computed from the same data, but their elements do not correspond, so rows of the data cannot be told apart", v.name, other), e);
    }
  }

  // ---- elements without a name

  using Round = std::pair<std::size_t, std::vector<std::int64_t>>;  // of a loop, and of those around it

  /// The element has a part of the likelihood of its round: it does not consist of elements of its own.
  static bool is_part(const LikelihoodElement& e) {
    const bool computed = std::ranges::find(e.met->names, NumberName{kComputedName}) != e.met->names.end();
    return e.met->alone || !computed || (!e.met->site->left.empty() && e.met->site->left[0].from.empty());
  }
  static bool in_loop(const LikelihoodElement& e) { return !e.met->site->loops.empty() && !e.met->site->in_while; }

  void place_nameless() {
    std::map<Round, std::vector<std::size_t>> rounds;
    for (std::size_t i = 0; i < out_.elements.size(); ++i) {
      const LikelihoodElement& e = out_.elements[i];
      for (std::size_t d = 1; e.met && d <= e.met->site->loops.size(); ++d)
        rounds[{e.met->site->loops[d - 1].number, {e.met->key.round.begin(), e.met->key.round.begin() + static_cast<std::ptrdiff_t>(d)}}].push_back(i);
    }
    for (const auto& [round, members] : rounds) index_loop(round, members);
    std::set<Round> seen;
    for (std::size_t i = 0; i < out_.elements.size(); ++i) {
      LikelihoodElement& e = out_.elements[i];
      if (e.named) continue;
      if (e.met->site->part_row || !in_loop(e)) {
        place_outside(e);
        continue;
      }
      if (!is_part(e)) continue;  // computed left sides of elements of their own
      const Round round{e.met->site->loops.back().number, e.met->key.round};
      if (seen.insert(round).second) place_round(round, rounds.at(round));
    }
  }

  /// Modeled variables of which every round of a loop names the row that the loop's variable chooses, and no other.
  void index_loop(const Round& round, const std::vector<std::size_t>& members) {
    std::map<std::string, bool>& variables = indexed_[round.first];
    for (const std::size_t k : members)
      for (const NumberName n : out_.elements[k].named ? out_.elements[k].shown : std::vector<NumberName>{}) {
        const NumberTable::Variable& v = c_.numbers().of(n);
        const bool own = NumberTable::rows(v) > 0 && c_.numbers().row(n) + 1 == round.second.back();
        variables.try_emplace(v.name, true).first->second &= own;
      }
  }

  /// The row that other rounds of the loop say this one is.
  bool name_by_loop(LikelihoodElement& e, const Round& round) const {
    for (const auto& [name, own] : indexed_.at(round.first)) {
      const NumberTable::Variable& v = *c_.numbers().find(name);
      const std::int64_t at = round.second.back();
      if (!own || at < 1 || at > NumberTable::rows(v)) continue;
      const std::vector<NumberName>& row = rows(v)[static_cast<std::size_t>(at - 1)];
      e.numbers.insert(e.numbers.end(), row.begin(), row.end());
    }
    e.shown = e.numbers;
    return !e.numbers.empty();
  }

  /// All that runs in one round of a loop.
  void place_round(const Round& round, const std::vector<std::size_t>& members) {
    std::vector<RowRead> reads;
    bool named = false;
    for (const std::size_t k : members) {
      const LikelihoodElement& e = out_.elements[k];
      sets_.join(members[0], k);
      named |= e.named || !is_part(e);
      reads.insert(reads.end(), e.met->rows.begin(), e.met->rows.end());
    }
    if (named) return;
    LikelihoodElement& first = out_.elements[members[0]];
    if (!name_by_loop(first, round)) read_as(first, reads);
    if (first.numbers.empty()) cannot_tell(first);
  }

  void place_outside(LikelihoodElement& e) {
    const mir::Site& site = *e.met->site;
    if (site.part_row || site.in_while) {
      read_as(e, e.met->rows);
      if (e.numbers.empty()) cannot_tell(e);
      return;
    }
    if (site.kind != mir::SiteKind::Term) {
      const Names& from = site.left[0].from;
      if (e.met->alone ? meet(from, modeled_) : from.empty() ? has_others(site) : meet(from, modeled_)) cannot_tell(e);
      return;
    }
    if (reads_whole(site)) return cannot_tell(e);
    read_as(e, e.met->rows);
    if (e.numbers.empty()) read_scalar(e);
    if (e.numbers.empty()) cannot_tell(e);
  }

  bool has_others(const mir::Site& site) const {
    return std::ranges::any_of(out_.elements, [&](const LikelihoodElement& e) { return !e.met || e.met->site.get() != &site; });
  }

  /// Whether it reads containers of data, not single elements of them alone.
  bool reads_whole(const mir::Site& site) const {
    return std::ranges::any_of(site.read, [&](const mir::SiteRead& read) {
      const auto moved = mir::variables_moved(*read.names);
      return mir::is_container(read.names->type) && std::ranges::any_of(moved, [&](const std::string& name) { return c_.sites().is_data(name); });
    });
  }

  /// The only data that it reads is one number.
  void read_scalar(LikelihoodElement& e) {
    Names data;
    for (const std::string& name : e.met->site->reads)
      if (c_.sites().is_data(name)) data.insert(name);
    const NumberTable::Variable* v = data.size() == 1 ? c_.numbers().find(*data.begin()) : nullptr;
    if (v && v->count == 1) e.numbers = e.shown = {v->first};
  }

  /// The row that it reads: of modeled data, if there are any among it, else by the innermost index.
  void read_as(LikelihoodElement& e, const std::vector<RowRead>& reads) const {
    std::map<std::pair<bool, RowRead::Index>, std::set<NumberName>> by;
    for (const RowRead& read : reads) {
      if (c_.is_parameter(read.number) || c_.state(read.number) != NumberState::Observed) continue;
      const std::vector<NumberName> from = origins(read.number);
      const std::pair key{from.empty() && !modeled_.contains(c_.numbers().of(read.number).name), read.index};
      by[key].insert(from.begin(), from.end());
      if (from.empty()) by[key].insert(read.number);
    }
    for (const auto& [key, numbers] : by) {
      if (key.second == RowRead::Index::Computed && numbers.size() > 1) continue;
      e.numbers.assign(numbers.begin(), numbers.end());
      e.shown = e.numbers;
      return;
    }
  }

  void cannot_tell(const LikelihoodElement& e) {
    const char* what = e.met->site->kind == mir::SiteKind::Term ? "term" : "density";
    doubt(fmt::format("this {} of the likelihood names no number, and which row of the data it belongs to cannot be told", what), e);
  }

  // ---- the result

  void join_numbers() {
    std::map<NumberName, std::size_t> first;
    for (std::size_t i = 0; i < out_.elements.size(); ++i)
      for (const NumberName n : out_.elements[i].numbers) sets_.join(i, first.try_emplace(n, i).first->second);
  }

  std::string list_of(const std::vector<NumberName>& numbers) const {
    std::vector<std::string> out;
    for (const NumberName& n : numbers) out.push_back(c_.numbers().text({&n, 1}));
    return name_list(out);
  }

  /// A term of all numbers of a variable, or elements of which none can be left out alone.
  void refuse_whole() {
    for (const LikelihoodElement& e : out_.elements) {
      if (!e.named || !e.met || e.met->site->kind != mir::SiteKind::Term) continue;
      const NumberTable::Variable& v = c_.numbers().of(e.numbers[0]);
      if (e.numbers.size() > 1 && e.numbers.size() == v.count)
        return doubt(fmt::format("the likelihood of {} cannot be split by observation: this is one term for {}", v.name, list_of(e.numbers)), e);
    }
    std::set<NumberName> numbers;
    const bool one = std::ranges::all_of(out_.first, [](std::size_t i) { return i == 0; });
    for (const LikelihoodElement& e : out_.elements) numbers.insert(e.numbers.begin(), e.numbers.end());
    const auto nameless = std::ranges::find(out_.elements, false, &LikelihoodElement::named);
    if (one && numbers.size() > 1 && nameless != out_.elements.end() && out_.elements.size() > 2)
      doubt(fmt::format("the likelihood of {} cannot be split by observation: this statement joins {}", c_.numbers().of(*numbers.begin()).name,
                        list_of({numbers.begin(), numbers.end()})), *nameless);
  }

  const Conditioned& c_;
  LikelihoodRows& out_;
  Sets sets_;
  Names modeled_, looked_at_;
  std::map<std::size_t, std::map<std::string, bool>> indexed_;  // by loop: modeled variables, and whether its variable is their index
  mutable std::map<std::string, std::vector<std::vector<NumberName>>> rows_;
};

}  // namespace

LikelihoodRows likelihood_rows(const ConditionedModel& model, const std::vector<ElementMet>& met, const std::vector<ComponentMet>& components) {
  LikelihoodRows out;
  Joiner(model, out).run(met, components);
  return out;
}

}  // namespace fermiac::interp
