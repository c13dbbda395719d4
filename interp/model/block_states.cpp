#include "interp/model/block_states.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "interp/functions/builtin_tools.h"
#include "interp/model/unknown_draws.h"
#include "interp/value/selection.h"

namespace fermiac::interp {
namespace {

using inference::Block;
using inference::BlockSampler;
using inference::ConstSpan;

// ---------------------------------------------------------------- ints that blocks sample

class IntStates final : public inference::BlockState {
 public:
  explicit IntStates(const ConditionedModel& base) : base_(base) {
    for (const UnknownInt& u : base.conditioned().sampled()) values_.push_back(u.low);
    use_values();
  }
  const Model& model() override { return current(); }
  ModelWorkspace& workspace() override { return *workspace_; }
  std::vector<std::int32_t> ints() const override { return values_; }
  void set_ints(std::vector<std::int32_t> values) override {
    values_ = std::move(values);
    use_values();
  }

  EvalStatus enumerate(const std::vector<std::size_t>& ints, ConstSpan theta, Rng& rng) override {
    EvalStatus status = draw(ints, theta, rng);
    if (status.kind == EvalStatus::Kind::Fatal && ints.size() > 1) {  // a table is too large
      for (const std::size_t i : ints)
        if (status = draw({i}, theta, rng); status.kind == EvalStatus::Kind::Fatal) break;
    }
    return status;
  }

  EvalStatus walk(const std::vector<std::size_t>& ints, int step, ConstSpan theta, Rng& rng, double* accept) override {
    double sum = 0;
    double here = density(theta);
    for (const std::size_t i : ints) {
      const UnknownInt& u = base_.conditioned().sampled()[i];
      const int length = 1 + std::min(step - 1, static_cast<int>(rng.uniform() * step));
      const std::int64_t to = std::int64_t{values_[i]} + (rng.uniform() < 0.5 ? length : -length);
      const bool below = (u.bounded || u.rises) && to < u.low, above = (u.bounded && to > u.high) || (u.falls && to > u.low);
      if (below || above || std::abs(to) > std::numeric_limits<std::int32_t>::max()) continue;
      const std::int32_t from = std::exchange(values_[i], static_cast<std::int32_t>(to));
      use_values();
      const double there = density(theta), ratio = std::exp(std::min(0.0, there - here));
      const double probability = std::isnan(ratio) ? 0 : ratio;
      sum += probability;
      if (rng.uniform() < probability) {
        here = there;
      } else {
        values_[i] = from;
        use_values();
      }
    }
    *accept = ints.empty() ? 1 : sum / static_cast<double>(ints.size());
    return {};
  }

 private:
  const ConditionedModel& current() const { return current_ ? *current_ : base_; }

  std::shared_ptr<Conditioned> conditioned(const std::vector<std::size_t>& summed) const {
    auto out = std::make_shared<Conditioned>(base_.conditioned());
    for (std::size_t i = 0; i < values_.size(); ++i) out->put_sampled(i, values_[i]);
    for (const std::size_t i : summed) out->sum_out(i);
    return out;
  }

  /// The model given the values; its constants change too often for tapes.
  void use_values() {
    if (!values_.empty()) {
      workspace_.reset();
      EvaluationSettings settings = base_.context().inherited();
      settings.tapes = false;
      current_ = base_.with(conditioned({}), std::move(settings));
    }
    workspace_ = current().workspace();
  }

  double density(ConstSpan theta) const {
    double lp = 0;
    return current().log_density_plain(theta, true, &lp) ? lp : -std::numeric_limits<double>::infinity();
  }

  EvalStatus draw(const std::vector<std::size_t>& ints, ConstSpan theta, Rng& rng) {
    const auto summed = base_.with(conditioned(ints));
    UnknownDraws draws(summed->context());
    if (EvalStatus status = draws.draw(theta, rng); !status) return status;
    for (const std::size_t i : ints) {
      const UnknownInt& u = base_.conditioned().sampled()[i];
      const Value& value = draws.held()[u.position]->value;
      values_[i] = value.is_int() ? value.as_int() : value.int_data()[u.offset];
    }
    use_values();
    return {};
  }

  const ConditionedModel& base_;
  std::vector<std::int32_t> values_;
  std::unique_ptr<ConditionedModel> current_;
  std::unique_ptr<ModelWorkspace> workspace_;
};

// ---------------------------------------------------------------- names

/// Coordinates of the unconstrained values by number; those of variables that move as a whole by variable.
class Coordinates {
 public:
  explicit Coordinates(const ConditionedModel& model) : c_(model.conditioned()) {
    std::size_t start = 0;
    for (std::size_t i = 0; i < c_.held().size(); ++i) {
      const Output& output = model.outputs()[i];
      const NumberTable::Variable* v = c_.numbers().find(output.name);
      const bool parts = v && v->is_plain() && structure_name(model.compiled().code->log_prob_parameters[i]->transform).empty();
      const std::size_t count = output.free_count();
      if (count == 0 && !output.held) empty_.push_back(output.name);
      for (std::size_t k = 0; k < count; ++k) {
        owner_.push_back(output.name);
        if (parts) by_number_[v->first + static_cast<NumberName>(output.held ? output.held->free[k] : k)] = start + k;
        else whole_[output.name].push_back(start + k);
      }
      start += count;
    }
  }
  /// The variable is free and has no unconstrained scalars: no elements, or one possible value (simplex[1]).
  bool is_empty(const std::string& variable) const { return std::ranges::find(empty_, variable) != empty_.end(); }
  std::size_t size() const { return owner_.size(); }
  const std::string& owner(std::size_t coordinate) const { return owner_[coordinate]; }
  const std::vector<std::size_t>* whole(const std::string& variable) const {
    const auto found = whole_.find(variable);
    return found == whole_.end() ? nullptr : &found->second;
  }
  const std::size_t* of(NumberName n) const {
    const auto found = by_number_.find(n);
    return found == by_number_.end() ? nullptr : &found->second;
  }

 private:
  const Conditioned& c_;
  std::map<NumberName, std::size_t> by_number_;
  std::map<std::string, std::vector<std::size_t>> whole_;
  std::vector<std::string> owner_, empty_;
};

class Resolver {
 public:
  explicit Resolver(const ConditionedModel& model) : c_(model.conditioned()), coordinates_(model), taken_(coordinates_.size()), taken_ints_(c_.sampled().size()) {}

  void resolve(Block& block) {
    for (const std::string& name : block.names) add(name, block);
  }

  /// What is left, as a block of its own.
  Block rest() const {
    Block out;
    for (std::size_t k = 0; k < coordinates_.size(); ++k) {
      if (taken_[k]) continue;
      out.coordinates.push_back(k);
      if (std::ranges::find(out.names, coordinates_.owner(k)) == out.names.end()) out.names.push_back(coordinates_.owner(k));
    }
    return out;
  }

 private:
  void add(const std::string& name, Block& block) {
    const Pattern pattern = read_pattern(name);
    const NumberTable::Variable* v = pattern.kind == Pattern::Kind::Name ? c_.numbers().find(pattern.name) : nullptr;
    if (!v || v->kind == NumberTable::Kind::TransformedData)
      throw InputError(fmt::format("the program has no parameter or missing variable '{}'", pattern.name));
    if (coordinates_.is_empty(v->name))
      throw InputError(fmt::format("cannot sample block variable '{}': it has no unconstrained scalars; remove it from --block", name));
    if (const auto* whole = coordinates_.whole(v->name)) {
      if (!pattern.is_whole()) throw InputError(fmt::format("{} cannot be sampled alone: only all of {} can", name, v->name));
      refuse_ints(name, block);
      for (const std::size_t k : *whole) take(taken_, k, block.coordinates, name);
      return;
    }
    bool any = false;
    for (const NumberName n : c_.numbers().numbers(*v, pattern.steps, name)) {
      if (c_.state(n) == NumberState::Summed) {
        if (!is_for_ints(block.sampler))
          throw InputError(fmt::format("{} is an int: {} is for reals; there are enumerate and walk", name, inference::block_sampler_name(block.sampler)));
        const auto found = std::ranges::find(c_.sampled(), n, &UnknownInt::number);
        take(taken_ints_, static_cast<std::size_t>(found - c_.sampled().begin()), block.ints, name);
      } else if (const std::size_t* k = coordinates_.of(n)) {
        refuse_ints(name, block);
        take(taken_, *k, block.coordinates, name);
      } else {
        continue;
      }
      any = true;
    }
    if (any) return;
    const bool data = v->kind == NumberTable::Kind::Data;
    throw InputError(data ? fmt::format("{} is observed, so there is nothing to sample; --missing {} makes it unknown", name, name)
                         : fmt::format("{} has a given value, so there is nothing to sample", name));
  }
  static void refuse_ints(const std::string& name, const Block& block) {
    if (is_for_ints(block.sampler))
      throw InputError(fmt::format("{} is real: {} is for missing ints", name, inference::block_sampler_name(block.sampler)));
  }
  static void take(std::vector<bool>& taken, std::size_t k, std::vector<std::size_t>& into, const std::string& name) {
    if (taken[k]) throw InputError(fmt::format("{} is in two blocks", name));
    taken[k] = true;
    into.push_back(k);
  }

  const Conditioned& c_;
  Coordinates coordinates_;
  std::vector<bool> taken_, taken_ints_;
};

}  // namespace

std::shared_ptr<const inference::BlockSampling> resolve_blocks(const ConditionedModel& model, std::vector<Block> blocks, std::string* note) {
  Resolver resolver(model);
  for (Block& block : blocks) resolver.resolve(block);
  if (Block rest = resolver.rest(); !rest.coordinates.empty()) {
    *note = fmt::format("no block has {}: sampled by nuts", name_list(rest.names));
    blocks.push_back(std::move(rest));
  }
  auto out = std::make_shared<inference::BlockSampling>();
  out->blocks = std::move(blocks);
  out->state = [&model] { return std::make_unique<IntStates>(model); };
  return out;
}

}  // namespace fermiac::interp
