// Finds the sites of a program and gives each a statement of its own.
#pragma once

#include <map>
#include <set>
#include <string>

#include "mir/ir/ir.h"
#include "mir/sites/site.h"
#include "support/base/errors.h"

namespace fermiac::mir {

/// Rewrites log_prob, as lowered (before transform_for_backend and the optimiser): every summand of target becomes a
/// statement of its own, functions `_lp` are put in place of their calls, and what is kept in a variable before it is added to target
/// becomes a site where it is written. The density is the same, up to the order of its terms.
/// Where the control flow reads data in `unknown_ints`, it gets marks of kind Choice. Throws ProgramError.
SiteTable open_sites(Program& program, const std::set<std::string>& unknown_ints = {});

// Data that are not known: they become variables of the density, with all that depends on them.

/// Makes outputs, like parameters and behind them, of the data in `unknown`, with their declared constraint, or where they have
/// none with that of `implied`. What prepare_data computes from them moves into the other sections. The variables stay in
/// prepare_data as read. Throws ProgramError where sizes or random numbers depend on them.
void lift_data(Program& program, const std::set<std::string>& unknown, const std::map<std::string, Transform>& implied);

/// Tests in log_prob that parameters in `held`, whose values are given, keep to bounds that depend on other parameters.
void check_held(Program& program, const std::set<std::string>& held);

/// The constraint that the distributions of a data variable imply: their support, or the bounds of their truncation, where these
/// depend on data alone and all agree.
std::map<std::string, Transform> implied_constraints(const Program& opened, const SiteTable& sites, const std::set<std::string>& variables);

}  // namespace fermiac::mir
