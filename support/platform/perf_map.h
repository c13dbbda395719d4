// Names of machine code for profilers: `perf` reads /tmp/perf-PID.map.
#pragma once

#include <cstddef>
#include <string_view>

namespace fermiac::jit {

/// Adds a line to the file if FERMIAC_PERF_MAP is set to anything; a file that cannot be written is no error.
void name_for_perf(const void* code, std::size_t bytes, std::string_view label);

}  // namespace fermiac::jit
