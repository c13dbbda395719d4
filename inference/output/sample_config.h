// The configuration of a run of sample, as CSV comments and configuration files tell it.
#pragma once

#include <string>
#include <string_view>

#include "inference/model/options.h"
#include "inference/output/config.h"

namespace fermiac::inference {

/// Where CSV comments have the number of draws and that of the warm-up, and how many letters there are for it while it is not known yet.
inline constexpr std::string_view kSamplesKey = "num_samples = ", kWarmupKey = "num_warmup = ";
inline constexpr std::size_t kCountWidth = 10;

std::string engine_name(Engine engine);

/// `samples` of each chain; of a run in rounds the most there can be, as long as it runs (`is_open`). So is the warm-up that may end
/// earlier, in files that tell of one chain (`is_chain`).
ConfigNode method_config(const SampleOptions& o, unsigned samples, bool is_open, bool is_chain);

}  // namespace fermiac::inference
