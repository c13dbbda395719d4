// The likelihood by observation and the prior of given draws: what cross-validation needs.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "interp/model/conditioned_model.h"
#include "interp/queries/likelihood_rows.h"

namespace fermiac::interp {

/// What can be left out of the data: elements of the likelihood; terms and joint elements that share a number are one.
class Observations {
 public:
  /// `group`: an int array of the data with one entry for each observation, or for each row (first index) of what is observed; those with
  /// equal entries are one. Empty: none. Throws InputError where roles are unclear, nothing is observed, or the likelihood cannot be
  /// split, and InputError.
  /// `split`: else only the prior is asked for, and there may be no observations, or none that can be told apart.
  Observations(const ConditionedModel& model, const std::string& group, bool split = true);

  std::size_t size() const { return names_.size(); }
  /// `y[3]`, or of a group its entry: `g=2`.
  const std::vector<std::string>& names() const { return names_; }
  /// Names of columns: `log_lik.3`, with `y` behind the stem where several variables are modelled.
  std::vector<std::string> columns(const std::string& stem) const;
  /// Numbers of an observation; none of what has no name.
  const std::vector<NumberName>& numbers(std::size_t i) const { return numbers_[i]; }
  /// Observation of an element, by a number that it names.
  std::size_t of(NumberName number) const;
  /// Of an element without a name; size(): none.
  std::size_t of(const ElementKey& nameless) const;
  /// Elements of an observation that name no number.
  const std::vector<ElementKey>& nameless(std::size_t i) const { return nameless_of_[i]; }
  /// What they are of: variables, or `line 12` of elements without a number; with a group this.
  const std::vector<std::string>& of_what() const { return of_what_; }

 private:
  struct Unit {
    std::array<std::size_t, 3> rank{};
    std::size_t first = 0;
    std::vector<NumberName> numbers, shown;
    std::vector<ElementKey> nameless;
    std::uint32_t line = 0;
  };
  static std::vector<Unit> units(const Conditioned& c, const LikelihoodRows& rows);
  static void sort(const Conditioned& c, std::vector<Unit>& units);
  static std::string unit_name(const Conditioned& c, const Unit& unit);
  static std::string unit_list(const Conditioned& c, const std::vector<Unit>& all);
  void add(const Unit& unit, std::size_t at);
  void describe(const Conditioned& c, const std::vector<Unit>& units, const std::string& group);
  void name(const Conditioned& c, const std::vector<Unit>& units, const std::string& group);
  void refuse_shared(const Conditioned& conditioned, const ComponentMet& component) const;

  std::vector<std::string> names_;
  std::vector<std::vector<NumberName>> numbers_;
  std::vector<std::string> indexes_, variables_;  // of columns, by observation; no variable where all are of one
  std::map<NumberName, std::size_t> by_number_;
  std::map<ElementKey, std::size_t> by_key_;
  std::vector<std::vector<ElementKey>> nameless_of_;
  std::vector<std::string> of_what_;
};

/// `150 observations of y`, on a line.
std::string observations_text(const Observations& observations);

/// What is observed, whether it can be split or not; how many and of what. Throws InputError where roles are unclear, or nothing is observed.
struct ObservedCount {
  std::size_t observations = 0;
  std::vector<std::string> of_what;
};
ObservedCount observed_count(const ConditionedModel& model);

/// Throws InputError where the program has a variable of this name already.
void refuse_taken(const ConditionedModel& model, const std::string& name, const char* option);

}  // namespace fermiac::interp
