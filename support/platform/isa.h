// Which of the instruction sets that there are kernels for is in use. Files named *.isa.cpp are compiled once for each, in a namespace
// of its own (isa_sse2, …); autodiff/kernels/isa.h has the names as a type.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

// FERMIAC_FOR_ISAS(X, arguments): X(name, arguments) for every instruction set of this build, from the least on. The only list of them.
#if defined(__x86_64__)
#if defined(FERMIAC_BASELINE_ONLY)
#define FERMIAC_FOR_ISAS(X, ...) X(sse2, __VA_ARGS__)
#else
#define FERMIAC_FOR_ISAS(X, ...) X(sse2, __VA_ARGS__) X(avx2, __VA_ARGS__) X(avx512, __VA_ARGS__)
#endif
#elif defined(__aarch64__)
#define FERMIAC_FOR_ISAS(X, ...) X(neon, __VA_ARGS__)
#else
#define FERMIAC_FOR_ISAS(X, ...) X(generic, __VA_ARGS__)
#endif

namespace fermiac {

/// Those of this build, from the least on: sse2, avx2, avx512; or neon; or generic.
std::span<const std::string_view> isas_of_build();
/// The best that the processor has, or a lower one that the environment's FERMIAC_ISA names: its place among them. The same for all calls.
std::size_t active_isa_place();
/// A message if FERMIAC_ISA is none of the instruction sets that there are kernels for; else empty. (Programs take "portable", too: they begin
/// anew with another choice, cli/fermiac/options/process_options.h.)
std::string unknown_isa();

}  // namespace fermiac
