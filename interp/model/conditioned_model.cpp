#include "interp/model/conditioned_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interp/conditioning/enumeration.h"
#include "interp/exec/runs/code.h"
#include "interp/functions/builtin_tools.h"
#include "interp/model/layout.h"
#include "interp/model/plain_run.h"
#include "mir/sites/sites.h"
#include "support/base/errors.h"
#include "support/base/render.h"
#include "support/base/stop.h"

namespace fermiac::interp {

// ---------------------------------------------------------------- the model

ConditionedModel::ConditionedModel(std::shared_ptr<const CompiledModel> compiled, const DataSource& data, const Conditioning& conditioning,
                                   std::uint64_t seed, PrintSink print, const std::atomic<bool>* stop, EvaluationSettings settings)
    : InterpModel(std::make_shared<const BoundProgram>(std::move(compiled), data, &conditioning, seed, print, stop), print, stop,
                  std::move(settings)) {}

ConditionedModel::ConditionedModel(const ConditionedModel& origin, std::shared_ptr<const BoundProgram> program, PrintSink print,
                                   const std::atomic<bool>* stop, EvaluationSettings settings)
    : InterpModel(std::move(program), std::move(print), stop, std::move(settings), &origin) {}

std::unique_ptr<InterpModel> ConditionedModel::derived(PrintSink print, const std::atomic<bool>* stop, EvaluationSettings settings) const {
  return std::unique_ptr<InterpModel>(new ConditionedModel(*this, context().program, std::move(print), stop, std::move(settings)));
}

std::unique_ptr<ConditionedModel> ConditionedModel::with(std::shared_ptr<const Conditioned> conditioned) const {
  return with(std::move(conditioned), context().inherited());
}

std::unique_ptr<ConditionedModel> ConditionedModel::with(std::shared_ptr<const Conditioned> conditioned, EvaluationSettings settings) const {
  return std::unique_ptr<ConditionedModel>(new ConditionedModel(*this, context().program->with(std::move(conditioned)), context().print,
                                                                context().stop, std::move(settings)));
}

EvalStatus ConditionedModel::run_sites(std::span<const double> theta, bool jacobian, SiteHandler& handler, double* target, const RunWith& with) const {
  return interp::run_sites(context(), theta, jacobian, handler, target, with);
}

std::optional<std::pair<std::vector<double>, std::vector<double>>> ConditionedModel::constant_bounds(std::size_t position) const {
  return context().program->constant_bounds(position, context().stop);
}

std::vector<std::string> ConditionedModel::names_of_free_numbers() const {
  std::vector<std::string> out;
  for (const Output& output : outputs()) {
    if (output.block == mir::BlockKind::Parameters) output.append_free_names(output.type, out);
  }
  return out;
}

std::vector<Value> ConditionedModel::parameter_values(std::span<const double> theta) const {
  const Code& code = context().code();
  PlainRun run(globals(), code.log_prob, no_print(), context().stop);
  run.m.theta = theta;
  std::vector<Value> out;
  for (std::size_t i = 0; i < code.log_prob_parameters.size(); ++i) {
    const HeldNumbers* held = conditioned().held()[i];
    const ParameterNode& parameter = *code.log_prob_parameters[i];
    out.push_back(held ? constrain_parameter(parameter, run.f, *held) : constrain_parameter(parameter, run.f));
    run.f.slots[code.log_prob_slots[i]] = out.back();
  }
  return out;
}

EvalStatus ConditionedModel::write_held(std::span<const double> theta, const RunWith& with, std::span<double> out) const {
  const ad::MemoryScope limited(context().max_memory);
  const ad::StopScope stoppable(context().stop);
  const Code& code = context().code();
  PlainRun run(globals(), code.generate_quantities, with.print ? context().print : no_print(), context().stop);
  run.m.theta = theta;
  run.m.held = with.held;
  run.m.rng = with.rng;
  run.f.slots[code.emit_transformed] = 1;
  run.f.slots[code.emit_generated] = 1;
  const EvalStatus status = guarded(compiled(), run.m, [&] { run_section(code.generate_quantities, run.f); });
  if (!status) return status;
  double* to = out.data();
  for (const OutputInfo& output : code.outputs) to = write_value(run.f.slots[output.slot], to);
  return {};
}

std::vector<std::string> ConditionedModel::names_of_all() const {
  std::vector<std::string> out;
  for (const Output& output : outputs()) append_names(output.name, output.type, out);
  return out;
}

namespace {

/// Whether there are values that the declaration does not allow.
bool may_break(const ParameterNode& p) { return !p.slots.empty() || p.transform != mir::TransformKind::None; }

std::string declared_at(const CompiledModel& compiled, const std::string& variable) {
  for (const mir::OutputVar& v : compiled.program.output_vars)
    if (v.name == variable && !(v.span == Span{})) return compiled.place(v.span);
  return {};
}

bool is_bounded(const ParameterNode& p) {
  return p.slots.empty() && p.transform >= mir::TransformKind::Lower && p.transform <= mir::TransformKind::LowerUpper;
}

/// The numbers that are held keep to their bounds; errors are worded as those of data.
void check_bounds(const ParameterNode& p, const Value& value, const HeldNumbers& held, const NumberTable& numbers, const std::string& place, Frame& f) {
  const NumberTable::Variable& named = *numbers.find(p.name);
  const auto own = [&](std::uint32_t k) { return std::ranges::find(held.free, k) == held.free.end() && std::ranges::find(held.drawn, k) == held.drawn.end(); };
  const CallContext context = f.context(false);
  const auto check = [&](const ExprPtr& expr, bool lower) {
    if (!expr) return;
    const Value bound = expr->eval(f);
    for (std::uint32_t k = 0; k < value.shape().size(); ++k) {
      const double x = element_value(context, value, k), b = element_value(context, bound, bound.shape().is_scalar() ? 0 : k);
      const NumberName n = named.first + static_cast<NumberName>(k);
      if (own(k) && !(lower ? x >= b : x <= b))
        throw ad::DomainError(fmt::format("{} is {}, but must be {} than or equal to {}{}", numbers.text({&n, 1}), x, lower ? "greater" : "less", b, place));
    }
  };
  check(p.first, true);
  check(p.second, false);
}

}  // namespace

EvalStatus ConditionedModel::check_held(std::span<const double> theta, const RunWith& with) const {
  const Code& code = context().code();
  PlainRun run(globals(), code.generate_quantities, no_print(), context().stop);
  run.m.theta = theta;
  run.m.held = with.held;
  std::vector<double> free;
  return guarded(compiled(), run.m, [&] {
    for (std::size_t i = 0; i < code.generate_parameters.size(); ++i) {
      const ParameterNode& parameter = *code.generate_parameters[i];
      Value& slot = run.f.slots[code.parameter_slots[i]];
      const HeldNumbers* held = (*with.held)[i];
      slot = held ? constrain_parameter(parameter, run.f, *held) : constrain_parameter(parameter, run.f);
      if (held && is_bounded(parameter)) check_bounds(parameter, slot, *held, conditioned().numbers(), declared_at(compiled(), parameter.name), run.f);
      else if (may_break(parameter)) unconstrain_parameter(parameter, run.f, slot, free);
    }
  });
}

const ConditionedModel* as_conditioned(const InterpModel& model) { return dynamic_cast<const ConditionedModel*>(&model); }
ConditionedModel* as_conditioned(InterpModel& model) { return dynamic_cast<ConditionedModel*>(&model); }

// ---------------------------------------------------------------- the program

namespace {

bool is_input(const mir::Program& program, const std::string& name) {
  return std::ranges::any_of(program.input_vars, [&](const mir::InputVar& v) { return v.name == name; });
}

/// Their constraints are those of slots, and ints among these are no parameters.
void refuse_missing_tuples(const CompiledModel& plain, const std::set<std::string>& unknown) {
  for (const mir::InputVar& v : plain.program.input_vars)
    if (unknown.contains(v.name) && v.type.base == BaseType::Tuple)
      throw InputError(fmt::format("{} is a tuple, of which nothing can be missing: declare its slots as variables of their own{}", v.name, plain.place(v.span)));
}

}  // namespace

std::set<std::string> unknown_data(const mir::Program& program, const DataSource& data, const Conditioning& conditioning) {
  std::set<std::string> out;
  const auto add = [&](const std::string& name) {
    if (is_input(program, name)) out.insert(name);
  };
  for (const std::string& name : data.mentioning("null")) add(name);
  if (conditioning.nan_is_missing)
    for (const std::string& name : data.mentioning("NaN")) add(name);
  for (const std::string& pattern : conditioning.missing) add(read_pattern(pattern).name);
  for (const std::string& name : conditioning.lifted) add(name);
  return out;
}

std::shared_ptr<const CompiledModel> conditioned_program(const CompiledModel& plain, const std::set<std::string>& unknown,
                                                         const std::set<std::string>& held) {
  auto out = std::make_shared<CompiledModel>();
  out->compilation = plain.compilation;
  out->program = plain.program;
  refuse_missing_tuples(plain, unknown);
  try {
    if (!unknown.empty()) {
      mir::Program opened = plain.program;
      const mir::SiteTable sites = mir::open_sites(opened);
      mir::lift_data(out->program, unknown, mir::implied_constraints(opened, sites, unknown));
    }
    mir::check_held(out->program, held);
    std::set<std::string> ints;
    for (const mir::InputVar& v : plain.program.input_vars)
      if (unknown.contains(v.name) && v.type.type().base() == BaseType::Int) ints.insert(v.name);
    auto sites = std::make_unique<mir::SiteTable>(mir::open_sites(out->program, ints));
    out->code = prepare(out->program, plain.code->header, plain.code->jit, sites.get());
    out->sites = std::move(sites);
  } catch (const ProgramError& e) {
    throw InputError(e.what() + plain.place(e.span));
  }
  return out;
}

bool conditions(const CompiledModel& plain, const DataSource& data, const Conditioning& conditioning) {
  return !conditioning.empty() || !unknown_data(plain.program, data, conditioning).empty();
}

// ---------------------------------------------------------------- elements

namespace {

/// Collects elements and evaluates no density.
class Meeting final : public SiteHandler {
 public:
  explicit Meeting(const Conditioned& conditioned) : conditioned_(conditioned) {}
  void visit(const SiteNode& node, Frame& f) override {
    SiteCall call(node, f);
    call.evaluate();
    for (std::size_t i = 0; i < call.size(); ++i) {
      const std::span<const NumberName> names = call.names(i);
      ElementMet& e = met.emplace_back(ElementMet{node.parts.site, {names.begin(), names.end()}, conditioned_.role(call.site(), names), {}, {}, call.size() == 1});
      if (e.role == SiteRole::Likelihood) place(call, i, e);
    }
  }
  std::vector<ElementMet> met;

 private:
  void place(const SiteCall& call, std::size_t i, ElementMet& e) const {
    const bool named = any_observed(conditioned_, e.names);
    if (named) e.key = {call.site().number, i, call.round()};
    else e.key = call.key(i), e.rows = call.row_reads(i);
  }

  const Conditioned& conditioned_;
};

}  // namespace

bool any_observed(const Conditioned& c, std::span<const NumberName> names) {
  return std::ranges::any_of(names, [&](NumberName n) { return n >= 0 && c.state(n) == NumberState::Observed; });
}

std::vector<ElementMet> elements_met(const ConditionedModel& model, bool* found) {
  constexpr int kTries = 20;
  Rng rng(1);
  std::vector<double> theta(model.unconstrained_size());
  for (int k = 0; k < kTries; ++k) {
    Meeting meeting(model.conditioned());
    double target = 0;
    if (model.run_sites(theta, false, meeting, &target)) {
      if (found) *found = true;
      return std::move(meeting.met);
    }
    for (double& x : theta) x = 4 * rng.uniform() - 2;
  }
  if (found) *found = false;
  return {};
}

// ---------------------------------------------------------------- unknown ints

namespace {

/// Sums unknown ints out at points, one after the other, until the program runs to its end at one of them. `use(enumeration, frame)` is
/// called there. Not Ok where there is no such point.
template <class Use>
EvalStatus at_some_point(const ConditionedModel& model, Enumeration::Options options, Use use) {
  constexpr int kTries = 20;
  Rng rng(1);
  std::vector<double> theta(model.unconstrained_size());
  EvalStatus status;
  for (int k = 0; k < kTries; ++k) {
    Enumeration enumeration(model.conditioned(), options);
    UnknownsAlone unknowns(enumeration);
    double target = 0;
    const auto sums = [&](Frame& f) { use(enumeration, f); };
    status = model.run_sites(theta, false, unknowns, &target, {.enumeration = &enumeration, .sums = sums});
    if (status || status.kind == EvalStatus::Kind::Fatal) return status;
    for (double& x : theta) x = 4 * rng.uniform() - 2;
  }
  return status;
}

}  // namespace

std::vector<ComponentMet> components_met(const ConditionedModel& model) {
  std::vector<ComponentMet> out;
  const Conditioned& c = model.conditioned();
  if (c.unknowns().empty()) return out;
  const EvalStatus status = at_some_point(model, {.weighted = false, .parts = false}, [&](const Enumeration& enumeration, Frame& f) {
    for (const ComponentSum& sum : enumeration.sums(f)) {
      out.push_back({{}, sum.observed, sum.nameless});
      for (const std::size_t k : sum.unknowns) out.back().unknown.push_back(c.unknowns()[k].number);
    }
  });
  if (!status) out.clear();
  return out;
}

// ---------------------------------------------------------------- checks

namespace {

class Checks {
 public:
  Checks(const ConditionedModel& model, const Conditioning& conditioning)
      : model_(model), c_(model.conditioned()), conditioning_(conditioning), met_(elements_met(model, &runs_)) {}

  void run() const {
    refuse_values();
    for (const ElementMet& e : met_) {
      weight(e);
      if (conditioning_.context == ContextKind::Prior) refuse_mixed(e);
    }
    if (runs_) refuse_undistributed();
    if (!c_.unknowns().empty()) refuse_unsummed();
  }

 private:
  [[noreturn]] void refuse(const std::string& why, const mir::Site& site) const { throw InputError(why + c_.place_text(site)); }

  void weight(const ElementMet& e) const {
    try {
      c_.weight(*e.site, e.names);
    } catch (const ad::FatalError& error) {
      refuse(error.what(), *e.site);
    }
  }

  /// Values that are given must keep to constraints that depend on constants alone; others are looked at by every evaluation.
  void refuse_values() const {
    std::vector<const HeldNumbers*> held = c_.held();
    if (std::ranges::none_of(held, [](const HeldNumbers* h) { return h != nullptr; })) return;
    std::size_t free = model_.unconstrained_size();
    for (std::size_t i = 0; i < held.size(); ++i) {
      const mir::TransformKind kind = model_.compiled().code->log_prob_parameters[i]->transform;
      const bool bounds = kind >= mir::TransformKind::Lower && kind <= mir::TransformKind::LowerUpper;
      if (!held[i] || !bounds || model_.constant_bounds(i)) continue;
      held[i] = nullptr;  // free here: log_prob tests it
      free += number_count(model_.outputs()[i].unconstrained);
    }
    const std::vector<double> theta(free);
    const EvalStatus status = model_.check_held(theta, {.held = &held, .rng = nullptr, .lenient = false, .print = false});
    if (!status) throw InputError(status.message);
  }

  void refuse_mixed(const ElementMet& e) const {
    const NumberName* missing = nullptr;
    bool observed = false;
    for (const NumberName& n : e.names) {
      if (n < 0) continue;
      observed |= c_.state(n) == NumberState::Observed;
      if (!missing && c_.state(n) == NumberState::Free && !c_.is_parameter(n)) missing = &n;
    }
    if (missing && observed && e.site->kind != mir::SiteKind::Term)
      refuse(fmt::format("{} is missing, but shares a joint distribution with observed elements: without these the prior context does not define it",
                         c_.numbers().text({missing, 1})), *e.site);
  }

  void refuse_undistributed() const {
    std::set<NumberName> named;
    for (const ElementMet& e : met_)
      named.insert(e.names.begin(), e.names.end());
    for (const UnknownInt& u : c_.sampled())
      if (!named.contains(u.number)) refuse_missing(u.number, false);
    for (const NumberTable::Variable& v : c_.numbers().variables()) {
      if (v.kind != NumberTable::Kind::Data || !v.has_names) continue;
      const std::vector<NumberName> all = c_.numbers().numbers(v);
      const bool any = std::ranges::any_of(all, [&](NumberName n) { return named.contains(n); });
      for (const NumberName& n : all) {
        if (c_.state(n) != NumberState::Free || named.contains(n)) continue;
        refuse_missing(n, any);
      }
    }
  }
  [[noreturn]] void refuse_missing(NumberName n, bool others) const {
    const std::string one = c_.numbers().text({&n, 1}), &variable = c_.numbers().of(n).name;
    throw InputError(fmt::format("{} is missing, but no statement gives {} a distribution; add one, give a value, or leave the element out",
                                one, others ? one : variable) + declared_at(variable));
  }

  /// Ints that cannot be summed out; those without a distribution are uniform if options say so of their bounds.
  void refuse_unsummed() const {
    std::set<std::size_t> distributed;
    const EvalStatus status = at_some_point(model_, {}, [&](const Enumeration& enumeration, Frame& f) {
      static_cast<void>(enumeration.target(f));
      distributed = enumeration.distributed();
    });
    if (status.kind == EvalStatus::Kind::Fatal) throw InputError(status.message);
    if (status) refuse_undistributed_ints(distributed);
  }

  void refuse_undistributed_ints(const std::set<std::size_t>& distributed) const {
    for (std::size_t k = 0; k < c_.unknowns().size(); ++k) {
      const UnknownInt& u = c_.unknowns()[k];
      const NumberTable::Variable& v = c_.numbers().of(u.number);
      const auto names_it = [&](const std::string& text) { return read_pattern(text).name == v.name; };
      if (distributed.contains(k) || (u.bounded && std::ranges::any_of(conditioning_.missing, names_it))) continue;
      const bool any = std::ranges::any_of(distributed, [&](std::size_t other) { return c_.numbers().of(c_.unknowns()[other].number).name == v.name; });
      refuse_missing(u.number, any);
    }
  }

  std::string declared_at(const std::string& name) const {
    for (const mir::InputVar& v : model_.compiled().program.input_vars)
      if (v.name == name && !(v.span == Span{})) return model_.compiled().place(v.span);
    return {};
  }

  const ConditionedModel& model_;
  const Conditioned& c_;
  const Conditioning& conditioning_;
  bool runs_ = false;  // at some point
  std::vector<ElementMet> met_;
};

}  // namespace

std::unique_ptr<ConditionedModel> condition(const CompiledModel& plain, const DataSource& data, const Conditioning& conditioning,
                                            std::uint64_t seed, PrintSink print, const std::atomic<bool>* stop) {
  const std::set<std::string> unknown = unknown_data(plain.program, data, conditioning);
  std::set<std::string> held;
  for (const auto* list : {&conditioning.fix, &conditioning.condition})
    for (const Conditioning::Given& given : *list) held.insert(read_pattern(given.name).name);
  auto model = std::make_unique<ConditionedModel>(conditioned_program(plain, unknown, held), data, conditioning, seed, std::move(print), stop);
  Checks(*model, conditioning).run();
  return model;
}

std::unique_ptr<InterpModel> bound_model(const std::shared_ptr<const CompiledModel>& plain, const DataSource& data,
                                         const Conditioning& conditioning, std::uint64_t seed, PrintSink print, const std::atomic<bool>* stop) {
  if (conditions(*plain, data, conditioning)) return condition(*plain, data, conditioning, seed, std::move(print), stop);
  return std::make_unique<InterpModel>(plain, data, seed, std::move(print), stop);
}

std::unique_ptr<InterpModel> bind_as_data_say(const std::shared_ptr<const CompiledModel>& plain, const DataSource& data, std::uint64_t seed,
                                              PrintSink print) {
  Conditioning conditioning;
  if (const std::string json = data.text_of(kConditioningMember); !json.empty())
    read_conditioning(json, kConditioningMember, conditioning);
  return bound_model(plain, data, conditioning, seed, std::move(print));
}

namespace {

bool is_compact(mir::TransformKind kind) {
  using Kind = mir::TransformKind;
  return kind == Kind::Simplex || kind == Kind::UnitVector || kind == Kind::Correlation || kind == Kind::CholeskyCorr ||
         kind == Kind::StochasticColumn || kind == Kind::StochasticRow;
}

}  // namespace

bool is_closed(const ConditionedModel& model, std::size_t position) {
  if (is_compact(model.compiled().code->log_prob_parameters[position]->transform)) return true;
  const auto bounds = model.constant_bounds(position);
  const auto finite = [](double x) { return std::isfinite(x); };
  return bounds && std::ranges::all_of(bounds->first, finite) && std::ranges::all_of(bounds->second, finite);
}

void refuse_improper(const ConditionedModel& model) {
  const Conditioned& c = model.conditioned();
  std::set<NumberName> named;
  std::set<std::string> computed;  // variables of which a function, or a term, has a distribution
  for (const ElementMet& e : elements_met(model)) {
    if (c.weight(*e.site, e.names) == 0) continue;
    named.insert(e.names.begin(), e.names.end());
    if (e.site->kind == mir::SiteKind::Term) computed.insert(e.site->reads.begin(), e.site->reads.end());
    for (const mir::SiteLeft& left : e.site->left)
      if (!left.names) computed.insert(left.from.begin(), left.from.end());
  }
  if (named.empty() && computed.empty() && model.unconstrained_size() == 0) return;
  for (std::size_t i = 0; i < c.held().size(); ++i) {
    const NumberTable::Variable* v = c.numbers().find(model.outputs()[i].name);
    if (!v || !v->has_names || computed.contains(v->name) || is_closed(model, i)) continue;
    for (const NumberName n : c.numbers().numbers(*v))
      if (c.state(n) == NumberState::Free && !named.contains(n))
        throw InputError(fmt::format("{} has no prior: without the data its distribution is improper (--allow-improper samples it anyway)", v->name));
  }
}

std::string missing_text(const ConditionedModel& model) {
  const Conditioned& c = model.conditioned();
  std::vector<NumberName> free, summed, sampled;
  for (const NumberTable::Variable& v : c.numbers().variables()) {
    if (v.kind != NumberTable::Kind::Data || !v.has_names) continue;
    for (const NumberName n : c.numbers().numbers(v))
      if (c.state(n) == NumberState::Free) free.push_back(n);
  }
  for (const UnknownInt& u : c.unknowns()) summed.push_back(u.number);
  for (const UnknownInt& u : c.sampled()) sampled.push_back(u.number);
  std::string out;
  const auto add = [&](const std::vector<NumberName>& numbers, const char* what, const char* how) {
    if (numbers.empty()) return;
    std::vector<std::string> names;
    for (const NumberName& n : numbers) names.push_back(c.numbers().text({&n, 1}));
    const bool one = names.size() == 1;
    out += fmt::format("{}{} {} missing: {} {}{}{}", out.empty() ? "" : "\n", name_list(names), one ? "is" : "are", names.size(), what, one ? "" : "s", how);
  };
  add(free, "number", " estimated");
  add(summed, "int", " summed out");
  add(sampled, "int", " sampled");
  return out;
}

}  // namespace fermiac::interp
