// What the sites that run with some data say of a model: priors that are missing or come twice, and numbers that are scored too often.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "interp/model/conditioned_model.h"
#include "interp/model/model_check.h"
#include "mir/sites/sites.h"
#include "support/base/errors.h"
#include "support/base/render.h"
#include "support/base/rng.h"

namespace fermiac::interp {
namespace {

/// Collects what each element names, and statements whose left side is one for all their elements.
class Scores final : public SiteHandler {
 public:
  explicit Scores(const Conditioned& c) : c_(c) {}

  void visit(const SiteNode& node, Frame& f) override {
    SiteCall call(node, f);
    call.evaluate();
    if (call.site().kind != mir::SiteKind::Term) repeated(call);
    for (std::size_t i = 0; i < call.size(); ++i) element(call, i);
  }

  std::map<NumberName, std::set<const mir::Site*>> priors;  // densities, by number
  std::set<std::string> computed;                          // variables that have a prior through a function of them, or may have one in a term
  struct Repeated {
    NumberName number;
    std::size_t times;
  };
  std::map<const mir::Site*, Repeated> again;              // scored more than once by one execution
  std::vector<std::shared_ptr<const mir::Site>> kept;

 private:
  void repeated(const SiteCall& call) {
    const auto first = call.names(0);
    if (call.size() < 2 || first.empty() || first[0] < 0) return;
    for (std::size_t i = 1; i < call.size(); ++i)
      if (!std::ranges::equal(call.names(i), first)) return;
    keep(call);
    again.try_emplace(&call.site(), Repeated{first[0], call.size()});
  }
  void keep(const SiteCall& call) {
    if (kept.empty() || kept.back().get() != &call.site()) kept.push_back(call.node().parts.site);
  }

  void element(const SiteCall& call, std::size_t i) {
    const mir::Site& site = call.site();
    const SiteRole role = c_.role(site, call.names(i));
    if (site.kind == mir::SiteKind::Term && role != SiteRole::Likelihood) computed.insert(site.reads.begin(), site.reads.end());
    if (role != SiteRole::Prior) return;
    for (const mir::SiteLeft& left : site.left)
      if (!left.names || site.kind == mir::SiteKind::Term) computed.insert(left.from.begin(), left.from.end());
    for (const NumberName n : call.names(i))
      if (n >= 0 && site.kind == mir::SiteKind::Density) keep(call), priors[n].insert(&site);
  }

  const Conditioned& c_;
};

class SiteCheck {
 public:
  SiteCheck(const ConditionedModel& model, const Scores& scores) : model_(model), c_(model.conditioned()), scores_(scores) {}

  std::vector<ModelFinding> run() {
    for (const auto& [site, repeated] : scores_.again) too_often(*site, repeated);
    const auto& outputs = model_.outputs();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const NumberTable::Variable* v = outputs[i].block == mir::BlockKind::Parameters ? c_.numbers().find(outputs[i].name) : nullptr;
      if (v && v->has_names && v->count > 0 && v->kind == NumberTable::Kind::Parameter) count(*v, i);
    }
    return std::move(findings_);
  }

 private:
  void too_often(const mir::Site& site, const Scores::Repeated& repeated) {
    const std::string one = c_.numbers().text({&repeated.number, 1});
    findings_.push_back({site.span, fmt::format("{} is scored {} times each time this statement runs, once for every element of an argument. If {} belongs to one of "
                                                "them, the argument needs an index; a vectorized statement outside of the loop has each pair once.",
                                                one, repeated.times, one)});
  }

  void count(const NumberTable::Variable& v, std::size_t position) {
    const NumberName* without = nullptr;
    std::size_t missing = 0;
    const std::vector<NumberName> all = c_.numbers().numbers(v);
    for (const NumberName& n : all) {
      const auto found = scores_.priors.find(n);
      if (found == scores_.priors.end()) {
        if (c_.state(n) == NumberState::Free && missing++ == 0) without = &n;
      } else if (found->second.size() > 1) {
        return several(v, n, found->second);
      }
    }
    const bool between = model_.compiled().code->log_prob_parameters[position]->transform == mir::TransformKind::LowerUpper;
    if (!without || scores_.computed.contains(v.name) || between || is_closed(model_, position)) return;
    const std::string what = missing < all.size() ? fmt::format("{} of {} elements of {} have", missing, all.size(), v.name) : fmt::format("The parameter {} has", v.name);
    findings_.push_back({declared(v.name), what + " no prior: no statement that runs with these data gives it a distribution, and its declaration does not bound it on both sides."});
  }

  void several(const NumberTable::Variable& v, NumberName n, const std::set<const mir::Site*>& sites) {
    std::set<std::uint32_t> lines;
    for (const mir::Site* site : sites) lines.insert(c_.place(*site).line);
    findings_.push_back({declared(v.name), fmt::format("{} has {} priors, in line{} {}: their product counts.", c_.numbers().text({&n, 1}), sites.size(), lines.size() > 1 ? "s" : "",
                                                       fmt::join(lines, ", "))});
  }

  Span declared(const std::string& name) const {
    for (const mir::OutputVar& v : model_.compiled().program.output_vars)
      if (v.name == name) return v.span;
    return {};
  }

  const ConditionedModel& model_;
  const Conditioned& c_;
  const Scores& scores_;
  std::vector<ModelFinding> findings_;
};

}  // namespace

std::vector<ModelFinding> site_findings(const CompiledModel& compiled, const DataSource& data, const Conditioning& conditioning,
                                        const std::atomic<bool>* stop) {
  try {
    mir::Program opened = compiled.program;
    static_cast<void>(mir::open_sites(opened));
  } catch (const ProgramError&) {
    return {};  // commands that need them say why
  }
  const auto model = condition(compiled, data, conditioning, 1, [](std::string_view) {}, stop);
  Rng rng(1);
  std::vector<double> theta(model->unconstrained_size());
  for (int k = 0; k < 20; ++k) {
    Scores scores(model->conditioned());
    double target = 0;
    if (model->run_sites(theta, false, scores, &target)) return SiteCheck(*model, scores).run();
    for (double& x : theta) x = 4 * rng.uniform() - 2;
  }
  return {};
}

}  // namespace fermiac::interp
