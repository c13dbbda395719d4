#include "interp/queries/site_list.h"

#include <algorithm>

#include "interp/model/conditioned_model.h"
#include "interp/queries/trace.h"
#include "mir/sites/definitions.h"
#include "support/base/text.h"

namespace fermiac::interp {
namespace {

using Kind = mir::NamedVariable::Kind;

std::string_view kind_name(mir::SiteKind kind) {
  return kind == mir::SiteKind::Density ? "density" : kind == mir::SiteKind::Censored ? "censored" : "term";
}

/// Variables that the left sides name.
std::vector<const mir::NamedVariable*> named(const mir::SiteTable& sites, const mir::Site& site) {
  std::vector<const mir::NamedVariable*> out;
  for (const mir::SiteLeft& left : site.left) {
    if (!left.names) continue;
    const auto moved = mir::variables_moved(*left.names);
    for (const mir::NamedVariable& v : sites.variables)
      if (moved.contains(v.name) && std::ranges::find(out, &v) == out.end()) out.push_back(&v);
  }
  return out;
}

SiteRow row_of(const CompiledModel& program, const mir::Site& site) {
  const LineColumn at = program.sources().line_column(site.span.begin);
  SiteRow row{.number = site.number, .line = at.line, .column = at.column, .statement = on_one_line(program.sources().text(site.span)),
              .kind = kind_name(site.kind), .variable = {}, .left = {}, .role = {}, .distribution = site.distribution, .elements = {}};
  const auto variables = named(*program.sites, site);
  if (variables.size() == 1) row.variable = variables[0]->name;
  return row;
}

/// `fresh`, or mixed where it was something else before.
void join(std::string_view& value, std::string_view fresh) {
  if (value.empty()) value = fresh;
  else if (value != fresh) value = "mixed";
}

/// Without numbers: by the kinds of the variables.
void by_variables(const mir::SiteTable& sites, const mir::Site& site, SiteRow& row) {
  const auto variables = named(sites, site);
  const bool term = site.kind == mir::SiteKind::Term;
  for (const mir::NamedVariable* v : variables) {
    const bool parameter = v->kind == Kind::Parameter;
    if (!term) join(row.left, parameter ? "parameter" : "data");
    if (!term) join(row.role, parameter ? "prior" : "likelihood");
    else if (!parameter || row.role.empty()) row.role = parameter ? "prior" : "likelihood";
  }
  if (!variables.empty()) return;
  if (term) {
    row.role = sites.reads_data(site) ? "unclear" : "prior";
    return;
  }
  const bool computed = !site.left[0].names;
  row.left = computed ? "derived" : "constant";
  const std::set<std::string>& from = site.left[0].from;
  const bool observed = from.empty() || std::ranges::any_of(from, [&](const std::string& name) { return sites.is_data(name); });
  row.role = !computed || observed ? "likelihood" : "prior";
}

}  // namespace

std::vector<SiteRow> site_rows(const CompiledModel& program) {
  std::vector<SiteRow> out;
  for (const auto& site : program.sites->sites) {
    out.push_back(row_of(program, *site));
    by_variables(*program.sites, *site, out.back());
  }
  return out;
}

std::vector<SiteRow> site_rows(const ConditionedModel& model) {
  std::vector<SiteRow> out;
  const Conditioned& c = model.conditioned();
  for (const auto& site : c.sites().sites) out.push_back(row_of(model.compiled(), *site)), out.back().elements = 0;
  for (const ElementMet& e : elements_met(model)) {
    SiteRow& row = out[e.site->number - 1];
    ++*row.elements;
    if (e.site->kind != mir::SiteKind::Term) join(row.left, left_name(c, *e.site, e.names));
    join(row.role, role_name(e.role));
  }
  for (const auto& site : c.sites().sites)
    if (SiteRow& row = out[site->number - 1]; *row.elements == 0) by_variables(c.sites(), *site, row);
  return out;
}

}  // namespace fermiac::interp
