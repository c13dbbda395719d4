// The likelihood by observation and the prior of given draws: what cross-validation needs.
#pragma once

#include <string>
#include <vector>

#include "interp/model/conditioned_model.h"

namespace fermiac::interp {

/// What can be left out of the data: elements of the likelihood; terms and joint elements that share a number are one.
class Observations {
 public:
  /// `group`: an int array of the data with one entry for each observation; those with equal entries are one. Empty: none.
  /// Throws BindError where the likelihood cannot be split, and DataError.
  Observations(const InterpModel& model, const std::string& group);

  std::size_t size() const { return names_.size(); }
  /// `y[3]`, or of a group its entry: `g=2`.
  const std::vector<std::string>& names() const { return names_; }
  /// Names of columns: `log_lik.3`, with `y` behind the stem where several variables are modelled.
  std::vector<std::string> columns(const std::string& stem) const;
  /// Numbers of an observation; none of what has no name.
  const std::vector<NumberName>& numbers(std::size_t i) const { return numbers_[i]; }
  /// Observation of an element, by a number that it names.
  std::size_t of(NumberName number) const;
  /// Of the k-th element without a name, counted in the order of execution.
  std::size_t of_nameless(std::size_t k) const { return nameless_[k]; }

 private:
  void refuse_shared(const Conditioned& conditioned, const ComponentMet& component) const;

  std::vector<std::string> names_;
  std::vector<std::vector<NumberName>> numbers_;
  std::vector<std::string> indexes_, variables_;  // of columns, by observation; no variable where all are of one
  std::map<NumberName, std::size_t> by_number_;
  std::vector<std::size_t> nameless_;
};

/// Adds columns to what the model writes: the log likelihood by observation, the log prior; an empty name: not these. Throws
/// BindError where the program has a variable of that name, and as Observations does.
void add_pointwise_outputs(InterpModel& model, const std::string& log_lik, const std::string& lprior);

/// Throws BindError where the program has a variable of this name already.
void refuse_taken(const InterpModel& model, const std::string& name, const char* option);

}  // namespace fermiac::interp
