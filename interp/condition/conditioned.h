// A conditioning bound to the variables of a model: what is known of each number, and how much each element counts.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interp/condition/conditioning.h"
#include "interp/condition/number_table.h"
#include "interp/condition/weights.h"
#include "interp/eval/site_call.h"
#include "support/source.h"

namespace fermiac::interp {

enum class NumberState : std::uint8_t {
  Free,      // sampled
  Observed,  // known; its sites are likelihood
  Fixed      // known; its sites are switched off
};

/// What a constraint is called that holds its numbers together; empty for those of single numbers.
std::string structure_name(mir::TransformKind kind);

/// What reading data found, and what options put in its place.
class DataChanges final : public DataOverlay {
 public:
  explicit DataChanges(const Conditioning& conditioning);
  Value read(const DataSource& data, const std::string& variable, const ExpectedType& type) override;
  /// Offsets of numbers that are missing, by variable, in the layout of the value.
  const std::map<std::string, std::vector<std::uint32_t>>& missing() const { return missing_; }

 private:
  const Conditioning& conditioning_;
  std::map<std::string, std::vector<std::uint32_t>> missing_;
};

/// A parameter or a data variable of which not all is known.
struct ConditionedVariable {
  std::string name;
  ExpectedType type;
  bool elementwise = true;   // its numbers may change state one by one
  std::string structure;     // `simplex`, of others
  const Value* data = nullptr;  // what was read, of data
};

class Conditioned {
 public:
  /// `variables` are those that the density declares, in order: parameters, then data that are not wholly known.
  Conditioned(const Conditioning& conditioning, const mir::SiteTable& sites, const SourceMap& sources, NumberTable numbers,
              const DataChanges& changes, const std::vector<ConditionedVariable>& variables);

  const NumberTable& numbers() const { return numbers_; }
  const std::vector<const HeldNumbers*>& held() const { return held_; }
  const mir::SiteTable& sites() const { return sites_; }
  const Weights& weights() const { return weights_; }
  Weights& weights() { return weights_; }
  NumberState state(NumberName number) const { return states_[static_cast<std::size_t>(number)]; }
  void set_state(NumberName number, NumberState state) { states_[static_cast<std::size_t>(number)] = state; }
  /// All numbers of parameter (or of data that are no constants) `position` have these values.
  void set_held(std::size_t position, Value value);
  bool is_parameter(NumberName number) const { return numbers_.of(number).kind == NumberTable::Kind::Parameter; }
  SitePlace place(const mir::Site& site) const { return sources_.line_column(site.span.begin); }
  std::string place_text(const mir::Site& site) const;

  SiteRole role(const mir::Site& site, std::span<const NumberName> names) const;
  /// 0 where all that the element names is fixed. Throws FatalError where patterns say different things of one element.
  double weight(const mir::Site& site, std::span<const NumberName> names) const;
  /// Whether every site counts as the program says.
  bool all_count() const { return weights_.trivial() && !any_fixed_; }
  /// Whether data that are partly known are looked at apart (see Weigher).
  bool any_missing() const { return any_missing_; }
  /// Of the whole execution of the site, if it is the same for all its elements.
  std::optional<double> common_weight(const SiteCall& call) const;

 private:
  void hold(const Conditioning& conditioning, const DataChanges& changes, const std::vector<ConditionedVariable>& variables);
  void give(const Conditioning::Given& given, NumberState state, const std::vector<ConditionedVariable>& variables,
            std::vector<std::shared_ptr<HeldNumbers>>& held);

  const mir::SiteTable& sites_;
  const SourceMap& sources_;
  NumberTable numbers_;
  std::vector<NumberState> states_;
  std::vector<std::shared_ptr<const HeldNumbers>> own_held_;
  std::vector<const HeldNumbers*> held_;
  std::map<std::uint32_t, SiteRole> roles_;  // by line
  bool any_fixed_ = false, any_missing_ = false;
  Weights weights_;
};

/// Runs every site with its weights: what a sampler sees. Elements whose left side is missing are recorded apart from those that
/// are observed, whose left side stays a constant.
class Weigher final : public SiteHandler {
 public:
  explicit Weigher(const Conditioned& conditioned) : conditioned_(conditioned) {}
  void visit(const SiteNode& node, Frame& f) override;

 private:
  bool takes_apart(const SiteCall& call) const;

  const Conditioned& conditioned_;
};

}  // namespace fermiac::interp
