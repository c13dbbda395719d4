// What machine code works with while it runs: the slots of the frame, the context that it shares with its caller, and the functions that
// it calls.
#pragma once

#include <cstdint>
#include <exception>

#include "jit/layout.h"

namespace fermiac::jit {

/// A slot of the frame, as machine code writes numbers to it (interp/value/value.h).
struct Slot {
  std::uint8_t kind;
  union {
    std::int32_t i;
    double r;
    void* box;
  };
};
static_assert(sizeof(Slot) == 16);

/// What one run of machine code shares with whoever started it.
struct Context {
  Slot* slots = nullptr;
  std::uint32_t* site = nullptr;         // place of the statement that runs
  const unsigned char* stop = nullptr;   // set by others to end the run; never null
  void* frame = nullptr;
  Slot* result = nullptr;                // of the function
  std::uint8_t result_to_target = 0;     // 1: its terms go straight into target
  Trail* trail = nullptr;                // scalar results of an evaluation with derivatives; null in a plain one
  double real = 0;                       // what a helper gives, or takes
  std::uint32_t ref = 0;                 // the same of what carries derivatives
  std::int32_t integer = 0;
  // Of a run that failed: the check (from 1; 0: `error` has what was thrown), the offset and the size that did not fit.
  std::uint32_t check = 0;
  std::uint32_t offset = 0, size = 0;
  std::exception_ptr error;
};

/// How machine code ends: a Flow, or this.
inline constexpr std::uint32_t kFailed = 0xff;

/// What machine code calls. None throws: those that return a status keep the exception in the context and return 1.
struct Helpers {
  std::uint32_t (*eval_real)(Context*, const void* node);   // to Context::real
  std::uint32_t (*eval_int)(Context*, const void* node);    // to Context::integer
  std::uint32_t (*run)(Context*, const void* statement);
  /// Of numbers: doubles, or Traced where derivatives are wanted. To Context::real, and to target.
  std::uint32_t (*map)(Context*, const void* map, const void* x);
  std::uint32_t (*target)(Context*, const void* call, const void* x);
  std::uint32_t (*unshare)(Context*, Slot* container);
  std::uint32_t (*call)(Context*, const void* call, const Slot* arguments);  // to Context::real or Context::integer
  // Of an evaluation with derivatives: more room on the trail; the number in the context becomes an element.
  std::uint32_t (*more)(Context*, const void*);
  std::uint32_t (*set_traced)(Context*, Slot* container);   // at Context::offset
  /// The function of a map that cannot fail, and how the interpreter says that all terms are wanted.
  const void* (*map_function)(const void* map);
  std::uint32_t all_terms;
};

}  // namespace fermiac::jit
