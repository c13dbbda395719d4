#include "interp/queries/trace.h"

#include <algorithm>

#include "frontend/builtins/builtins.h"
#include "interp/functions/builtin_tools.h"
#include "interp/queries/enumerating.h"
#include "interp/value/numbers.h"
#include "support/base/json.h"

namespace fermiac::interp {
namespace {

class Tracer final : public EnumeratingHandler {
 public:
  Tracer(const ConditionedModel& model, bool details, Trace& out) : model_(model), c_(model.conditioned()), details_(details), out_(out) {}

  void visit(const SiteNode& node, Frame& f) override {
    SiteCall call(node, f);
    if (Enumeration* enumeration = enumeration_of(call.site())) {
      for (const std::uint32_t i : enumeration->take(call, f)) element(call, i, call.log_density(i), f);
      return;
    }
    const bool all_off = c_.common_weight(call) == 0.0;
    if (all_off && !details_) return;
    call.evaluate();
    std::vector<double> lp(call.size());
    call.log_densities(lp);
    for (std::size_t i = 0; i < call.size(); ++i) element(call, i, lp[i], f);
  }

 protected:
  void components(const std::vector<ComponentSum>& sums) override {
    const bool likelihood_alone = c_.weights().context() == ContextKind::Likelihood;
    for (const ComponentSum& sum : sums) {
      const double joint = log_sum_of(sum.joint), prior = log_sum_of(sum.prior);
      TracedComponent traced{{}, sum.observed, joint, prior, joint - prior};
      for (const std::size_t k : sum.unknowns) traced.unknown.push_back(c_.unknowns()[k].number);
      if (!likelihood_alone) out_.prior += traced.prior;
      out_.likelihood += traced.likelihood;
      out_.components.push_back(std::move(traced));
    }
  }

 private:
  void element(SiteCall& call, std::size_t i, double lp, Frame& f) {
    const std::span<const NumberName> names = call.names(i);
    TracedElement e{.site = call.node().parts.site, .numbers = {}, .name = {}, .left = left_name(c_, call.site(), names),
                    .role = c_.role(call.site(), names), .arguments = {}, .value = {}, .lower = {}, .upper = {}, .lp = lp,
                    .weight = c_.weight(call.site(), names)};
    for (const NumberName n : names)
      if (n >= 0) e.numbers.push_back(n);
    if (e.weight == 0 && all_fixed(e.numbers)) return;  // switched off
    if (!e.numbers.empty()) e.name = c_.numbers().text(e.numbers);
    if (details_) describe(call, i, e);
    const double counted = e.weight == 0 ? 0 : e.weight * lp;
    (e.role == SiteRole::Prior ? out_.prior : e.role == SiteRole::Likelihood ? out_.likelihood : out_.unclear) += counted;
    f.m.lp += counted;
    out_.elements.push_back(std::move(e));
  }

  bool all_fixed(const std::vector<NumberName>& numbers) const {
    return !numbers.empty() && std::ranges::all_of(numbers, [&](NumberName n) { return c_.state(n) == NumberState::Fixed; });
  }

  void describe(SiteCall& call, std::size_t i, TracedElement& e) {
    if (call.arguments() == 0) return;
    e.value = call.argument(0, i);
    e.lower = call.lower();
    e.upper = call.upper();
    const std::vector<std::string>& names = names_of(call.site());
    for (std::size_t k = 1; k < call.arguments(); ++k)
      e.arguments.emplace_back(k - 1 < names.size() ? names[k - 1] : "argument" + std::to_string(k), call.argument(k, i));
  }

  const std::vector<std::string>& names_of(const mir::Site& site) {
    auto& known = names_[site.number];
    if (known.empty()) known = argument_names(model_, site);
    return known;
  }

  const ConditionedModel& model_;
  const Conditioned& c_;
  bool details_;
  Trace& out_;
  std::map<std::size_t, std::vector<std::string>> names_;
};

/// Leaves every site out.
struct Nothing final : SiteHandler {
  void visit(const SiteNode&, Frame&) override {}
};

}  // namespace

EvalStatus trace(const ConditionedModel& model, std::span<const double> theta, bool jacobian, bool details, Trace* out) {
  *out = {};
  Nothing nothing;
  if (EvalStatus status = model.run_sites(theta, jacobian, nothing, &out->jacobian); !status) return status;
  Tracer tracer(model, details, *out);
  EvalStatus status = tracer.run(model, theta, jacobian, {.weighted = true, .parts = true});
  out->target = out->prior + out->likelihood + out->unclear + out->jacobian;
  return status;
}

std::string_view left_name(const Conditioned& c, const mir::Site& site, std::span<const NumberName> names) {
  if (site.kind == mir::SiteKind::Term) return {};
  std::string_view out = "constant";
  for (const NumberName n : names) {
    if (n == kComputedName) return "derived";
    if (n < 0) continue;
    const bool free = c.state(n) == NumberState::Free || c.state(n) == NumberState::Summed;
    if (!c.is_parameter(n) && !free) return "data";
    out = c.is_parameter(n) ? "parameter" : "missing";
  }
  return out;
}

std::vector<std::string> argument_names(const ConditionedModel& model, const mir::Site& site) {
  std::vector<std::string> out;
  if (const BuiltinRow* row = find_distribution(site.distribution))
    for (const ArgumentDoc& doc : argument_docs(*row)) out.emplace_back(doc.name);
  if (out.empty())
    for (const mir::Function& f : model.compiled().program.functions)
      if (out.empty() && (f.name == site.distribution + "_lpdf" || f.name == site.distribution + "_lpmf"))
        for (const mir::FunctionArg& arg : f.args) out.push_back(arg.name);
  if (!out.empty()) out.erase(out.begin());
  return out;
}

// ---------------------------------------------------------------- values as JSON

namespace {

std::string number_json(const Value& v, std::uint32_t i);

/// `at` and `stride` count numbers of the layout.
std::string list_json(const Value& v, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& levels, std::size_t level, std::uint32_t at) {
  if (level == levels.size()) return number_json(v, at);
  std::string out;
  JsonGroup list(out, JsonGroup::Kind::Array);
  for (std::uint32_t i = 0; i < levels[level].first; ++i) list.item() += list_json(v, levels, level + 1, at + i * levels[level].second);
  list.end();
  return out;
}

std::string tuple_json(const Value& tuple) {
  std::string out;
  JsonGroup slots(out, JsonGroup::Kind::Object);
  for (std::size_t k = 0; k < tuple.values().size(); ++k) slots.member(std::to_string(k + 1)) += value_json(tuple.values()[k]);
  slots.end();
  return out;
}

std::string number_json(const Value& v, std::uint32_t i) {
  if (v.kind() == Value::Kind::Tuples) return tuple_json(v.values()[i]);
  if (v.kind() == Value::Kind::Ints) return std::to_string(v.int_data()[i]);
  return json_number(v.real_data()[i]);
}

}  // namespace

std::string value_json(const Value& v) {
  if (v.kind() == Value::Kind::Int) return std::to_string(v.as_int());
  if (v.kind() == Value::Kind::Real) return json_number(v.as_real());
  if (v.kind() == Value::Kind::Tuple) return tuple_json(v);
  if (v.kind() < Value::Kind::Ints || v.kind() == Value::Kind::Refs || v.shape().complex) return "null";
  const Shape& s = v.shape();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> levels;  // count, stride; outermost first
  std::uint32_t stride = s.inner_size();
  for (int k = s.rank; k-- > 0;) {
    levels.insert(levels.begin(), {s.array_dims[static_cast<std::size_t>(k)], stride});
    stride *= s.array_dims[static_cast<std::size_t>(k)];
  }
  if (s.inner == ad::Inner::Matrix) levels.insert(levels.end(), {{s.rows, 1}, {s.cols, s.rows}});
  else if (s.inner != ad::Inner::Scalar) levels.emplace_back(s.inner_size(), 1);
  return list_json(v, levels, 0, 0);
}

}  // namespace fermiac::interp
