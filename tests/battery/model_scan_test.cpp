// Ordered outcomes, linear models, Wiener's first passages and densities of matrices with their gradients along single numbers and
// scales of matrices from e^-40 to e^42, against formulas with 120 digits (tests/golden/model_scan.py).
#include "tests/battery/scan_check.h"

namespace fermiac::selfcheck {
namespace {

TEST(ModelScan, AgreesWithManyDigits) { expect_scan_passes("model_scan.jsonl.gz", 3097); }
TEST(ModelScan, OnEveryInstructionSet) { expect_passes_on_other_instruction_sets("ModelScan.AgreesWithManyDigits"); }

}  // namespace
}  // namespace fermiac::selfcheck
