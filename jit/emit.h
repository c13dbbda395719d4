// Machine code of three-address code: asmjit's compiler, which allocates registers. Results are the interpreter's bit for bit:
// operations stand in the order of the program, none is contracted, functions are called where the interpreter calls them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jit/code.h"
#include "jit/context.h"
#include "support/platform/code_pages.h"

namespace fermiac::jit {

using Entry = std::uint32_t (*)(Context*);

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
