// MIR to three-address code, while the names around it are known.
#pragma once

#include <memory>

#include "interp/exec/lowering/compiler.h"
#include "interp/exec/lowering/jit_inline.h"
#include "interp/exec/runs/jit_unit.h"

namespace fermiac::interp {

/// The statement as a unit; null where nodes do as well: too large, or little in it but work on whole containers. `inlining`: null
/// where no function stands in place of its calls.
std::unique_ptr<JitUnit> lower_to_jit(Compiler& compiler, const mir::Stmt& s, std::string label, std::shared_ptr<JitShare> share, Inlining* inlining);

}  // namespace fermiac::interp
