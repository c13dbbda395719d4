// `report` of a calibration: its ranks as pictures.
#pragma once

#include <string>

#include "inference/output/sbc_file.h"

namespace fermiac::inference {

/// What the page shows, as report_data.h has it for draws: quantities with their ranks, the band of their ECDFs.
/// Cost: of the band some 20 n² L for n simulations and ranks among L draws.
std::string sbc_report_json(const SbcFileText& file);

}  // namespace fermiac::inference
