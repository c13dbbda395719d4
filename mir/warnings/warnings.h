// Warnings that need the MIR: variables read before they are set, and what pedantic mode advises against. All take the
// result of lower(). Sorted by place, then text; each once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mir/ir/ir.h"
#include "support/base/diagnostics.h"
#include "support/base/source.h"

namespace fermiac::mir {

struct Warning {
  Span span;
  std::string text;
};

/// Variables that are read where not every path has assigned them; loops are taken to run once, and assigning a part
/// counts.
std::vector<Warning> uninitialised_warnings(const Program& program, const SourceMap& sources);

/// Whether priors are counted, which the text of a program alone does not tell for sure.
enum class PriorWarnings : std::uint8_t { With, Without };

/// The above and: constants off unit scale, repeated distributions, possible missing Jacobians, hard constraints,
/// unused parameters, control flow on parameters, unusual numbers of priors, distribution arguments outside of their
/// domain.
std::vector<Warning> pedantic_warnings(const Program& program, const SourceMap& sources, PriorWarnings priors = PriorWarnings::With);

/// The same as diagnostics, W2030 and W2031.
void report_uninitialised(const Program& program, const SourceMap& sources, Diagnostics& diagnostics);
void report_pedantic(const Program& program, const SourceMap& sources, Diagnostics& diagnostics);

/// Sorted by place, then text; duplicates removed.
std::vector<Warning> sorted_once(std::vector<Warning> warnings, const SourceMap& sources);

}  // namespace fermiac::mir
