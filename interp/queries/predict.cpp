#include "interp/queries/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <set>

#include "interp/model/conditioned_model.h"
#include "interp/queries/drawer.h"
#include "interp/queries/generators.h"
#include "interp/queries/predict_plan.h"
#include "interp/value/numbers.h"
#include "mir/ir/visit.h"
#include "mir/sites/definitions.h"
#include "mir/sites/sites.h"
#include "support/base/errors.h"
#include "support/base/interrupted.h"
#include "support/base/render.h"

namespace fermiac::interp {
namespace {

/// Notes the elements. Of what they read the data that stay are left out: there may be millions, and they decide nothing.
class Meeting final : public SiteHandler {
  auto noting(Numbers& numbers) const {
    return [&](NumberName n, bool) {
      if (may_be_drawn_[static_cast<std::size_t>(n)]) numbers.push_back(n);
    };
  }

 public:
  Meeting(const Conditioned& c, std::vector<std::uint8_t> may_be_drawn) : c_(c), may_be_drawn_(std::move(may_be_drawn)) {}
  void visit(const SiteNode& node, Frame& f) override {
    SiteCall call(node, f);
    try {
      call.evaluate();
    } catch (const ad::EvalError&) {
      failed = true;  // of values that are none yet
      return;
    }
    Numbers shared;
    call.each_shared_read(noting(shared));
    const auto all = std::make_shared<const Numbers>(sorted(std::move(shared)));
    for (std::size_t i = 0; i < call.size(); ++i) {
      const std::span<const NumberName> names = call.names(i);
      DrawnElement m{node.parts.site, {}, {}, all, c_.role(call.site(), names), std::ranges::find(names, NumberName{kComputedName}) != names.end()};
      call.each_own_read(i, noting(m.own_reads));
      std::ranges::copy_if(names, std::back_inserter(m.names), [](NumberName n) { return n >= 0; });
      met.push_back(std::move(m));
    }
  }
  std::vector<DrawnElement> met;
  bool failed = false;  // some site could not be evaluated

 private:
  static Numbers sorted(Numbers numbers) {
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
  }
  const Conditioned& c_;
  std::vector<std::uint8_t> may_be_drawn_;  // by number
};

std::vector<std::uint8_t> may_be_drawn(const NumberTable& numbers, const std::set<std::string>& lifted) {
  std::vector<std::uint8_t> out(numbers.size(), 0);
  for (const NumberTable::Variable& v : numbers.variables())
    if (v.is_plain() && (v.kind == NumberTable::Kind::Parameter || lifted.contains(v.name)))
      std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(v.first), v.shape.size(), 1);
  return out;
}

struct Nothing final : SiteHandler {
  void visit(const SiteNode&, Frame&) override {}
};

/// Data variables that some site names, tuples left out, of which nothing is drawn.
std::set<std::string> modelled_data(const mir::SiteTable& sites) {
  std::set<std::string> out;
  for (const mir::NamedVariable& v : sites.variables)
    for (const auto& site : sites.sites)
      for (const mir::SiteLeft& left : site->left)
        if (v.kind == mir::NamedVariable::Kind::Data && v.type.base() != BaseType::Tuple && left.names && mir::variables_moved(*left.names).contains(v.name)) out.insert(v.name);
  return out;
}

}  // namespace

// ---------------------------------------------------------------- drawing

EvalStatus Predictor::attempt(std::span<const double> theta, Rng& rng) {
  DrawPlan& p = *plan_;
  std::ranges::fill(p.drawn_in, 0u);
  p.missing = p.count;
  p.pass = 1;
  p.rng = &rng;
  for (const NumberName n : p.lone) {
    const DrawnVariable& v = p.variable(n);
    const auto offset = static_cast<std::size_t>(n - v.named->first);
    p.set(n, v.low(offset) + rng.uniform() * (v.high(offset) - v.low(offset)), nullptr);
  }
  for (const std::size_t at : p.without_site) {
    const std::vector<double> x = uniform_on(p.variables[at].transform, p.variables[at].named->shape, rng);
    for (std::size_t k = 0; k < x.size(); ++k) p.set(p.variables[at].named->first + static_cast<NumberName>(k), x[k], nullptr);
  }
  const RunWith lenient{.held = &p.held, .rng = &rng, .lenient = true, .print = false};
  for (std::size_t before = p.missing + 1; p.missing > 0;) {
    if (p.missing == before) throw InputError(fmt::format("{} cannot be drawn: what it depends on cannot be drawn first", first_missing()));
    before = p.missing;
    ++p.pass;
    Drawer drawer(p);
    double target = 0;
    const EvalStatus status = model_->run_sites(theta, false, drawer, &target, lenient);
    if (!status && (status.kind != EvalStatus::Kind::Rejected || p.missing == before)) return status;
  }
  const RunWith strict{.held = &p.held, .rng = &rng, .lenient = false, .print = false};
  if (EvalStatus status = model_->check_held(theta, strict); !status) return status;
  if (varies_) return verify(theta, rng);
  Nothing nothing;
  double target = 0;
  return model_->run_sites(theta, false, nothing, &target, strict);
}

/// Sites that run for some draws alone must have been known when it was decided what is drawn.
EvalStatus Predictor::verify(std::span<const double> theta, Rng& rng) const {
  Meeting meeting(plan_->c, may_be_drawn_);
  double target = 0;
  const EvalStatus status = model_->run_sites(theta, false, meeting, &target, {.held = &plan_->held, .rng = &rng, .lenient = false, .print = false});
  if (!status) return status;
  if (meeting.failed) return {.kind = EvalStatus::Kind::Rejected, .message = "a statement that cannot be evaluated at the values drawn"};
  refuse_new_elements(meeting.met);
  const std::vector<Reason> reasons = reasons_against(*plan_, meeting.met, prior_);
  if (!reasons.empty()) refuse(reasons[0]);
  return status;
}

void Predictor::refuse_new_elements(const std::vector<DrawnElement>& met) const {
  const Conditioned& c = plan_->c;
  const auto is_new = [&](NumberName n) {
    const auto at = static_cast<std::size_t>(n);
    return may_be_drawn_[at] != 0 && with_site_[at] == 0 && c.state(n) != NumberState::Fixed && (prior_ || !c.is_parameter(n));
  };
  for (const DrawnElement& m : met)
    for (const NumberName n : m.names)
      if (is_new(n))
        refuse({fmt::format("{} has a distribution only for some values of what is drawn, so it cannot be drawn", c.numbers().text({&n, 1})), m.site->span});
}

DrawPlan::Dependence DrawPlan::bound_dependence(const std::string& name) const {
  for (const mir::OutputVar& v : model.compiled().program.output_vars) {
    if (v.name != name) continue;
    const std::pair<const char*, mir::ExprPtr> bounds[] = {{"lower", v.transform.first}, {"upper", v.transform.second}};
    for (const auto& [which, bound] : bounds)
      if (bound)
        for (const std::string& other : mir::variables(*bound))
          if (position.contains(other)) return {true, which, other};
  }
  return {};
}

std::string DrawPlan::bound_text(const std::string& name, bool upper) const {
  for (const mir::OutputVar& v : model.compiled().program.output_vars) {
    if (v.name != name) continue;
    const mir::ExprPtr& bound = upper ? v.transform.second : v.transform.first;
    if (!bound) return structure_name(v.transform.kind);
    return fmt::format("{}={}", upper ? "upper" : "lower", model.compiled().sources().text(bound->span));
  }
  return {};
}

std::string DrawPlan::constraint_failed(const std::string& message) const {
  const std::string name = message.substr(0, message.find_first_of(" [:"));
  const std::string element = message.substr(0, message.find_first_of(" :"));
  const bool lower = message.find("greater than or equal to") != std::string::npos, upper = message.find("less than or equal to") != std::string::npos;
  const std::string bound = bound_text(name, upper && !lower);
  const std::size_t place = message.rfind(" (in ");
  if (bound.empty() || message.substr(element.size(), 4) != " is ") return message;
  return fmt::format("{}: {}{}", element, bound, place == std::string::npos ? "" : message.substr(place));
}

Span DrawPlan::declared(const std::string& name) const {
  for (const mir::OutputVar& v : model.compiled().program.output_vars)
    if (v.name == name) return v.span;
  return {};
}

/// Something that a program may compute with until the number is drawn.
void DrawnVariable::fill_unknown() {
  const auto plausible = [&](std::size_t k) {
    const double lo = has_limits ? low(k) : -INFINITY, hi = has_limits ? high(k) : INFINITY;
    if (std::isfinite(lo) && std::isfinite(hi)) return lo + (hi - lo) / 2;
    if (std::isfinite(lo)) return lo + 1;
    return std::isfinite(hi) ? hi - 1 : 0.0;
  };
  Value& v = held.value;
  if (v.kind() == Value::Kind::Int && v.as_int() == std::numeric_limits<std::int32_t>::min()) v = static_cast<std::int32_t>(std::floor(plausible(0)));
  if (v.kind() == Value::Kind::Real && std::isnan(v.as_real())) v = plausible(0);
  if (v.kind() == Value::Kind::Ints)
    for (std::size_t k = 0; k < v.int_data().size(); ++k)
      if (v.int_data()[k] == std::numeric_limits<std::int32_t>::min()) v.mutable_ints()[k] = static_cast<std::int32_t>(std::floor(plausible(k)));
  if (v.kind() == Value::Kind::Reals)
    for (std::size_t k = 0; k < v.real_data().size(); ++k)
      if (std::isnan(v.real_data()[k])) v.mutable_reals()[k] = plausible(k);
}

std::string Predictor::first_missing() const {
  for (std::size_t n = 0; n < plan_->wanted.size(); ++n)
    if (const auto name = static_cast<NumberName>(n); plan_->waits(name)) return plan_->c.numbers().text({&name, 1});
  return {};
}

void Predictor::draw(std::span<const double> theta, Rng& rng, std::span<double> row) {
  for (std::size_t k = 0; k < kMostAttempts; ++k) {
    ++tried_;
    EvalStatus status = attempt(theta, rng);
    if (status && whole_rows_) {
      status = model_->write_held(theta, {.held = &plan_->held, .rng = &rng, .lenient = false, .print = false}, row);
    } else if (status) {
      write_drawn(row);
    }
    if (status) return void(++kept_);
    if (status.kind == EvalStatus::Kind::Interrupted) throw ad::Interrupted();
    if (status.kind == EvalStatus::Kind::Fatal) throw InputError(status.message);
    last_ = status.message;
  }
  throw InputError(no_draw_kept(plan_->constraint_failed(last_)));
}

std::unique_ptr<ConditionedModel> Predictor::model_given_draw() const {
  auto given = std::make_shared<Conditioned>(model_->conditioned());
  for (std::size_t i = 0; i < plan_->variables.size(); ++i)
    if (plan_->variables[i].named && plan_->variables[i].named->kind == NumberTable::Kind::Data) given->set_held(i, plan_->variables[i].held.value);
  return model_->with(std::move(given));
}

EvalStatus Predictor::drawn_point(const ConditionedModel& given, std::span<double> theta) const {
  std::vector<double> constrained(given.names(false, false).size());
  double* to = constrained.data();
  for (std::size_t i = 0; i < plan_->variables.size(); ++i)
    if (given.outputs()[i].written()) to = write_value(plan_->variables[i].held.value, to);
  return given.unconstrain_array(constrained, {}, theta);
}

void Predictor::write_drawn(std::span<double> row) const {
  double* to = row.data();
  std::vector<double> all;
  for (const DrawnVariable& v : plan_->variables) {
    if (!v.written) continue;
    if (v.columns.empty()) {
      to = write_value(v.held.value, to);
      continue;
    }
    all.resize(v.named->count);
    write_value(v.held.value, all.data());
    for (const std::uint32_t column : v.columns) *to++ = all[column];
  }
}

/// Without the numbers of a prior draw that nobody asked for: they were not drawn.
std::vector<std::uint32_t> Predictor::written_columns(const DrawnVariable& v, const ExpectedType& type) const {
  if (!prior_ || !v.named || !v.named->is_plain()) return {};
  const std::vector<std::uint32_t> offsets = output_offsets(type);
  std::vector<std::uint32_t> out;
  for (std::uint32_t column = 0; column < offsets.size(); ++column) {
    const NumberName n = v.named->first + static_cast<NumberName>(offsets[column]);
    const NumberState state = plan_->c.state(n);
    if (plan_->wants(n) || state == NumberState::Observed || state == NumberState::Fixed) out.push_back(column);
  }
  return out.size() == offsets.size() ? std::vector<std::uint32_t>() : out;
}

bool Predictor::writes(const DrawnVariable& v) const {
  if (!v.named) return false;
  for (const NumberName n : plan_->c.numbers().numbers(*v.named))
    if (plan_->wants(n)) return true;
  return false;
}

namespace {

void append_written_names(const Output& output, const std::vector<std::uint32_t>& columns, std::vector<std::string>& out) {
  if (columns.empty()) return append_names(output.name, output.type, out);
  std::vector<std::string> all;
  append_names(output.name, output.type, all);
  for (const std::uint32_t column : columns) out.push_back(std::move(all[column]));
}

}  // namespace

std::vector<std::string> Predictor::names() const {
  if (whole_rows_) return model_->names_of_all();
  std::vector<std::string> out;
  for (std::size_t i = 0; i < plan_->variables.size(); ++i)
    if (plan_->variables[i].written) append_written_names(model_->outputs()[i], plan_->variables[i].columns, out);
  return out;
}

Predictor::Predictor(const Predictor& other)
    : model_(other.model_), plan_(std::make_unique<DrawPlan>(*other.plan_)), whole_rows_(other.whole_rows_), prior_(other.prior_),
      may_be_drawn_(other.may_be_drawn_), with_site_(other.with_site_), varies_(other.varies_), reasons_(other.reasons_) {
  for (std::size_t i = 0; i < plan_->held.size(); ++i)
    if (plan_->held[i] == &other.plan_->variables[i].held) plan_->held[i] = &plan_->variables[i].held;
}

Predictor::~Predictor() = default;

// ---------------------------------------------------------------- what is drawn

namespace {

Numbers numbers_named(const NumberTable& table, const std::string& name) {
  const Pattern pattern = read_pattern(name);
  const NumberTable::Variable* v = table.find(pattern.name);
  if (!v || v->kind == NumberTable::Kind::TransformedData)
    throw InputError(fmt::format("the program has no data variable or parameter '{}'", pattern.name));
  if (!v->is_plain()) NumberTable::refuse_part(*v);
  return table.numbers(*v, pattern.steps, name);
}

}  // namespace

Predictor::Predictor(const CompiledModel& plain, const DataSource& data, const Conditioning& conditioning, PredictOptions options,
                     const std::atomic<bool>* stop) {
  mir::Program opened = plain.program;
  std::set<std::string> lifted;
  try {
    const mir::SiteTable sites = mir::open_sites(opened);
    for (const std::string& name : modelled_data(sites)) {
      const bool asked = options.what.empty() || options.prior ||
                         std::ranges::any_of(options.what, [&](const std::string& what) { return read_pattern(what).name == name; });
      if (asked) lifted.insert(name);
    }
  } catch (const ProgramError& e) {
    throw InputError(e.what() + plain.place(e.span));
  }
  for (const std::string& name : unknown_data(plain.program, data, conditioning))
    if (!lifted.contains(name)) throw InputError(fmt::format("{} is missing in part or whole, so it has to be drawn too: name it in --variables", name));
  Conditioning lenient = conditioning;
  lenient.drawn = {lifted.begin(), lifted.end()};
  model_ = std::make_shared<const ConditionedModel>(conditioned_program(plain, lifted), data, lenient, 0, PrintSink(), stop);
  plan_ = std::make_unique<DrawPlan>(DrawPlan{*model_, model_->conditioned(), {}, {}, {}, {}, {}, {}, {}, {}});
  prepare(options, lifted);
}

void Predictor::prepare(const PredictOptions& options, const std::set<std::string>& lifted) {
  DrawPlan& p = *plan_;
  const NumberTable& numbers = p.c.numbers();
  const std::vector<double> zero(model_->unconstrained_size());
  const std::vector<Value> values = model_->parameter_values(zero);
  p.wanted.assign(numbers.size(), 0);
  p.drawn_in.assign(numbers.size(), 0);
  p.position_of.assign(numbers.size(), 0);
  for (std::size_t i = 0; i < model_->outputs().size() && model_->outputs()[i].block == mir::BlockKind::Parameters; ++i) {
    const std::string& name = model_->outputs()[i].name;
    DrawnVariable v{.named = numbers.find(name), .held = {values[i], {}}};
    v.transform = model_->compiled().code->log_prob_parameters[i]->transform;
    if (auto limits = model_->constant_bounds(i)) {
      v.has_limits = true;
      v.lower = std::move(limits->first);
      v.upper = std::move(limits->second);
    }
    v.fill_unknown();
    p.position[name] = i;
    if (v.named && v.named->is_plain())
      std::fill_n(p.position_of.begin() + static_cast<std::ptrdiff_t>(v.named->first), v.named->shape.size(), i);
    p.variables.push_back(std::move(v));
  }
  for (std::size_t i = 0; i < p.variables.size(); ++i) {
    const bool data = lifted.contains(model_->outputs()[i].name);
    const HeldNumbers* known = p.c.held()[i];
    const bool drawn = data || (options.prior && !(known && known->free.empty()));
    p.held.push_back(drawn ? &p.variables[i].held : known);
  }
  prior_ = options.prior;
  may_be_drawn_ = may_be_drawn(numbers, lifted);
  std::vector<DrawnElement> met;
  discover(options, lifted, met);
  refuse(options, met);
  if (p.count == 0 && !options.prior && !options.only_ask) throw InputError("nothing is drawn: no statement gives data a distribution");
}

/// The elements at the values that are held now. False: some site was not reached, or could not be evaluated.
bool Predictor::meet(std::vector<DrawnElement>& met) const {
  Meeting meeting(plan_->c, may_be_drawn_);
  const std::vector<double> zero(model_->unconstrained_size());
  double target = 0;
  const EvalStatus status = model_->run_sites(zero, false, meeting, &target, {.held = &plan_->held, .rng = nullptr, .lenient = true, .print = false});
  if (status.kind == EvalStatus::Kind::Fatal) throw InputError(status.message);
  met = std::move(meeting.met);
  return status && !meeting.failed;
}

/// Whether something was drawn of what is known to be wanted.
bool Predictor::tries_draw(Rng& rng) {
  const std::vector<double> zero(model_->unconstrained_size());
  try {
    return static_cast<bool>(attempt(zero, rng)) || plan_->missing < plan_->count;
  } catch (const InputError&) {
    return plan_->missing < plan_->count;
  }
}

/// Finds the elements. Values that are not drawn yet may keep a program from getting to its end; then it goes on from values that are.
void Predictor::discover(const PredictOptions& options, const std::set<std::string>& lifted, std::vector<DrawnElement>& met) {
  constexpr std::uint64_t kMost = 20;
  bool all = meet(met);
  choose(options, lifted, met);
  for (std::uint64_t k = 1; !all && k <= kMost && reasons_against(*plan_, met, prior_).empty(); ++k) {
    Rng rng(k);
    if (!tries_draw(rng)) break;
    all = meet(met);
    choose(options, lifted, met);
  }
  varies_ = !all || is_varying(lifted);
}

/// Whether numbers that change from draw to draw decide which sites run, or what these name.
bool Predictor::is_varying(const std::set<std::string>& lifted) const {
  const auto changes = [&](const std::string& name) {
    const NumberTable::Variable* v = plan_->c.numbers().find(name);
    return lifted.contains(name) || (v && v->kind == NumberTable::Kind::Parameter);
  };
  return std::ranges::any_of(plan_->c.sites().sites, [&](const auto& site) { return std::ranges::any_of(site->controls, changes); });
}

namespace {

/// What the numbers that are wanted depend on, directly or through others.
void add_sources(const std::vector<DrawnElement>& met, const std::function<bool(NumberName)>& may, NumberSet& wanted) {
  std::set<const Numbers*> added;
  const auto add = [&](const Numbers& numbers) { std::ranges::copy_if(numbers, std::inserter(wanted, wanted.end()), may); };
  for (std::size_t before = 0; before != wanted.size();) {
    before = wanted.size();
    for (const DrawnElement& m : met) {
      if (std::ranges::none_of(m.names, [&](NumberName n) { return wanted.contains(n); })) continue;
      add(m.own_reads);
      if (added.insert(m.shared_reads.get()).second) add(*m.shared_reads);
    }
  }
}

}  // namespace

/// Numbers to be drawn.
void Predictor::choose(const PredictOptions& options, const std::set<std::string>& lifted, const std::vector<DrawnElement>& met) {
  DrawPlan& p = *plan_;
  const NumberTable& numbers = p.c.numbers();
  NumberSet with_site;
  for (const auto& m : met) with_site.insert(m.names.begin(), m.names.end());
  const auto may = [&](NumberName n) {
    const auto& v = numbers.of(n);
    if (v.kind == NumberTable::Kind::Parameter) return options.prior && p.c.state(n) == NumberState::Free;
    return lifted.contains(v.name) && with_site.contains(n) && p.c.state(n) != NumberState::Fixed;
  };
  NumberSet wanted;
  if (options.what.empty()) {
    for (std::size_t n = 0; n < numbers.size(); ++n)
      if (may(static_cast<NumberName>(n))) wanted.insert(static_cast<NumberName>(n));
  } else {
    for (const std::string& what : options.what)
      for (const NumberName n : numbers_named(numbers, what)) wanted.insert(n);
    if (options.prior) add_sources(met, may, wanted);
  }
  p.wanted.assign(numbers.size(), 0);
  with_site_.assign(numbers.size(), 0);
  for (const NumberName n : with_site) with_site_[static_cast<std::size_t>(n)] = 1;
  p.count = 0;
  p.lone.clear();
  p.without_site.clear();
  for (const NumberName n : wanted) p.wanted[static_cast<std::size_t>(n)] = 1;
  whole_rows_ = options.prior && options.what.empty();
  for (std::size_t i = 0; i < p.variables.size(); ++i) {
    DrawnVariable& v = p.variables[i];
    v.written = writes(v);
    v.columns = v.written ? written_columns(v, model_->outputs()[i].type) : std::vector<std::uint32_t>();
    if (!v.named || !v.named->is_plain()) continue;
    bool whole = has_uniform(v.transform);
    Numbers lone;
    for (const NumberName n : numbers.numbers(*v.named)) {
      p.count += p.wants(n);
      whole = whole && p.wants(n) && !with_site.contains(n);
      if (p.wants(n) && !with_site.contains(n)) lone.push_back(n);
    }
    if (whole) p.without_site.push_back(i);
    else p.lone.insert(p.lone.end(), lone.begin(), lone.end());
  }
}

void Predictor::refuse(const PredictOptions& options, const std::vector<DrawnElement>& met) {
  reasons_ = reasons_against(*plan_, met, options.prior);
  if (const auto read = plan_->c.sites().target_read)
    reasons_.insert(reasons_.begin(), {"target() is read here, which depends on everything before it, so nothing can be drawn from the program", *read});
  if (options.only_ask) return;
  if (!reasons_.empty()) refuse(reasons_[0]);
}

void Predictor::refuse(const Reason& reason) const {
  const std::string place = model_->compiled().place(reason.span);
  throw InputError(reason.text + place);
}

}  // namespace fermiac::interp
