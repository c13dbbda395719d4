// Explanations as tables for people and as JSON for programs.
#pragma once

#include <string>

#include "interp/queries/explain.h"
#include "interp/queries/line_differences.h"

namespace fermiac::interp {

/// `at mu = 4, tau = 3, theta = [6.5, 4, 1.25]`: a line with the parameters at a point; empty without parameters.
std::string point_text(const ConditionedModel& model, std::span<const double> theta);

/// What is not finite and why, a line each; empty where all is.
std::string problem_text(const ConditionedModel& model, const Explanation& explanation);
/// The same, the lines with their elements, the totals.
std::string explanation_text(const ConditionedModel& model, const Explanation& explanation);
/// One object, in one line.
std::string explanation_json(const ConditionedModel& model, std::span<const double> theta, const Explanation& explanation);

/// Two points beside each other: what each line adds `before` and `there`, the largest changes first.
std::string change_text(const ConditionedModel& model, const Explanation& before, const Explanation& there);

std::string differences_text(const ConditionedModel& model, const LineDifferences& differences);
std::string differences_json(const ConditionedModel& model, const LineDifferences& differences);

}  // namespace fermiac::interp
