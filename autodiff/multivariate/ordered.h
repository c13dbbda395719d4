// The log probability of one ordered outcome, shared by the ordered densities and the ordered regression.
#pragma once

#include <string_view>

#include "autodiff/linalg/dense_ops.h"

namespace fermiac::ad {

using dense::Index;

/// Value and slopes: with respect to the location and to the cutpoints next to the outcome.
struct OrderedTerm {
  double value = 0, location = 0, below = 0, above = 0;
  void add_to_cuts(int y, Index k, double g, double* cuts_a) const;
};
/// y in 1..k+1, k cutpoints.
OrderedTerm ordered_logistic_term(int y, double location, const double* cuts, Index k);
/// `index` from 1 for messages; 0: a scalar.
void check_outcome(std::string_view function, int y, Index categories, Index index);
void check_ordered_cutpoints(std::string_view function, const double* cuts, Index k);

}  // namespace fermiac::ad
