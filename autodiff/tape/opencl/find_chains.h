// Finds the chains of a tape (chains.h), and writes densities that are calls on the tape as steps of a chain: generalized linear models
// with a constant matrix, ordered outcomes.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "autodiff/tape/ir/operands.h"
#include "autodiff/tape/opencl/chains.h"

namespace fermiac::ad::device {

/// All chains, in the order in which they end. They share no operation.
std::vector<Chain> find_chains(const TapeView& tape);

/// Fewer chains that do the same: those of one length become one, up to so many steps.
std::vector<Chain> join_chains(std::vector<Chain> chains, std::size_t most_steps);

/// Names of the densities that can be written as steps.
std::vector<std::string_view> densities_with_steps();
bool has_steps(const TapeView& tape, const TapeCall& call);
/// Whether the call, which must have steps, reads the operand element by element, so that the operand may be a result of the chain.
bool reads_elements(const TapeCall& call, std::uint32_t operand);
/// Appends the steps of the call to the chain. `vector` maps an arena offset to the source of the numbers that begin there.
void add_steps(const TapeView& tape, const TapeCall& call, const std::function<Source(std::uint32_t)>& vector, Chain* to);

/// A constant matrix of the tape.
bool is_constant_matrix(const TapeView& tape, const TapeCallOperand& operand);
/// Such a matrix times a vector; columns of a matrix follow one another.
Source add_product(const TapeCallOperand& matrix, const TapeCallOperand& vector, std::uint32_t column, Chain* to);

/// visit(from, n, element by element) for each block of numbers that `op` reads.
template <class Visit>
void for_each_read(const TapeView& t, const TapeOp& op, Visit visit) {
  const bool elements = op.kind == OpKind::Vector || op.kind == OpKind::VectorSink;
  if (op.kind == OpKind::Target || op.kind == OpKind::WeighedTarget) return visit(op.x[0], op.n, op.n > 1);
  if (op.kind == OpKind::Gather) {
    for (std::uint32_t i = 0; i < op.n; ++i) visit(t.index[op.table() + i], 1u, false);
  } else if (op.kind == OpKind::Tiles) {
    const TiledOps tiles = op.tiles();
    for (const TapeOp& tiled : t.tiled.subspan(tiles.first, tiles.count))
      for (int j = 0; j < place_operands(tiled); ++j) {
        const bool vector = tiled.kind == OpKind::Target || (tiled.vector_mask >> j & 1u);
        if (!is_local(tiled, j)) visit(tiled.x[j], vector ? tiled.n : 1u, vector);
      }
  } else if (is_call(op.kind)) {
    const TapeCall& c = t.calls[op.table()];
    for (std::uint32_t j = 0; j < c.count; ++j)
      if (const TapeCallOperand& o = t.call_operands[c.first + j]; !o.ints) visit(o.place, o.shape.size(), o.shape.size() > 1 && reads_elements(c, j));
  } else if (op.kind != OpKind::Run) {
    for (int j = 0; j < place_operands(op); ++j) visit(op.x[j], op.vector_mask >> j & 1u ? op.n : 1u, elements && (op.vector_mask >> j & 1u));
  }
}

}  // namespace fermiac::ad::device
