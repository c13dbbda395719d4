// Features that the language no longer has: they are recognised, reported with what replaced them, and rewritten.
#pragma once

#include <string>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/lex/token.h"
#include "support/base/diagnostics.h"

namespace fermiac::parse {

/// The text says what was found and what to write instead.
inline constexpr Diagnostic<std::string> kRemovedFeature{DiagId::W2021, DiagKind::Warning, "{}",
                                                         WarningGroup::Deprecation};

/// Replaces calls of functions that were removed or renamed. Names that the program defines itself are left alone.
/// `stream` is what the program was parsed from: without a word that may need it no tree is walked.
void replace_removed_functions(ast::Program& program, const lex::TokenStream& stream, Diagnostics& diagnostics);

/// The same for pieces of a session; names in `own` belong to functions that earlier pieces defined.
void replace_removed_functions(ast::Program& pieces, const std::vector<std::string>& own, Diagnostics& diagnostics);

}  // namespace fermiac::parse
