// Random Stan programs that are well typed and run, with data. The same seed gives the same program on every machine.
#pragma once

#include <cstdint>
#include <string>

namespace fermiac::fuzz {

struct GeneratedProgram {
  std::string source;
  std::string data;  // JSON
};

/// Of a hundred programs so many have vectors of 65 to 90 numbers.
inline constexpr int kLongPrograms = 6;
GeneratedProgram generate_program(std::uint64_t seed, int long_programs = kLongPrograms);

}  // namespace fermiac::fuzz
