// Draws of chains in memory as points of the unconstrained space.
#include "inference/methods/method_run.h"
#include "inference/methods/runs_in_memory.h"

namespace fermiac::inference {
namespace {

CsvDraws as_draws(const ChainSet& chains, std::size_t chain) {
  CsvDraws out;
  out.names = chains.names;
  out.values = chains.rows[chain];
  out.rows = chains.names.empty() ? 0 : out.values.size() / chains.names.size();
  return out;
}

}  // namespace

Status chain_points(const Model& model, const ChainSet& chains, std::vector<Vec>* out) {
  for (std::size_t c = 0; c < chains.rows.size(); ++c) {
    const CsvDraws draws = as_draws(chains, c);
    RowReader reader;
    if (Status bad = reader.open(model, draws); !bad) return bad;
    for (std::size_t s = 0; s < draws.rows; ++s) {
      out->emplace_back(model.unconstrained_size());
      if (Status bad = reader.unconstrain(draws, s, out->back()); !bad) return bad;
    }
  }
  return {};
}

}  // namespace fermiac::inference
