// Which passes run at which level, and why in this order.
#include "mir/passes/pass.h"

#include <algorithm>
#include <array>

namespace fermiac::mir {
namespace {

constexpr std::array kO1 = {
    Step{&kInlineFunctions, "first: everything after it sees through calls"},
    Step{&kConstantPropagation, "settles literals before copies are looked at"},
    Step{&kCopyPropagation, "frees the copies that inlining made"},
    Step{&kConstantPropagation, "literals that reached their use through a copy"},
    Step{&kDeadCode, "sweeps what propagation orphaned"},
    Step{&kPartialEvaluation, "sees whole expressions now that variables are gone"},
    Step{&kCopyPropagation, "folding made new copies"},
    Step{&kConstantPropagation, "and new literals"},
    Step{&kDeadCode, "sweeps again"},
    Step{&kListCollapsing, "later passes look at neighbours in one list"},
    Step{&kMemoryPatterns, "needs the final expressions"},
    Step{&kUninitialisedDeclarations, "needs declarations next to their first assignment"},
    Step{&kBlockFixing, "last: gives every branch and loop its block"},
};

constexpr std::array kOexperimental = {
    Step{&kInlineFunctions, "first: everything after it sees through calls"},
    Step{&kConstantPropagation, "settles literals before copies are looked at"},
    Step{&kCopyPropagation, "frees the copies that inlining made"},
    Step{&kConstantPropagation, "literals that reached their use through a copy"},
    Step{&kDeadCode, "sweeps what propagation orphaned"},
    Step{&kLoopVectorisation, "before unrolling hides the loops"},
    Step{&kWideVectorisation, "takes the loops that the narrower pass left"},
    Step{&kOneStepUnrolling, "gives code motion a place in front of the loop that runs only if the loop does"},
    Step{&kExpressionPropagation, "collects whole expressions for the rewrite rules"},
    Step{&kPartialEvaluation, "sees whole expressions now that variables are gone"},
    Step{&kLazyCodeMotion, "takes the repetitions out again"},
    Step{&kCopyPropagation, "removes the copies that code motion left"},
    Step{&kConstantPropagation, "and the literals"},
    Step{&kStaticUnrolling, "bounds are literals now if they ever will be"},
    Step{&kDeadCode, "sweeps again"},
    Step{&kListCollapsing, "later passes look at neighbours in one list"},
    Step{&kAutodiffLevels, "needs the final assignments"},
    Step{&kMemoryPatterns, "needs the final expressions and levels"},
    Step{&kUninitialisedDeclarations, "needs declarations next to their first assignment"},
    Step{&kBlockFixing, "last: gives every branch and loop its block"},
};

constexpr std::array<const Pass*, 16> kAll = {&kInlineFunctions,
                                              &kConstantPropagation,
                                              &kCopyPropagation,
                                              &kExpressionPropagation,
                                              &kDeadCode,
                                              &kPartialEvaluation,
                                              &kListCollapsing,
                                              &kBlockFixing,
                                              &kUninitialisedDeclarations,
                                              &kMemoryPatterns,
                                              &kLoopVectorisation,
                                              &kWideVectorisation,
                                              &kOneStepUnrolling,
                                              &kStaticUnrolling,
                                              &kLazyCodeMotion,
                                              &kAutodiffLevels};

}  // namespace

std::span<const Step> pipeline(OptLevel level) {
  switch (level) {
    case OptLevel::O0:
      return {};
    case OptLevel::O1:
      return kO1;
    case OptLevel::Oexperimental:
      return kOexperimental;
  }
  return {};
}

std::span<const Pass* const> all_passes() {
  return kAll;
}

const Pass* find_pass(std::string_view name) {
  const auto found = std::ranges::find(kAll, name, &Pass::name);
  return found == kAll.end() ? nullptr : *found;
}

void optimise(Program& program, OptLevel level, PassContext& context, const AfterStep& after) {
  for (const Step& step : pipeline(level)) {
    step.pass->run(program, context);
    if (after) after(step, program);
  }
}

}  // namespace fermiac::mir
