// What operations of a tape read.
#pragma once

#include <cstdint>

#include "autodiff/tape/ir/operands.h"
#include "autodiff/tape/opencl/chain_densities.h"

namespace fermiac::ad::device {

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
