// Optimiser passes as data. passes.cpp lists them and their order; each pass has its file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mir/ir/ir.h"
#include "mir/ir/symbols.h"
#include "support/base/source.h"

namespace fermiac::mir {

/// How the containers of reverse_mode_log_prob are stored: one autodiff object per container (SoA) or per element
/// (AoS).
struct MemoryReport {
  struct Row {
    SizedType type;
    std::string name;
    bool soa;
    std::string why;  // AoS: what of the program needs its elements
    Span where;       // the operation, or the statement
  };
  struct Warning {
    Span span;
    std::string text;  // reason and names
  };
  std::vector<Row> rows;  // declarations, in program order
  std::vector<Warning> warnings;
};

/// What the passes of one run share.
struct PassContext {
  Symbols symbols;
  MemoryReport memory_report;  // filled by the memory-pattern pass
  /// On: nothing that carries derivatives is moved, copied or rewritten (used for analyses that explain the user's own
  /// program).
  bool preserve_stability = false;
  /// On: the program is recorded. The tape finds lanes itself, knowing the data: it shares equal ones, which statements over
  /// containers hide.
  bool recorded = false;
  /// On: draws that nobody uses stay, so that those after them are the same.
  bool keep_draws = false;
};

struct Pass {
  std::string_view name;     // as options and dumps name it
  std::string_view summary;  // one line
  bool exact;                // false: may reassociate, so the target can differ in the last bits
  void (*run)(Program&, PassContext&);
};

struct Step {
  const Pass* pass;
  std::string_view why_here;
};

enum class OptLevel : std::uint8_t { O0, O1, Oexperimental };

/// The steps of a level, in order.
std::span<const Step> pipeline(OptLevel level);
std::span<const Pass* const> all_passes();
const Pass* find_pass(std::string_view name);

/// Called after each step; a result means the program is broken, and says how (verify() fits).
using AfterStep = std::function<void(const Step&, const Program&)>;
/// Runs the steps of a level on the result of transform_for_backend().
void optimise(Program& program, OptLevel level, PassContext& context, const AfterStep& after = {});

// The passes, for pipelines of one's own.
extern const Pass kInlineFunctions, kConstantPropagation, kCopyPropagation, kExpressionPropagation, kDeadCode,
    kPartialEvaluation, kListCollapsing, kBlockFixing, kUninitialisedDeclarations, kMemoryPatterns, kLoopVectorisation,
    kWideVectorisation, kOneStepUnrolling, kStaticUnrolling, kLazyCodeMotion, kAutodiffLevels;

/// `vector[n] a: AoS` for each container, in program order.
std::string memory_table(const MemoryReport& report);
/// Lines of hazard warnings, sorted, each once.
std::string memory_hazards(const MemoryReport& report, const SourceMap& sources);
/// For each container stored by element: the operation that needs its elements, and its place.
std::string memory_causes(const MemoryReport& report, const SourceMap& sources);

}  // namespace fermiac::mir
