// Which statements of sections become machine code, and what they share with their surroundings.
#pragma once

#include <string>
#include <vector>

#include "frontend/types.h"
#include "mir/ir/ir.h"

namespace fermiac::codegen::native {

/// A variable that a statement uses and that is declared around it.
struct FreeVariable {
  std::string name;
  Type type;
  bool assigned = false;  // as a whole
};

/// In the order of their first use.
std::vector<FreeVariable> free_variables(const mir::Stmt& s);

/// Whether machine code pays: it has a loop, and every `break` in it ends a loop of its own.
bool is_candidate(const mir::Stmt& s);

}  // namespace fermiac::codegen::native
