// Instruction sets: those that there are kernels for, and the one in use. Files named *.isa.cpp are compiled once for
// each, in a namespace of its own (isa_sse2, …); what they export is declared and chosen with the macros at the end.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "support/platform/isa.h"

namespace fermiac::ad {

/// From the least on. Names are these in lower case.
#if defined(__x86_64__)
enum class Isa : std::uint8_t { Sse2, Avx2, Avx512 };
#elif defined(__aarch64__)
enum class Isa : std::uint8_t { Neon };
#else
enum class Isa : std::uint8_t { Generic };
#endif

/// The best that the processor has, or a lower one that the environment's FERMIAC_ISA names. The same for all calls.
Isa active_isa();
std::string_view isa_name(Isa isa);
/// Those up to the active one.
std::span<const std::string_view> isa_names();

/// One of these by the active instruction set.
template <class T>
T* pick_by_isa(std::initializer_list<T*> all) {
  return all.begin()[static_cast<int>(active_isa())];
}

}  // namespace fermiac::ad

/// Declares, in namespace fermiac::ad, what a *.isa.cpp file defines.
#define FERMIAC_DECLARE_FOR_ISAS(...) FERMIAC_FOR_ISAS(FERMIAC_DECLARE_FOR_ISA, __VA_ARGS__)
#define FERMIAC_DECLARE_FOR_ISA(name, ...) \
  namespace isa_##name {                   \
  __VA_ARGS__                              \
  }

/// The copy of an object or function that is for the active instruction set.
#define FERMIAC_FOR_ACTIVE_ISA(f) (*::fermiac::ad::pick_by_isa({FERMIAC_FOR_ISAS(FERMIAC_ADDRESS_FOR_ISA, f)}))
#define FERMIAC_ADDRESS_FOR_ISA(name, f) &isa_##name::f,
