// Vector ops in tiles. A chain of vector ops of one length that ends in target hands nothing on but adjoints: a few hundred
// elements at a time go all the way, values forward and adjoints back, in a buffer that stays in the first-level cache.
// Nothing of the length of the vectors is stored in between.
//
// A tiled op (Vector, VectorSink, or Target of n numbers) is as others are but for `local`: it says which operands are
// local vectors, known by their numbers, and whether the result is one. An op Tiles has n elements and TiledOps.
#pragma once

#include <cstdint>
#include <vector>

#include "autodiff/kernels/pieces.h"
#include "autodiff/tape/ir/operands.h"

namespace fermiac::ad {

/// A tiled op bound to the numbers of one workspace: args of what is not local.
struct BoundTiled {
  const TapeOp* op = nullptr;
  const MapOp* map = nullptr;  // of a Target none
  MapArgs args;
};

/// An op Tiles bound to the numbers of one workspace. Pieces of it run on threads of their own, each with a buffer of
/// `stride` numbers: the local vectors, their adjoints, what its elements add to the adjoints of scalar operands
/// (kMaxMapArity for each op), and what they add to target.
struct BoundTiles {
  static constexpr std::uint32_t kShortestPiece = 16384, kMostPieces = 128;

  const BoundTiled* ops = nullptr;
  std::uint32_t count = 0;             // of ops
  std::uint32_t n = 0, locals = 0, size = 0;
  Pieces pieces{0, kShortestPiece, kMostPieces};
  bool entangled = false;              // pieces may write to each other's adjoints
  std::size_t stride = 0;
  double* buffers = nullptr;           // by piece
  std::uint32_t* failed = nullptr;     // by piece: the op that broke a rule, or the number of ops
};

/// What one of these refers to.
struct TilesStorage {
  std::vector<BoundTiled> ops;
  std::vector<double> buffers;
  std::vector<std::uint32_t> failed;
};

}  // namespace fermiac::ad
