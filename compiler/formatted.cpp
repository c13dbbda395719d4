#include "compiler/formatted.h"

#include <optional>
#include <utility>

#include "frontend/format/reads_back.h"

namespace fermiac {
Formatted formatted(Compilation& compilation, const format::Options& options, const format::Canonical& canonical) {
  using Outcome = Formatted::Outcome;
  compilation.canonicalize(canonical);
  const bool rewritten = canonical.deprecations || canonical.parentheses || canonical.braces;
  const ParseOptions parsing = compilation.options().parsing();
  const ast::Program& program = *compilation.checked_ast();
  std::optional<std::string> text = format::format_until_stable(compilation.sources(), compilation.tokens(), program, options, parsing);
  if (!text) return {Outcome::IncludeInStatement, {}};
  const format::ReadBack back = format::reads_back(compilation.sources(), compilation.tokens(), program, *text, parsing, rewritten);
  if (!back.same) return {back.too_deep ? Outcome::TooDeep : Outcome::Changed, {}};
  return {Outcome::Done, *std::move(text)};
}

}  // namespace fermiac
