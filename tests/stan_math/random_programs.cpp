// Prints random programs with data, one JSON object per line: random_programs FIRST_SEED COUNT
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "tests/fuzz/programs/generate.h"
#include "tests/stan_math/json_text.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: random_programs FIRST_SEED COUNT\n";
    return 2;
  }
  const std::uint64_t first = std::strtoull(argv[1], nullptr, 10), count = std::strtoull(argv[2], nullptr, 10);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const auto program = fermiac::fuzz::generate_program(seed);
    std::cout << json_text::object({{"id", json_text::quoted("random-" + std::to_string(seed))},
                                    {"code", json_text::quoted(program.source)},
                                    {"data", program.data}})
              << "\n";
  }
  return 0;
}
