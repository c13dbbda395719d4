// Which statements add something else to the log density at some draws than at the others.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "interp/model/conditioned_model.h"

namespace fermiac::interp {

struct LineDifference {
  std::shared_ptr<const mir::Site> site;     // null: `what`
  std::string what;
  double mean_chosen = 0, mean_others = 0;   // of what the line adds
  double sd_others = 0;
  /// (mean_chosen - mean_others) / sd_others: 0 where the line never varies, infinite where it does among the chosen alone.
  double difference = 0;
};

struct LineDifferences {
  std::vector<LineDifference> lines;         // the largest differences first
  std::size_t chosen = 0, others = 0;        // draws that were evaluated
  std::size_t failed = 0;                    // and those at which the model could not be
};

/// Of a conditioned model. `draws` are points, `is_chosen` has one entry for each. Lines that some draw does not reach add 0 there.
/// One plain evaluation for each draw. A status Fatal or Interrupted ends it.
EvalStatus line_differences(const ConditionedModel& model, const std::vector<std::vector<double>>& draws, const std::vector<bool>& is_chosen,
                            LineDifferences* out);

}  // namespace fermiac::interp
