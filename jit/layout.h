// What machine code reads and writes of the engine: containers, numbers with references, and the trail of an evaluation with derivatives. The
// layouts are those of interp/value/value.h, autodiff/shape.h and autodiff/tape/record/trail.h; interp/exec/runs/jit_unit.cpp asserts
// that they agree.
#pragma once

#include <cstdint>

namespace fermiac::jit {

/// Kinds of values.
enum SlotKind : std::uint8_t { kInt = 1, kReal, kRef, kInts, kReals, kRefs };

/// Array dimensions around a scalar, vector, row vector or matrix (0 to 3).
struct Shape {
  std::uint8_t inner;
  bool complex;
  std::uint8_t rank;
  std::uint32_t dims[10];
  std::uint32_t rows, cols;
};

/// What a container owns begins with this.
struct Box {
  std::uint32_t owners;
  Shape shape;
  void* numbers;  // ints, doubles or references
};

/// The reference of a number that carries no derivatives.
inline constexpr std::uint32_t kNoRef = 0xffffffff;

/// A real with its reference in the current evaluation.
struct Traced {
  double v = 0;
  std::uint32_t ref = kNoRef;
  bool carries() const { return ref != kNoRef; }
};

/// A scalar result d and its derivatives by a and, unless that is kNoRef, by b.
struct TrailStep {
  std::uint32_t d, a, b;
  double da, db;
};

/// Where the numbers of an evaluation are, and room for results of scalar operations, one step for each.
struct Trail {
  const double* pools[4];  // by the two upper bits of a reference
  TrailStep* steps;
  double* results;         // result k is number first + k
  std::uint32_t first;
  std::uint32_t used;
  std::uint32_t room;
  std::uint64_t* path;     // a hash of the outcomes of comparisons
};

}  // namespace fermiac::jit
