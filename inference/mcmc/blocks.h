// Sampling by blocks: each sweep moves one block of the unknown numbers after the other, each with a sampler of its own, all others held.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "inference/mcmc/chain.h"

namespace fermiac::inference {

enum class BlockSampler : std::uint8_t { Nuts, Walnuts, Hmc, Rwm, Slice, Enumerate, Walk };
std::string_view block_sampler_name(BlockSampler sampler);
/// Its transitions have all the sampler's columns.
inline bool builds_trees(BlockSampler s) { return s == BlockSampler::Nuts || s == BlockSampler::Walnuts; }
inline bool has_trajectories(BlockSampler s) { return builds_trees(s) || s == BlockSampler::Hmc; }
inline bool is_for_ints(BlockSampler s) { return s == BlockSampler::Enumerate || s == BlockSampler::Walk; }

struct Block {
  std::vector<std::string> names;          // variables or elements
  BlockSampler sampler = BlockSampler::Nuts;
  unsigned repeat = 1;                     // moves in a sweep
  double time = 6.28318530717958647692;    // of hmc: integration time
  double scale = 2.4;                      // of rwm: of the proposal, in standard deviations, before adaptation
  double width = 1;                        // of slice: first bracket, before adaptation
  int step = 1;                            // of walk: the longest
  std::vector<std::size_t> coordinates;    // of the unconstrained values, of blocks of reals
  std::vector<std::size_t> ints;           // of BlockState, of blocks of ints
};

/// `NAMES: SAMPLER[(option=value, …)]`, names not looked up.
Status parse_block(std::string_view text, Block* out);

/// What one chain moves, besides its unconstrained values: the ints that blocks sample, and the model given these.
class BlockState {
 public:
  virtual ~BlockState() = default;
  virtual const Model& model() = 0;
  /// Of the model under the present ints; valid until they move.
  virtual ModelWorkspace& workspace() = 0;
  /// By the numbers that blocks have.
  virtual std::vector<std::int32_t> ints() const = 0;
  virtual void set_ints(std::vector<std::int32_t> values) = 0;
  /// Draws the ints from their distribution given everything else.
  virtual EvalStatus enumerate(const std::vector<std::size_t>& ints, ConstSpan theta, Rng& rng) = 0;
  /// One step of a random walk of each of them; `accept` gets the mean acceptance probability.
  virtual EvalStatus walk(const std::vector<std::size_t>& ints, int step, ConstSpan theta, Rng& rng, double* accept) = 0;
};

/// The target where a chain is, -inf where the model refuses it. What depends on sampled ints alone is constant to no one but a block of
/// reals: it counts.
double sweep_density(BlockState& state, ConstSpan theta);

struct BlockSampling {
  std::vector<Block> blocks;               // together they have all unknown numbers, each once
  std::function<std::unique_ptr<BlockState>()> state;
};

/// `theta[1,2], mu: rwm`
std::string block_text(const Block& block);

/// The sampler's columns: those of the first block of nuts or walnuts, if there is one, and the acceptance of every other block.
std::vector<std::string> block_columns(const BlockSampling& sampling);

}  // namespace fermiac::inference
