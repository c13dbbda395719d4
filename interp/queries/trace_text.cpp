// Traces as tables and as JSON lines.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "interp/queries/site_list.h"
#include "interp/queries/trace.h"
#include "support/base/text.h"
#include "support/base/json.h"

namespace fermiac::interp {
namespace {

std::string element_json(const ConditionedModel& model, const TracedElement& e) {
  std::string out;
  JsonGroup object(out, JsonGroup::Kind::Object);
  const auto text = [&](const char* name, std::string_view value) {
    if (!value.empty()) object.member(name) += json_quote(value);
  };
  const auto place = model.conditioned().place(*e.site);
  object.member("site") += std::to_string(e.site->number);
  text("name", e.name);
  text("kind", e.site->kind == mir::SiteKind::Density ? "density" : e.site->kind == mir::SiteKind::Censored ? "censored" : "term");
  text("left", e.left);
  text("role", role_name(e.role));
  text("distribution", e.site->distribution);
  if (!e.arguments.empty()) {
    JsonGroup arguments(object.member("arguments"), JsonGroup::Kind::Object);
    for (const auto& [name, value] : e.arguments) arguments.member(name) += value_json(value);
    arguments.end();
  }
  if (!e.value.is_none()) object.member("value") += value_json(e.value);
  object.member("lp") += json_number(e.lp);
  object.member("weight") += json_number(e.weight);
  if (!e.lower.is_none() || !e.upper.is_none()) {
    JsonGroup bounds(object.member("truncation"), JsonGroup::Kind::Object);
    if (!e.lower.is_none()) bounds.member("lower") += value_json(e.lower);
    if (!e.upper.is_none()) bounds.member("upper") += value_json(e.upper);
    bounds.end();
  }
  object.member("line") += std::to_string(place.line);
  object.member("column") += std::to_string(place.column);
  object.end();
  return out + "\n";
}

std::string component_json(const ConditionedModel& model, const TracedComponent& c, std::size_t number) {
  std::string out;
  JsonGroup object(out, JsonGroup::Kind::Object);
  const auto names = [&](const char* member, std::initializer_list<const std::vector<NumberName>*> lists) {
    JsonGroup array(object.member(member), JsonGroup::Kind::Array);
    for (const auto* list : lists)
      for (const NumberName& n : *list) array.item() += json_quote(model.conditioned().numbers().text({&n, 1}));
    array.end();
  };
  object.member("component") += std::to_string(number);
  names("names", {&c.unknown, &c.observed});
  names("unknown", {&c.unknown});
  object.member("lp") += json_number(c.lp);
  object.member("prior") += json_number(c.prior);
  object.member("likelihood") += json_number(c.likelihood);
  object.end();
  return out + "\n";
}

std::string component_text(const ConditionedModel& model, const TracedComponent& c) {
  std::vector<std::string> names;
  for (const NumberName& n : c.unknown) names.push_back(model.conditioned().numbers().text({&n, 1}));
  return fmt::format("{} summed out: prior {:.6g}, likelihood {:.6g}\n", name_list(names), c.prior, c.likelihood);
}

std::string components_text(const ConditionedModel& model, const Trace& trace) {
  constexpr std::size_t kMost = 20;
  std::string out;
  for (std::size_t i = 0; i < std::min(kMost, trace.components.size()); ++i) out += component_text(model, trace.components[i]);
  if (trace.components.size() > kMost) out += fmt::format("… and {} more (--format jsonl has all)\n", trace.components.size() - kMost);
  return out;
}

std::string totals_json(const Trace& t) {
  std::string out;
  JsonGroup object(out, JsonGroup::Kind::Object);
  object.member("target") += json_number(t.target);
  object.member("prior") += json_number(t.prior);
  object.member("likelihood") += json_number(t.likelihood);
  object.member("unclear") += json_number(t.unclear);
  object.member("jacobian") += json_number(t.jacobian);
  object.end();
  return out + "\n";
}

std::string totals_text(const Trace& t) {
  std::string out = fmt::format("prior {:.6g}, likelihood {:.6g}", t.prior, t.likelihood);
  if (t.unclear != 0) out += fmt::format(", unclear {:.6g}", t.unclear);
  return out + fmt::format(", Jacobian {:.6g}; target {:.6g}\n", t.jacobian, t.target);
}

std::string weight_text(double weight) {
  return weight == 1 ? "" : fmt::format("  weight {:.6g}", weight);
}

std::string line_of(std::uint32_t line, const std::string& what, std::size_t width, std::string_view role, double lp, const std::string& more) {
  std::string out = fmt::format("{:4}  {:{}}  {:10}  {:>10}  {}", line, what, width, role, fmt::format("{:.6g}", lp), more);
  while (out.ends_with(' ')) out.pop_back();
  return out + "\n";
}

/// Sums of one site.
struct SiteSum {
  const TracedElement* first = nullptr;
  double lp = 0;
  std::size_t elements = 0;
  bool mixed = false;
  double lowest_weight = std::numeric_limits<double>::infinity(), highest_weight = -std::numeric_limits<double>::infinity();
};

std::string weights_text(const SiteSum& sum) {
  if (sum.lowest_weight == sum.highest_weight) return weight_text(sum.lowest_weight);
  return fmt::format("  weights {:.6g} to {:.6g}", sum.lowest_weight, sum.highest_weight);
}

}  // namespace

std::string trace_by_site(const ConditionedModel& model, const Trace& trace) {
  std::map<std::size_t, SiteSum> sums;
  for (const TracedElement& e : trace.elements) {
    SiteSum& sum = sums[e.site->number];
    if (!sum.first) sum.first = &e;
    sum.mixed |= sum.first->role != e.role;
    sum.lp += e.weight == 0 ? 0 : e.lp;
    sum.lowest_weight = std::min(sum.lowest_weight, e.weight);
    sum.highest_weight = std::max(sum.highest_weight, e.weight);
    ++sum.elements;
  }
  const auto statement = [&](const SiteSum& sum) { return on_one_line(model.compiled().sources().text(sum.first->site->span)); };
  std::size_t width = 0;
  for (const auto& [number, sum] : sums) width = std::max(width, std::min<std::size_t>(statement(sum).size(), 60));
  std::string out;
  for (const auto& [number, sum] : sums) {
    const std::string elements = sum.elements == 1 ? "" : fmt::format("{} elements", sum.elements);
    out += line_of(model.conditioned().place(*sum.first->site).line, statement(sum), width,
                   sum.mixed ? "mixed" : role_name(sum.first->role), sum.lp, elements + weights_text(sum));
  }
  return out + components_text(model, trace) + totals_text(trace);
}

std::string trace_by_element(const ConditionedModel& model, const Trace& trace) {
  std::size_t width = 0;
  const auto name = [](const TracedElement& e) { return e.name.empty() ? fmt::format("site {}", e.site->number) : e.name; };
  for (const TracedElement& e : trace.elements) width = std::max(width, std::min<std::size_t>(name(e).size(), 40));
  std::string out;
  for (const TracedElement& e : trace.elements)
    out += line_of(model.conditioned().place(*e.site).line, name(e), width, role_name(e.role), e.lp, e.site->distribution + weight_text(e.weight));
  return out + components_text(model, trace) + totals_text(trace);
}

std::string trace_json(const ConditionedModel& model, const Trace& trace) {
  std::string out;
  for (const TracedElement& e : trace.elements) out += element_json(model, e);
  for (std::size_t i = 0; i < trace.components.size(); ++i) out += component_json(model, trace.components[i], i + 1);
  return out + totals_json(trace);
}

std::string not_finite_text(const Trace& trace) {
  const auto found = std::ranges::find_if(trace.elements, [](const TracedElement& e) { return !std::isfinite(e.lp); });
  if (found == trace.elements.end()) return {};
  return fmt::format("{} of {} is {}", found->site->distribution.empty() ? "the term" : found->site->distribution, found->name,
                     std::isnan(found->lp) ? "not a number" : fmt::format("{}", found->lp));
}

}  // namespace fermiac::interp
