// Which elements of the likelihood are observed together: those that share a number, and those of one row of the data.
#pragma once

#include <string>
#include <vector>

#include "interp/model/conditioned_model.h"

namespace fermiac::interp {

/// An element of the likelihood, and the numbers that it is an observation of.
struct LikelihoodElement {
  const ElementMet* met = nullptr;   // null: a component of unknown ints
  ElementKey key = {};
  std::uint32_t line = 0;            // of its statement
  std::vector<NumberName> numbers;   // named, or read as a row
  std::vector<NumberName> shown;     // of `numbers` those by which users call it
  bool named = false;
};

struct LikelihoodRows {
  std::vector<LikelihoodElement> elements;
  std::vector<std::size_t> first;    // by element: the first one that it is observed with
  /// Why the elements do not fall into observations of their own accord; empty: they do.
  std::string doubt;
  const mir::Site* doubtful = nullptr;  // the statement that it is about; null: none
};

/// Elements that share a number are one. An element that names no number (a term, a constant or something computed on the left) belongs to the
/// round of the innermost `for` loop around it, with all that is observed there; where nothing is, to the row of the data that it reads.
LikelihoodRows likelihood_rows(const ConditionedModel& model, const std::vector<ElementMet>& met, const std::vector<ComponentMet>& components);

}  // namespace fermiac::interp
