#include "inference/model/variable_blocks.h"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace fermiac::inference {
namespace {

constexpr std::pair<VariableBlock, std::string_view> kKeys[] = {{VariableBlock::Transformed, "transformed_variables"},
                                                                {VariableBlock::Generated, "generated_variables"},
                                                                {VariableBlock::Simulated, "simulated_variables"}};

}  // namespace

VariableBlocks variable_blocks(const Model& model) {
  VariableBlocks out;
  for (ModelVariable& variable : model.variables())
    if (variable.block != VariableBlock::Parameters) out.emplace(std::move(variable.name), variable.block);
  return out;
}

std::string blocks_comment(const VariableBlocks& blocks) {
  std::string out;
  for (const auto& [block, key] : kKeys) {
    std::string line;
    for (const auto& [variable, of] : blocks)
      if (of == block) line += " " + variable;
    if (!line.empty()) out += "# " + std::string(key) + " =" + line + "\n";
  }
  return out;
}

bool is_blocks_key(std::string_view key) {
  return std::ranges::find(kKeys, key, &std::pair<VariableBlock, std::string_view>::second) != std::end(kKeys);
}

VariableBlocks read_blocks(const std::vector<std::pair<std::string, std::string>>& config) {
  VariableBlocks out;
  for (const auto& [key, value] : config) {
    const auto* const row = std::ranges::find(kKeys, key, &std::pair<VariableBlock, std::string_view>::second);
    if (row == std::end(kKeys)) continue;
    std::istringstream variables(value);
    for (std::string variable; variables >> variable;) out.emplace(std::move(variable), row->first);
  }
  return out;
}

}  // namespace fermiac::inference
