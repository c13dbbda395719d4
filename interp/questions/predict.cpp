#include "interp/questions/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "autodiff/errors.h"
#include "autodiff/interrupted.h"
#include "interp/functions/builtin_tools.h"
#include "interp/model/conditioned_model.h"
#include "interp/questions/generators.h"
#include "interp/questions/predict_plan.h"
#include "interp/questions/uniform_draws.h"
#include "interp/value/numbers.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/sites/definitions.h"
#include "mir/sites/sites.h"
#include "support/render.h"

namespace fermiac::interp {
namespace {

using NumberSet = std::set<NumberName>;

}  // namespace

/// One element as a first run met it.
struct DrawnElement {
  std::shared_ptr<const mir::Site> site;
  Numbers names, reads;
  SiteRole role = SiteRole::Prior;
  bool computed = false;     // the left side is
};

namespace {

class Meeting final : public SiteHandler {
 public:
  explicit Meeting(const Conditioned& c) : c_(c) {}
  void visit(const SiteNode& node, Frame& f) override {
    SiteCall call(node, f);
    try {
      call.evaluate();
    } catch (const ad::EvalError&) {
      return;  // of values that are none yet
    }
    for (std::size_t i = 0; i < call.size(); ++i) {
      const std::span<const NumberName> names = call.names(i);
      DrawnElement m{node.parts.site, {}, call.reads(i), c_.role(call.site(), names), std::ranges::find(names, NumberName{kComputedName}) != names.end()};
      std::ranges::copy_if(names, std::back_inserter(m.names), [](NumberName n) { return n >= 0; });
      met.push_back(std::move(m));
    }
  }
  std::vector<DrawnElement> met;

 private:
  const Conditioned& c_;
};

struct Nothing final : SiteHandler {
  void visit(const SiteNode&, Frame&) override {}
};

/// Data variables that some site names.
std::set<std::string> modelled_data(const mir::SiteTable& sites) {
  std::set<std::string> out;
  for (const mir::NamedVariable& v : sites.variables)
    for (const auto& site : sites.sites)
      for (const mir::SiteLeft& left : site->left)
        if (v.kind == mir::NamedVariable::Kind::Data && left.names && mir::variables_moved(*left.names).contains(v.name)) out.insert(v.name);
  return out;
}

}  // namespace

// ---------------------------------------------------------------- drawing

namespace {

bool is_ordered(mir::TransformKind kind) {
  return kind == mir::TransformKind::Ordered || kind == mir::TransformKind::PositiveOrdered;
}
bool sums_to_zero(mir::TransformKind kind) {
  return kind == mir::TransformKind::SumToZeroVector || kind == mir::TransformKind::SumToZeroMatrix;
}

class Drawer final : public SiteHandler {
 public:
  explicit Drawer(DrawPlan& plan) : plan_(plan) {}

  void visit(const SiteNode& node, Frame& f) override {
    if (node.parts.site->kind != mir::SiteKind::Density) return;
    SiteCall call(node, f);
    const auto waits = [&](NumberName n) { return plan_.waits(n); };
    if (std::ranges::none_of(call.all_names(), waits)) return;
    try {
      call.evaluate();
    } catch (const ad::EvalError&) {
      return;  // of values that are not there yet: the next pass comes here again
    }
    if (whole_variable(call, f) || all_at_once(call, f)) return;
    for (std::size_t i = 0; i < call.size(); ++i) {
      if (std::ranges::none_of(call.names(i), waits) || !ready(call, i)) continue;
      if (i > 0 && reads_left(call, i)) {  // what was drawn before is an argument
        SiteCall fresh(node, f);
        fresh.evaluate();
        one(fresh, i, f);
      } else {
        one(call, i, f);
      }
    }
  }

 private:
  bool ready(SiteCall& call, std::size_t i) const {
    bool out = true;
    call.each_read(i, [&](NumberName n, bool direct) {
      if (!plan_.wants(n)) return;
      const std::uint32_t in = plan_.drawn_in[static_cast<std::size_t>(n)];
      out = out && in != 0 && (direct || in != plan_.pass);  // locals were computed before this pass drew it
    });
    return out;
  }
  bool reads_left(SiteCall& call, std::size_t i) const {
    bool out = false;
    call.each_read(i, [&](NumberName n, bool) { out = out || std::ranges::find(call.all_names(), n) != call.all_names().end(); });
    return out;
  }
  bool reads_drawn(SiteCall& call, std::size_t i) const {
    bool out = false;
    call.each_read(i, [&](NumberName n, bool) { out = out || plan_.wants(n); });
    return out;
  }

  Value draw(SiteCall& call, std::size_t i, Frame& f) const {
    const bool truncated = !call.lower().is_none() || !call.upper().is_none();
    return truncated ? draw_truncated(plan_.model.compiled(), call, i, f) : draw_element(plan_.model.compiled(), call, i, f);
  }

  void put(NumberName n, double x, Frame& f) { plan_.set(n, x, &f); }

  /// Numbers of an element that may be one container.
  void put(std::span<const NumberName> names, const Value& x, Frame& f) {
    const CallContext context = f.context(false);
    const std::uint32_t n = x.shape().scalars();
    if (n != names.size()) throw ad::FatalError("a draw has another size than what it is for");
    for (std::uint32_t k = 0; k < n; ++k)
      if (plan_.waits(names[k])) put(names[k], element_value(context, x, k), f);
  }

  /// Within bounds that are constants, where the arguments are: there is nothing that the cut would weigh.
  void one(SiteCall& call, std::size_t i, Frame& f) {
    const std::span<const NumberName> names = call.names(i);
    const bool local = names.size() == 1 && !reads_drawn(call, i);
    auto& v = plan_.variable(*std::ranges::find_if(names, [&](NumberName n) { return plan_.waits(n); }));
    for (int k = 0;; ++k) {
      const Value x = draw(call, i, f);
      constexpr int kMost = 10000;  // then all is drawn again, and in the end refused
      const auto offset = static_cast<std::size_t>(names[0] - v.named->first);
      const bool fits = !local || !v.has_limits || (number(x) >= v.low(offset) && number(x) <= v.high(offset));
      if (fits || k == kMost) return put(names, x, f);
      f.m.poll();
    }
  }

  bool alike(const SiteCall& call) const {
    const auto& args = call.whole_arguments();
    return std::all_of(args.begin() + 1, args.end(), [](const Value& v) { return v.shape().is_scalar(); });
  }

  /// Ordered vectors, and those that sum to zero, under a distribution of their numbers.
  bool whole_variable(SiteCall& call, Frame& f) {
    const std::span<const NumberName> all = call.all_names();
    auto& v = plan_.variable(*std::ranges::find_if(all, [&](NumberName n) { return plan_.waits(n); }));
    const bool special = is_ordered(v.transform) || sums_to_zero(v.transform);
    if (!special || call.size() != all.size() || all.size() < 2) return false;
    for (std::size_t i = 0; i < call.size(); ++i)
      if (!ready(call, i)) return true;
    std::vector<double> x(all.size());
    const auto draws = [&] {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = number(draw(call, i, f));
    };
    draws();
    if (sums_to_zero(v.transform)) project(x, v.named->shape);
    else if (alike(call)) std::ranges::sort(x);
    else if (!reads_drawn(call, 0))
      for (int k = 0; k < 100000 && !std::ranges::is_sorted(x); ++k) draws();
    for (std::size_t i = 0; i < x.size(); ++i) put(all[i], x[i], f);
    return true;
  }

  static void project(std::vector<double>& x, const Shape& shape) {
    const std::size_t rows = shape.inner == ad::Inner::Matrix ? shape.rows : x.size(), cols = x.size() / rows;
    std::vector<double> row(rows), col(cols);
    double all = 0;
    for (std::size_t c = 0; c < cols; ++c)
      for (std::size_t r = 0; r < rows; ++r) row[r] += x[c * rows + r], col[c] += x[c * rows + r], all += x[c * rows + r];
    const auto n = static_cast<double>(x.size());
    const auto nr = static_cast<double>(rows), nc = static_cast<double>(cols);
    for (std::size_t c = 0; c < cols; ++c)
      for (std::size_t r = 0; r < rows; ++r)
        x[c * rows + r] -= cols == 1 ? all / n : row[r] / nc + col[c] / nr - all / n;
  }

  bool all_at_once(SiteCall& call, Frame& f) {
    const std::span<const NumberName> all = call.all_names();
    if (call.size() < 2 || all.size() != call.size() || !call.lower().is_none() || !call.upper().is_none()) return false;
    if (plan_.variable(all[0]).has_limits) return false;
    for (std::size_t i = 0; i < call.size(); ++i)
      if (!plan_.waits(all[i]) || !ready(call, i)) return false;
    Value x;
    if (!draw_all_elements(plan_.model.compiled(), call, f, &x)) return false;
    put(all, x, f);
    return true;
  }

  DrawPlan& plan_;
};

}  // namespace

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
  const InterpModel::RunWith lenient{.held = &p.held, .rng = &rng, .lenient = true, .print = false};
  for (std::size_t before = p.missing + 1; p.missing > 0;) {
    if (p.missing == before) throw BindError(fmt::format("{} cannot be drawn: what it depends on cannot be drawn first", first_missing()));
    before = p.missing;
    ++p.pass;
    Drawer drawer(p);
    double target = 0;
    const EvalStatus status = model_->run_sites(theta, false, drawer, &target, lenient);
    if (!status && (status.kind != EvalStatus::Kind::Rejected || p.missing == before)) return status;
  }
  const InterpModel::RunWith strict{.held = &p.held, .rng = &rng, .lenient = false, .print = false};
  if (EvalStatus status = model_->check_held(theta, strict); !status) return status;
  Nothing nothing;
  double target = 0;
  return model_->run_sites(theta, false, nothing, &target, strict);
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
  constexpr std::size_t kMost = 100000;
  for (std::size_t k = 0; k < kMost; ++k) {
    ++tried_;
    EvalStatus status = attempt(theta, rng);
    if (status && whole_rows_) {
      status = model_->write_held(theta, {.held = &plan_->held, .rng = &rng, .lenient = false, .print = false}, row);
    } else if (status) {
      write_drawn(row);
    }
    if (status) return void(++kept_);
    if (status.kind == EvalStatus::Kind::Interrupted) throw ad::Interrupted();
    if (status.kind == EvalStatus::Kind::Fatal) throw BindError(status.message);
    last_ = status.message;
  }
  throw BindError(fmt::format("none of {} draws kept to the constraints; the last failed at {}", kMost, last_));
}

std::unique_ptr<InterpModel> Predictor::model_given_draw() const {
  auto given = std::make_shared<Conditioned>(*model_->conditioned());
  for (std::size_t i = 0; i < plan_->variables.size(); ++i)
    if (plan_->variables[i].named && plan_->variables[i].named->kind == NumberTable::Kind::Data) given->set_held(i, plan_->variables[i].held.value);
  return model_->with(std::move(given));
}

EvalStatus Predictor::drawn_point(const InterpModel& given, std::span<double> theta) const {
  std::vector<double> constrained(given.names(false, false).size());
  double* to = constrained.data();
  for (std::size_t i = 0; i < plan_->variables.size(); ++i)
    if (given.outputs()[i].written()) to = write_value(plan_->variables[i].held.value, to);
  return given.unconstrain_array(constrained, theta);
}

void Predictor::write_drawn(std::span<double> row) const {
  double* to = row.data();
  for (const DrawnVariable& v : plan_->variables)
    if (writes(v)) to = write_value(v.held.value, to);
}

bool Predictor::writes(const DrawnVariable& v) const {
  if (!v.named) return false;
  for (const NumberName n : plan_->c.numbers().numbers(*v.named))
    if (plan_->wants(n)) return true;
  return false;
}

std::vector<std::string> Predictor::names() const {
  if (whole_rows_) return model_->names_of_all();
  std::vector<std::string> out;
  for (std::size_t i = 0; i < plan_->variables.size(); ++i)
    if (writes(plan_->variables[i])) append_names(model_->outputs()[i].name, model_->outputs()[i].type, out);
  return out;
}

Predictor::~Predictor() = default;

// ---------------------------------------------------------------- what is drawn

namespace {

/// Reasons why variables cannot be drawn, in the order of the document.
class Reasons {
 public:
  Reasons(DrawPlan& plan, const std::vector<DrawnElement>& met, bool prior) : plan_(plan), c_(plan.c), met_(met), prior_(prior) {}

  std::vector<Reason> all() {
    std::vector<Reason> out;
    for (const NumberTable::Variable& v : c_.numbers().variables()) {
      if (!v.has_names) continue;
      if (auto why = of(v)) out.push_back(std::move(*why));
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
    return data || (prior_ && m.role == SiteRole::Prior);
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
      if (m.computed && prior_ && m.site->left[0].from.contains(v.name))
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
      const auto in = [&](const Numbers& list) { return std::ranges::any_of(list, [&](NumberName n) { return set.contains(n); }); };
      if (in(m.names) || (m.names.empty() && in(m.reads)) || (m.role == SiteRole::Prior && in(m.reads)))
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
        if (m.site.get() == &site) constant = constant && std::ranges::none_of(m.reads, [&](NumberName n) { return plan_.wants(n); });
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
    const std::string_view statement = plan_.model.compiled().sources.text(site.span);
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

  /// Numbers that need each other first.
  std::optional<Reason> cycle() const {
    std::map<NumberName, NumberSet> parents;
    std::map<NumberName, const mir::Site*> site;
    for (const DrawnElement& m : met_)
      for (const NumberName n : m.names)
        if (plan_.wants(n) && m.site->kind == mir::SiteKind::Density) {
          site[n] = m.site.get();
          for (const NumberName r : m.reads)
            if (plan_.wants(r)) parents[n].insert(r);
        }
    for (bool changed = true; changed;) {  // what depends on nothing that is left can be drawn
      changed = false;
      for (auto it = parents.begin(); it != parents.end();) {
        std::erase_if(it->second, [&](NumberName r) { return !parents.contains(r); });
        if (!it->second.empty()) {
          ++it;
          continue;
        }
        it = parents.erase(it);
        changed = true;
      }
    }
    if (parents.empty()) return std::nullopt;
    NumberSet seen;
    NumberName at = parents.begin()->first;
    while (seen.insert(at).second) at = *parents.at(at).begin();
    std::vector<std::string> names;
    const NumberName first = at;
    do {
      names.push_back(text(at));
      at = *parents.at(at).begin();
    } while (at != first);
    std::ranges::sort(names);
    if (names.size() == 1) return Reason{fmt::format("{} depends on itself, so it cannot be drawn", names[0]), site.at(first)->span};
    return Reason{fmt::format("{} depend on each other, so neither can be drawn first", name_list_and(names)), site.at(first)->span};
  }

  std::optional<Reason> observed_child() const {
    for (const DrawnElement& m : met_)
      for (const NumberName n : m.names) {
        if (plan_.wants(n) || c_.is_parameter(n) || c_.state(n) == NumberState::Fixed) continue;
        for (const NumberName r : m.reads)
          if (plan_.wants(r) && !c_.is_parameter(r))
            return Reason{fmt::format("{} stays observed, but depends on {}: predict both, or sample with {} missing", text(n), text(r), text(r)), m.site->span};
      }
    return std::nullopt;
  }

  DrawPlan& plan_;
  const Conditioned& c_;
  const std::vector<DrawnElement>& met_;
  bool prior_;
};

Numbers numbers_named(const NumberTable& table, const std::string& name) {
  const Pattern pattern = read_pattern(name);
  const NumberTable::Variable* v = table.find(pattern.name);
  if (!v || v->kind == NumberTable::Kind::TransformedData)
    throw DataError(fmt::format("the program has no data variable or parameter '{}'", pattern.name));
  return table.numbers(*v, pattern.indexes, name);
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
  } catch (const mir::SiteError& e) {
    throw BindError(fmt::format("{} (in {})", e.what(), location_text(plain.sources, e.span)));
  }
  for (const std::string& name : unknown_data(plain.program, data, conditioning))
    if (!lifted.contains(name)) throw BindError(fmt::format("{} is missing in part or whole, so it has to be drawn too: name it in --what", name));
  Conditioning lenient = conditioning;
  lenient.drawn = {lifted.begin(), lifted.end()};
  model_ = std::make_unique<InterpModel>(conditioned_program(plain, lifted), data, lenient, 0, PrintSink(), stop);
  plan_ = std::make_unique<DrawPlan>(DrawPlan{*model_, *model_->conditioned(), {}, {}, {}, {}, {}, {}, {}});
  prepare(options, lifted);
}

void Predictor::prepare(const PredictOptions& options, const std::set<std::string>& lifted) {
  DrawPlan& p = *plan_;
  const NumberTable& numbers = p.c.numbers();
  const std::vector<double> zero(model_->unconstrained_size());
  const std::vector<Value> values = model_->parameter_values(zero);
  p.wanted.assign(numbers.size(), 0);
  p.drawn_in.assign(numbers.size(), 0);
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
    p.variables.push_back(std::move(v));
  }
  for (std::size_t i = 0; i < p.variables.size(); ++i) {
    const bool data = lifted.contains(model_->outputs()[i].name);
    const HeldNumbers* known = p.c.held()[i];
    const bool drawn = data || (options.prior && !(known && known->free.empty()));
    p.held.push_back(drawn ? &p.variables[i].held : known);
  }
  Meeting meeting(p.c);
  double target = 0;
  const EvalStatus met = model_->run_sites(zero, false, meeting, &target, {.held = &p.held, .rng = nullptr, .lenient = true, .print = false});
  if (met.kind == EvalStatus::Kind::Fatal) throw BindError(met.message);
  choose(options, lifted, meeting.met);
  refuse(options, meeting.met);
}

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
    if (options.prior) {  // and what they depend on
      for (std::size_t before = 0; before != wanted.size();) {
        before = wanted.size();
        for (const auto& m : met)
          if (std::ranges::any_of(m.names, [&](NumberName n) { return wanted.contains(n); }))
            for (const NumberName r : m.reads)
              if (may(r)) wanted.insert(r);
      }
    }
  }
  for (const NumberName n : wanted) p.wanted[static_cast<std::size_t>(n)] = 1;
  whole_rows_ = options.prior && options.what.empty();
  for (std::size_t i = 0; i < p.variables.size(); ++i) {
    const DrawnVariable& v = p.variables[i];
    if (!v.named || !v.named->has_names) continue;
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
  reasons_ = Reasons(*plan_, met, options.prior).all();
  if (options.only_ask) return;
  for (const Reason& reason : reasons_) {
    const std::string place = reason.span == Span{} ? "" : " (in " + location_text(model_->compiled().sources, reason.span) + ")";
    throw BindError(reason.text + place);
  }
}

}  // namespace fermiac::interp
