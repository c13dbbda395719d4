// Why something cannot be drawn.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interp/model/conditioned_model.h"
#include "interp/queries/generators.h"
#include "interp/queries/predict.h"
#include "interp/queries/predict_plan.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/sites/definitions.h"
#include "mir/sites/sites.h"
#include "support/base/render.h"

namespace fermiac::interp {
namespace {

class Reasons {
 public:
  Reasons(DrawPlan& plan, const std::vector<DrawnElement>& met, bool prior) : plan_(plan), c_(plan.c), met_(met), prior_(prior) {}

  std::vector<Reason> all() {
    std::vector<Reason> out;
    for (const NumberTable::Variable& v : c_.numbers().variables()) {
      if (auto why = v.is_plain() ? of(v) : nameless(v)) out.push_back(std::move(*why));
    }
    if (out.empty())
      if (auto why = cycle()) out.push_back(std::move(*why));
    if (out.empty())
      if (auto why = observed_child()) out.push_back(std::move(*why));
    return out;
  }

 private:
  std::string text(NumberName n) const { return c_.numbers().text({&n, 1}); }

  /// The site counts for what is drawn.
  bool active(const DrawnElement& m) const {
    const bool data = std::ranges::any_of(m.names, [&](NumberName n) { return plan_.wants(n) && !c_.is_parameter(n); });
    return data || (prior_ && m.role == SiteRole::Prior) || m.role == SiteRole::Unclear;
  }

  /// A parameter whose numbers are no elements of one container.
  std::optional<Reason> nameless(const NumberTable::Variable& v) const {
    if (v.kind != NumberTable::Kind::Parameter || !prior_) return std::nullopt;
    return Reason{fmt::format("{} is complex or a tuple, of which nothing can be drawn", v.name), plan_.declared(v.name)};
  }

  std::optional<Reason> of(const NumberTable::Variable& v) {
    Numbers wanted;
    for (const NumberName n : c_.numbers().numbers(v))
      if (plan_.wants(n)) wanted.push_back(n);
    if (wanted.empty()) return std::nullopt;
    const NumberSet set(wanted.begin(), wanted.end());
    std::map<NumberName, std::vector<const DrawnElement*>> sites;
    for (const DrawnElement& m : met_)
      for (const NumberName n : m.names)
        if (m.site->kind == mir::SiteKind::Density && set.contains(n)) sites[n].push_back(&m);
    for (const auto& [n, list] : sites)
      if (list.size() > 1)
        return Reason{fmt::format("{} has two distributions (lines {} and {}), so it cannot be drawn", text(n), c_.place(*list[0]->site).line,
                                  c_.place(*list[1]->site).line), list[1]->site->span};
    for (const DrawnElement& m : met_)
      if (m.computed && prior_ && m.site->left[0].depends.contains(v.name))
        return Reason{fmt::format("the left side is computed from {}, so {} cannot be drawn by this statement", v.name, v.name), m.site->span};
    for (const auto& [n, list] : sites) {
      const mir::Site& site = *list[0]->site;
      if (!has_generator(plan_.model.compiled(), site))
        return Reason{fmt::format("{} cannot be drawn: {} has no random number generator", v.name, site.distribution), site.span};
      if (auto why = structured(v, site)) return why;
      if (site.factor) return Reason{fmt::format("this density is multiplied by a number, so {} cannot be drawn from it", v.name), site.span};
    }
    const auto term = term_of(v, set);
    for (const NumberName n : wanted)
      if (!sites.contains(n))
        if (auto why = without_site(v, n)) return term && !c_.is_parameter(n) ? term : why;
    return term;
  }

  /// A term that depends on one of the numbers without being their distribution.
  std::optional<Reason> term_of(const NumberTable::Variable& v, const NumberSet& set) const {
    for (const DrawnElement& m : met_) {
      if (m.site->kind == mir::SiteKind::Density || !active(m)) continue;
      const auto in = [&](NumberName n) { return set.contains(n); };
      if (std::ranges::any_of(m.names, in) || ((m.names.empty() || m.role == SiteRole::Prior) && m.reads_any(in)))
        return Reason{fmt::format("this term is no distribution of anything, but depends on {}, so {} cannot be drawn from the program", v.name, v.name),
                      m.site->span};
    }
    return std::nullopt;
  }

  std::optional<Reason> structured(const NumberTable::Variable& v, const mir::Site& site) const {
    using Kind = mir::TransformKind;
    const auto position = plan_.position.find(v.name);
    const Kind kind = plan_.variables[position->second].transform;
    const bool elementwise = ad::find_map(site.distribution + "_lpdf") != ad::kNoMap;
    if (kind <= Kind::OffsetMultiplier || is_ordered(kind) || !elementwise) return std::nullopt;
    if (sums_to_zero(kind)) {
      const bool normal = site.distribution == "normal" || site.distribution == "std_normal";
      bool constant = normal;
      for (const DrawnElement& m : met_)
        if (m.site.get() == &site) constant = constant && !m.reads_any([&](NumberName n) { return plan_.wants(n); });
      const auto& args = mir::as_call(*site.call)->args;
      constant = constant && std::none_of(args.begin() + 1, args.end(), [](const mir::ExprPtr& e) { return mir::is_container(e->type); });
      if (constant) return std::nullopt;
      const Shape& s = v.shape;
      const std::size_t dimensions = s.inner == ad::Inner::Matrix ? std::size_t{s.rows - 1} * (s.cols - 1) : s.inner_size() - 1;
      const std::string name = s.inner == ad::Inner::Matrix ? fmt::format("sum_to_zero_matrix[{},{}]", s.rows, s.cols) : fmt::format("sum_to_zero_vector[{}]", s.inner_size());
      return Reason{fmt::format("{} is a {} with {} dimensions, so {} for each of its numbers does not integrate to a constant in {}", v.name, name,
                                dimensions, density_text(site), name_list({site.reads.begin(), site.reads.end()})), site.span};
    }
    return Reason{fmt::format("{} is a {}, whose elements cannot be drawn from {} one by one", v.name, structure_name(kind), site.distribution),
                  site.span};
  }

  /// `normal(0, s)`, as the statement has it.
  std::string density_text(const mir::Site& site) const {
    const std::string_view statement = plan_.model.compiled().sources().text(site.span);
    const std::size_t at = statement.find(site.distribution), end = statement.rfind(')');
    return at == std::string_view::npos || end == std::string_view::npos ? site.distribution : std::string(statement.substr(at, end + 1 - at));
  }

  std::optional<Reason> without_site(const NumberTable::Variable& v, NumberName n) {
    auto& variable = plan_.variables[plan_.position.at(v.name)];
    const Span span = plan_.declared(v.name);
    if (!c_.is_parameter(n)) return Reason{fmt::format("{} has no distribution, so nothing can be drawn for it", text(n)), span};
    if (has_uniform(variable.transform)) return std::nullopt;
    const auto bounds = plan_.bound_dependence(v.name);
    if (bounds.depends) return Reason{fmt::format("{} has no distribution, and its {} bound depends on {}: the program's density is not uniform in {} for every {}", v.name,
                                                  bounds.which, bounds.on, v.name, bounds.on), span};
    const auto offset = static_cast<std::size_t>(n - v.first);
    const bool closed = variable.has_limits && std::isfinite(variable.low(offset)) && std::isfinite(variable.high(offset));
    if (closed) return std::nullopt;
    return Reason{fmt::format("{} has no distribution and is not bounded on both sides, so nothing can be drawn for it", v.name), span};
  }

  /// The least of the numbers that the element reads, of those that pass.
  template <class Test>
  static std::optional<NumberName> first_read(const DrawnElement& m, Test test) {
    std::optional<NumberName> least;
    for (const Numbers* list : {&m.own_reads, m.shared_reads.get()})
      for (const NumberName r : *list)
        if (test(r) && (!least || r < *least)) least = r;
    return least;
  }

  /// Numbers that are drawn, each with its distribution, less those that can be: what depends on nothing that is left goes.
  std::map<NumberName, const DrawnElement*> waiting_for_each_other(std::vector<std::uint8_t>& waits) const {
    std::map<NumberName, const DrawnElement*> left;
    for (const DrawnElement& m : met_)
      for (const NumberName n : m.names)
        if (plan_.wants(n) && m.site->kind == mir::SiteKind::Density) left[n] = &m, waits[static_cast<std::size_t>(n)] = 1;
    const auto waiting = [&](NumberName r) { return waits[static_cast<std::size_t>(r)] != 0; };
    for (std::size_t before = left.size() + 1; before != left.size();) {
      before = left.size();
      std::map<const Numbers*, bool> shared;  // whether something of the list waits: each is looked at once a round
      std::erase_if(left, [&](const auto& entry) {
        const auto& [n, m] = entry;
        const auto [at, fresh] = shared.try_emplace(m->shared_reads.get(), false);
        if (fresh) at->second = std::ranges::any_of(*m->shared_reads, waiting);
        return !at->second && std::ranges::none_of(m->own_reads, waiting);
      });
      std::ranges::fill(waits, 0);
      for (const auto& [n, m] : left) waits[static_cast<std::size_t>(n)] = 1;
    }
    return left;
  }

  /// Numbers that need each other first.
  std::optional<Reason> cycle() const {
    std::vector<std::uint8_t> waits(c_.numbers().size(), 0);
    const auto left = waiting_for_each_other(waits);
    if (left.empty()) return std::nullopt;
    const auto next = [&](NumberName n) { return *first_read(*left.at(n), [&](NumberName r) { return waits[static_cast<std::size_t>(r)] != 0; }); };
    NumberSet seen;
    NumberName first = left.begin()->first;
    while (seen.insert(first).second) first = next(first);
    std::vector<std::string> names;
    NumberName at = first;
    do {
      names.push_back(text(at));
      at = next(at);
    } while (at != first);
    std::ranges::sort(names);
    if (names.size() == 1) return Reason{fmt::format("{} depends on itself, so it cannot be drawn", names[0]), left.at(first)->site->span};
    return Reason{fmt::format("{} depend on each other, so neither can be drawn first", name_list_and(names)), left.at(first)->site->span};
  }

  std::optional<Reason> observed_child() const {
    for (const DrawnElement& m : met_)
      for (const NumberName n : m.names) {
        if (plan_.wants(n) || c_.is_parameter(n) || c_.state(n) == NumberState::Fixed) continue;
        const auto drawn = [&](NumberName r) { return plan_.wants(r) && !c_.is_parameter(r); };
        if (const auto r = first_read(m, drawn))
          return Reason{fmt::format("{} stays observed, but depends on {}: predict both, or sample with {} missing", text(n), text(*r), text(*r)), m.site->span};
      }
    return std::nullopt;
  }

  DrawPlan& plan_;
  const Conditioned& c_;
  const std::vector<DrawnElement>& met_;
  bool prior_;
};

}  // namespace

std::vector<Reason> reasons_against(DrawPlan& plan, const std::vector<DrawnElement>& met, bool prior) {
  return Reasons(plan, met, prior).all();
}

}  // namespace fermiac::interp
