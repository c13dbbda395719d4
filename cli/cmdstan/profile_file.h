// The file of `output profile_file=`: what `profile` blocks cost.
#pragma once

#include <string>

#include "interp/model/interp_model.h"

namespace fermiac::cmdstan {

/// A row for each name and thread, times in seconds; empty where nothing was measured.
std::string profile_csv(const interp::InterpModel& model);

}  // namespace fermiac::cmdstan
