// Machine code of three-address code: asmjit's compiler, which allocates registers. Results are the interpreter's bit for bit:
// operations stand in the order of the program, none is contracted, functions are called where the interpreter calls them.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "jit/code.h"
#include "support/platform/code_pages.h"

namespace fermiac::native {
struct Context;
struct Trail;
}  // namespace fermiac::native

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
  native::Context* native = nullptr;     // what helpers know of an evaluation with derivatives; null in a plain one
  native::Trail* trail = nullptr;        // where that keeps scalar results
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
using Entry = std::uint32_t (*)(Context*);

/// What machine code calls. None throws: those that return a status keep the exception in the context and return 1.
struct Helpers {
  std::uint32_t (*eval_real)(Context*, const void* node);   // to Context::real
  std::uint32_t (*eval_int)(Context*, const void* node);    // to Context::integer
  std::uint32_t (*run)(Context*, const void* statement);
  /// Of numbers: doubles, or native::Traced where derivatives are wanted. To Context::real, and to target.
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

struct MachineCode {
  CodePages pages;
  Entry entry = nullptr;
  std::size_t size = 0;                  // bytes of code
  std::vector<Check> checks;
};

/// Whether this machine is one that code can be made for.
bool has_machine_code();

/// `traced`: reals carry derivatives along. Nothing where the code is too large or the system gives no pages; `listing`, if any,
/// becomes the text of the instructions.
std::optional<MachineCode> emit(const Code& code, const Helpers& helpers, bool traced, std::string* listing = nullptr);

}  // namespace fermiac::jit
