// A conditioning bound to the variables of a model: what is known of each number, and how much each element counts.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interp/conditioning/conditioning.h"
#include "interp/conditioning/number_table.h"
#include "interp/conditioning/weights.h"
#include "interp/exec/runs/site_call.h"
#include "support/base/source.h"

namespace fermiac::interp {

enum class NumberState : std::uint8_t {
  Free,      // sampled
  Observed,  // known; its sites are likelihood
  Fixed,     // known; its sites are switched off
  Summed     // an int that is not known: summed out, or sampled by blocks
};

/// An int that is not known.
struct UnknownInt {
  NumberName number = 0;
  std::size_t position = 0;        // of its variable among the parameters
  std::uint32_t offset = 0;        // in the value of that
  std::int32_t low = 0, high = 0;  // its values, if it is bounded on both sides; `low` is a value it may have anyway
  bool bounded = false;
  bool rises = false, falls = false;  // its values begin at `low` and go up, or down, without an end
  std::string declared;            // `int<lower=0>`
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
  /// Those that are summed out, and those that blocks sample: they have values, which change.
  const std::vector<UnknownInt>& unknowns() const { return unknowns_; }
  const std::vector<UnknownInt>& sampled() const { return sampled_; }
  void put_sampled(std::size_t i, std::int32_t value);
  /// Sums one out that was sampled.
  void sum_out(std::size_t i) { unknowns_.push_back(sampled_[i]); }
  /// Of the variable at `position`, by offset, or one for all.
  void set_unknown_bounds(std::size_t position, const std::vector<double>& lower, const std::vector<double>& upper);
  /// Most entries of a table of combinations.
  std::size_t max_table() const { return max_table_; }
  bool is_parameter(NumberName number) const { return numbers_.of(number).kind == NumberTable::Kind::Parameter; }
  SitePlace place(const mir::Site& site) const { return sources_.line_column(site.span.begin); }
  std::string place_text(const mir::Site& site) const;

  SiteRole role(const mir::Site& site, std::span<const NumberName> names) const;
  /// Nothing is guessed of a term that may be prior or likelihood: what a command says that needs to know.
  std::string unclear_text(const mir::Site& site) const;
  /// 0 where all that the element names is fixed. Throws FatalError where patterns say different things of one element.
  /// `whole`: in the joint context instead of that of the run.
  double weight(const mir::Site& site, std::span<const NumberName> names, bool whole = false) const;
  /// Whether every site counts as the program says.
  bool all_count() const { return weights_.trivial() && !any_fixed_ && left_out_.empty(); }
  /// An element that names no number does not count any more.
  void leave_out(const ElementKey& element) { left_out_.insert(element), sites_left_out_.insert(element.site); }
  bool leaves_out_some(const mir::Site& site) const { return sites_left_out_.contains(site.number); }
  bool leaves_out(const ElementKey& element) const { return left_out_.contains(element); }
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
  std::set<ElementKey> left_out_;
  std::set<std::size_t> sites_left_out_;
  std::vector<UnknownInt> unknowns_, sampled_;
  std::size_t max_table_;
  Weights weights_;
};

}  // namespace fermiac::interp
