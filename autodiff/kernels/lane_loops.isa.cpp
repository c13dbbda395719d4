// Loops over the elements of vectors (lane_loops.h). Values and partials go through short arrays that stay in the
// first-level cache; sums are taken in the order in which loops of driver.h take them.
#include "autodiff/kernels/lane_loops.h"

#include "autodiff/kernels/simd.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

constexpr std::uint32_t kChunk = 240;  // elements; a power of two would put the same ones of all arrays into the same sets of the cache
static_assert(kChunk % kLanes == 0);

FERMIAC_INLINE std::uint64_t first_bits(std::uint32_t count) { return count >= kLanes ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1; }

/// The operands as the forms take them: a scalar is one vector of lanes with the same number in all.
class Operands {
 public:
  Operands(const MapArgs& m, const LaneMap& f) : m_(m), arity_(f.arity) {
    args_.vector_mask = m.vector_mask;
    args_.keep = m.keep;
    for (int j = 0; j < arity_; ++j)
      if (is_vector(j)) args_.x[j] = m.x[j];
      else store(scalars_[j], splat<V>(*m.x[j])), args_.x[j] = scalars_[j];
  }
  bool is_vector(int j) const { return (m_.vector_mask >> j & 1u) != 0; }
  int arity() const { return arity_; }

  /// Those of at most `count` elements from i on; lanes behind the last element do not count.
  LaneArgs& from(std::uint32_t i, std::uint32_t count = kChunk) {
    for (int j = 0; j < arity_; ++j)
      if (is_vector(j)) args_.x[j] = m_.x[j] + i;
    if (count > m_.n - i) count = m_.n - i;
    args_.n = (count + kLanes - 1) / kLanes;
    args_.last = first_bits(count - (args_.n - 1) * kLanes);
    return args_;
  }

 private:
  const MapArgs& m_;
  const int arity_;
  LaneArgs args_;
  alignas(V) double scalars_[kMaxMapArity][kLanes];
};

/// Adds `blocks` vectors of lanes, `left` numbers in all.
void add_to_sum(V& sum, const double* d, std::uint32_t left, std::uint32_t blocks) {
  V s = sum;
  for (std::uint32_t b = 0; b + 1 < blocks; ++b) s += load(d + b * kLanes);
  const std::uint32_t last = (blocks - 1) * kLanes;
  sum = s + select(live_lanes(left - last), load(d + last), V{});
}

/// Adds partials to the adjoints that are wanted: to memory for vectors, to a running sum for scalars.
class Partials {
 public:
  Partials(const MapArgs& m, const Operands& x) : m_(m), x_(x) {
    for (int j = 0; j < x_.arity(); ++j)
      if (!x_.is_vector(j)) sums_[j] = V{};
  }
  void ask(LaneArgs& to) {
    for (int j = 0; j < x_.arity(); ++j) to.d[j] = m_.a[j] ? d_[j] : nullptr;
  }
  void add(std::uint32_t i, std::uint32_t blocks) {
    for (int j = 0; j < x_.arity(); ++j)
      if (!m_.a[j]) continue;
      else if (x_.is_vector(j)) add_to_vector(m_.a[j] + i, d_[j], m_.n - i, blocks);
      else add_to_sum(sums_[j], d_[j], m_.n - i, blocks);
  }
  void finish() {
    for (int j = 0; j < x_.arity(); ++j)
      if (m_.a[j] && !x_.is_vector(j)) *m_.a[j] += sum_lanes(sums_[j]);
  }
  /// Nothing for the elements whose values are 0.
  void drop_zeros(const double* values, std::uint32_t blocks) {
    for (std::uint32_t b = 0; b < blocks; ++b) {
      const VI zero = load(values + b * kLanes) == 0.0;
      if (!any(zero)) continue;
      for (int j = 0; j < x_.arity(); ++j)
        if (m_.a[j]) store(d_[j] + b * kLanes, select(zero, V{}, load(d_[j] + b * kLanes)));
    }
  }

 private:
  static void add_to_vector(double* a, const double* d, std::uint32_t left, std::uint32_t blocks) {
    std::uint32_t at = 0;
    for (std::uint32_t b = 0; b + 1 < blocks; ++b, at += kLanes) store(a + at, load(a + at) + load(d + at));
    store(a + at, load(a + at) + select(live_lanes(left - at), load(d + at), V{}));
  }

  const MapArgs& m_;
  const Operands& x_;
  V sums_[kMaxMapArity];
  alignas(V) double d_[kMaxMapArity][kChunk];
};

/// Adds all partials, chunk by chunk. before(i, part) says for the elements from i on where values are or go and what their adjoints are;
/// after(i, part, d) sees the partials before they are added. Where operands broke a rule, as bits.
template <class Before, class After>
FERMIAC_INLINE std::uint64_t sweep_back(const MapArgs& m, const LaneMap& f, Before before, After after) {
  Operands x(m, f);
  Partials d(m, x);
  std::uint64_t bad = 0;
  for (std::uint32_t i = 0; i < m.n; i += kChunk) {
    LaneArgs& part = x.from(i);
    before(i, part);
    d.ask(part);
    bad |= f.lanes.backward(part);
    after(i, part, d);
    d.add(i, part.n);
  }
  d.finish();
  return bad;
}

bool is_constant(const MapArgs& m, const LaneMap& f) { return f.density && m.keep.nothing(); }

}  // namespace

bool loop_map(const MapArgs& m, const LaneMap& f) {
  if (m.n == 0) return true;
  Operands x(m, f);
  LaneArgs& all = x.from(0, m.n);
  all.out = m.out;
  return f.lanes.forward(all) == 0;
}

bool loop_exp_map(const MapArgs& m, const LaneMap& f) {
  const bool ok = loop_map(m, f);
  for (std::uint32_t i = 0; i < m.n; i += kLanes) store(m.out + i, exp(load(m.out + i)));
  return ok;
}

bool loop_reduce(const MapArgs& m, const LaneMap& f, double* sum) {
  alignas(V) double values[kChunk];
  Operands x(m, f);
  V total{};
  std::uint64_t bad = 0;
  for (std::uint32_t i = 0; i < m.n; i += kChunk) {
    LaneArgs& part = x.from(i);
    part.out = values;
    bad |= f.lanes.forward(part);
    add_to_sum(total, values, m.n - i, part.n);
  }
  *sum = is_constant(m, f) ? 0 : sum_lanes(total);
  return bad == 0;
}

void loop_map_reverse(const MapArgs& m, const LaneMap& f) {
  alignas(V) double values[kChunk];
  sweep_back(
      m, f,
      [&](std::uint32_t i, LaneArgs& part) {
        part.out = f.values_back ? values : m.out + i;
        part.g = m.out_a + i;
      },
      [](std::uint32_t, const LaneArgs&, Partials&) {});
}

void loop_exp_map_reverse(const MapArgs& m, const LaneMap& f) {
  alignas(V) double values[kChunk], g[kChunk];
  sweep_back(
      m, f,
      [&](std::uint32_t i, LaneArgs& part) {
        for (std::uint32_t k = 0; k < part.n * kLanes; k += kLanes) {
          const V value = load(m.out + i + k);
          store(g + k, select(value == 0.0, V{}, load(m.out_a + i + k) * value));
        }
        part.out = values;
        part.g = g;
      },
      [&](std::uint32_t i, const LaneArgs& part, Partials& d) { d.drop_zeros(m.out + i, part.n); });
}

bool loop_fused(const MapArgs& m, const LaneMap& f, double* sum) {
  alignas(V) double values[kChunk], g[kLanes];
  store(g, splat<V>(m.g));
  V total{};
  std::uint64_t bad_forward = 0;
  const std::uint64_t bad = sweep_back(
      m, f,
      [&](std::uint32_t, LaneArgs& part) {
        part.out = values;
        part.g = g, part.one_g = true;
        if (!f.values_back) bad_forward |= f.lanes.forward(part);
      },
      [&](std::uint32_t i, const LaneArgs& part, Partials&) { add_to_sum(total, values, m.n - i, part.n); });
  *sum = is_constant(m, f) ? 0 : sum_lanes(total);
  return (bad | bad_forward) == 0;
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
