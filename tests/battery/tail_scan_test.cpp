// Distribution functions and their gradients along each parameter from e^-40 to e^42, and along rays on which large terms cancel,
// against formulas with 160 digits and quadrature with 60 (tests/golden/tail_scan.py).
#include "tests/battery/scan_check.h"

namespace fermiac::selfcheck {
namespace {

TEST(TailScan, AgreesWithManyDigits) { expect_scan_passes("tail_scan.jsonl.gz", 17340); }
TEST(TailScan, OnEveryInstructionSet) { expect_passes_on_other_instruction_sets("TailScan.AgreesWithManyDigits"); }

}  // namespace
}  // namespace fermiac::selfcheck
