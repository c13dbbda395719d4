// Which block of the program the columns of draws belong to.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inference/model/column_names.h"
#include "inference/model/model.h"

namespace fermiac::inference {

/// By variable; parameters and variables of unknown blocks are left out.
using VariableBlocks = std::map<std::string, VariableBlock, std::less<>>;

VariableBlocks variable_blocks(const Model& model);
/// Comment lines for a CSV file, `# simulated_variables = y_rep z_rep`; empty for a model with parameters alone.
std::string blocks_comment(const VariableBlocks& blocks);
bool is_blocks_key(std::string_view key);
/// Reads blocks_comment() back from the configuration of a file.
VariableBlocks read_blocks(const std::vector<std::pair<std::string, std::string>>& config);

inline VariableBlock block_of(const VariableBlocks& blocks, std::string_view column) {
  const auto found = blocks.find(variable_of(column));
  return found == blocks.end() ? VariableBlock::Parameters : found->second;
}

}  // namespace fermiac::inference
