#include "interp/questions/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "interp/model/conditioned_model.h"
#include "interp/questions/enumerating.h"
#include "interp/value/numbers.h"
#include "support/json.h"
#include "support/render.h"

namespace fermiac::interp {

// ---------------------------------------------------------------- text

namespace {

class QueryReader {
 public:
  explicit QueryReader(std::string_view text) : text_(text) {}

  Query read() {
    Query out;
    const std::string word = identifier("'logprob' or 'prob'");
    if (word != "logprob" && word != "prob") at_ = 0, expected("'logprob' or 'prob'");
    out.exponential = word == "prob";
    do out.events.push_back(item(true));
    while (accept(","));
    if (accept("|")) do out.given.push_back(item(false));
      while (accept(","));
    blanks();
    if (at_ < text_.size()) expected("',' or '|' or the end");
    return out;
  }

 private:
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool accept(std::string_view token) {
    blanks();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  [[noreturn]] void expected(std::string_view what) {
    blanks();
    const std::string found = at_ < text_.size() ? fmt::format("'{}'", text_[at_]) : "the end";
    throw DataError(fmt::format("query, column {}: expected {}, found {}", at_, what, found));
  }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
  std::string identifier(std::string_view what) {
    blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || (at_ > begin && text_[at_] >= '0' && text_[at_] <= '9'))) ++at_;
    if (at_ == begin) expected(what);
    return std::string(text_.substr(begin, at_ - begin));
  }
  std::string brackets() {
    const std::size_t begin = at_;
    int depth = 0;
    do {
      if (at_ == text_.size()) expected("']'");
      depth += text_[at_] == '[';
      depth -= text_[at_] == ']';
      ++at_;
    } while (depth > 0);
    return std::string(text_.substr(begin, at_ - begin));
  }
  std::string digits() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    if (at_ == begin) expected("the number of a slot");
    return std::string(text_.substr(begin, at_ - begin));
  }
  QueryItem item(bool event) {
    QueryItem out;
    out.name = identifier("a name");
    for (bool slot = true; slot;) {  // of a tuple: a[2].1[3]
      if (accept("[")) --at_, out.name += brackets();
      slot = accept(".");
      if (slot) out.name += "." + digits();
    }
    if (event && accept("<=")) out.relation = QueryItem::Relation::AtMost;
    else if (event && accept(">")) out.relation = QueryItem::Relation::Above;
    else if (!accept("=")) return out;
    out.value = value();
    return out;
  }
  std::string value() {
    blanks();
    const std::size_t begin = at_;
    if (at_ == text_.size() || std::string_view("=,|<>").find(text_[at_]) != std::string_view::npos) expected("a value");
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      depth += c == '[' || c == '(' || c == '{';
      depth -= c == ']' || c == ')' || c == '}';
      if (depth == 0 && (c == ',' || c == '|')) break;
    }
    std::string_view out = text_.substr(begin, at_ - begin);
    while (!out.empty() && out.back() == ' ') out.remove_suffix(1);
    return std::string(out);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Query read_query(std::string_view text) {
  return QueryReader(text).read();
}

// ---------------------------------------------------------------- numbers

std::unique_ptr<InterpModel> Questioner::model(const Query& query) const {
  Conditioning conditioning = conditioning_;
  for (const auto* list : {&query.events, &query.given})
    for (const QueryItem& item : *list)
      if (!item.value.empty()) conditioning.condition.push_back({item.name, item.value});
  return condition(plain_, data_, conditioning);
}

namespace {

using Numbers = std::vector<NumberName>;

Numbers numbers_of(const NumberTable& table, const QueryItem& item) {
  const Pattern pattern = read_pattern(item.name);
  const NumberTable::Variable* v = pattern.kind == Pattern::Kind::Name ? table.find(pattern.name) : nullptr;
  if (!v) throw DataError(fmt::format("the program has no data variable or parameter '{}'", pattern.name));
  return table.numbers(*v, pattern.steps, item.name);
}

/// Lists that elements of a site share are kept once: they may be long.
using Reads = std::shared_ptr<const Numbers>;

/// What one run of the density says of the numbers asked for.
class Asking final : public EnumeratingHandler {
 public:
  Asking(const Conditioned& c, std::map<NumberName, QueryItem::Relation> asked, bool parameters_known)
      : c_(c), asked_(std::move(asked)), parameters_known_(parameters_known) {}

  bool asks(std::span<const NumberName> names) const {
    return std::ranges::any_of(names, [&](NumberName n) { return asked_.contains(n); });
  }

  void visit(const SiteNode& node, Frame& f) override {
    SiteCall call(node, f);
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
  }

  double logprob = 0;
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
    switch (asked_.at(*first)) {
      case QueryItem::Relation::Equal: logprob += call.log_density(i); return;
      case QueryItem::Relation::AtMost: logprob += call.log_probability(i, false); return;
      case QueryItem::Relation::Above: logprob += call.log_probability(i, true); return;
    }
  }

  void require(const NumberName& n, const NumberName& by) const {
    if (c_.state(n) != NumberState::Free || (parameters_known_ && c_.is_parameter(n))) return;
    const std::string one = c_.numbers().text({&n, 1});
    if (n == by) throw DataError(fmt::format("{} has no value: write {} = VALUE", one, one));
    throw DataError(fmt::format("{} depends on {}, which is neither given nor asked for", c_.numbers().text({&by, 1}), one));
  }

  void require_density(const NumberName& asked) const {
    if (asked_.at(asked) == QueryItem::Relation::Equal) return;
    const std::string one = c_.numbers().text({&asked, 1});
    throw DataError(fmt::format("{} depends on ints that are missing: ask for its density, {} = VALUE", one, one));
  }

  const Conditioned& c_;
  std::map<NumberName, QueryItem::Relation> asked_;
  bool parameters_known_;
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
      throw DataError(fmt::format("{} is given, but depends on {}: the probability of {} given {} is an integral; without the bar the joint density is computed",
                                  given.name, event, event, given.name));
    }
  std::set<NumberName> in_terms;
  for (const Reads& list : asking.in_terms) in_terms.insert(list->begin(), list->end());
  for (const NumberName& n : events)
    if (in_terms.contains(n))
      throw DataError(fmt::format("a term that is no distribution of anything depends on {}, so its density is not that of the program", c.numbers().text({&n, 1})));
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
      throw DataError(fmt::format("{} depends on {}, which is neither given nor asked for", event, c.numbers().text({n, 1})) + c.place_text(*site));
    }
  }
}

/// Elements asked for and distributions of unknown ints are summed up together.
EvalStatus ask(const InterpModel& model, std::span<const double> theta, Asking& asking) {
  const Conditioned& c = *model.conditioned();
  const auto counts = [&](std::span<const NumberName> names) {
    return asking.asks(names) || std::ranges::any_of(names, [&](NumberName n) { return n >= 0 && c.state(n) == NumberState::Summed; });
  };
  return asking.run(model, theta, false, {.weighted = false, .parts = false, .counts = counts});
}

}  // namespace

Answer Questioner::answer(const InterpModel& model, const Query& query, const std::vector<std::vector<double>>& points,
                          bool parameters_known, bool) const {
  const Conditioned& c = *model.conditioned();
  if (const auto read = c.sites().target_read)
    throw DataError("target() is read here, so distributions depend on more than their arguments (in " + location_text(model.compiled().sources, *read) + ")");
  std::map<NumberName, QueryItem::Relation> asked;
  std::set<NumberName> events;
  for (const QueryItem& event : query.events)
    for (const NumberName n : numbers_of(c.numbers(), event)) asked[n] = event.relation, events.insert(n);
  std::vector<double> values;
  for (std::size_t k = 0; k < points.size(); ++k) {
    Asking asking(c, asked, parameters_known);
    asking.details = k == 0;
    if (const EvalStatus status = ask(model, points[k], asking); !status) throw DataError(status.message);
    if (k == 0) {
      std::set<std::string> variables;
      for (const NumberName n : events) variables.insert(c.numbers().of(n).name);
      refuse_undecided(c, variables, parameters_known);
      for (const QueryItem& event : query.events)
        for (const NumberName& n : numbers_of(c.numbers(), event)) {
          if (asking.found.contains(n)) continue;
          const bool data = !c.is_parameter(n);
          const std::string name(variable_of(event.name));
          throw DataError(fmt::format("{} is {} without a distribution: it has no probability", name, data ? "data" : "a parameter"));
        }
      refuse_integrals(c, asking, query, events);
    }
    values.push_back(asking.logprob);
  }
  Answer out{.value = values[0], .mcse = {}, .draws = parameters_known ? values.size() : 0, .remarks = {}};
  if (parameters_known) {
    const double most = *std::ranges::max_element(values);
    double sum = 0, squares = 0;
    for (const double v : values) sum += std::exp(v - most);
    const double n = static_cast<double>(values.size()), mean = sum / n;
    for (const double v : values) squares += std::pow(std::exp(v - most) - mean, 2);
    out.value = most + std::log(mean);
    out.mcse = values.size() > 1 ? std::sqrt(squares / (n - 1) / n) / mean : std::numeric_limits<double>::quiet_NaN();
  }
  if (query.exponential) out.value = std::exp(out.value);
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
