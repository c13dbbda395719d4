// Log densities and their gradients along each parameter from e^-40 to e^42, and along rays on which large terms cancel, against
// formulas with 160 digits (tests/golden/density_scan.py).
#include "tests/battery/scan_check.h"

namespace fermiac::selfcheck {
namespace {

TEST(DensityScan, AgreesWithManyDigits) { expect_scan_passes("density_scan.jsonl.gz", 7218); }
TEST(DensityScan, OnEveryInstructionSet) { expect_passes_on_other_instruction_sets("DensityScan.AgreesWithManyDigits"); }

}  // namespace
}  // namespace fermiac::selfcheck
