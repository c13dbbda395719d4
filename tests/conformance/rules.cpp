#include "tests/conformance/rules.h"

#include <cstddef>
#include <iterator>

namespace fermiac::selfcheck {
namespace {

constexpr RuleText kTexts[] = {
    {"suspect value", "agrees with the true value in the file, not with its result"},
    {"suspect gradient", "an entry agrees with the true derivative in the file, not with its gradient"},
    {"error or value", "gives the true value in the file where its result is an error"},
    {"int result", "truncated like the file's result, for which all arguments are ints"},
    {"rounded probability", "below 2.3e-16 where the file has rounded a probability to 0 or 1"},
    {"rounding in lanes",
     "0 or cancelled in the file, below 2e-15 in vector loops, which only the scalar form resolves"},
    {"unfused product", "fma in vector loops of an instruction set without it, where the product alone overflows"},
    {"NaN in the file",
     "a complex function at infinity or at a pole, where C99 knows the value; gradient not compared"},
    {"infinite in the file", "an entry that is no finite number in the file is not compared"},
    {"value not finite", "gradient not compared"},
    {"no gradient required", "by the file, at a kink, a tie, a branch cut or a singularity"},
    {"unique up to signs or order", "compared after turning signs of columns or matching elements"},
    {"unique up to phases", "columns or equations compared; gradient not compared"},
    {"symmetric argument", "derivatives by mirrored elements compared by their sums"},
    {"ragged array", "arrays of different sizes, which the language lacks: as one long vector, or the order alone"},
    {"cancellation", "numbers that are nearly 0 compared by absolute error"},
    {"sample mean", "the file has no exact mean: compared with its sample's"},
    {"heavy tail", "the file has no standard error of the variance: the variance is not compared"},
};
static_assert(std::size(kTexts) == static_cast<std::size_t>(Rule::kCount));

}  // namespace

RuleText rule_text(Rule rule) {
  return kTexts[static_cast<std::size_t>(rule)];
}

}  // namespace fermiac::selfcheck
