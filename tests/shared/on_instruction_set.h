/// The running test program once more, held to another instruction set.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "autodiff/kernels/isa.h"

namespace fermiac::testing {

/// The shell command that runs the tests selected by `filter` in this program on the instruction set `isa`.
inline std::string command_on(std::string_view isa, std::string_view filter) {
  return fmt::format("FERMIAC_ISA={} '{}' --gtest_filter='{}'", isa, std::filesystem::read_symlink("/proc/self/exe").string(), filter);
}

/// Runs the tests selected by `filter` once for each instruction set of this machine other than the one in use.
inline void expect_passes_on_other_instruction_sets(std::string_view filter) {
  for (const std::string_view isa : ad::isa_names()) {
    if (isa == ad::isa_name(ad::active_isa())) continue;
    EXPECT_EQ(std::system(command_on(isa, filter).c_str()), 0) << isa;
  }
}

}  // namespace fermiac::testing
