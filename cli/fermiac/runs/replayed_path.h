// Constrained parameters along a replayed move, and which of them are worth showing.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "inference/mcmc/blocks.h"
#include "inference/methods/replay.h"
#include "inference/output/csv.h"
#include "interp/model/interp_model.h"

namespace fermiac::cli {

/// The start, then where each step leads; of blocks without steps start and end.
struct Path {
  std::vector<std::string> names;
  std::vector<inference::Vec> points;
};

/// A block's way to move: null where all parameters move together.
const inference::Block* block_of(const inference::BlockSampling* blocks, const inference::ReplayedMove& move);
/// It has steps, which are points of a trajectory.
bool has_steps(const inference::Block* block);

/// The model under the ints that blocks sample, as they were. What at() gives is good until it is asked again.
class ModelThen {
 public:
  ModelThen(const interp::InterpModel& model, const inference::BlockSampling* blocks) : model_(model), state_(blocks ? blocks->state() : nullptr) {}
  const interp::InterpModel& at(const inference::SweepPoint& point);

 private:
  const interp::InterpModel& model_;
  std::unique_ptr<inference::BlockState> state_;  // of samplers by block
};
Path path_of(ModelThen& then, const inference::Block* block, const inference::ReplayedMove& move);

/// Positions in Path::names, in their order: those that are `wanted`; if none are, the few that move most, beside the chain's draws in the
/// file, and with `moving` of these only what moves at all. Errors: one of the names is none.
Status chosen_quantities(const Path& path, const inference::CsvDraws& file, const std::vector<std::string>& wanted, bool moving,
                                    std::vector<std::size_t>* out);

}  // namespace fermiac::cli
