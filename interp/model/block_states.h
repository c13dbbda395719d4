// Blocks of a model's unknown numbers: which coordinates and ints they are, and the ints' moves.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "inference/mcmc/blocks.h"
#include "interp/model/conditioned_model.h"

namespace fermiac::interp {

/// Looks the names of blocks up; what no block has gets a block of nuts, of which `note` tells. The model is conditioned, with the ints of
/// these blocks in Conditioning::sampled, and outlives the result. Throws InputError.
std::shared_ptr<const inference::BlockSampling> resolve_blocks(const ConditionedModel& model, std::vector<inference::Block> blocks, std::string* note);

}  // namespace fermiac::interp
