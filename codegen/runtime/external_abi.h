// Calls between a program and the functions that a user's header in C++ defines: what the compiled header exports. It has no symbols to be
// resolved, so one compiled header serves every program of the same version.
#pragma once

#include <stdint.h>

namespace fermiac::native {

/// Changes with anything in this file that header and program must agree on.
inline constexpr uint32_t kAbi = 7;

/// Numbers of an operand or a result, in the layout of a value. `dims`: of arrays, outermost first, then those of the element
/// (a vector's size, or rows and columns of a matrix).
struct ExternalNumbers {
  const int32_t* ints;  // of an int or an array of them, else null
  const double* reals;
  const uint32_t* dims;
};

/// How a function in a header ended: with a result, with a point that it refuses, or with what no other point mends.
enum class Ending : uint8_t { Done, Refused, Failed };

/// One call of a function that a header in C++ defines. Nothing is thrown through it. A tuple is as many operands
/// or results as it has slots. What functions add to target is one more result, a real, what target is before them one more operand.
struct ExternalCall {
  const ExternalNumbers* operands;
  bool flag;                 // propto of densities and of `_lp`, jacobian of `_jacobian`
  const double* adjoints;    // of the reals of all results, in order; for pulling back alone
  double* const* gradients;  // by operand: what their products with the partials are added to, or null
  void* host;                // what the functions below are about
  void (*result)(void* host, const ExternalNumbers& numbers);  // once for each
  void (*print)(void* host, const char* text, uint64_t size);
  void (*message)(void* host, const char* text);
  void (*reads_target)(void* host);  // tells that what was there before matters
  // Of functions `_rng` alone: 64 random bits, and a draw of a library function; its result is null, or what is wrong with the operands.
  uint64_t (*bits)(void* host);
  const char* (*draw)(void* host, const char* function, const double* x, uint64_t n, double* out);
};

/// A function of the program that a header in C++ defines. `pull_back` is null where it takes no numbers with derivatives.
struct ExternalFunction {
  uint32_t index;  // among the functions of the program
  Ending (*value)(const ExternalCall& call);
  Ending (*pull_back)(const ExternalCall& call);
};

/// What a compiled header exports, as `fermiac_native_module`.
struct Module {
  uint32_t abi;
  const char* program;  // what it was made of, as a sum over the text
  const ExternalFunction* external_functions;
  uint32_t external_function_count;
};

}  // namespace fermiac::native
