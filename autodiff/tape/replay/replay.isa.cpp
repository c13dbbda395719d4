// The inner loops: forward and reverse sweep over a tape. The most frequent scalar ops are written out in the switch,
// everything else goes through the table of maps.
#include "autodiff/tape/replay/replay.h"
#include "autodiff/kernels/driver.h"
#include "autodiff/kernels/lane_sums.h"
#include "autodiff/kernels/pieces.h"
#include "autodiff/ops/scalar.h"
#include "autodiff/tape/replay/gathers.h"
#include "autodiff/tape/replay/run_tiles.h"
#include "autodiff/tape/replay/sweep.h"
#include "autodiff/tape/replay/tiles.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

FERMIAC_INLINE void load_scalars(const double* v, const TapeOp& op, double* x) {
  x[0] = v[op.x[0]];
  x[1] = v[op.x[1]];
  x[2] = v[op.x[2]];
  x[3] = v[op.x[3]];
}

/// A scalar map without a case of its own below.
bool map_forward(Sweep& s, const TapeOp& op) {
  const MapOp& f = s.maps[index_of(op.map)];
  double x[kMaxMapArity];
  load_scalars(s.v, op, x);
  if (!f.total && !f.valid(x)) return false;
  s.v[op.d] = f.value(x, op.keep);
  return true;
}

void map_reverse(const Sweep& s, const TapeOp& op) {
  const double g = s.a[op.d];
  if (g == 0) return;
  const MapOp& f = s.maps[index_of(op.map)];
  double x[kMaxMapArity], d[kMaxMapArity];
  load_scalars(s.v, op, x);
  f.value_and_partials(x, op.keep, d);
  for (int j = 0; j < f.arity; ++j)
    if (op.ad_mask >> j & 1u) s.a[op.x[j]] += g * d[j];
}

bool map_sink(Sweep& s, const TapeOp& op) {
  const MapOp& f = s.maps[index_of(op.map)];
  double x[kMaxMapArity], d[kMaxMapArity];
  load_scalars(s.v, op, x);
  if (!f.total && !f.valid(x)) return false;
  if (!s.with_gradient) {
    s.lp += f.value(x, op.keep);
    return true;
  }
  s.lp += f.value_and_partials(x, op.keep, d);
  for (int j = 0; j < f.arity; ++j)
    if (op.ad_mask >> j & 1u) s.a[op.x[j]] += d[j];
  return true;
}

/// What does not count is not evaluated.
bool weighed_sink(Sweep& s, const TapeOp& op) {
  const double weight = s.v[op.d];
  if (weight == 0) return true;
  const MapOp& f = s.maps[index_of(op.map)];
  double x[kMaxMapArity], d[kMaxMapArity];
  load_scalars(s.v, op, x);
  if (!f.total && !f.valid(x)) return false;
  if (!s.with_gradient) {
    s.lp += weight * f.value(x, op.keep);
    return true;
  }
  s.lp += weight * f.value_and_partials(x, op.keep, d);
  for (int j = 0; j < f.arity; ++j)
    if (op.ad_mask >> j & 1u) s.a[op.x[j]] += weight * d[j];
  return true;
}

// ---- long vector ops, in pieces

enum class Task { Map, MapReverse, Reduce, Fused };

constexpr std::uint32_t kMostPieces = 128;
constexpr std::uint32_t kShortestPiece = 16384;
constexpr std::uint32_t kLongOp = 2 * kShortestPiece;

/// One vector op taken apart. Adjoints of scalar operands and sums are kept by piece.
struct LongOp {
  const MapOp& f;
  const MapArgs& whole;
  Task task;
  Pieces pieces;
  double sums[kMostPieces];
  double scalar_adjoints[kMostPieces][kMaxMapArity];
  bool ok[kMostPieces];

  LongOp(const MapOp& map, const MapArgs& m, Task t)
      : f(map), whole(m), task(t), pieces(m.n, kShortestPiece, kMostPieces) {}

  MapArgs part(std::uint32_t k) {
    const std::uint32_t first = pieces.begin(k);
    MapArgs m = whole;
    m.n = pieces.length(k, whole.n);
    for (int j = 0; j < f.arity; ++j) {
      scalar_adjoints[k][j] = 0;
      const bool vector = m.vector_mask >> j & 1u;
      if (vector) m.x[j] += first;
      if (m.a[j] != nullptr) m.a[j] = vector ? m.a[j] + first : &scalar_adjoints[k][j];
    }
    if (task == Task::Map) m.out += first;
    if (task == Task::MapReverse) m.out += first, m.out_a += first;
    return m;
  }
  void operator()(std::uint32_t k) {
    const MapArgs m = part(k);
    ok[k] = true;
    switch (task) {
      case Task::Map: ok[k] = f.map(m); return;
      case Task::MapReverse: return f.map_reverse(m);
      case Task::Reduce: ok[k] = f.reduce(m, &sums[k]); return;
      case Task::Fused: ok[k] = f.fused(m, &sums[k]); return;
    }
  }
  /// Views that overlap without being the same: pieces would write to each other's adjoints.
  bool entangled() const {
    for (int i = 0; i < f.arity; ++i)
      for (int j = 0; j < i; ++j) {
        if (whole.a[i] == nullptr || whole.a[j] == nullptr || (whole.vector_mask >> i & whole.vector_mask >> j & 1u) == 0) continue;
        if (whole.a[i] != whole.a[j] && whole.a[i] < whole.a[j] + whole.n && whole.a[j] < whole.a[i] + whole.n) return true;
      }
    return false;
  }
  /// Adds `weight` times the sum to it.
  bool run(double* sum, double weight) {
    if ((task == Task::MapReverse || task == Task::Fused) && entangled())
      for (std::uint32_t k = 0; k < pieces.count; ++k) (*this)(k);
    else each_piece(pieces.count, *this);
    bool all = true;
    for (std::uint32_t k = 0; k < pieces.count; ++k) {
      all &= ok[k];
      if (sum != nullptr) *sum += weight * sums[k];
      for (int j = 0; j < f.arity; ++j)
        if (whole.a[j] != nullptr && (whole.vector_mask >> j & 1u) == 0) *whole.a[j] += scalar_adjoints[k][j];
    }
    return all;
  }
};

bool is_long(const BoundMap& b) {
  return b.args.n >= kLongOp && !b.map->product;
}

// Out of line: a LongOp is large, and the short ops need not make room for it.
[[gnu::noinline]] bool run_long(const BoundMap& b, Task task, double* sum, double weight = 1) {
  return LongOp(*b.map, b.args, task).run(sum, weight);
}

FERMIAC_INLINE bool vector_sink(Sweep& s, const BoundMap& b) {
  if (b.args.g == 0) [[unlikely]]
    return true;  // what does not count is not evaluated
  if (is_long(b)) [[unlikely]]
    return run_long(b, s.with_gradient ? Task::Fused : Task::Reduce, &s.lp, b.args.g);
  double sum = 0;
  const bool ok = s.with_gradient ? b.map->fused(b.args, &sum) : b.map->reduce(b.args, &sum);
  s.lp += b.args.g * sum;
  return ok;
}

FERMIAC_INLINE bool vector_forward(const BoundMap& b) {
  return is_long(b) ? run_long(b, Task::Map, nullptr) : b.map->map(b.args);
}

FERMIAC_INLINE void vector_reverse(const BoundMap& b) {
  if (is_long(b)) [[unlikely]]
    return void(run_long(b, Task::MapReverse, nullptr));
  b.map->map_reverse(b.args);
}

FERMIAC_INLINE bool reduce_forward(const BoundMap& b) {
  if (!is_long(b)) return b.map->reduce(b.args, b.args.out);
  *b.args.out = 0;
  return run_long(b, Task::Reduce, b.args.out);
}

FERMIAC_INLINE void reduce_reverse(BoundMap& b) {
  b.args.g = *b.args.out_a;
  double unused = 0;
  if (is_long(b)) return void(run_long(b, Task::Fused, &unused));
  b.map->fused(b.args, &unused);
}

void call_sink(Sweep& s, const TapeOp& op) {
  const Kernel& kernel = *s.kernels[op.table()];
  const KernelCall& call = s.calls[op.table()];
  if (call.g == 0) [[unlikely]]
    return;
  if (s.with_gradient && kernel.fused != nullptr) {
    s.lp += call.g * kernel.fused(call);
    return;
  }
  kernel.forward(call);
  s.lp += call.g * *call.out;
  if (!s.with_gradient) return;
  s.a[op.d] = call.g;
  kernel.reverse(call);
}

void add_target(Sweep& s, const TapeOp& op) {
  if (op.n == 1) {
    s.lp += s.v[op.x[0]];
    if (s.with_gradient) s.a[op.x[0]] += 1;
    return;
  }
  s.lp += sum_of<4>(s.v + op.x[0], op.n);
  if (s.with_gradient) add_number(s.a + op.x[0], op.n, 1);
}

void add_weighed_target(Sweep& s, const TapeOp& op) {
  const double weight = s.v[op.d];
  if (weight == 0) return;
  s.lp += weight * sum_of<4>(s.v + op.x[0], op.n);
  if (s.with_gradient) add_number(s.a + op.x[0], op.n, weight);
}

bool guard_holds(const Sweep& s, const TapeOp& op) {
  return ops::holds(op.test.compare(), s.v[op.x[0]], s.v[op.x[1]]) == op.test.outcome();
}

void gather(const Sweep& s, const TapeOp& op) {
  const std::uint32_t* index = s.index + op.table();
  if (op.n < kLongOp) {
    for (std::uint32_t i = 0; i < op.n; ++i) s.v[op.d + i] = s.v[index[i]];
    return;
  }
  const Pieces pieces(op.n, kShortestPiece, kMostPieces);
  auto copy = [&](std::uint32_t k) {
    const std::uint32_t first = pieces.begin(k), end = first + pieces.length(k, op.n);
    for (std::uint32_t i = first; i < end; ++i) s.v[op.d + i] = s.v[index[i]];
  };
  each_piece(pieces.count, copy);
}

void add_runs(const Sweep& s, const TapeOp& op) {
  const std::uint32_t* run = s.index + op.x[2];
  const double* a = s.a + op.d;
  for (std::uint32_t k = 0; k < op.x[3]; ++k, run += 2) {
    s.a[run[0]] += sum_of<4>(a, run[1]);
    a += run[1];
  }
}

/// Sums of the numbers x that have codes 0, 1, … below kCount. Behind the end the codes are none of these.
template <int kCount>
void add_by_code(const double* x, const double* codes, std::uint32_t n, double* sums) {
  V total[kCount]{};
  for (std::uint32_t i = 0; i < n; i += kLanes) {
    const V code = load(codes + i), value = load(x + i);
    for (int k = 0; k < kCount; ++k) total[k] += code == static_cast<double>(k) ? value : V{};
  }
  for (int k = 0; k < kCount; ++k) sums[k] = sum_lanes(total[k]);
}

void add_from_few(const Sweep& s, const TapeOp& op) {
  double sums[kMostSources];
  const double *x = s.a + op.d, *codes = s.codes + op.x[3];
  const std::uint32_t sources = op.scatter.sources();
  if (sources <= 2) add_by_code<2>(x, codes, op.n, sums);
  else if (sources <= 4) add_by_code<4>(x, codes, op.n, sums);
  else add_by_code<kMostSources>(x, codes, op.n, sums);
  for (std::uint32_t k = 0; k < sources; ++k) s.a[s.index[op.x[2] + k]] += sums[k];
}

void scatter_add(const Sweep& s, const TapeOp& op) {
  if (op.scatter.is_by_runs()) return add_runs(s, op);
  if (op.scatter.sources() > 0 && op.scatter.sources() <= kLanes) return add_from_few(s, op);
  const std::uint32_t* index = s.index + op.table();
  for (std::uint32_t i = 0; i < op.n; ++i) s.a[index[i]] += s.a[op.d + i];
}

// Written without loops: what is in arrays when loops are unrolled would go through memory.

template <class O>
FERMIAC_INLINE void hot_forward(double* v, const TapeOp& op) {
  double x[kMaxMapArity];
  load_scalars(v, op, x);
  v[op.d] = O::value(x);
}

template <class O>
FERMIAC_INLINE void hot_reverse(const double* v, double* a, const TapeOp& op, double g) {
  double x[kMaxMapArity], d[O::kArity];
  load_scalars(v, op, x);
  O::adjoints(x, v[op.d], g, d);
  a[op.x[0]] += d[0];
  if constexpr (O::kArity > 1) a[op.x[1]] += d[1];
  if constexpr (O::kArity > 2) a[op.x[2]] += d[2];
}

/// Moves to the last op of the run, or to the one that stops the sweep.
bool run_forward(Sweep& s, const TapeOp& op) {
  const std::uint32_t done = s.runs[op.table()].forward(&s);
  s.stopped += std::min(done, op.n - 1);
  return done == op.n;
}

/// False: the sweep stops here. `bound`: of the next vector op; `tiles` likewise.
FERMIAC_INLINE bool step_forward(Sweep& s, const TapeOp& op, BoundMap*& bound, BoundTiles*& tiles) {
  double* v = s.v;
  switch (op.kind) {
#define FERMIAC_CASE(Name, ...) \
  case OpKind::Name: hot_forward<ops::Name>(v, op); return true;
    FERMIAC_SCALAR_OPS(FERMIAC_CASE)
#undef FERMIAC_CASE
    case OpKind::Map: return map_forward(s, op);
    case OpKind::MapSink: return map_sink(s, op);
    case OpKind::Vector:
      return vector_forward(*bound++);
    case OpKind::VectorReduce:
      return reduce_forward(*bound++);
    case OpKind::VectorSink:
      return vector_sink(s, *bound++);
    case OpKind::Gather:
      gather(s, op);
      return true;
    case OpKind::Call:
      s.kernels[op.table()]->forward(s.calls[op.table()]);
      return true;
    case OpKind::CallSink:
      call_sink(s, op);
      return true;
    case OpKind::Target:
      add_target(s, op);
      return true;
    case OpKind::Tiles:
      return run_tiles(s, *tiles++);
    case OpKind::Guard:
      s.guard = !guard_holds(s, op);
      return !s.guard;
    case OpKind::Run: return run_forward(s, op);
    case OpKind::WeighedSink: return weighed_sink(s, op);
    case OpKind::WeighedTarget:
      add_weighed_target(s, op);
      return true;
  }
  return true;
}

/// `i` moves to the first op of a run. `bound`: behind the next vector op.
FERMIAC_INLINE void step_reverse(const Sweep& s, std::uint32_t& i, BoundMap*& bound) {
  const TapeOp& op = s.ops[i];
  const double* v = s.v;
  double* a = s.a;
  const double g = a[op.d];
  switch (op.kind) {
#define FERMIAC_CASE(Name, ...) \
  case OpKind::Name: return hot_reverse<ops::Name>(v, a, op, g);
    FERMIAC_SCALAR_OPS(FERMIAC_CASE)
#undef FERMIAC_CASE
    case OpKind::Map: return map_reverse(s, op);
    case OpKind::Vector:
      return vector_reverse(*--bound);
    case OpKind::VectorReduce:
      return reduce_reverse(*--bound);
    case OpKind::VectorSink:
      --bound;
      return;
    case OpKind::Gather:
      return scatter_add(s, op);
    case OpKind::Call:
      if (s.kernels[op.table()]->reverse != nullptr) s.kernels[op.table()]->reverse(s.calls[op.table()]);
      return;
    case OpKind::MapSink:
    case OpKind::CallSink:
    case OpKind::Target:
    case OpKind::Tiles:
    case OpKind::WeighedSink:
    case OpKind::WeighedTarget:
    case OpKind::Guard: return;  // nothing to hand back
    case OpKind::Run:
      s.runs[op.table()].reverse(&s);
      i -= op.n - 1;
      return;
  }
}

/// For machine code, through which nothing can be thrown.
template <auto kFunction, class S>
auto caught(S& s, const TapeOp& op) noexcept -> decltype(kFunction(s, op)) {
  try {
    return kFunction(s, op);
  } catch (...) {
    *s.failure = std::current_exception();
    return decltype(kFunction(s, op))();
  }
}

}  // namespace

void forward(Sweep& s) {
  BoundMap* bound = s.bound;
  BoundTiles* tiles = s.tiles;
  for (s.stopped = 0; s.stopped < s.count; ++s.stopped)
    if (!step_forward(s, s.ops[s.stopped], bound, tiles)) return;
}

void reverse(const Sweep& s) {
  BoundMap* bound = s.bound + s.bound_count;
  for (std::uint32_t i = s.count; i-- > 0;) step_reverse(s, i, bound);
}

extern const ScalarHelpers scalar_helpers;
const ScalarHelpers scalar_helpers = {[](double x) { return ops::Exp::value(&x); }, [](double x) { return ops::Log::value(&x); }, caught<map_forward>,
                                      caught<map_sink>, caught<map_reverse>};

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
