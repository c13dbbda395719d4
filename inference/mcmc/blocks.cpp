#include "inference/mcmc/blocks.h"
#include "support/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace fermiac::inference {
namespace {

constexpr std::array<std::string_view, 7> kSamplers = {"nuts", "hmc", "rwm", "slice", "walk", "enumerate", "walnuts"};
constexpr std::array<BlockSampler, 7> kKinds = {BlockSampler::Nuts, BlockSampler::Hmc,       BlockSampler::Rwm,    BlockSampler::Slice,
                                                BlockSampler::Walk, BlockSampler::Enumerate, BlockSampler::Walnuts};

std::string samplers_there_are() {
  std::string out;
  for (const std::string_view sampler : kSamplers) out.append(out.empty() ? "" : ", ").append(sampler);
  return out;
}

/// Parts between commas outside of brackets, without blanks around them.
std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> out;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size()) depth += (text[i] == '[') - (text[i] == ']');
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    if (const std::string_view part = trimmed(text.substr(begin, i - begin)); !part.empty()) out.emplace_back(part);
    begin = i + 1;
  }
  return out;
}

Status set_option(const std::string& option, Block* block) {
  const std::size_t at = option.find('=');
  const std::string_view name = trimmed(std::string_view(option).substr(0, at));
  const std::string_view text = at == std::string::npos ? std::string_view() : trimmed(std::string_view(option).substr(at + 1));
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = error == std::errc() && end == text.data() + text.size() && value > 0 && std::isfinite(value);
  const bool whole = number && value == std::floor(value) && value <= 1e6;
  struct Known {
    std::string_view name;
    bool fits, ok;
  };
  const Known known[] = {{"repeat", true, whole},
                         {"time", block->sampler == BlockSampler::Hmc, number},
                         {"scale", block->sampler == BlockSampler::Rwm, number},
                         {"width", block->sampler == BlockSampler::Slice, number},
                         {"step", block->sampler == BlockSampler::Walk, whole}};
  const auto found = std::ranges::find_if(known, [&](const Known& k) { return k.name == name && k.fits; });
  if (found == std::end(known))
    return Status::failed("'" + std::string(name) + "' is no option of " + std::string(block_sampler_name(block->sampler)));
  if (!found->ok) return Status::failed("'" + option + "': " + std::string(name) + " must be a positive number");
  if (name == "repeat") block->repeat = static_cast<unsigned>(value);
  if (name == "time") block->time = value;
  if (name == "scale") block->scale = value;
  if (name == "width") block->width = value;
  if (name == "step") block->step = static_cast<int>(value);
  return {};
}

/// As columns have it: `theta[1]` is `theta.1`.
std::string accept_column(const Block& block) {
  std::string out = "accept";
  for (const std::string& name : block.names) {
    out += "_";
    for (const char c : name)
      if (c != ']' && c != ' ') out += c == '[' || c == ',' ? '.' : c;
  }
  return out + "__";
}

}  // namespace

std::string_view block_sampler_name(BlockSampler sampler) {
  return kSamplers[static_cast<std::size_t>(std::ranges::find(kKinds, sampler) - kKinds.begin())];
}

Status parse_block(std::string_view text, Block* out) {
  const std::size_t colon = text.rfind(':', text.find('('));
  if (colon == std::string_view::npos) return Status::failed("'" + std::string(text) + "' should be NAMES: SAMPLER");
  out->names = parts_of(text.substr(0, colon));
  std::string_view sampler = trimmed(text.substr(colon + 1)), options;
  if (const std::size_t open = sampler.find('('); open != std::string_view::npos) {
    if (!sampler.ends_with(')')) return Status::failed("'" + std::string(text) + "': a ) is missing");
    options = sampler.substr(open + 1, sampler.size() - open - 2);
    sampler = trimmed(sampler.substr(0, open));
  }
  const auto found = std::ranges::find(kSamplers, sampler);
  if (found == kSamplers.end()) return Status::failed("'" + std::string(sampler) + "' is no sampler for a block; there are " + samplers_there_are());
  if (out->names.empty()) return Status::failed("'" + std::string(text) + "' names nothing to sample");
  out->sampler = kKinds[static_cast<std::size_t>(found - kSamplers.begin())];
  for (const std::string& option : parts_of(options))
    if (Status bad = set_option(option, out); !bad) return bad;
  return {};
}

double sweep_density(BlockState& state, ConstSpan theta) {
  double lp = 0;
  return state.workspace().log_density(theta, {.propto = state.ints().empty()}, &lp) ? lp : -kInf;
}

std::string block_text(const Block& block) {
  std::string out;
  for (const std::string& name : block.names) out += (out.empty() ? "" : ", ") + name;
  return out + ": " + std::string(block_sampler_name(block.sampler));
}

std::vector<std::string> block_columns(const BlockSampling& sampling) {
  const auto trees = std::ranges::find_if(sampling.blocks, builds_trees, &Block::sampler);
  std::vector<std::string> out = {"lp__"};
  if (trees != sampling.blocks.end()) out = sampler_names(Engine::Nuts);
  for (auto block = sampling.blocks.begin(); block != sampling.blocks.end(); ++block)
    if (block != trees) out.push_back(accept_column(*block));
  return out;
}

}  // namespace fermiac::inference
