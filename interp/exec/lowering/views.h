// Which containers a loop reads and writes by single elements alone: their numbers do not move while it runs, so where they
// lie is found once, in front of it.
#pragma once

#include <string>
#include <vector>

#include "mir/ir/ir.h"

namespace fermiac::interp {


struct Viewed {
  std::string name;
  Type type;
  bool written = false;
};

/// Of a `for` or `while` loop. Not among them: what is declared in the loop, assigned as a whole or in parts, or used as a
/// whole where a copy of it might stay - only the number that is made of it, as by `sum(x)`, is sure not to be one.
std::vector<Viewed> viewed_containers(const mir::Stmt& loop);

bool all_single(const std::vector<mir::Index>& indexes);

/// Whether a statement may become a unit: it has a loop, and every `break` in it ends a loop of its own.
bool is_unit_candidate(const mir::Stmt& s);

/// The variable and its indexes, if they are single ones down to a number; else null.
struct IndexedElement {
  const mir::Expr* base = nullptr;  // a variable
  std::vector<mir::ExprPtr> at;
};
IndexedElement indexed_element(const mir::Expr& e);

}  // namespace fermiac::interp
