#include "interp/model/interp_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <set>

#include "autodiff/errors.h"
#include "autodiff/interrupted.h"
#include "autodiff/solvers/strictness.h"
#include "autodiff/stop.h"
#include "codegen/runtime/native.h"
#include "frontend/check/check.h"
#include "frontend/parse/parse.h"
#include "interp/condition/enumeration.h"
#include "interp/functions/builtin_tools.h"
#include "interp/model/device_sites.h"
#include "interp/model/draws.h"
#include "interp/model/guarded.h"
#include "interp/model/layout.h"
#include "interp/model/lowered_model.h"
#include "interp/model/tape_cache.h"
#include "interp/model/workspace.h"
#include "interp/parts/remote_parts.h"
#include "interp/value/numbers.h"
#include "mir/ir/visit.h"
#include "mir/lower/lower.h"
#include "support/checksum.h"
#include "support/render.h"

namespace fermiac::interp {

// ---------------------------------------------------------------- from text to code

std::string CompiledModel::place(ad::Site site) const {
  if (site == ad::kNoSite || index_of(site) >= code->sites.size()) return {};
  return " (in " + location_text(sources, code->sites[index_of(site)]) + ")";
}

namespace {

constexpr Diagnostic<std::string> kNotPrepared{DiagId::E3001, DiagKind::Error, "{}"};

/// False where there were errors.
bool lower_into(CompiledModel& out, const ModelSource& source, int tallest) {
  const std::uint32_t file = out.sources.add(source.path.empty() ? source.name : source.path, source.text);
  const ParseOptions parse_options{.include_paths = source.include_paths,
                                   .include_rule = source.include_rule,
                                   .carried_includes = source.carried_includes,
                                   .all_errors = source.all_errors,
                                   .tallest = tallest};
  std::optional<ast::Program> program = parse_program(out.sources, file, parse_options, out.diagnostics);
  if (!program) return false;
  const CheckOptions check_options{.allow_undefined = source.allow_undefined, .model_name = source.name, .all_errors = source.all_errors, .rewrite_removed = true};
  if (!check_program(*program, check_options, out.diagnostics)) return false;
  out.program = mir::lower(*program, source.name, source.path);
  mir::PassContext passes;
  passes.recorded = true;
  passes.keep_draws = true;
  mir::optimise(out.program, source.level, passes);
  return true;
}

void compile_into(CompiledModel& out, const ModelSource& source, int tallest) {
  if (!lower_into(out, source, tallest)) return;
  if (source.native && program_sum(out, source.level) != source.native->program)
    return out.diagnostics.report(Span{}, kNotPrepared, "the machine code was made of another program");
  try {
    out.code = prepare(out.program, source.native, source.jit);
  } catch (const PrepareError& e) {
    out.diagnostics.report(e.span, kNotPrepared, e.what());
  }
}

}  // namespace

std::string program_sum(const CompiledModel& compiled, mir::OptLevel level) {
  Checksum sum;
  for (std::uint32_t i = 0; i < compiled.sources.size(); ++i) sum.add(compiled.sources.file(i).text).add("\n");
  return fmt::format("{:016x}-{}-{}", sum.value(), static_cast<int>(level), native::kAbi);
}

namespace {

/// `fill(model, tallest)` does the work.
template <class Fill>
std::shared_ptr<const CompiledModel> made_model(const ModelSource& source, const Fill& fill) {
  const auto start = std::chrono::steady_clock::now();
  auto out = std::make_shared<CompiledModel>();
  try {
    on_large_stack([&](int height) { fill(*out, height); });
  } catch (const std::bad_alloc&) {
    if (out->sources.size() == 0) out->sources.add(source.path, {});  // the place of the report is in a file
    out->diagnostics.report(Span{}, kNotPrepared, "out of memory");
  }
  out->milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return out;
}

}  // namespace

std::shared_ptr<const CompiledModel> lower_model(const ModelSource& source) {
  return made_model(source, [&](CompiledModel& out, int height) { lower_into(out, source, height); });
}

std::shared_ptr<const CompiledModel> compile_model(const ModelSource& source) {
  return made_model(source, [&](CompiledModel& out, int height) { compile_into(out, source, height); });
}

// ---------------------------------------------------------------- binding data

struct InterpModel::Profiles {
  std::mutex mutex;
  std::map<std::thread::id, ProfileCosts> by_thread;
};

InterpModel::InterpModel(std::shared_ptr<const CompiledModel> compiled, const DataSource& data, std::uint64_t seed,
                         PrintSink print, const std::atomic<bool>* stop)
    : compiled_(std::move(compiled)), print_(std::move(print)), stop_(stop), tapes_(std::make_unique<TapeCache>(*this)),
      draw_tapes_(std::make_unique<DrawTapes>(*this)) {
  bind(data, seed, nullptr);
}

InterpModel::InterpModel(std::shared_ptr<const CompiledModel> compiled, const DataSource& data, const Conditioning& conditioning,
                         std::uint64_t seed, PrintSink print, const std::atomic<bool>* stop)
    : compiled_(std::move(compiled)), print_(std::move(print)), stop_(stop), tapes_(std::make_unique<TapeCache>(*this)),
      draw_tapes_(std::make_unique<DrawTapes>(*this)) {
  bind(data, seed, &conditioning);
}

InterpModel::InterpModel(const InterpModel& other, PrintSink print, const std::atomic<bool>* stop)
    : compiled_(other.compiled_),
      print_(std::move(print)),
      stop_(stop),
      max_memory_(other.max_memory_),
      globals_(other.globals_),
      outputs_(other.outputs_),
      unconstrained_size_(other.unconstrained_size_),
      conditioned_(other.conditioned_),
      uses_tapes_(other.uses_tapes_),
      tapes_(std::make_unique<TapeCache>(*this)),
      draw_tapes_(std::make_unique<DrawTapes>(*this)),
      device_(other.device_),
      asked_of_device_(other.asked_of_device_) {}

InterpModel::~InterpModel() = default;

std::unique_ptr<InterpModel> InterpModel::twin(PrintSink print, const std::atomic<bool>* stop) const {
  return std::unique_ptr<InterpModel>(new InterpModel(*this, std::move(print), stop));
}

// ---------------------------------------------------------------- profiles

void InterpModel::measure_profiles() {
  if (!compiled_->code->has_profiles) return;
  profiles_ = std::make_unique<Profiles>();
  uses_tapes_ = false;
}

/// Called on the thread that measured.
void InterpModel::keep_profile(const Profile& profile) const {
  const std::lock_guard lock(profiles_->mutex);
  ProfileCosts& mine = profiles_->by_thread[std::this_thread::get_id()];
  for (const auto& [name, cost] : profile.costs()) mine[name].add(cost);
}

std::map<std::thread::id, ProfileCosts> InterpModel::profiles() const {
  if (!profiles_) return {};
  const std::lock_guard lock(profiles_->mutex);
  return profiles_->by_thread;
}

// ---------------------------------------------------------------- data

void InterpModel::set_cluster(Cluster& cluster) {
  remote_ = std::make_unique<const RemoteJobs>(RemoteJobs{cluster, *compiled_->code});
}

void InterpModel::bind(const DataSource& data, std::uint64_t seed, const Conditioning* conditioning) {
  const Code& code = *compiled_->code;
  Rng rng(seed);
  stans_words_ = data.uses_stans_words();
  Machine m;
  m.rng = &rng;
  m.print = &print_;
  m.data = &data;
  m.stop = stop_;
  std::optional<DataChanges> changes;
  if (conditioning) m.overlay = &changes.emplace(*conditioning);
  const ad::StopScope stoppable(stop_);
  globals_.resize(code.globals);
  Frame f{.m = m, .slots = globals_.data()};
  try {
    ad::with_memory_errors([&] {
      run_section(code.prepare_data, f);
      bind_outputs(f);
      if (conditioning) bind_conditioning(*conditioning, *changes);
    });
  } catch (const ad::Interrupted&) {
    throw;
  } catch (const ad::EvalError& e) {
    throw BindError(e.what() + compiled_->place(m.site));
  } catch (const ad::FatalError& e) {
    throw BindError(e.what() + compiled_->place(m.site));
  } catch (const MissingVariable& e) {
    std::vector<std::string> declared;
    for (const mir::InputVar& input : compiled_->program.input_vars) declared.push_back(input.name);
    throw DataError(e.what() + data.hint_for(e.variable, declared));
  } catch (const DataError& e) {
    if (!data.uses_stans_words()) throw;
    throw DataError(e.what() + compiled_->place(m.site));
  }
}

namespace {

std::size_t checked_numbers(const std::string& name, const ExpectedType& type) {
  if (type.elements() > ad::kMaxNumbers)
    throw ad::SizeError(fmt::format("{}, declared as {}, is too large: a value has at most {} numbers", name, type.str(),
                                    ad::kMaxNumbers));
  return number_count(type);
}

}  // namespace

void InterpModel::bind_outputs(Frame& f) {
  std::size_t numbers = 0;
  for (const OutputInfo& info : compiled_->code->outputs) {
    Output output{info.name, info.block, info.type.expected(f), {}};
    // First: what a size of the free type is computed from may be too large for an int.
    numbers += output.count = checked_numbers(info.name, output.type);
    if (info.block == mir::BlockKind::Parameters) {
      output.unconstrained = info.unconstrained.expected(f);
      unconstrained_size_ += checked_numbers(info.name, output.unconstrained);
    }
    outputs_.push_back(std::move(output));
  }
  ad::checked_count(unconstrained_size_, "the parameters together");
  ad::memory_point(numbers * (sizeof(std::string) + 2 * sizeof(double)));  // names, and one draw on its way
}

namespace {

/// Of a variable that is free in part: the names of those numbers.
void append_free_names(const InterpModel::Output& output, std::vector<std::string>& out) {
  if (!output.held) return append_names(output.name, output.unconstrained, out);
  std::vector<std::string> names;
  append_names(output.name, output.type, names);
  const std::vector<std::uint32_t> order = output_offsets(output.type);
  for (const std::uint32_t offset : output.held->free)
    out.push_back(names[static_cast<std::size_t>(std::ranges::find(order, offset) - order.begin())]);
}

}  // namespace

// ---------------------------------------------------------------- conditioning

namespace {

/// The type of a variable with the sizes that a value of it has. Of an array of tuples that has no elements the slots are not known,
/// and there are none.
ExpectedType type_of(const Type& type, const Value& value) {
  ExpectedType out{.base = type.base(), .array_dims = {}, .slots = {}};
  if (value.is_none()) return out;
  const Shape& shape = value.shape();
  out.array_dims.assign(shape.array_dims.begin(), shape.array_dims.begin() + shape.rank);
  out.rows = shape.rows;
  out.cols = shape.cols;
  const Value* tuple = &value;
  if (value.kind() == Value::Kind::Tuples) tuple = value.values().empty() ? nullptr : &value.values()[0];
  if (out.base != BaseType::Tuple || !tuple) return out;
  for (std::size_t k = 0; k < tuple->values().size(); ++k) out.slots.push_back(type_of(type.slots()[k], tuple->values()[k]));
  return out;
}

}  // namespace

void InterpModel::bind_conditioning(const Conditioning& conditioning, const DataChanges& changes) {
  const Code& code = *compiled_->code;
  NumberTable numbers;
  for (const mir::NamedVariable& v : compiled_->sites->variables) {
    if (v.kind == mir::NamedVariable::Kind::Parameter) {
      numbers.add(v, std::ranges::find(outputs_, v.name, &Output::name)->type);
    } else {
      const auto slot = code.global_slots.find(v.name);
      numbers.add(v, type_of(v.type, slot == code.global_slots.end() ? Value() : globals_[slot->second]));
    }
  }
  std::vector<ConditionedVariable> variables;
  for (std::size_t i = 0; i < code.generate_parameters.size(); ++i) {
    const std::string structure = structure_name(code.generate_parameters[i]->transform);
    const auto slot = code.global_slots.find(outputs_[i].name);
    const bool tuple = outputs_[i].type.base == BaseType::Tuple;
    variables.push_back({.name = outputs_[i].name, .type = outputs_[i].type, .elementwise = structure.empty() && !tuple,
                         .structure = tuple ? "tuple" : structure,
                         .data = slot == code.global_slots.end() ? nullptr : &globals_[slot->second]});
  }
  auto conditioned = std::make_shared<Conditioned>(conditioning, *compiled_->sites, compiled_->sources, std::move(numbers), changes, variables);
  std::set<std::size_t> unknown;
  for (const auto* list : {&conditioned->unknowns(), &conditioned->sampled()})
    for (const UnknownInt& u : *list) unknown.insert(u.position);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const std::size_t i : unknown) {
    const auto bounds = constant_bounds(i);
    conditioned->set_unknown_bounds(i, bounds ? bounds->first : std::vector{-kInfinity}, bounds ? bounds->second : std::vector{kInfinity});
  }
  conditioned_ = std::move(conditioned);
  use_conditioning();
}

void InterpModel::use_conditioning() {
  unconstrained_size_ = 0;
  for (std::size_t i = 0; i < conditioned_->held().size(); ++i) {
    outputs_[i].held = conditioned_->held()[i];
    unconstrained_size_ += outputs_[i].free_count();
  }
}

std::unique_ptr<InterpModel> InterpModel::with(std::shared_ptr<const Conditioned> conditioned) const {
  std::unique_ptr<InterpModel> out = twin(print_, stop_);
  out->conditioned_ = std::move(conditioned);
  out->use_conditioning();
  return out;
}

std::vector<std::string> InterpModel::names_of_free_numbers() const {
  std::vector<std::string> out;
  for (const Output& output : outputs_) {
    if (output.block != mir::BlockKind::Parameters) continue;
    if (output.held) append_free_names(output, out);
    else append_names(output.name, output.type, out);
  }
  return out;
}

void InterpModel::write_missing_only() {
  for (Output& output : outputs_) {
    const bool data = std::ranges::find(compiled_->code->input_names, output.name) != compiled_->code->input_names.end();
    if (!output.held || !data) continue;
    const std::vector<std::uint32_t> order = output_offsets(output.type);
    output.in_part = true;
    output.columns.clear();
    for (std::uint32_t k = 0; k < order.size(); ++k)
      for (const auto* unknown : {&output.held->free, &output.held->drawn})
        if (std::ranges::find(*unknown, order[k]) != unknown->end()) output.columns.push_back(k);
  }
}

/// The value, or what is written of it.
double* InterpModel::write_output(const Output& output, const Value& value, double* to) const {
  if (!output.written()) return to;
  if (!output.in_part) return write_value(value, to);
  std::vector<double> all(output.count);
  write_value(value, all.data());
  for (const std::uint32_t column : output.columns) *to++ = all[column];
  return to;
}

std::string_view InterpModel::name() const {
  return compiled_->program.name;
}

std::vector<std::string> InterpModel::names(bool transformed, bool generated) const {
  std::vector<std::string> out;
  for (const Output& output : outputs_) {
    if (output.block == mir::BlockKind::TransformedParameters && !transformed) continue;
    if (output.block == mir::BlockKind::GeneratedQuantities && !generated) continue;
    if (!output.written()) continue;
    std::vector<std::string> names;
    append_names(output.name, output.type, output.in_part ? names : out);
    for (const std::uint32_t column : output.columns) out.push_back(names[column]);
  }
  if (generated && extra_)
    for (std::string& name : extra_->names()) out.push_back(std::move(name));
  return out;
}

/// Column-major over all dimensions, as the reference writes them; free values of arrays are stored element by element.
std::vector<std::string> InterpModel::unconstrained_names() const {
  std::vector<std::string> out;
  for (const Output& output : outputs_)
    if (output.block == mir::BlockKind::Parameters) append_free_names(output, out);
  return out;
}

std::unique_ptr<ModelWorkspace> InterpModel::workspace() const {
  return std::make_unique<InterpWorkspace>(*this);
}

// ---------------------------------------------------------------- plain evaluation

namespace {

/// A machine with one frame that starts with the model's data.
struct PlainRun {
  PlainRun(const std::vector<Value>& globals, const Section& section, const PrintSink& print,
           const std::atomic<bool>* stop) {
    m.print = &print;
    m.stop = stop;
    f.slots = m.stack.take(section.slots);
    std::copy(globals.begin(), globals.end(), f.slots);
  }
  Machine m;
  Frame f{.m = m};
};

}  // namespace

namespace {

const PrintSink& nowhere() {
  static const PrintSink sink = [](std::string_view) {};
  return sink;
}

}  // namespace

EvalStatus InterpModel::run_sites(std::span<const double> theta, bool jacobian, SiteHandler& handler, double* target, const RunWith& with) const {
  const ad::MemoryScope limited(max_memory_);
  const ad::StopScope stoppable(stop_);
  const Section& section = compiled_->code->log_prob;
  PlainRun run(globals_, section, with.print ? print_ : nowhere(), stop_);
  run.m.theta = theta;
  run.m.jacobian = jacobian;
  run.m.held = with.held ? with.held : &conditioned_->held();
  run.m.names = &conditioned_->numbers().values();
  run.m.sites = &handler;
  run.m.rng = with.rng;
  run.m.lenient = with.lenient;
  run.m.recorder = with.recorder;
  run.f.recording = with.recorder != nullptr;
  const EvalStatus status = guarded(*compiled_, run.m, [&] {
    if (!with.enumeration) return run_section(section, run.f);
    run_enumerated(section, run.f, handler, *with.enumeration);
    if (with.sums) with.sums(run.f);
  });
  if (with.ended) with.ended(run.f);
  *target = run.m.lp;
  return status;
}

std::vector<Value> InterpModel::parameter_values(std::span<const double> theta) const {
  const Code& code = *compiled_->code;
  PlainRun run(globals_, code.log_prob, nowhere(), stop_);
  run.m.theta = theta;
  std::vector<Value> out;
  for (std::size_t i = 0; i < code.log_prob_parameters.size(); ++i) {
    const HeldNumbers* held = conditioned_->held()[i];
    const ParameterNode& parameter = *code.log_prob_parameters[i];
    out.push_back(held ? constrain_parameter(parameter, run.f, *held) : constrain_parameter(parameter, run.f));
    run.f.slots[code.log_prob_slots[i]] = out.back();
  }
  return out;
}

std::optional<std::pair<std::vector<double>, std::vector<double>>> InterpModel::constant_bounds(std::size_t position) const {
  const Code& code = *compiled_->code;
  const ParameterNode& parameter = *code.log_prob_parameters[position];
  const mir::OutputVar& declared = compiled_->program.output_vars[position];
  const bool bounds = parameter.transform >= mir::TransformKind::Lower && parameter.transform <= mir::TransformKind::LowerUpper;
  for (const mir::ExprPtr& bound : {declared.transform.first, declared.transform.second})
    for (const mir::OutputVar& other : compiled_->program.output_vars)
      if (!bounds || (bound && other.block == mir::BlockKind::Parameters && mir::mentions(*bound, other.name))) return std::nullopt;
  PlainRun run(globals_, code.log_prob, nowhere(), stop_);
  const auto numbers = [&](const ExprPtr& bound, double none) {
    std::vector<double> out = {none};
    if (!bound) return out;
    const Value v = promoted(bound->eval(run.f), BaseType::Real, nullptr);
    if (v.kind() == Value::Kind::Real) return std::vector<double>{v.as_real()};
    return std::vector<double>(v.real_data().data(), v.real_data().data() + v.real_data().size());
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return std::pair{numbers(parameter.first, -kInfinity), numbers(parameter.second, kInfinity)};
}

EvalStatus InterpModel::write_held(std::span<const double> theta, const RunWith& with, std::span<double> out) const {
  const ad::MemoryScope limited(max_memory_);
  const ad::StopScope stoppable(stop_);
  const Code& code = *compiled_->code;
  PlainRun run(globals_, code.generate_quantities, with.print ? print_ : nowhere(), stop_);
  run.m.theta = theta;
  run.m.held = with.held;
  run.m.rng = with.rng;
  run.f.slots[code.emit_transformed] = 1;
  run.f.slots[code.emit_generated] = 1;
  const EvalStatus status = guarded(*compiled_, run.m, [&] { run_section(code.generate_quantities, run.f); });
  if (!status) return status;
  double* to = out.data();
  for (const OutputInfo& output : code.outputs) to = write_value(run.f.slots[output.slot], to);
  return {};
}

std::vector<std::string> InterpModel::names_of_all() const {
  std::vector<std::string> out;
  for (const Output& output : outputs_) append_names(output.name, output.type, out);
  return out;
}

namespace {

/// Whether there are values that the declaration does not allow.
bool may_break(const ParameterNode& p) { return !p.slots.empty() || p.transform != mir::TransformKind::None; }

}  // namespace

namespace {

std::string declared_at(const CompiledModel& compiled, const std::string& variable) {
  for (const mir::OutputVar& v : compiled.program.output_vars)
    if (v.name == variable && !(v.span == Span{})) return " (in " + location_text(compiled.sources, v.span) + ")";
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

EvalStatus InterpModel::check_held(std::span<const double> theta, const RunWith& with) const {
  const Code& code = *compiled_->code;
  PlainRun run(globals_, code.generate_quantities, nowhere(), stop_);
  run.m.theta = theta;
  run.m.held = with.held;
  std::vector<double> free;
  return guarded(*compiled_, run.m, [&] {
    for (std::size_t i = 0; i < code.generate_parameters.size(); ++i) {
      const ParameterNode& parameter = *code.generate_parameters[i];
      Value& slot = run.f.slots[code.parameter_slots[i]];
      const HeldNumbers* held = (*with.held)[i];
      slot = held ? constrain_parameter(parameter, run.f, *held) : constrain_parameter(parameter, run.f);
      if (held && is_bounded(parameter)) check_bounds(parameter, slot, *held, conditioned_->numbers(), declared_at(*compiled_, parameter.name), run.f);
      else if (may_break(parameter)) unconstrain_parameter(parameter, run.f, slot, free);
    }
  });
}

std::shared_ptr<void> InterpModel::stricter_solvers(double factor) const {
  return std::make_shared<ad::StricterSolvers>(factor);
}

EvalStatus InterpModel::log_density_plain(std::span<const double> theta, bool jacobian, double* lp) const {
  if (conditioned_) {
    Weigher weigher(*conditioned_);
    if (conditioned_->unknowns().empty()) return run_sites(theta, jacobian, weigher, lp, {.print = true});
    Enumeration enumeration(*conditioned_, {});
    weigher.set_enumeration(&enumeration);
    double summed = 0;
    const auto add = [&](Frame& f) { summed = sum_of(enumeration.target(f)); };
    const EvalStatus status = run_sites(theta, jacobian, weigher, lp, {.print = true, .enumeration = &enumeration, .sums = add});
    *lp += summed;
    return status;
  }
  const ad::MemoryScope limited(max_memory_);
  const ad::StopScope stoppable(stop_);
  const Section& section = compiled_->code->log_prob;
  PlainRun run(globals_, section, print_, stop_);
  run.m.theta = theta;
  run.m.jacobian = jacobian;
  const EvalStatus status = guarded(*compiled_, run.m, [&] { run_section(section, run.f); });
  *lp = run.m.lp;
  return status;
}

// ---------------------------------------------------------------- from constrained to free values

EvalStatus InterpModel::unconstrain_with(double rounding, std::span<double> theta,
                                         const std::function<bool(std::size_t, const ExpectedType&, Value&)>& value) const {
  const ad::MemoryScope limited(max_memory_);
  const ad::StopScope stoppable(stop_);
  const Code& code = *compiled_->code;
  PlainRun run(globals_, code.generate_quantities, print_, stop_);
  const std::vector<double> before(theta.begin(), theta.end());
  run.m.theta = before;
  run.m.rounding = rounding;
  if (conditioned_) run.m.held = &conditioned_->held();
  const auto held = [&](std::size_t i) { return conditioned_ ? conditioned_->held()[i] : nullptr; };
  std::vector<double> free;
  const EvalStatus status = guarded(*compiled_, run.m, [&] {
    for (std::size_t i = 0; i < code.generate_parameters.size(); ++i) {
      const ParameterNode& parameter = *code.generate_parameters[i];
      Value& slot = run.f.slots[code.parameter_slots[i]];
      run.m.next_free = static_cast<std::uint32_t>(free.size());
      if (value(i, parameter.type.expected(run.f), slot)) {
        unconstrain_parameter(parameter, run.f, slot, free, held(i));
      } else {
        slot = held(i) ? constrain_parameter(parameter, run.f, *held(i)) : constrain_parameter(parameter, run.f);
        free.insert(free.end(), before.begin() + static_cast<std::ptrdiff_t>(free.size()),
                    before.begin() + run.m.next_free);
      }
    }
  });
  if (status) std::copy(free.begin(), free.end(), theta.begin());
  return status;
}

namespace {

/// A variable of which some numbers are held: whatever is given for these, `null` included, does not count.
Value read_free(const DataSource& values, const std::string& name, const ExpectedType& type, const HeldNumbers& held) {
  MissingNumbers missing;
  Value value = values.read(name, type, &missing);
  for (const std::uint32_t offset : held.free)
    if (std::ranges::find(missing.offsets, offset) != missing.offsets.end())
      throw DataError(fmt::format("initial values: a number of {} that is free is null", name));
  if (value.kind() != Value::Kind::Reals) return value;
  Value out = held.value;
  for (const std::uint32_t offset : held.free) out.mutable_reals()[offset] = value.real_data()[offset];
  return out;
}

}  // namespace

EvalStatus InterpModel::unconstrain_json(std::string_view json, GivenValues given, std::span<double> theta) const {
  try {
    DataSource values = DataSource::parse(std::string(json), "initial values");
    if (stans_words_) values.use_stans_words(false);
    return unconstrain_with(given.rounding, theta, [&](std::size_t i, const ExpectedType& type, Value& out) {
      const std::string& parameter = compiled_->code->generate_parameters[i]->name;
      const HeldNumbers* held = conditioned_ ? conditioned_->held()[i] : nullptr;
      if (held && held->free.empty()) return out = held->value, true;
      if (given.partial && !values.has(parameter)) return false;
      out = held ? read_free(values, parameter, type, *held) : values.read(parameter, type);
      return true;
    });
  } catch (const DataError& e) {
    return {EvalStatus::Kind::Fatal, e.what()};
  }
}

EvalStatus InterpModel::unconstrain_array(std::span<const double> constrained, GivenValues given, std::span<double> theta) const {
  const double* next = constrained.data();
  return unconstrain_with(given.rounding, theta, [&](std::size_t i, const ExpectedType& type, Value& out) {
    const Output& output = outputs_[i];
    if (!output.written()) {
      out = output.held->value;
    } else if (output.in_part) {
      std::vector<double> all(output.count);
      write_value(output.held->value, all.data());
      for (const std::uint32_t column : output.columns) all[column] = *next++;
      const double* from = all.data();
      out = read_value(type, from);
    } else {
      out = read_value(type, next);
    }
    return true;
  });
}

// ---------------------------------------------------------------- tapes

void InterpModel::use_device(std::shared_ptr<ad::device::DeviceUse> device) {
  device_ = std::move(device);
  asked_of_device_ = device_ ? device_sites(compiled_->program, *compiled_->code) : std::vector<bool>();
  tapes_->forget();
}
void InterpModel::set_short_tiles(bool enabled) {
  tapes_->set_short_tiles(enabled);
  draw_tapes_->forget();
}
void InterpModel::set_rewrite(bool enabled, std::vector<std::string> skip) {
  tapes_->set_rewrite(enabled, std::move(skip));
  draw_tapes_->forget();
}

TapeStatistics InterpModel::statistics(DensityOptions options) const {
  return tapes_->statistics(TapeCache::index(options));
}

DrawStatistics InterpModel::draw_statistics() const { return draw_tapes_->statistics(); }

std::string InterpModel::dump_tape(std::span<const double> theta, DensityOptions options) const {
  const TapeCache::Recording recording = tapes_->record(theta, options, true);
  return recording.status ? recording.recorded.tape->dump() : recording.status.message + "\n";
}

}  // namespace fermiac::interp
