#include "repl/session/loaded_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

#include "autodiff/tape/opencl/use.h"
#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/replay/tape.h"
#include "inference/model/column_names.h"
#include "interp/exec/runs/frame.h"
#include "interp/io/data_files.h"
#include "interp/io/print.h"
#include "interp/model/conditioned_model.h"
#include "interp/model/layout.h"
#include "interp/model/log_prob_run.h"
#include "interp/queries/explain_text.h"
#include "repl/session/show.h"
#include "support/base/errors.h"
#include "support/base/interrupted.h"
#include "support/base/json.h"
#include "support/base/memory.h"
#include "support/base/model_name.h"
#include "support/base/render.h"

namespace fermiac::repl {

// ---------------------------------------------------------------- program and data

CompileOptions compile_options(std::string text, const std::string& path) {
  const std::filesystem::path file(path);  // perhaps with a note behind the name: `coin.stan (changed)`
  const std::string folder = file.parent_path().string();
  return {.text = std::move(text),
          .path = path,
          .name = model_name(file.stem().string() + ".stan"),
          .include_paths = {folder.empty() ? "." : folder}};
}

LoadedModel::LoadedModel(std::shared_ptr<Compilation> compilation, std::string* warnings) : compiled_(interp::prepare_model(std::move(compilation))) {
  const Diagnostics& d = compiled_->diagnostics;
  if (!*compiled_) throw program_error(compiled_->sources(), d);
  for (const WarningGroup group : {WarningGroup::Parser, WarningGroup::Types, WarningGroup::Deprecation})
    *warnings += render_warnings(compiled_->sources(), d, group);
}

std::unique_ptr<interp::InterpModel> LoadedModel::bound_to(const interp::DataSource& data, const interp::Conditioning& conditioning,
                                                           const Evaluator& evaluator) const {
  auto model = interp::bound_model(compiled_, data, conditioning, 1, evaluator.print(), evaluator.stop());
  return model->with_settings({.device = device_use_});
}

void LoadedModel::use_device(const std::string& choice, const Evaluator& evaluator) {
  std::shared_ptr<ad::device::DeviceUse> use;
  const auto tell = [print = evaluator.print()](const std::string& told) { print(told + "\n"); };
  if (const Status bad = ad::device::open_for_tapes(choice, tell, &use); !bad) throw InputError(bad.message);
  device_ = choice;
  device_use_ = std::move(use);
  if (model_) model_ = model_->with_settings({.device = device_use_});
}

bool LoadedModel::has_input(std::string_view name) const {
  return std::ranges::any_of(compiled_->program.input_vars, [&](const auto& input) { return input.name == name; });
}

std::vector<std::string> LoadedModel::bind(interp::DataSource data, const Evaluator& evaluator) {
  std::vector<std::string> taken;
  std::string text;
  JsonGroup members(text, JsonGroup::Kind::Object);
  for (const mir::InputVar& input : compiled_->program.input_vars) {
    const Typed* known = evaluator.find(input.name);
    if (data.has(input.name) || !known || known->value.is_none()) continue;
    taken.push_back(input.name);
    members.member(input.name) += interp::json_text({}, known->value);
  }
  members.end();
  interp::DataSource session = interp::DataSource::parse(std::move(text), "the session");
  session.hide_places();
  data.join(std::move(session));
  model_ = bound_to(data, conditioning_, evaluator);
  data_ = std::move(data);
  with_sites_.reset();
  point_.assign(model_->unconstrained_size(), 0);
  return taken;
}

std::vector<std::string> LoadedModel::bind_files(const std::vector<std::string>& paths, const Evaluator& evaluator) {
  std::vector<interp::DerivedSize> sizes;
  return bind(interp::open_data_files(paths, &compiled_->program, &sizes), evaluator);
}

void LoadedModel::condition(interp::Conditioning conditioning, const Evaluator& evaluator) {
  if (model_) {
    auto fresh = bound_to(data_, conditioning, evaluator);
    std::map<std::string, double> known;
    const std::vector<std::string> before = model_->unconstrained_names(), now = fresh->unconstrained_names();
    for (std::size_t i = 0; i < before.size(); ++i) known[before[i]] = point_[i];
    point_.clear();
    for (const std::string& name : now) point_.push_back(known.contains(name) ? known[name] : 0);
    model_ = std::move(fresh);
    with_sites_.reset();
  }
  conditioning_ = std::move(conditioning);
}

const interp::ConditionedModel& LoadedModel::with_sites() const {
  if (const auto* conditioned = interp::as_conditioned(model())) return *conditioned;
  if (!with_sites_) with_sites_ = interp::condition(*compiled_, data_, conditioning_);
  return *with_sites_;
}

interp::InterpModel& LoadedModel::model() const {
  if (!model_) throw InputError("the model has no data yet; use :data FILE, or define the variables of its data block and type :data");
  return *model_;
}

std::vector<std::pair<std::string, Typed>> LoadedModel::data_variables() const {
  std::vector<std::pair<std::string, Typed>> out;
  if (!model_) return out;
  const interp::CompiledModel& compiled = model_->compiled();  // data that are not known are no data there
  for (const mir::StmtPtr& stmt : compiled.program.prepare_data) {
    const auto* decl = std::get_if<mir::Decl>(&stmt->node);
    if (!decl || decl->id.ends_with("__")) continue;
    const auto* sized = std::get_if<mir::SizedType>(&decl->type);
    const auto slot = compiled.code->global_slots.find(decl->id);
    if (!sized || slot == compiled.code->global_slots.end()) continue;
    out.emplace_back(decl->id, Typed{sized->type(), model_->globals()[slot->second]});
  }
  return out;
}

// ---------------------------------------------------------------- the point

void LoadedModel::move_to(std::string_view json) {
  std::vector<double> theta = point_;
  const EvalStatus status = model().unconstrain_json(json, {.partial = true}, theta);
  if (!status) throw InputError(status.message);
  point_ = std::move(theta);
}

std::vector<std::pair<std::string, double>> LoadedModel::constrained_point() const {
  const std::vector<std::string> names = model().names(false, false);
  std::vector<double> values(names.size());
  Rng rng(1);
  std::vector<std::pair<std::string, double>> out;
  const EvalStatus status = model().workspace()->write_array(point_, false, false, rng, values);
  if (!status) throw InputError(status.message);
  for (std::size_t i = 0; i < names.size(); ++i) out.emplace_back(inference::pretty_name(names[i]), values[i]);
  return out;
}

namespace {

using ad::OpKind;

bool adds_to_target(OpKind kind) {
  return kind == OpKind::MapSink || kind == OpKind::VectorSink || kind == OpKind::CallSink || kind == OpKind::Target;
}

/// The trace with only those terms of the target that `keep` wants, all other ops as they are.
template <class Keep>
ad::Trace with_terms(const ad::Trace& trace, Keep keep) {
  ad::Trace out = trace;
  out.ops.clear();
  out.sites.clear();
  out.constant = 0;
  for (std::size_t i = 0; i < trace.ops.size(); ++i) {
    if (adds_to_target(trace.ops[i].kind) && !keep(trace.sites[i])) continue;
    out.ops.push_back(trace.ops[i]);
    out.sites.push_back(trace.sites[i]);
  }
  return out;
}

/// Value and gradient; NaN where the sweep stops.
void evaluate(ad::Trace trace, std::span<const double> theta, double* value, std::vector<double>* gradient) {
  gradient->assign(theta.size(), 0);
  ad::Workspace workspace(std::make_shared<const ad::Tape>(std::move(trace)));
  if (workspace.gradient(theta, value, *gradient).kind == ad::ReplayStatus::Kind::Ok) return;
  *value = std::nan("");
  gradient->assign(theta.size(), std::nan(""));
}

}  // namespace

std::string LoadedModel::explanation(const Evaluator& evaluator, bool all) const {
  const interp::ConditionedModel& m = with_sites();
  interp::ExplainOptions options;
  if (all) options.elements = std::numeric_limits<std::size_t>::max();
  const interp::Explanation x = interp::explain(m, point_, options);
  evaluator.poll();
  return interp::explanation_text(m, x);
}

namespace {

struct SiteWeights {
  Span span;
  double least, most;  // of its elements
};

/// By place.
std::map<Pos, SiteWeights> weights_of_sites(const interp::InterpModel& model) {
  std::map<Pos, SiteWeights> out;
  const auto* conditioned = interp::as_conditioned(model);
  if (!conditioned) return out;
  for (const interp::ElementMet& e : interp::elements_met(*conditioned)) {
    const double weight = conditioned->conditioned().weight(*e.site, e.names);
    SiteWeights& known = out.try_emplace(e.site->span.begin, SiteWeights{e.site->span, weight, weight}).first->second;
    known.least = std::min(known.least, weight);
    known.most = std::max(known.most, weight);
  }
  return out;
}

/// A statement that adds to the target; kNoSite: it is not evaluated.
struct Adding {
  Span span;
  ad::Site site = ad::kNoSite;
};

/// By place, those of weight zero too.
std::map<Pos, Adding> statements_adding(const ad::Trace& trace, const std::vector<Span>& spans, const std::map<Pos, SiteWeights>& weights) {
  std::map<Pos, Adding> out;
  for (std::size_t i = 0; i < trace.ops.size(); ++i) {
    if (!adds_to_target(trace.ops[i].kind) || trace.sites[i] == ad::kNoSite) continue;
    const Span span = spans[index_of(trace.sites[i])];
    out[span.begin] = {span, trace.sites[i]};
  }
  for (const auto& [place, weight] : weights)
    if (weight.most == 0) out.try_emplace(place, Adding{weight.span, ad::kNoSite});
  return out;
}

/// Slopes that cancel do so up to rounding.
void clear_cancelled(Breakdown& b) {
  for (std::size_t i = 0; i < b.gradient.size(); ++i) {
    double scale = 0;
    for (const Contribution& part : b.parts) scale += std::fabs(part.gradient[i]);
    if (std::fabs(b.gradient[i]) < 1e-13 * scale) b.gradient[i] = 0;
  }
}

}  // namespace

Breakdown LoadedModel::breakdown(const Evaluator& evaluator) const {
  const interp::InterpModel& m = model();
  const interp::CompiledModel& compiled = m.compiled();
  Breakdown out;
  ad::Recorder recorder(point_);
  interp::LogProbRun run(m.context());
  const EvalStatus status = run(recorder, {.propto = false, .jacobian = true});
  if (status.kind == EvalStatus::Kind::Interrupted) throw ad::Interrupted();
  out.error = status.message;
  ad::Trace trace = std::move(recorder).finish();
  if (!out.error.empty())  // what the failing statement left is incomplete
    while (!trace.ops.empty() && trace.sites.back() == run.site()) trace.ops.pop_back(), trace.sites.pop_back();
  out.constant = trace.constant;
  const auto evaluate_at = [&](ad::Site site, Contribution& part) {
    evaluate(with_terms(trace, [site](ad::Site other) { return other == site; }), point_, &part.value, &part.gradient);
  };
  const auto weights = weights_of_sites(m);
  for (const auto& [place, adding] : statements_adding(trace, compiled.code->sites, weights)) {
    Contribution& part = out.parts.emplace_back();
    part.span = adding.span;
    part.line = compiled.sources().line_column(place).line;
    part.text = one_line(compiled.sources().text(adding.span), 48);
    part.gradient.resize(point_.size());
    if (adding.site != ad::kNoSite) evaluate_at(adding.site, part);
    if (const auto w = weights.find(place); w != weights.end()) part.least = w->second.least, part.most = w->second.most;
  }
  if (run.enumerates()) evaluate_at(ad::kNoSite, out.parts.emplace_back(Contribution{.text = "ints that are summed out", .span = {}, .gradient = {}}));
  ad::Trace whole = with_terms(trace, [](ad::Site) { return true; });
  whole.constant = trace.constant;
  evaluate(std::move(whole), point_, &out.lp, &out.gradient);
  evaluator.poll();  // a solver that was stopped left NaN
  clear_cancelled(out);
  return out;
}

std::string LoadedModel::statement_text(ad::Site site, std::size_t width) const {
  const interp::CompiledModel& compiled = model_ ? model_->compiled() : *compiled_;
  const std::vector<Span>& sites = compiled.code->sites;
  const std::size_t at = index_of(site);
  if (site == ad::kNoSite || at >= sites.size() || sites[at] == Span{}) return {};
  const std::string line = fmt::format("  line {}: ", compiled.sources().line_column(sites[at].begin).line);
  return line + one_line(compiled.sources().text(sites[at]), std::max<std::size_t>(width, 40) - line.size()) + "\n";
}

}  // namespace fermiac::repl
