#include "repl/loaded_model.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>

#include "autodiff/errors.h"
#include "autodiff/memory.h"
#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/replay/tape.h"
#include "inference/csv.h"
#include "inference/methods.h"
#include "inference/sample.h"
#include "interp/eval/frame.h"
#include "interp/io/data_files.h"
#include "interp/io/print.h"
#include "interp/model/conditioned_model.h"
#include "interp/model/layout.h"
#include "interp/model/log_prob_run.h"
#include "interp/native/machine_code.h"
#include "interp/questions/explain_text.h"
#include "repl/show.h"
#include "support/json.h"
#include "support/render.h"

namespace fermiac::repl {

// ---------------------------------------------------------------- program and data

namespace {

std::string name_from(const std::string& path) {
  std::string name = std::filesystem::path(path).stem().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name + "_model";
}

std::string trimmed_end(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? text : text + "\n";
}

}  // namespace

LoadedModel::LoadedModel(std::string text, std::string path, IncludeRule include_rule, std::string* warnings)
    : text_(std::move(text)), path_(std::move(path)), include_rule_(include_rule) {
  compiled_ = interp::compile_model(source());
  const Diagnostics& d = compiled_->diagnostics;
  if (!*compiled_) throw Failure{trimmed_end(render_errors(compiled_->sources, d))};
  for (const WarningGroup group : {WarningGroup::Parser, WarningGroup::Types, WarningGroup::Deprecation})
    *warnings += render_warnings(compiled_->sources, d, group);
}

interp::ModelSource LoadedModel::source() const {
  const std::string folder = std::filesystem::path(path_).parent_path().string();
  return {.text = text_,
          .path = path_,
          .name = name_from(path_),
          .include_paths = {folder.empty() ? "." : folder},
          .include_rule = include_rule_};
}

std::string LoadedModel::machine_code_text() const {
  return interp::machine_code_text(*compiled_, source().level, "fermiac " FERMIAC_VERSION);
}

void LoadedModel::use_machine_code(const Evaluator& evaluator) {
  interp::ModelSource with_code = source();
  try {
    with_code.native = interp::machine_code(machine_code_text());
  } catch (const interp::MachineCodeError& e) {
    throw failure(e.what());
  }
  compiled_ = interp::compile_model(with_code);
  if (!model_) return;
  model_ = bound_to(data_, conditioning_, evaluator);
}

std::unique_ptr<interp::InterpModel> LoadedModel::bound_to(const interp::DataSource& data, const interp::Conditioning& conditioning,
                                                           const Evaluator& evaluator) const {
  try {
    return interp::bound_model(compiled_, data, conditioning, 1, evaluator.print(), evaluator.stop());
  } catch (const interp::DataError& e) {
    throw failure(e.what());
  } catch (const interp::BindError& e) {
    throw failure(e.what());
  }
}

bool LoadedModel::has_input(std::string_view name) const {
  return std::ranges::any_of(compiled_->program.input_vars, [&](const auto& input) { return input.name == name; });
}

std::vector<std::string> LoadedModel::bind(interp::DataSource data, const Evaluator& evaluator) {
  std::vector<std::string> taken;
  try {
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
  } catch (const interp::DataError& e) {
    throw failure(e.what());
  }
  with_sites_.reset();
  point_.assign(model_->unconstrained_size(), 0);
  return taken;
}

std::vector<std::string> LoadedModel::bind_files(const std::vector<std::string>& paths, const Evaluator& evaluator) {
  std::vector<interp::DerivedSize> sizes;
  try {
    return bind(interp::open_data_files(paths, &compiled_->program, &sizes), evaluator);
  } catch (const interp::DataError& e) {
    throw failure(e.what());
  }
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

const interp::InterpModel& LoadedModel::with_sites() const {
  if (model().conditioned()) return *model_;
  if (!with_sites_) with_sites_ = interp::condition(*compiled_, data_, conditioning_);
  return *with_sites_;
}

interp::InterpModel& LoadedModel::model() const {
  if (!model_) throw failure("the model has no data yet; use :data FILE, or define the variables of its data block and type :data");
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
  const EvalStatus status = model().unconstrain_json(json, true, theta);
  if (!status) throw failure(status.message);
  point_ = std::move(theta);
}

std::vector<std::pair<std::string, double>> LoadedModel::constrained_point() const {
  const std::vector<std::string> names = model().names(false, false);
  std::vector<double> values(names.size());
  Rng rng(1);
  std::vector<std::pair<std::string, double>> out;
  const EvalStatus status = model().workspace()->write_array(point_, false, false, rng, values);
  if (!status) throw failure(status.message);
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
  try {
    const interp::InterpModel& m = with_sites();
    interp::ExplainOptions options;
    if (all) options.elements = std::numeric_limits<std::size_t>::max();
    const interp::Explanation x = interp::explain(m, point_, options);
    evaluator.poll();
    return interp::explanation_text(m, x);
  } catch (const interp::BindError& e) {
    throw failure(e.what());
  } catch (const ad::Interrupted&) {
    throw Failure{std::string(kInterrupted)};
  }
}

namespace {

struct SiteWeights {
  Span span;
  double least, most;  // of its elements
};

/// By place.
std::map<Pos, SiteWeights> weights_of_sites(const interp::InterpModel& model) {
  std::map<Pos, SiteWeights> out;
  if (!model.conditioned()) return out;
  for (const interp::ElementMet& e : interp::elements_met(model)) {
    const double weight = model.conditioned()->weight(*e.site, e.names);
    SiteWeights& known = out.try_emplace(e.site->span.begin, e.site->span, weight, weight).first->second;
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
  interp::LogProbRun run(m);
  const EvalStatus status = run(recorder, {.propto = false, .jacobian = true});
  if (status.kind == EvalStatus::Kind::Interrupted) throw Failure{std::string(kInterrupted)};
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
    part.line = compiled.sources.line_column(place).line;
    part.text = one_line(compiled.sources.text(adding.span), 48);
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
  const std::string line = fmt::format("  line {}: ", compiled.sources.line_column(sites[at].begin).line);
  return line + one_line(compiled.sources.text(sites[at]), std::max<std::size_t>(width, 40) - line.size()) + "\n";
}

// ---------------------------------------------------------------- runs

namespace {

/// A folder for the files of a run, gone afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "fermiac-repl-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw failure("no temporary folder can be made in " + pattern);
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A FILE whose text is kept.
class TextSink {
 public:
  TextSink() : file_(open_memstream(&data_, &size_)) {}
  ~TextSink() {
    std::fclose(file_);
    std::free(data_);
  }
  TextSink(const TextSink&) = delete;
  TextSink& operator=(const TextSink&) = delete;
  std::FILE* file() { return file_; }
  std::string text() {
    std::fflush(file_);
    return {data_, size_};
  }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* file_;
};

/// A FILE that hands over whole lines as they come.
class LineSink {
 public:
  explicit LineSink(std::function<void(const std::string&)> take)
      : take_(std::move(take)), file_(fopencookie(this, "w", {.read = nullptr, .write = write, .seek = nullptr, .close = nullptr})) {
    std::setvbuf(file_, nullptr, _IOLBF, 0);
  }
  ~LineSink() { std::fclose(file_); }
  LineSink(const LineSink&) = delete;
  LineSink& operator=(const LineSink&) = delete;
  std::FILE* file() { return file_; }

 private:
  static ssize_t write(void* self, const char* text, std::size_t size) {
    auto& sink = *static_cast<LineSink*>(self);
    sink.line_.append(text, size);
    if (const std::size_t end = sink.line_.rfind('\n'); end != std::string::npos) {
      sink.take_(sink.line_.substr(0, end + 1));
      sink.line_.erase(0, end + 1);
    }
    return static_cast<ssize_t>(size);
  }
  std::function<void(const std::string&)> take_;
  std::string line_;
  std::FILE* file_;
};

/// How long it took is no property of the draws.
inference::ChainSet without_times(inference::ChainSet chains) {
  chains.elapsed.clear();
  return chains;
}

/// The lines that speak neither of files nor of how long things take.
std::string without_paths(const std::string& text, const std::string& folder) {
  static constexpr std::string_view kTiming[] = {"Gradient evaluation took", "leapfrog steps per transition would take",
                                                 "Adjust your expectations"};
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const bool timing = std::ranges::any_of(kTiming, [&](auto words) { return line.find(words) != std::string::npos; });
    if (!timing && !line.empty() && line.find(folder) == std::string::npos) out += line + "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace

LoadedModel::Optimum LoadedModel::optimize(inference::OptimizeOptions options, const std::atomic<bool>* stop) {
  const TemporaryFolder folder;
  TextSink out, err;
  options.output_dir = folder.path();
  options.output_name = "run";
  options.model_path = path_;
  options.refresh = 0;
  options.sig_figs = 17;
  const inference::RunIo io{.out = out.file(), .err = err.file(), .terminal = false, .stop = stop};
  if (inference::run_optimize(model(), options, io) != 0) throw Failure{trimmed_end(err.text() + out.text())};
  inference::CsvDraws csv;
  if (const auto result = inference::read_csv(folder.path() + "/run_optimize.csv", &csv); !result)
    throw failure(result.error);
  Optimum best;
  best.names = model().names(true, true);
  const std::size_t count = model().names(false, false).size(), first = csv.column("lp__") + 1;
  if (csv.rows == 0 || csv.columns() < first + best.names.size()) throw failure("the run left no optimum");
  const double* row = csv.values.data() + (csv.rows - 1) * csv.columns() + first;
  best.lp = row[-1];
  best.values.assign(row, row + best.names.size());
  std::vector<double> theta = point_;
  if (model().unconstrain_array({row, count}, theta)) point_ = std::move(theta);
  return best;
}

LoadedModel::Run LoadedModel::sample(inference::SampleOptions options, const std::atomic<bool>* stop, bool terminal, const PrintSink& progress) {
  const TemporaryFolder folder;
  TextSink out, err;
  options.output_dir = folder.path();
  options.output_name = "run";
  options.model_path = path_;
  LineSink lines([&](const std::string& text) { progress(without_paths(text, folder.path())); });
  constexpr unsigned kLinesPerChain = 4;
  if (!terminal) options.refresh = progress ? std::max(1u, (options.num_warmup + options.num_samples) / kLinesPerChain) : 0;
  options.tell_times = false;
  if (const auto bad = inference::check_options(options); !bad) throw failure(bad.error);
  const inference::RunIo io{.out = out.file(), .err = terminal ? stderr : progress ? lines.file() : err.file(), .errors = progress ? err.file() : nullptr, .terminal = terminal, .stop = stop};
  inference::SampleRun run = inference::sample(model(), options, io);
  std::fflush(lines.file());
  if (run.interrupted) {
    const std::size_t row = run.chains.names.size();
    std::erase_if(run.chains.rows, [&](const auto& rows) { return rows.size() < 2 * row; });
    if (run.chains.rows.empty()) throw Failure{std::string(kInterrupted)};
    const std::string said = fmt::format("Interrupted: {} draws per chain are kept.\n", run.chains.draws_per_chain());
    return {without_times(std::move(run.chains)), said};
  }
  if (run.exit_code != 0) throw Failure{trimmed_end(without_paths(err.text() + out.text(), folder.path()))};
  if (!run.has_draws) throw failure("so many draws do not fit into memory");
  return {without_times(std::move(run.chains)), without_paths(err.text(), folder.path())};
}

LoadedModel::Run LoadedModel::pathfinder(inference::PathfinderOptions options, const std::atomic<bool>* stop) {
  const TemporaryFolder folder;
  TextSink out, err;
  options.output_dir = folder.path();
  options.output_name = "run";
  options.model_path = path_;
  options.refresh = 0;
  options.sig_figs = 17;
  const inference::RunIo io{.out = out.file(), .err = err.file(), .terminal = false, .stop = stop};
  if (inference::run_pathfinder(model(), options, io) != 0) throw Failure{trimmed_end(without_paths(err.text(), folder.path()))};
  Run run;
  if (const auto bad = inference::load_chains({folder.path() + "/run_pathfinder.csv"}, &run.chains); !bad) throw failure(bad.error);
  run.chains = without_times(std::move(run.chains));
  run.said = without_paths(err.text(), folder.path());
  return run;
}

namespace {

/// Where the columns of `names` are; they follow each other in the order of the model.
std::size_t first_column(const inference::ChainSet& draws, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (std::ranges::find(draws.names, name) == draws.names.end())
      throw failure(fmt::format("the draws have no '{}', which is a parameter of the model", inference::pretty_name(name)));
  const auto at = std::ranges::search(draws.names, names);
  if (at.empty() && !names.empty()) throw failure("the draws have the parameters in another order than the model");
  return static_cast<std::size_t>(at.begin() - draws.names.begin());
}

}  // namespace

inference::ChainSet LoadedModel::generate(const inference::ChainSet& draws, std::uint64_t seed, const Evaluator& evaluator) const {
  const std::vector<std::string> parameters = model().names(false, false), all = model().names(true, true);
  const std::size_t first = first_column(draws, parameters), width = draws.names.size();
  const auto own = [](const std::string& name) { return name.ends_with("__"); };  // columns of the sampler
  const auto sampler = static_cast<std::size_t>(std::ranges::find_if_not(draws.names, own) - draws.names.begin());
  inference::ChainSet out = draws;
  out.names.resize(sampler);
  out.names.insert(out.names.end(), all.begin(), all.end());
  const auto workspace = model().workspace();
  std::vector<double> theta(model().unconstrained_size()), values(all.size());
  for (std::size_t chain = 0; chain < draws.rows.size(); ++chain) {
    Rng rng(seed, static_cast<unsigned>(chain));
    out.rows[chain].clear();
    for (std::size_t at = 0; at + width <= draws.rows[chain].size(); at += width) {
      evaluator.poll();
      const double* row = draws.rows[chain].data() + at;
      if (const EvalStatus bad = model().unconstrain_array({row + first, parameters.size()}, theta); !bad) throw failure(bad.message);
      if (const EvalStatus bad = workspace->write_array(theta, true, true, rng, values); !bad) throw failure(bad.message);
      std::copy(row + first, row + first + parameters.size(), values.begin());  // as they were drawn, to the last digit
      out.rows[chain].insert(out.rows[chain].end(), row, row + sampler);
      out.rows[chain].insert(out.rows[chain].end(), values.begin(), values.end());
    }
  }
  return out;
}

}  // namespace fermiac::repl
