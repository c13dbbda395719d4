// Initial values as options and files give them.
#pragma once

#include <string>
#include <vector>

#include "inference/model/init.h"

namespace fermiac::inference {

/// One per chain, by `options.init`.
Result load_inits(const CommonOptions& options, unsigned chains, unsigned first_id, std::vector<InitSpec>* out);

/// A line for each source of values that names no parameter of the model; empty if all do, or CmdStan's words are wanted.
std::string unknown_inits(const std::vector<InitSpec>& specs, const Model& model);

/// Where the chains of a run start: looked for, or as `options.init` says.
Result load_starts(const SampleOptions& options, std::vector<InitSpec>* out);

}  // namespace fermiac::inference
