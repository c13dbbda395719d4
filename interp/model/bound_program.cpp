#include "interp/model/bound_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "interp/functions/builtin_tools.h"
#include "interp/model/plain_run.h"
#include "interp/value/numbers.h"
#include "mir/ir/visit.h"
#include "support/base/errors.h"
#include "support/base/interrupted.h"
#include "support/base/stop.h"

namespace fermiac::interp {

double* Output::write(const Value& value, double* to) const {
  if (!written()) return to;
  if (!in_part) return write_value(value, to);
  std::vector<double> all(count);
  write_value(value, all.data());
  for (const std::uint32_t column : columns) *to++ = all[column];
  return to;
}

Value Output::read(const ExpectedType& read_as, const double*& from) const {
  if (!written()) return held->value;
  if (!in_part) return read_value(read_as, from);
  std::vector<double> all(count);
  write_value(held->value, all.data());
  for (const std::uint32_t column : columns) all[column] = *from++;
  const double* whole = all.data();
  return read_value(read_as, whole);
}

// ---------------------------------------------------------------- binding

BoundProgram::BoundProgram(std::shared_ptr<const CompiledModel> compiled, const DataSource& data, const Conditioning* conditioning,
                           std::uint64_t seed, const PrintSink& print, const std::atomic<bool>* stop)
    : compiled_(std::move(compiled)) {
  bind(data, seed, conditioning, {print, stop});
}

void BoundProgram::bind(const DataSource& data, std::uint64_t seed, const Conditioning* conditioning, Surroundings where) {
  const Code& code = this->code();
  Rng rng(seed);
  stans_words_ = data.uses_stans_words();
  Machine m;
  m.rng = &rng;
  m.print = &where.print;
  m.data = &data;
  m.stop = where.stop;
  std::optional<DataChanges> changes;
  if (conditioning) m.overlay = &changes.emplace(*conditioning);
  const ad::StopScope stoppable(where.stop);
  globals_.resize(code.globals);
  Frame f{.m = m, .slots = globals_.data()};
  try {
    ad::with_memory_errors([&] {
      run_section(code.prepare_data, f);
      bind_outputs(f);
      if (conditioning) bind_conditioning(*conditioning, *changes, where.stop);
    });
  } catch (const ad::Interrupted&) {
    throw;
  } catch (const ad::EvalError& e) {
    throw InputError(e.what() + compiled_->place(m.site));
  } catch (const ad::FatalError& e) {
    throw InputError(e.what() + compiled_->place(m.site));
  } catch (const MissingVariable& e) {
    std::vector<std::string> declared;
    for (const mir::InputVar& input : compiled_->program.input_vars) declared.push_back(input.name);
    throw MissingVariable(e.what() + data.hint_for(e.variable, declared), e.variable);
  } catch (const InputError& e) {
    if (!data.uses_stans_words()) throw;
    throw InputError(e.what() + compiled_->place(m.site));
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

void BoundProgram::bind_outputs(Frame& f) {
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

void BoundProgram::bind_conditioning(const Conditioning& conditioning, const DataChanges& changes, const std::atomic<bool>* stop) {
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
  auto conditioned =
      std::make_shared<Conditioned>(conditioning, *compiled_->sites, compiled_->sources(), std::move(numbers), changes, variables);
  std::set<std::size_t> unknown;
  for (const auto* list : {&conditioned->unknowns(), &conditioned->sampled()})
    for (const UnknownInt& u : *list) unknown.insert(u.position);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const std::size_t i : unknown) {
    const auto bounds = constant_bounds(i, stop);
    conditioned->set_unknown_bounds(i, bounds ? bounds->first : std::vector{-kInfinity}, bounds ? bounds->second : std::vector{kInfinity});
  }
  set_conditioned(std::move(conditioned));
}

void BoundProgram::set_conditioned(std::shared_ptr<const Conditioned> conditioned) {
  conditioned_ = std::move(conditioned);
  unconstrained_size_ = 0;
  for (std::size_t i = 0; i < conditioned_->held().size(); ++i) {
    outputs_[i].held = conditioned_->held()[i];
    unconstrained_size_ += outputs_[i].free_count();
  }
}

std::shared_ptr<const BoundProgram> BoundProgram::with(std::shared_ptr<const Conditioned> conditioned) const {
  auto out = std::make_shared<BoundProgram>(*this);
  out->set_conditioned(std::move(conditioned));
  return out;
}

std::shared_ptr<const BoundProgram> BoundProgram::with_missing_only() const {
  auto out = std::make_shared<BoundProgram>(*this);
  for (Output& output : out->outputs_) {
    const bool data = std::ranges::find(code().input_names, output.name) != code().input_names.end();
    if (!output.held || !data) continue;
    const std::vector<std::uint32_t> order = output_offsets(output.type);
    output.in_part = true;
    output.columns.clear();
    for (std::uint32_t k = 0; k < order.size(); ++k)
      for (const auto* unknown : {&output.held->free, &output.held->drawn})
        if (std::ranges::find(*unknown, order[k]) != unknown->end()) output.columns.push_back(k);
  }
  return out;
}

std::optional<std::pair<std::vector<double>, std::vector<double>>> BoundProgram::constant_bounds(std::size_t position,
                                                                                                 const std::atomic<bool>* stop) const {
  const Code& code = this->code();
  const ParameterNode& parameter = *code.log_prob_parameters[position];
  const mir::OutputVar& declared = compiled_->program.output_vars[position];
  const bool bounds = parameter.transform >= mir::TransformKind::Lower && parameter.transform <= mir::TransformKind::LowerUpper;
  for (const mir::ExprPtr& bound : {declared.transform.first, declared.transform.second})
    for (const mir::OutputVar& other : compiled_->program.output_vars)
      if (!bounds || (bound && other.block == mir::BlockKind::Parameters && mir::mentions(*bound, other.name))) return std::nullopt;
  PlainRun run(globals_, code.log_prob, no_print(), stop);
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

// ---------------------------------------------------------------- names

void Output::append_free_names(const ExpectedType& whole, std::vector<std::string>& out) const {
  if (!held) return append_names(name, whole, out);
  std::vector<std::string> all;
  append_names(name, type, all);
  const std::vector<std::uint32_t> order = output_offsets(type);
  for (const std::uint32_t offset : held->free)
    out.push_back(all[static_cast<std::size_t>(std::ranges::find(order, offset) - order.begin())]);
}

std::vector<std::string> BoundProgram::names(bool transformed, bool generated) const {
  std::vector<std::string> out;
  for (const Output& output : outputs_) {
    if (output.block == mir::BlockKind::TransformedParameters && !transformed) continue;
    if (output.block == mir::BlockKind::GeneratedQuantities && !generated) continue;
    if (!output.written()) continue;
    std::vector<std::string> names;
    append_names(output.name, output.type, output.in_part ? names : out);
    for (const std::uint32_t column : output.columns) out.push_back(names[column]);
  }
  return out;
}

std::vector<std::string> BoundProgram::unconstrained_names() const {
  std::vector<std::string> out;
  for (const Output& output : outputs_)
    if (output.block == mir::BlockKind::Parameters) output.append_free_names(output.unconstrained, out);
  return out;
}

// ---------------------------------------------------------------- from constrained to free values

EvalStatus BoundProgram::unconstrain_with(double rounding, std::span<double> theta, Surroundings where,
                                          const std::function<bool(std::size_t, const ExpectedType&, Value&)>& value) const {
  const ad::MemoryScope limited(max_memory_);
  const ad::StopScope stoppable(where.stop);
  const Code& code = this->code();
  PlainRun run(globals_, code.generate_quantities, where.print, where.stop);
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
      throw InputError(fmt::format("initial values: a number of {} that is free is null", name));
  if (value.kind() != Value::Kind::Reals) return value;
  Value out = held.value;
  for (const std::uint32_t offset : held.free) out.mutable_reals()[offset] = value.real_data()[offset];
  return out;
}

}  // namespace

EvalStatus BoundProgram::unconstrain_json(std::string_view json, GivenValues given, std::span<double> theta, Surroundings where) const {
  try {
    DataSource values = DataSource::parse(std::string(json), "initial values");
    if (stans_words_) values.use_stans_words(false);
    return unconstrain_with(given.rounding, theta, where, [&](std::size_t i, const ExpectedType& type, Value& out) {
      const std::string& parameter = code().generate_parameters[i]->name;
      const HeldNumbers* held = conditioned_ ? conditioned_->held()[i] : nullptr;
      if (held && held->free.empty()) return out = held->value, true;
      if (given.partial && !values.has(parameter)) return false;
      out = held ? read_free(values, parameter, type, *held) : values.read(parameter, type);
      return true;
    });
  } catch (const InputError& e) {
    return {EvalStatus::Kind::Fatal, e.what()};
  }
}

EvalStatus BoundProgram::unconstrain_array(std::span<const double> constrained, GivenValues given, std::span<double> theta,
                                           Surroundings where) const {
  const double* next = constrained.data();
  return unconstrain_with(given.rounding, theta, where, [&](std::size_t i, const ExpectedType& type, Value& out) {
    out = outputs_[i].read(type, next);
    return true;
  });
}

}  // namespace fermiac::interp
