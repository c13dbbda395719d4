// Machine code of a program's plain evaluation, joined to its nodes. The code was made elsewhere (codegen/native) and is
// loaded by interp/native; here it takes the place of the nodes wherever nothing is recorded: in plain evaluation, and in
// evaluation with derivatives without a tape.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codegen/runtime/native.h"
#include "interp/exec/runs/code.h"
#include "mir/analysis/statement_numbers.h"

namespace fermiac::interp {

struct NativeCode {
  std::shared_ptr<const native::Module> module;  // keeps the code loaded
  std::vector<std::uint32_t> sites;              // of the program, by the module's numbers
  std::vector<native::Function> functions;
  const Code* program = nullptr;

  /// Whether machine code runs in this frame; `traced`: there is some that carries derivatives along.
  static bool runs(const Frame& f, bool traced) { return !f.recording || (traced && f.m.recorder->evaluates()); }
  native::Context context(const Frame& f) const;
  Value run(const native::UserFunction& function, Frame& f) const;
};

/// What machine code calls (codegen/runtime/native.h).
const native::Runtime& native_runtime();

/// The statement in machine code; `nodes` runs while recording. `slots`: of the region's variables.
StmtPtr make_native(Site site, const NativeCode& code, const native::Region& region, std::vector<std::size_t> slots,
                    StmtPtr nodes);

}  // namespace fermiac::interp
