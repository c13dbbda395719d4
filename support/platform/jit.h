// When work that is done over and over becomes machine code: loops and functions of programs, scalar ops of tapes.
#pragma once

#include <cstdint>

namespace fermiac {

enum class Jit : std::uint8_t {
  Never,
  Warm,   // when it has run for as long as making it takes
  Always  // when it runs first; for tests
};

/// What FERMIAC_JIT says, `never` or `always`; else Warm.
Jit jit_by_environment();

}  // namespace fermiac
