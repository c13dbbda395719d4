// The way in for libFuzzer. FERMIAC_FUZZ_ENTRY is one of the functions of fuzz.h.
#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fermiac::fuzz::FERMIAC_FUZZ_ENTRY(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
