// Forward and reverse sweep at several points at once (lane_sweep.h).
#include "autodiff/tape/replay/lane_sweep.h"
#include "autodiff/kernels/simd.h"
#include "autodiff/ops/scalar.h"
#include "autodiff/tape/replay/gathers.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

extern const std::uint32_t lane_width;
const std::uint32_t lane_width = kLanes;

namespace {

FERMIAC_INLINE double* at(double* numbers, std::uint32_t slot) { return numbers + std::size_t{slot} * kLanes; }
FERMIAC_INLINE V number(const double* numbers, std::uint32_t slot) { return load(numbers + std::size_t{slot} * kLanes); }
FERMIAC_INLINE void add_to(double* place, V x) { store(place, load(place) + x); }

/// Sum over the elements of a vector, in the order of sum_lanes() and the loops before it.
struct OrderedSum {
  V parts[kLanes];

  void clear() {
    for (int k = 0; k < kLanes; ++k) parts[k] = V{};
  }
  void add(std::uint32_t element, V x) { parts[element % kLanes] += x; }
  V total() const {
    V sums[kLanes];
    for (int k = 0; k < kLanes; ++k) sums[k] = parts[k];
    for (int half = kLanes / 2; half > 0; half /= 2)
      for (int k = 0; k < half; ++k) sums[k] = sums[k] + sums[k + half];
    return sums[0];
  }
};

/// sum_of<4> of lane_sums.h.
V sum_of_four(const double* x, std::uint32_t n) {
  constexpr std::uint32_t kStep = 4 * kLanes;
  std::uint32_t i = 0;
  V sum{};
  if (n >= kStep) {
    OrderedSum sums[4];
    for (OrderedSum& s : sums) s.clear();
    for (; i + kStep <= n; i += kStep)
      for (std::uint32_t k = 0; k < kStep; ++k) sums[k / kLanes].add(k, load(x + std::size_t{i + k} * kLanes));
    for (int half = 2; half > 0; half /= 2)
      for (int k = 0; k < half; ++k)
        for (int l = 0; l < kLanes; ++l) sums[k].parts[l] = sums[2 * k].parts[l] + sums[2 * k + 1].parts[l];
    sum = sums[0].total();
  }
  for (; i < n; ++i) sum += load(x + std::size_t{i} * kLanes);
  return sum;
}

FERMIAC_INLINE void add_to_target(LaneSweep& s, V x) { store(s.lp, load(s.lp) + x); }

// ---- scalar ops

template <class O>
inline constexpr bool kOfLibrary = false;  // one number is computed by the C library: each point by itself
template <>
inline constexpr bool kOfLibrary<ops::Exp> = true;
template <>
inline constexpr bool kOfLibrary<ops::Log> = true;

template <class O>
FERMIAC_INLINE void hot_forward(double* v, const TapeOp& op) {
  double* const out = at(v, op.d);
  if constexpr (kOfLibrary<O>) {
    const double* const x = at(v, op.x[0]);
    for (int l = 0; l < kLanes; ++l) out[l] = O::value(x + l);
  } else {
    const V x[3] = {number(v, op.x[0]), O::kArity > 1 ? number(v, op.x[1]) : V{}, O::kArity > 2 ? number(v, op.x[2]) : V{}};
    store(out, O::value(x));
  }
}

template <class O>
FERMIAC_INLINE void hot_reverse(const double* v, double* a, const TapeOp& op) {
  const V x[3] = {number(v, op.x[0]), O::kArity > 1 ? number(v, op.x[1]) : V{}, O::kArity > 2 ? number(v, op.x[2]) : V{}};
  V d[O::kArity];
  O::adjoints(x, number(v, op.d), number(a, op.d), d);
  add_to(at(a, op.x[0]), d[0]);
  if constexpr (O::kArity > 1) add_to(at(a, op.x[1]), d[1]);
  if constexpr (O::kArity > 2) add_to(at(a, op.x[2]), d[2]);
}

FERMIAC_INLINE bool is_live(const LaneSweep& s, int l) { return ((s.used & ~s.failed) >> l & 1u) != 0; }
FERMIAC_INLINE void load_point(const double* v, const TapeOp& op, int l, double* x) {
  for (int j = 0; j < kMaxMapArity; ++j) x[j] = v[std::size_t{op.x[j]} * kLanes + static_cast<std::size_t>(l)];
}
FERMIAC_INLINE void fail(LaneSweep& s, int l) { s.failed |= std::uint64_t{1} << l; }

// Scalar maps call the C library, most of them: each point by itself.

void map_forward(LaneSweep& s, const TapeOp& op) {
  const MapOp& f = s.maps[index_of(op.map)];
  double x[kMaxMapArity];
  double* const out = at(s.v, op.d);
  for (int l = 0; l < kLanes; ++l) {
    if (!is_live(s, l)) continue;
    load_point(s.v, op, l, x);
    if (f.valid(x)) out[l] = f.value(x, op.keep);
    else fail(s, l);
  }
}

void map_reverse(LaneSweep& s, const TapeOp& op) {
  const MapOp& f = s.maps[index_of(op.map)];
  const double* const g = at(s.a, op.d);
  double x[kMaxMapArity], d[kMaxMapArity];
  for (int l = 0; l < kLanes; ++l) {
    if (g[l] == 0 || !is_live(s, l)) continue;
    load_point(s.v, op, l, x);
    f.value_and_partials(x, op.keep, d);
    for (int j = 0; j < f.arity; ++j)
      if (op.ad_mask >> j & 1u) at(s.a, op.x[j])[l] += g[l] * d[j];
  }
}

void map_sink(LaneSweep& s, const TapeOp& op) {
  const MapOp& f = s.maps[index_of(op.map)];
  double x[kMaxMapArity], d[kMaxMapArity];
  for (int l = 0; l < kLanes; ++l) {
    if (!is_live(s, l)) continue;
    load_point(s.v, op, l, x);
    if (!f.valid(x)) {
      fail(s, l);
      continue;
    }
    s.lp[l] += f.value_and_partials(x, op.keep, d);
    for (int j = 0; j < f.arity; ++j)
      if (op.ad_mask >> j & 1u) at(s.a, op.x[j])[l] += d[j];
  }
}

// ---- vector ops

FERMIAC_INLINE bool is_vector(const LaneBound& b, int j) { return (b.args.vector_mask >> j & 1u) != 0; }

/// `count` elements from `first` on.
LaneArgs part(const LaneSweep& s, const LaneBound& b, std::uint32_t first, std::uint32_t count) {
  LaneArgs m = b.args;
  m.n = count;
  for (int j = 0; j < b.map->arity; ++j) {
    if (is_vector(b, j)) m.x[j] += std::size_t{first} * kLanes;
    m.d[j] = b.a[j] != nullptr ? s.scratch + std::size_t(1 + j) * LaneSweep::kChunk * kLanes : nullptr;
  }
  m.out = s.scratch;
  return m;
}

/// Adds the partials m.d of the elements from `first` on, as many lanes at a time as the vector forms take elements: operands may
/// be views of the same numbers. Out of line: of the sums only those of scalars are ever set.
[[gnu::noinline]] void scatter(const LaneBound& b, const LaneArgs& m, std::uint32_t first, OrderedSum* sums) {
  for (std::uint32_t begin = 0; begin < m.n; begin += kLanes) {
    const std::uint32_t end = begin + kLanes < m.n ? begin + kLanes : m.n;
    for (int j = 0; j < b.map->arity; ++j) {
      if (b.a[j] == nullptr) continue;
      const double* d = m.d[j];
      if (is_vector(b, j))
        for (std::uint32_t i = begin; i < end; ++i) add_to(at(b.a[j], first + i), load(d + i * kLanes));
      else
        for (std::uint32_t i = begin; i < end; ++i) sums[j].add(i, load(d + i * kLanes));
    }
  }
}

/// Partials times g go to the adjoints, values to `sum` where it is not null. `values`: of a function, where they are known.
void hand_back(LaneSweep& s, const LaneBound& b, const double* g, bool one_g, double* values, OrderedSum* sum) {
  OrderedSum scalars[kMaxMapArity];
  for (int j = 0; j < b.map->arity; ++j)
    if (b.a[j] != nullptr && !is_vector(b, j)) scalars[j].clear();
  const std::uint32_t n = b.args.n;
  for (std::uint32_t first = 0; first < n; first += LaneSweep::kChunk) {
    LaneArgs m = part(s, b, first, n - first < LaneSweep::kChunk ? n - first : LaneSweep::kChunk);
    if (values != nullptr) m.out = at(values, first);
    else if (!b.map->density) s.failed |= b.forms.forward(m);
    m.one_g = one_g;
    m.g = one_g ? g : g + std::size_t{first} * kLanes;
    s.failed |= b.forms.backward(m);
    if (sum != nullptr)
      for (std::uint32_t i = 0; i < m.n; ++i) sum->add(i, load(m.out + i * kLanes));
    scatter(b, m, first, scalars);
  }
  for (int j = 0; j < b.map->arity; ++j)
    if (b.a[j] != nullptr && !is_vector(b, j)) add_to(b.a[j], scalars[j].total());
}

void vector_sink(LaneSweep& s, const LaneBound& b) {
  double one[kLanes];
  store(one, splat<V>(1));
  OrderedSum sum;
  sum.clear();
  hand_back(s, b, one, true, nullptr, &sum);
  if (!(b.map->density && b.args.keep.nothing())) add_to_target(s, sum.total());
}

void vector_forward(LaneSweep& s, const LaneBound& b) {
  LaneArgs m = b.args;
  m.out = b.out;
  s.failed |= b.forms.forward(m);
}

void vector_reverse(LaneSweep& s, const LaneBound& b) {
  hand_back(s, b, b.out_a, false, b.map->density ? nullptr : b.out, nullptr);
}

void reduce_forward(LaneSweep& s, const LaneBound& b) {
  OrderedSum sum;
  sum.clear();
  const std::uint32_t n = b.args.n;
  for (std::uint32_t first = 0; first < n; first += LaneSweep::kChunk) {
    const LaneArgs m = part(s, b, first, n - first < LaneSweep::kChunk ? n - first : LaneSweep::kChunk);
    s.failed |= b.forms.forward(m);
    for (std::uint32_t i = 0; i < m.n; ++i) sum.add(i, load(m.out + i * kLanes));
  }
  store(b.out, b.map->density && b.args.keep.nothing() ? V{} : sum.total());
}

void reduce_reverse(LaneSweep& s, const LaneBound& b) { hand_back(s, b, b.out_a, true, nullptr, nullptr); }

// ---- the others

void add_target(LaneSweep& s, const TapeOp& op) {
  add_to_target(s, op.n == 1 ? number(s.v, op.x[0]) : sum_of_four(at(s.v, op.x[0]), op.n));
  for (std::uint32_t i = 0; i < op.n; ++i) add_to(at(s.a, op.x[0] + i), splat<V>(1));
}

void guard(LaneSweep& s, const TapeOp& op) {
  const double *const x = at(s.v, op.x[0]), *const y = at(s.v, op.x[1]);
  for (int l = 0; l < kLanes; ++l)
    if (ops::holds(op.test.compare(), x[l], y[l]) != op.test.outcome()) fail(s, l);
}

void gather(LaneSweep& s, const TapeOp& op) {
  const std::uint32_t* index = s.index + op.table();
  for (std::uint32_t i = 0; i < op.n; ++i) store(at(s.v, op.d + i), number(s.v, index[i]));
}

void add_runs(LaneSweep& s, const TapeOp& op) {
  const std::uint32_t* run = s.index + op.x[2];
  const double* a = at(s.a, op.d);
  for (std::uint32_t k = 0; k < op.x[3]; ++k, run += 2) {
    add_to(at(s.a, run[0]), sum_of_four(a, run[1]));
    a += std::size_t{run[1]} * kLanes;
  }
}

void add_from_few(LaneSweep& s, const TapeOp& op) {
  OrderedSum sums[kMostSources];
  const std::uint32_t sources = op.scatter.sources();
  const std::uint32_t *slots = s.index + op.table(), *source = s.index + op.x[2];
  for (std::uint32_t k = 0; k < sources; ++k) sums[k].clear();
  for (std::uint32_t i = 0; i < op.n; ++i)
    for (std::uint32_t k = 0; k < sources; ++k)
      if (source[k] == slots[i]) sums[k].add(i, number(s.a, op.d + i));
  for (std::uint32_t k = 0; k < sources; ++k) add_to(at(s.a, source[k]), sums[k].total());
}

void scatter_add(LaneSweep& s, const TapeOp& op) {
  if (op.scatter.is_by_runs()) return add_runs(s, op);
  if (op.scatter.sources() > 0 && op.scatter.sources() <= kLanes) return add_from_few(s, op);
  const std::uint32_t* index = s.index + op.table();
  for (std::uint32_t i = 0; i < op.n; ++i) add_to(at(s.a, index[i]), number(s.a, op.d + i));
}

/// `vector`: the number of the next vector op.
FERMIAC_INLINE void step_forward(LaneSweep& s, const TapeOp& op, std::uint32_t& vector) {
  const auto by_form = [&](void (*run)(LaneSweep&, const LaneBound&)) {
    const std::uint32_t k = vector++;
    if (s.bound[k].forms) run(s, s.bound[k]);
    else s.apart(s, op, k, false);
  };
  switch (op.kind) {
#define FERMIAC_CASE(Name, ...) \
  case OpKind::Name: return hot_forward<ops::Name>(s.v, op);
    FERMIAC_SCALAR_OPS(FERMIAC_CASE)
#undef FERMIAC_CASE
    case OpKind::Map: return map_forward(s, op);
    case OpKind::MapSink: return map_sink(s, op);
    case OpKind::Vector: return by_form(vector_forward);
    case OpKind::VectorReduce: return by_form(reduce_forward);
    case OpKind::VectorSink: return by_form(vector_sink);
    case OpKind::Gather: return gather(s, op);
    case OpKind::Target: return add_target(s, op);
    case OpKind::Guard: return guard(s, op);
    default: return s.apart(s, op, 0, false);
  }
}

FERMIAC_INLINE void step_reverse(LaneSweep& s, const TapeOp& op, std::uint32_t& vector) {
  const auto by_form = [&](void (*run)(LaneSweep&, const LaneBound&)) {
    const std::uint32_t k = --vector;
    if (s.bound[k].forms) run(s, s.bound[k]);
    else s.apart(s, op, k, true);
  };
  switch (op.kind) {
#define FERMIAC_CASE(Name, ...) \
  case OpKind::Name: return hot_reverse<ops::Name>(s.v, s.a, op);
    FERMIAC_SCALAR_OPS(FERMIAC_CASE)
#undef FERMIAC_CASE
    case OpKind::Map: return map_reverse(s, op);
    case OpKind::Vector: return by_form(vector_reverse);
    case OpKind::VectorReduce: return by_form(reduce_reverse);
    case OpKind::VectorSink: --vector; return;
    case OpKind::Gather: return scatter_add(s, op);
    case OpKind::Call: return s.apart(s, op, 0, true);
    default: return;  // nothing to hand back
  }
}

}  // namespace

void lanes_forward(LaneSweep& s) {
  std::uint32_t vector = 0;
  for (std::uint32_t i = 0; i < s.count; ++i) {
    step_forward(s, s.ops[i], vector);
    if (s.failed != 0 && !s.goes_on()) [[unlikely]]
      return;
  }
}

void lanes_reverse(LaneSweep& s) {
  std::uint32_t vector = s.bound_count;
  for (std::uint32_t i = s.count; i-- > 0;) step_reverse(s, s.ops[i], vector);
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
