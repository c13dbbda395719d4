// What distributions ask of their arguments, and arguments that do not keep to it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mir/warnings/warnings.h"
#include "mir/ir/ir.h"

namespace fermiac::mir {

/// One domain of the function table: what a declaration must be, what a number must be, and how to say it.
struct Domain {
  std::string_view name;
  std::string_view text;
  bool (*declared)(const Transform&);
  bool (*literal)(double);
  bool numeric = false;  // a condition on every element, between `low` and `high`
  double low = 0, high = 0;
};

/// Null for a name that is no domain, and for the empty one.
const Domain* find_domain(std::string_view name);

/// Arguments of built-in densities that are neither bare parameters nor numbers: elements and slices, data, expressions
/// and results of functions whose ranges are known not to keep to the domain; the same inside functions that the model
/// calls.
std::vector<Warning> domain_warnings(const Program& program, const SourceMap& sources);

}  // namespace fermiac::mir
