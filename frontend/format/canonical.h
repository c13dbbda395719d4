// Rewrites of the tree that `--canonicalize` asks for. They change how a program is written, never what it means.
#pragma once

#include "frontend/ast/ast.h"

namespace fermiac::format {

struct Canonical {
  bool deprecations = false;   // forward declarations of functions that are defined
  bool parentheses = false;    // superfluous ones
  bool braces = false;         // round single statements
  bool includes = false;       // contents instead of directives (the printer's business)
  bool strip_comments = false; // (the printer's business)
};

void canonicalize(ast::Program& program, const Canonical& what);

}  // namespace fermiac::format
