// The configuration of a run of sample, as CSV comments and configuration files tell it.
#pragma once

#include <string>
#include <string_view>

#include "inference/config.h"
#include "inference/options.h"

namespace fermiac::inference {

/// Where a CSV comment has the number of draws, and how many letters there are for it while it is not known yet.
inline constexpr std::string_view kSamplesKey = "num_samples = ";
inline constexpr std::size_t kCountWidth = 10;

std::string engine_name(Engine engine);

/// `samples` of each chain; of a run in rounds the most there can be, as long as it runs (`is_open`).
ConfigNode method_config(const SampleOptions& o, unsigned samples, bool is_open);

}  // namespace fermiac::inference
