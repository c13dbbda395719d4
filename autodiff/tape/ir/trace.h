// The trace: what a recording of log_prob left behind. Ops in execution order over references; rewriting passes work
// on it (rewrite.h), layout turns it into a Tape (tape.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "autodiff/kernels/kernel.h"
#include "autodiff/kernels/map_arity.h"
#include "autodiff/kernels/map_op.h"
#include "autodiff/ops/list.h"
#include "autodiff/shape.h"
#include "autodiff/tape/ir/op_detail.h"
#include "autodiff/tape/ir/ref.h"
#include "autodiff/tape/ir/weight.h"

namespace fermiac::ad {

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
  // In tapes only.
  Run,           // n scalar ops as machine code, the entry x0 of a table: replay/scalar_code.h
  WeighedSink,   // target += v[d] f(x)               scalars
  WeighedTarget, // target += v[d] sum v[x0 + i], i < n
  // The scalar maps of hot_ops.h, so that one switch decides.
  FERMIAC_SCALAR_OPS(FERMIAC_ENUMERATOR)
};
inline constexpr OpKind kFirstHot = OpKind::Add;

/// The map `compare(x, y) ? yes : no` of x, y, yes, no.
MapCode select_map(Compare compare);
bool is_select(MapCode code);

/// The numbers of an op that is itself many ops, in tiles (tiles.h).
struct TiledOps {
  std::uint32_t first = 0, count = 0;  // tiled[first, first + count)
  std::uint32_t locals = 0;            // local vectors
  std::uint32_t size = 0;              // elements in a tile
};

/// 32 bytes. Places are Refs in a trace, indexes of the arena in a tape. Where an op has no place it may have a number: that
/// of a table's entry or of a local vector, which only the functions below read and write.
template <class Place>
struct BasicOp {
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
  Place d{};
  Place x[4] = {};

  /// How many numbers from d on it writes, if it has a result.
  constexpr std::uint32_t n_results() const { return kind == OpKind::VectorReduce ? 1 : n; }

  /// Of MapSink, VectorSink and Target of a trace. A CallSink's is that of its call.
  constexpr Weight weight() const { return d.as_weight(); }
  constexpr void set_weight(Weight w) { d = Ref::weight(w); }

  /// Of a gather the first of its n indexes, of a call its row.
  constexpr std::uint32_t table() const { return number(x[0]); }
  constexpr void set_table(std::uint32_t entry) { x[0] = place(entry); }
  /// Of tiles.
  constexpr TiledOps tiles() const { return {number(x[0]), number(x[1]), number(x[2]), number(x[3])}; }
  constexpr void set_tiles(const TiledOps& t) {
    x[0] = place(t.first), x[1] = place(t.count), x[2] = place(t.locals), x[3] = place(t.size);
  }
  /// Of a tiled op: local vectors.
  constexpr std::uint32_t local_operand(int j) const { return number(x[j]); }
  constexpr void set_local_operand(int j, std::uint32_t vector) { x[j] = place(vector), local.add_operand(j); }
  constexpr std::uint32_t local_result() const { return number(d); }
  constexpr void set_local_result(std::uint32_t vector) { d = place(vector), local.add_result(); }

 private:
  static constexpr std::uint32_t number(Ref r) { return r.bits(); }
  static constexpr std::uint32_t number(std::uint32_t i) { return i; }
  static constexpr Place place(std::uint32_t number) {
    if constexpr (std::is_same_v<Place, Ref>) return Ref::from_bits(number);
    else return number;
  }
};
using Op = BasicOp<Ref>;
using TapeOp = BasicOp<std::uint32_t>;
static_assert(sizeof(Op) == 32 && sizeof(TapeOp) == 32);

/// Whether the op writes v[d]….
constexpr bool has_result(OpKind k) {
  return k == OpKind::Map || k == OpKind::Vector || k == OpKind::VectorReduce || k == OpKind::Gather || k == OpKind::Call;
}

/// Whether it applies a map to vectors.
constexpr bool is_vector_op(OpKind k) {
  return k == OpKind::Vector || k == OpKind::VectorReduce || k == OpKind::VectorSink;
}

/// Whether the op adds to target and names its weight.
constexpr bool is_weighed(OpKind k) { return k == OpKind::MapSink || k == OpKind::VectorSink || k == OpKind::Target; }

constexpr bool is_call(OpKind k) { return k == OpKind::Call || k == OpKind::CallSink; }

/// How many of x are places: of gathers and calls none, they have tables of their own.
template <class Place>
int place_operands(const BasicOp<Place>& op) {
  switch (op.kind) {
    case OpKind::Target:
    case OpKind::WeighedTarget: return 1;
    case OpKind::Guard: return 2;
    case OpKind::Gather:
    case OpKind::Call:
    case OpKind::CallSink:
    case OpKind::Tiles: return 0;
    default: return map_arity(op.map);
  }
}

/// Operand of a kernel call.
template <class Place>
struct BasicCallOperand {
  Shape shape;
  Place place{};
  bool autodiff = false;
  bool ints = false;
  std::uint32_t int_offset = 0;  // into Trace::ints
};
using CallOperand = BasicCallOperand<Ref>;
using TapeCallOperand = BasicCallOperand<std::uint32_t>;

template <class Place>
struct BasicCallInfo {
  const Kernel* kernel = nullptr;
  std::string_view name;          // for messages
  std::uint32_t first = 0;        // operands: call_operands[first, first + count)
  std::uint32_t count = 0;
  Shape out;
  Place out_place{};
  std::uint32_t scratch_size = 0; // doubles that live from the forward to the reverse sweep, without adjoints
  Propto propto;
  std::shared_ptr<const void> context;  // KernelCall::context
  Weight weight = kOne;           // of a CallSink
};
using CallInfo = BasicCallInfo<Ref>;
using TapeCall = BasicCallInfo<std::uint32_t>;

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
  std::vector<WeightRow> weights;          // row i is Weight i + 1
  std::uint32_t settable_weights = 0;      // the first of them, which a workspace may change
  bool reads_weights = false;              // a number on it was computed with what a weight was
};

/// Its value at the recording point.
inline double value_of(const Trace& t, Weight w) { return w == kOne ? 1 : t.weights[index_of(w) - 1].value; }

/// target += weight * term, which depends on no parameter.
inline void add_constant(Trace& t, Weight w, double term) { (w == kOne ? t.constant : t.weights[index_of(w) - 1].constant) += term; }

/// What is wrong with the trace, the first thing found: `op 12 (Map) reads number 40, which no op before it has made`.
/// Empty: nothing. O(numbers + operands).
std::string verify(const Trace& trace);

}  // namespace fermiac::ad
