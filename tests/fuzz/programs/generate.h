// Random Stan programs that are well typed and run, with data. The same seed gives the same program on every machine.
#pragma once

#include <cstdint>
#include <string>

namespace fermiac::fuzz {

struct GeneratedProgram {
  std::string source;
  std::string data;  // JSON
};

GeneratedProgram generate_program(std::uint64_t seed);

}  // namespace fermiac::fuzz
