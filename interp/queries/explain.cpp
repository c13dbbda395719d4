#include "interp/queries/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/replay/tape.h"
#include "autodiff/tape/rewrite/rewrite.h"
#include "interp/queries/enumerating.h"
#include "interp/queries/trace.h"
#include "interp/value/numbers.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

constexpr double kMostWork = 1e9;                       // ops that reverse sweeps for elements may visit
constexpr const char* kJacobian = "log Jacobian of the constraints";
constexpr std::size_t kNoSite = std::size_t{1} << 40;  // from here on lines without a site are numbered

/// Something whose density was recorded.
struct Recorded {
  std::shared_ptr<const mir::Site> site;  // null: `name` says all
  std::string name;
  std::string_view role;
  double weight = 1, lp = 0;
  Ref ref{};
};

/// Records the density of every element as a number of its own.
class ElementRecorder final : public EnumeratingHandler {
 public:
  ElementRecorder(const ConditionedModel& model, ad::Recorder& recorder, std::optional<const mir::Site*> only)
      : model_(model), c_(model.conditioned()), recorder_(recorder), only_(only), reads_target_(model.compiled().code->reads_target) {}

  void visit(const SiteNode& node, Frame& f) override {
    take_jacobian();
    if (only_ && *only_ != node.parts.site.get()) return;
    SiteCall call(node, f);
    if (Enumeration* enumeration = enumeration_of(call.site())) {
      for (const std::uint32_t i : enumeration->take(call, f)) element(call, i);
      return;
    }
    if (c_.common_weight(call) == 0.0) return;
    evaluate(call);
    for (std::size_t i = 0; i < call.size(); ++i) element(call, i);
  }

  /// Constraints come ahead of all sites.
  void take_jacobian() {
    if (jacobian) return;
    jacobian = recorder_.target_ref();
  }

  std::vector<Recorded> recorded;
  std::optional<Ref> jacobian;
  std::optional<BadElement> bad;

 protected:
  void components(const std::vector<ComponentSum>& sums) override {
    for (const ComponentSum& sum : sums) {
      std::vector<std::string> names;
      for (const std::size_t k : sum.unknowns) names.push_back(c_.numbers().text({&c_.unknowns()[k].number, 1}));
      Recorded out{.name = name_list_and(names) + " summed out"};
      put(out, sum.joint ? *sum.joint : Value(-std::numeric_limits<double>::infinity()));
      recorded.push_back(std::move(out));
    }
  }

 private:
  void evaluate(SiteCall& call) {
    try {
      call.evaluate();
    } catch (const ad::EvalError&) {
      describe(call, 0, false);
      throw;
    }
  }

  void element(SiteCall& call, std::size_t i) {
    const std::span<const NumberName> names = call.names(i);
    Recorded out{.site = call.node().parts.site, .name = text_of(names), .role = role_name(c_.role(call.site(), names)),
                 .weight = c_.weight(call.site(), names)};
    if (out.weight == 0) return;
    const std::uint32_t one[] = {static_cast<std::uint32_t>(i)};
    put(out, density(call, one));
    if (!std::isfinite(out.lp)) describe(call, i, true);
    if (reads_target_) call.add_to_target(one, out.weight);
    recorded.push_back(std::move(out));
  }

  Value density(SiteCall& call, std::span<const std::uint32_t> one) {
    try {
      return call.density(one, false);
    } catch (const ad::EvalError&) {
      describe(call, one[0], true);
      throw;
    }
  }

  void put(Recorded& out, const Value& value) const {
    out.ref = to_ref(recorder_, value);
    out.lp = out.weight * recorder_.value(out.ref);
  }

  std::string text_of(std::span<const NumberName> names) const {
    std::vector<NumberName> named;
    for (const NumberName n : names)
      if (n >= 0) named.push_back(n);
    return named.empty() ? std::string() : c_.numbers().text(named);
  }

  /// The first of them stays.
  void describe(SiteCall& call, std::size_t i, bool evaluated) {
    if (bad) return;
    bad = BadElement{call.node().parts.site, evaluated ? text_of(call.names(i)) : std::string(), {}};
    if (!evaluated) return;
    const std::vector<std::string> names = argument_names(model_, call.site());
    for (std::size_t k = 0; k < call.arguments(); ++k) {
      const std::string name = k == 0 ? bad->name : k - 1 < names.size() ? names[k - 1] : fmt::format("argument {}", k + 1);
      bad->arguments.emplace_back(name, value_json(call.argument(k, i)));
    }
  }

  const ConditionedModel& model_;
  const Conditioned& c_;
  ad::Recorder& recorder_;
  std::optional<const mir::Site*> only_;  // set: other sites are left out, all if it is null
  bool reads_target_;
};

/// The norm of a gradient and its largest entries.
void take_gradient(std::span<const double> gradient, std::size_t pulls, Contribution& out) {
  out.has_gradient = true;
  double squares = 0;
  for (const double g : gradient) squares += g * g;
  out.norm = std::isfinite(squares) ? std::sqrt(squares) : std::numeric_limits<double>::quiet_NaN();
  std::vector<Pull> all;
  for (std::size_t i = 0; i < gradient.size(); ++i)
    if (gradient[i] != 0) all.push_back({i, gradient[i]});
  const auto size = [](const Pull& p) { return std::isnan(p.gradient) ? std::numeric_limits<double>::infinity() : std::abs(p.gradient); };
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(pulls, all.size()));
  std::partial_sort(all.begin(), end, all.end(), [&](const Pull& a, const Pull& b) {
    return size(a) != size(b) ? size(a) > size(b) : a.parameter < b.parameter;
  });
  out.pulls.assign(all.begin(), end);
}

/// Gradients of sums of recorded numbers.
class Gradients {
 public:
  Gradients(ad::Trace trace, std::size_t outputs, std::span<const double> theta, std::size_t pulls)
      : pulls_(pulls), seed_(outputs), gradient_(theta.size()), ops_(static_cast<double>(trace.ops.size())) {
    workspace_ = std::make_unique<ad::Workspace>(std::make_shared<const ad::Tape>(std::move(trace), Jit::Never));
    std::vector<double> results(outputs);
    ok_ = !theta.empty() && workspace_->outputs(theta, results).kind == ad::ReplayStatus::Kind::Ok;
  }

  double ops() const { return ops_; }

  /// Of the sum with these weights, by output.
  void operator()(const std::vector<std::pair<std::size_t, double>>& weights, Contribution& out) {
    if (!ok_) return;
    for (const auto& [output, weight] : weights) seed_[output] = weight;
    workspace_->pull_back(seed_, gradient_);
    for (const auto& [output, weight] : weights) seed_[output] = 0;
    take_gradient(gradient_, pulls_, out);
  }

 private:
  std::size_t pulls_;
  std::vector<double> seed_, gradient_;
  double ops_;
  std::unique_ptr<ad::Workspace> workspace_;
  bool ok_ = false;
};

double size_of(const Contribution& share) {
  return std::isfinite(share.lp) ? std::abs(share.lp) : std::numeric_limits<double>::infinity();
}

/// Puts what was recorded together by line.
class Lines {
 public:
  Lines(std::vector<Recorded> recorded, const ExplainOptions& options) : recorded_(std::move(recorded)), options_(options) {
    for (std::size_t i = 0; i < recorded_.size(); ++i) {
      const Recorded& r = recorded_[i];
      const std::size_t number = r.site ? r.site->number : kNoSite + i;  // what has no statement is a line of its own
      by_line_[number].push_back(i);
    }
  }

  std::vector<ExplainedLine> without_gradients() const {
    std::vector<ExplainedLine> out;
    for (const auto& [number, members] : by_line_) out.push_back(line(members));
    return out;
  }

  std::vector<ExplainedLine> with(Gradients& gradients) const {
    const bool each = gradients.ops() * static_cast<double>(kept()) <= kMostWork;
    std::vector<ExplainedLine> out;
    for (const auto& [number, members] : by_line_) {
      out.push_back(line(members));
      gradients(weights(members), out.back().share);
      const std::vector<std::size_t> order = by_size(members);
      for (std::size_t k = 0; each && k < out.back().largest.size(); ++k) gradients(weights({order[k]}), out.back().largest[k].share);
    }
    return out;
  }

  std::vector<std::pair<std::size_t, double>> all_weights() const {
    std::vector<std::size_t> all(recorded_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return weights(all);
  }

 private:
  /// Elements that are told of.
  std::size_t kept() const {
    std::size_t out = 0;
    for (const auto& [number, members] : by_line_) out += members.size() < 2 ? 0 : std::min(members.size(), options_.elements);
    return out;
  }

  std::vector<std::pair<std::size_t, double>> weights(const std::vector<std::size_t>& members) const {
    std::vector<std::pair<std::size_t, double>> out;
    for (const std::size_t i : members) out.emplace_back(i, recorded_[i].weight);
    return out;
  }

  ExplainedLine line(const std::vector<std::size_t>& members) const {
    const Recorded& first = recorded_[members.front()];
    ExplainedLine out{.site = first.site, .what = first.site ? "" : first.name, .role = first.role, .elements = members.size()};
    for (const std::size_t i : members) {
      out.share.lp += recorded_[i].lp;
      if (recorded_[i].role != out.role) out.role = "mixed";
    }
    if (members.size() < 2) return out;
    const std::vector<std::size_t> order = by_size(members);
    for (std::size_t k = 0; k < std::min(order.size(), options_.elements); ++k) {
      const Recorded& r = recorded_[order[k]];
      const auto nth = std::ranges::find(members, order[k]) - members.begin() + 1;
      out.largest.push_back({r.name.empty() ? fmt::format("no. {}", nth) : r.name, {.lp = r.lp}});
    }
    return out;
  }

  std::vector<std::size_t> by_size(std::vector<std::size_t> members) const {
    const auto size = [&](std::size_t i) { return size_of({.lp = recorded_[i].lp}); };
    std::ranges::stable_sort(members, std::greater<>(), size);
    return members;
  }

  std::vector<Recorded> recorded_;
  const ExplainOptions& options_;
  std::map<std::size_t, std::vector<std::size_t>> by_line_;
};

/// Takes out what the first `count` ops add to target.
void drop_target(ad::Trace& trace, std::size_t count) {
  const auto goes = [](ad::OpKind k) { return k == ad::OpKind::Target || k == ad::OpKind::MapSink || k == ad::OpKind::VectorSink || k == ad::OpKind::CallSink; };
  std::size_t kept = 0;
  for (std::size_t i = 0; i < trace.ops.size(); ++i) {
    if (i < count && goes(trace.ops[i].kind)) continue;
    trace.ops[kept] = trace.ops[i];
    trace.sites[kept++] = trace.sites[i];
  }
  trace.ops.resize(kept);
  trace.sites.resize(kept);
}

bool is_finite(const Contribution& share) { return std::isfinite(share.lp) && (!share.has_gradient || std::isfinite(share.norm)); }

/// A run of all sites at a point, recorded.
class Recording {
 public:
  Recording(const ConditionedModel& model, std::span<const double> theta, std::optional<const mir::Site*> only = std::nullopt)
      : model_(model), theta_(theta), recorder_(theta), elements_(model, recorder_, only), keeps_jacobian_(!only || !*only) {
    recorder_.set_speculates(false);  // what the program does not ask for may be anything
    const auto ended = [&](Frame& f) {
      for (const auto& [name, slot] : model.compiled().code->log_prob.names) names_.add(name, f.slots[slot]);
    };
    status = elements_.run(model, theta, true, {.weighted = true, .parts = true}, {.recorder = &recorder_, .ended = ended});
    if (status) elements_.take_jacobian();
  }

  Explanation explained(const ExplainOptions& options) && {
    add_jacobian();
    Explanation out{.status = status, .bad_element = std::move(elements_.bad)};
    std::optional<ad::Trace> trace = finished();
    if (trace) out.bad_value = first_bad_value(*trace, names_);
    const std::size_t outputs = elements_.recorded.size();
    const Lines lines(std::move(elements_.recorded), options);
    if (trace && status) {
      Gradients gradients(std::move(*trace), outputs, theta_, options.pulls);
      out.lines = lines.with(gradients);
      gradients(lines.all_weights(), out.target);
    } else {
      out.lines = lines.without_gradients();
    }
    for (const ExplainedLine& line : out.lines) out.target.lp += line.share.lp;
    std::ranges::stable_sort(out.lines, std::greater<>(), [](const ExplainedLine& line) { return size_of(line.share); });
    if (status && is_finite(out.target)) out.bad_value.reset(), out.bad_element.reset();
    else if (status) own_gradients(out.lines, options.pulls);
    return out;
  }

  /// Of the sum of all that was recorded, on a tape that has nothing else.
  void gradient(Contribution& share, std::size_t pulls) && {
    add_jacobian();
    if (!status || theta_.empty()) return;
    const std::size_t before = recorder_.op_count();
    for (const Recorded& r : elements_.recorded) recorder_.target(weighted(r));
    ad::Trace trace = std::move(recorder_).finish();
    drop_target(trace, before);
    ad::rewrite(trace, {.links = false});  // drops what does not lead there
    ad::Workspace workspace(std::make_shared<const ad::Tape>(std::move(trace), Jit::Never));
    std::vector<double> gradient(theta_.size());
    double lp = 0;
    if (workspace.gradient(theta_, &lp, gradient).kind == ad::ReplayStatus::Kind::Ok) take_gradient(gradient, pulls, share);
  }

  EvalStatus status;

 private:
  Ref weighted(const Recorded& r) {
    if (r.weight == 1) return r.ref;
    static const ad::MapCode kMultiply = ad::find_map("multiply");
    const Ref factors[] = {r.ref, recorder_.constant(r.weight)};
    return recorder_.map(kMultiply, factors);
  }

  /// Zero times what is not finite is not a number: each line from a recording of its own. Elements have none.
  void own_gradients(std::vector<ExplainedLine>& lines, std::size_t pulls) const {
    for (ExplainedLine& line : lines) {
      line.share.has_gradient = false;
      line.share.pulls.clear();
      for (ExplainedElement& e : line.largest) e.share.has_gradient = false, e.share.pulls.clear();
      if (line.site || line.what == kJacobian) Recording(model_, theta_, line.site.get()).gradient(line.share, pulls);
    }
  }

  void add_jacobian() {
    if (!elements_.jacobian || !keeps_jacobian_) return;
    const Ref r = *elements_.jacobian;
    const double lp = recorder_.value(r);
    if (!r.is_constant() || lp != 0) elements_.recorded.push_back({.site = {}, .name = kJacobian, .role = {}, .lp = lp, .ref = r});
  }

  /// Nothing where what an error ended cannot be brought to an end.
  std::optional<ad::Trace> finished() {
    std::vector<Ref> outputs;
    for (const Recorded& r : elements_.recorded) outputs.push_back(r.ref.is_const_vector() ? recorder_.constant(recorder_.value(r.ref)) : r.ref);
    try {
      recorder_.outputs(outputs);
      return std::move(recorder_).finish();
    } catch (const ad::EvalError&) {
      return std::nullopt;
    }
  }

  const ConditionedModel& model_;
  std::span<const double> theta_;
  ad::Recorder recorder_;
  ElementRecorder elements_;
  bool keeps_jacobian_;
  RefNames names_;
};

}  // namespace

Explanation explain(const ConditionedModel& model, std::span<const double> theta, const ExplainOptions& options) {
  return Recording(model, theta).explained(options);
}

}  // namespace fermiac::interp
