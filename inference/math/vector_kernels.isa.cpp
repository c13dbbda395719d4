#include "inference/math/vector_kernels.h"

#include <cstring>

namespace fermiac::inference {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

#define FERMIAC_INLINE inline __attribute__((always_inline))

/// Four lanes: one register, or two where registers have two.
#if defined(__AVX__)
using Four = double __attribute__((vector_size(32)));
FERMIAC_INLINE Four load_four(const double* p) {
  Four x;
  std::memcpy(&x, p, sizeof x);
  return x;
}
FERMIAC_INLINE void store(double* p, Four x) { std::memcpy(p, &x, sizeof x); }
FERMIAC_INLINE double lane(Four x, int i) { return x[i]; }
FERMIAC_INLINE void add_to_first(Four& x, double more) { x[0] += more; }
#else
using Two = double __attribute__((vector_size(16)));
struct Four {
  Two low, high;
};
FERMIAC_INLINE Four operator+(Four a, Four b) { return {a.low + b.low, a.high + b.high}; }
FERMIAC_INLINE Four operator*(Four a, Four b) { return {a.low * b.low, a.high * b.high}; }
FERMIAC_INLINE Four operator*(double a, Four b) { return {a * b.low, a * b.high}; }
FERMIAC_INLINE Four load_four(const double* p) {
  Four x;
  std::memcpy(&x.low, p, sizeof x.low);
  std::memcpy(&x.high, p + 2, sizeof x.high);
  return x;
}
FERMIAC_INLINE void store(double* p, Four x) {
  std::memcpy(p, &x.low, sizeof x.low);
  std::memcpy(p + 2, &x.high, sizeof x.high);
}
FERMIAC_INLINE double lane(Four x, int i) { return i < 2 ? x.low[i] : x.high[i - 2]; }
FERMIAC_INLINE void add_to_first(Four& x, double more) { x.low[0] += more; }
#endif
FERMIAC_INLINE void store(double* p, double x) { *p = x; }

template <class T>
FERMIAC_INLINE T load(const double* p) {
  if constexpr (sizeof(T) == sizeof(double)) return *p;
  else return load_four(p);
}

struct Sum {
  Four lanes{};
  FERMIAC_INLINE void operator+=(Four x) { lanes = lanes + x; }
  FERMIAC_INLINE void operator+=(double x) { add_to_first(lanes, x); }
  FERMIAC_INLINE double all() const { return (lane(lanes, 0) + lane(lanes, 1)) + (lane(lanes, 2) + lane(lanes, 3)); }
};

template <class T>
struct Width {
  using Type = T;
};

/// f(Width<Four>, i) for elements i to i + 3, f(Width<double>, i) for those that are left.
template <class F>
FERMIAC_INLINE void in_fours(std::size_t n, F f) {
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) f(Width<Four>(), i);
  for (; i < n; ++i) f(Width<double>(), i);
}

double dot(const double* a, const double* b, std::size_t n) {
  Sum sum;
  in_fours(n, [&](auto width, std::size_t i) __attribute__((always_inline)) {
    using T = typename decltype(width)::Type;
    sum += load<T>(a + i) * load<T>(b + i);
  });
  return sum.all();
}

void axpy(double c, const double* x, double* y, std::size_t n) {
  in_fours(n, [&](auto width, std::size_t i) __attribute__((always_inline)) {
    using T = typename decltype(width)::Type;
    store(y + i, load<T>(y + i) + c * load<T>(x + i));
  });
}

double axpy_and_dot(double c, const double* u, const double* next, double* x, std::size_t n) {
  Sum sum;
  in_fours(n, [&](auto width, std::size_t i) __attribute__((always_inline)) {
    using T = typename decltype(width)::Type;
    const T moved = load<T>(x + i) + c * load<T>(u + i);
    store(x + i, moved);
    sum += load<T>(next + i) * moved;
  });
  return sum.all();
}

/// Elements of M^-1 at a place.
template <InverseKind kind, class T>
struct InverseAt {
  FERMIAC_INLINE InverseAt(const double* values, std::size_t i) {
    if constexpr (kind != InverseKind::Unit) m = load<T>(values + i);
  }
  FERMIAC_INLINE T velocity(T p) const {
    if constexpr (kind == InverseKind::Unit) return p;
    else if constexpr (kind == InverseKind::Elements) return m * p;
    else return m * (m * p);
  }
  FERMIAC_INLINE T drift(double eps, T p) const {
    if constexpr (kind == InverseKind::Elements) return eps * m * p;
    else return eps * velocity(p);
  }
  T m{};
};

template <InverseKind kind>
struct Kind {
  static constexpr InverseKind value = kind;
};

/// f(Kind<kind>()) for one that computes velocities.
template <class F>
FERMIAC_INLINE auto for_diagonal(InverseKind kind, F f) {
  if (kind == InverseKind::Elements) return f(Kind<InverseKind::Elements>());
  return kind == InverseKind::Roots ? f(Kind<InverseKind::Roots>()) : f(Kind<InverseKind::Unit>());
}
template <class F>
FERMIAC_INLINE auto for_any(InverseKind kind, F f) {
  return kind == InverseKind::Stored ? f(Kind<InverseKind::Stored>()) : for_diagonal(kind, f);
}

/// Momentum and velocity at a place.
template <class T>
struct Moving {
  T p, v;
};
template <class T, InverseKind kind>
FERMIAC_INLINE Moving<T> moving(const Motion& state, const double* m, std::size_t i) {
  const T p = load<T>(state.p + i);
  if constexpr (kind == InverseKind::Stored) return {p, load<T>(state.v + i)};
  else return {p, InverseAt<kind, T>(m, i).velocity(p)};
}

double square(Inverse m, const double* p, std::size_t n) {
  return for_diagonal(m.kind, [&](auto kind) {
    Sum sum;
    in_fours(n, [&](auto width, std::size_t i) __attribute__((always_inline)) {
      using T = typename decltype(width)::Type;
      const auto [at, v] = moving<T, decltype(kind)::value>({p, nullptr}, m.values, i);
      sum += at * v;
    });
    return sum.all();
  });
}

void kick_and_drift(double kick, double eps, const double* g, Inverse m, const Drift& drift, std::size_t n) {
  const Drift d = drift;  // whose pointers no store can change
  for_diagonal(m.kind, [&](auto kind) {
    in_fours(n, [&](auto width, std::size_t i) __attribute__((always_inline)) {
      using T = typename decltype(width)::Type;
      const T kicked = load<T>(d.p + i) + kick * load<T>(g + i);
      store(d.p_next + i, kicked);
      store(d.q_next + i, load<T>(d.q + i) + InverseAt<decltype(kind)::value, T>(m.values, i).drift(eps, kicked));
    });
  });
}

double kick_and_square(double kick, const double* g, Inverse m, double* p, std::size_t n) {
  return for_diagonal(m.kind, [&](auto kind) {
    Sum sum;
    in_fours(n, [&](auto width, std::size_t i) __attribute__((always_inline)) {
      using T = typename decltype(width)::Type;
      const T kicked = load<T>(p + i) + kick * load<T>(g + i);
      store(p + i, kicked);
      sum += kicked * InverseAt<decltype(kind)::value, T>(m.values, i).velocity(kicked);
    });
    return sum.all();
  });
}

void kick_and_scale(double kick, const double* g, const double* scales, double* p, double* out, std::size_t n) {
  in_fours(n, [&](auto width, std::size_t i) __attribute__((always_inline)) {
    using T = typename decltype(width)::Type;
    const T kicked = load<T>(p + i) + kick * load<T>(g + i);
    store(p + i, kicked);
    store(out + i, load<T>(scales + i) * kicked);
  });
}

void drift_scaled(double eps, const double* scales, const double* w, double* q, std::size_t n) {
  in_fours(n, [&](auto width, std::size_t i) __attribute__((always_inline)) {
    using T = typename decltype(width)::Type;
    store(q + i, load<T>(q + i) + eps * (load<T>(scales + i) * load<T>(w + i)));
  });
}

double scale_and_dot(const double* scales, const double* p, double* x, std::size_t n) {
  Sum sum;
  in_fours(n, [&](auto width, std::size_t i) __attribute__((always_inline)) {
    using T = typename decltype(width)::Type;
    const T scaled = load<T>(scales + i) * load<T>(x + i);
    store(x + i, scaled);
    sum += load<T>(p + i) * scaled;
  });
  return sum.all();
}

/// Whether two states move apart.
struct PairSums {
  Sum begin, end;
  template <class T>
  FERMIAC_INLINE void add(const Moving<T>& first, const Moving<T>& last) {
    const T all = first.p + last.p;
    begin += first.v * all;
    end += last.v * all;
  }
  FERMIAC_INLINE bool apart() const { return begin.all() > 0 && end.all() > 0; }
};

/// Whether two halves of a tree do: the whole, and either with the first state of the other, each at its beginning and its end.
struct HalfSums {
  Sum whole[2], first[2], second[2];
  /// The sum of the momenta of all.
  template <class T>
  FERMIAC_INLINE T add(T rho_first, T rho_second, const Moving<T>& begin, const Moving<T>& first_end, const Moving<T>& second_begin,
                       const Moving<T>& end) {
    const T all = rho_first + rho_second, early = rho_first + second_begin.p, late = rho_second + first_end.p;
    whole[0] += begin.v * all;
    whole[1] += end.v * all;
    first[0] += begin.v * early;
    first[1] += second_begin.v * early;
    second[0] += first_end.v * late;
    second[1] += end.v * late;
    return all;
  }
  FERMIAC_INLINE bool apart() const {
    return whole[0].all() > 0 && whole[1].all() > 0 && first[0].all() > 0 && first[1].all() > 0 && second[0].all() > 0 &&
           second[1].all() > 0;
  }
};

template <InverseKind kind, bool of_pairs>
bool join_by(const Halves& halves, const double* m, double* rho, std::size_t n) {
  const Halves t = halves;  // whose pointers no store can change
  HalfSums sums;
  in_fours(n, [&](auto width, std::size_t i) __attribute__((always_inline)) {
    using T = typename decltype(width)::Type;
    const auto begin = moving<T, kind>(t.begin, m, i), first_end = moving<T, kind>(t.first_end, m, i);
    const auto second_begin = moving<T, kind>(t.second_begin, m, i), end = moving<T, kind>(t.end, m, i);
    if constexpr (of_pairs)
      store(rho + i, sums.add(begin.p + first_end.p, second_begin.p + end.p, begin, first_end, second_begin, end));
    else
      store(rho + i, sums.add(load<T>(t.rho_first + i), load<T>(t.rho_second + i), begin, first_end, second_begin, end));
  });
  return sums.apart();
}

bool join(const Halves& halves, Inverse m, double* rho, std::size_t n) {
  return for_any(m.kind, [&](auto kind) {
    constexpr InverseKind k = decltype(kind)::value;
    return (halves.rho_first ? join_by<k, false> : join_by<k, true>)(halves, m.values, rho, n);
  });
}

bool join_states(Motion first, Motion last, Inverse m, std::size_t n) {
  return for_any(m.kind, [&](auto kind) {
    PairSums sums;
    in_fours(n, [&](auto width, std::size_t i) __attribute__((always_inline)) {
      using T = typename decltype(width)::Type;
      constexpr InverseKind k = decltype(kind)::value;
      sums.add(moving<T, k>(first, m.values, i), moving<T, k>(last, m.values, i));
    });
    return sums.apart();
  });
}

template <InverseKind kind, int before>
SteppedOn step_on_by(const StepOn& step, std::size_t n) {
  const StepOn t = step;  // whose pointers no store can change
  Sum square;
  PairSums pair;
  HalfSums four;
  in_fours(n, [&](auto width, std::size_t i) __attribute__((always_inline)) {
    using T = typename decltype(width)::Type;
    const InverseAt<kind, T> m(t.m.values, i);
    const T kick = t.kick * load<T>(t.g + i), p = load<T>(t.p + i) + kick, next = p + kick;
    const Moving<T> here{p, m.velocity(p)};
    square += p * here.v;
    store(t.p_here + i, p);
    store(t.p + i, next);
    store(t.q_next + i, load<T>(t.q + i) + m.drift(t.eps, next));
    const auto earlier = [&](int k) __attribute__((always_inline)) {
      const T at = load<T>(t.earlier[k] + i);
      return Moving<T>{at, m.velocity(at)};
    };
    if constexpr (before == 1) pair.add(earlier(0), here);
    if constexpr (before == 3) {
      const auto first = earlier(0), second = earlier(1), third = earlier(2);
      pair.add(third, here);
      store(t.rho + i, four.add(first.p + second.p, third.p + p, first, second, third, here));
    }
  });
  return {square.all(), before == 0 || pair.apart(), before < 3 || four.apart()};
}

SteppedOn step_on(const StepOn& step, std::size_t n) {
  return for_diagonal(step.m.kind, [&](auto kind) {
    constexpr InverseKind k = decltype(kind)::value;
    return (step.before == 0 ? step_on_by<k, 0> : step.before == 1 ? step_on_by<k, 1> : step_on_by<k, 3>)(step, n);
  });
}

}  // namespace

extern const VectorKernels kVectorKernels = {
    .dot = dot,
    .axpy = axpy,
    .axpy_and_dot = axpy_and_dot,
    .square = square,
    .kick_and_drift = kick_and_drift,
    .kick_and_square = kick_and_square,
    .step_on = step_on,
    .kick_and_scale = kick_and_scale,
    .drift_scaled = drift_scaled,
    .scale_and_dot = scale_and_dot,
    .join = join,
    .join_states = join_states,
};

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::inference
