// The trace: what a recording of log_prob left behind. Ops in execution order over references; rewriting passes work
// on it (rewrite.h), layout turns it into a Tape (tape.h).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "autodiff/kernels/kernel.h"
#include "autodiff/kernels/map_op.h"
#include "autodiff/ops/list.h"
#include "autodiff/shape.h"
#include "autodiff/tape/trace/op_detail.h"

namespace fermiac::ad {

/// A number in the trace: an autodiff slot (parameters first, then results), or a constant. Constant scalars are
/// interned; constant vectors are contiguous copies of data. Elements of contiguous blocks have consecutive refs.
using Ref = std::uint32_t;
inline constexpr Ref kConstScalar = 0x80000000u;
inline constexpr Ref kConstVector = 0xc0000000u;
inline constexpr Ref kRefMask = 0x3fffffffu;
constexpr bool is_constant(Ref r) { return (r & kConstScalar) != 0; }
constexpr bool is_const_vector(Ref r) { return (r & kConstVector) == kConstVector; }

enum class OpKind : std::uint8_t {
  Map,           // v[d] = f(x)                          scalars
  MapSink,       // target += f(x)                       scalars
  Vector,        // v[d+i] = f(x_i), i < n               operands vectors or scalars
  VectorReduce,  // v[d] = sum f(x_i)
  VectorSink,    // target += sum f(x_i)
  Gather,        // v[d+i] = v[index[x0 + i]]
  Call,          // kernel calls[x0]
  CallSink,      // the same, scalar result, straight into target
  Target,        // target += sum v[x0 + i], i < n
  Guard,         // stops the replay unless compare(v[x0], v[x1]) has the recorded outcome
  Tiles,         // the x1 ops tiled[x0]… on n elements, tile by tile, there and back: tiles.h
  // In tapes only: the scalar maps of hot_ops.h, so that one switch decides.
  FERMIAC_SCALAR_OPS(FERMIAC_ENUMERATOR)
};
inline constexpr OpKind kFirstHot = OpKind::Add;

/// The map `compare(x, y) ? yes : no` of x, y, yes, no.
MapCode select_map(Compare compare);
bool is_select(MapCode code);

/// 32 bytes. Slots are Refs in a trace, arena indexes in a tape.
struct Op {
  OpKind kind{};
  std::uint8_t vector_mask = 0;  // bit j: operand j is a vector
  std::uint8_t ad_mask = 0;      // bit j: operand j carries derivatives
  union {                        // by kind
    GuardTest test{};            // Guard
    LocalVectors local;          // tiled ops
    ScatterPlan scatter;         // Gather, in tapes
  };
  MapCode map = kNoMap;
  Keep keep;
  std::uint32_t n = 1;
  std::uint32_t d = 0;
  std::uint32_t x[4] = {};
  /// How many numbers from d on it writes, if it has a result.
  constexpr std::uint32_t n_results() const { return kind == OpKind::VectorReduce ? 1 : n; }
};
static_assert(sizeof(Op) == 32);

/// Whether the op writes v[d]….
constexpr bool has_result(OpKind k) {
  return k == OpKind::Map || k == OpKind::Vector || k == OpKind::VectorReduce || k == OpKind::Gather || k == OpKind::Call;
}

/// Whether it applies a map to vectors.
constexpr bool is_vector_op(OpKind k) {
  return k == OpKind::Vector || k == OpKind::VectorReduce || k == OpKind::VectorSink;
}

/// How many of Op::x are Refs: of gathers and calls none, they have tables of their own.
inline int ref_operands(const Op& op) {
  switch (op.kind) {
    case OpKind::Target: return 1;
    case OpKind::Guard: return 2;
    case OpKind::Gather:
    case OpKind::Call:
    case OpKind::CallSink:
    case OpKind::Tiles: return 0;
    default: return map_op(op.map).arity;
  }
}

/// Operand of a kernel call.
struct CallOperand {
  Shape shape;
  Ref ref = 0;
  bool autodiff = false;
  bool ints = false;
  std::uint32_t int_offset = 0;  // into Trace::ints
};

struct CallInfo {
  const Kernel* kernel = nullptr;
  std::string_view name;          // for messages
  std::uint32_t first = 0;        // operands: call_operands[first, first + count)
  std::uint32_t count = 0;
  Shape out;
  Ref out_ref = 0;
  std::uint32_t scratch_size = 0; // doubles that live from the forward to the reverse sweep, without adjoints
  bool propto = false;
  std::shared_ptr<const void> context;  // KernelCall::context
};

/// Where an op came from: index of the statement's location in the model; grouping keeps different sites apart.
enum class Site : std::uint32_t {};
inline constexpr Site kNoSite{0};
constexpr std::uint32_t index_of(Site site) { return static_cast<std::uint32_t>(site); }

struct Trace {
  std::uint32_t parameters = 0;
  std::vector<Op> ops;
  std::vector<Site> sites;                 // one per op
  std::vector<double> values;              // of the autodiff slots at the recording point, padding included
  std::vector<double> const_scalars;
  std::vector<double> const_vectors;       // blocks padded to 8
  std::vector<Op> tiled;                   // Tiles
  std::vector<Site> tiled_sites;
  std::vector<Ref> index;                  // Gather
  std::vector<std::int32_t> ints;          // int operands of calls
  std::vector<CallInfo> calls;
  std::vector<CallOperand> call_operands;
  double constant = 0;                     // terms of target that depend on no parameter
};

}  // namespace fermiac::ad
