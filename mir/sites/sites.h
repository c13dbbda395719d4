// Finds the sites of a program and gives each a statement of its own.
#pragma once

#include <stdexcept>

#include "mir/sites/site.h"

namespace fermiac::mir {

/// A program whose sites cannot be told apart: where, and why.
struct SiteError : std::runtime_error {
  SiteError(Span span_, const std::string& message) : std::runtime_error(message), span(span_) {}
  Span span;
};

/// Rewrites log_prob, as lowered (before transform_for_backend and the optimiser): every summand of target becomes a
/// statement of its own, functions `_lp` are put in place of their calls, and what is kept in a variable before it is added to target
/// becomes a site where it is written. The density is the same, up to the order of its terms.
/// Where the control flow reads data in `unknown_ints`, it gets marks of kind Choice. Throws SiteError.
SiteTable open_sites(Program& program, const std::set<std::string>& unknown_ints = {});

}  // namespace fermiac::mir
