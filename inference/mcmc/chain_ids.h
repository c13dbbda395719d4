// Which chains of a run this process draws: all, or those of a list (`--chain-ids 5,9`), so that many processes share a run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "inference/model/options.h"

namespace fermiac::inference {

/// `5,9`, in increasing order. Errors: what is no list of whole numbers, a number that is there twice.
Result read_chain_ids(std::string_view text, std::vector<unsigned>* out);
std::string chain_ids_text(const std::vector<unsigned>& ids);

/// A number that the run does not have, or options by which its chains look at each other.
Result check_chain_ids(const SampleOptions& options);

/// The numbers of the chains that are drawn here, in increasing order.
std::vector<unsigned> drawn_chains(const SampleOptions& options);

}  // namespace fermiac::inference
