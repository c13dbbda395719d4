// A compiled program as text in the layout of the formatter.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/compilation.h"
#include "frontend/format/canonical.h"
#include "frontend/format/format.h"

namespace fermiac {

struct Formatted {
  enum class Outcome : std::uint8_t {
    Done,
    IncludeInStatement,  // an #include directive inside a statement, which has no line of its own to be printed on
    TooDeep,             // with the braces of the canonical form the parser could not read the text again
    Changed              // a bug: the text reads back as another program
  };
  Outcome outcome = Outcome::Done;
  std::string text;
};

/// Formats a program whose checked_ast() is not null, until formatting the result again changes nothing, and verifies that the result
/// reads back as the same program. Cost: lexes its own result once; parses and formats it again if the program has comments or
/// includes. `canonical` rewrites the tree of the compilation.
Formatted formatted(Compilation& compilation, const format::Options& options = {}, const format::Canonical& canonical = {});

}  // namespace fermiac
