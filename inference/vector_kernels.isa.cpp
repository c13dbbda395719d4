#include "inference/vector_kernels.h"

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

template <bool squared>
void kick_and_drift_by(double kick, double eps, const double* g, const double* m, double* p, double* q, std::size_t n) {
  in_fours(n, [&](auto width, std::size_t i) __attribute__((always_inline)) {
    using T = typename decltype(width)::Type;
    const T kicked = load<T>(p + i) + kick * load<T>(g + i), inverse = load<T>(m + i);
    store(p + i, kicked);
    store(q + i, load<T>(q + i) + (squared ? eps * inverse * kicked : eps * (inverse * (inverse * kicked))));
  });
}

void kick_and_drift(double kick, double eps, const double* g, DiagonalInverse m, double* p, double* q, std::size_t n) {
  (m.squared ? kick_and_drift_by<true> : kick_and_drift_by<false>)(kick, eps, g, m.values, p, q, n);
}

template <bool squared>
double kick_and_square_by(double kick, const double* g, const double* m, double* p, double* velocity, std::size_t n) {
  Sum sum;
  in_fours(n, [&](auto width, std::size_t i) __attribute__((always_inline)) {
    using T = typename decltype(width)::Type;
    const T kicked = load<T>(p + i) + kick * load<T>(g + i), inverse = load<T>(m + i);
    const T v = squared ? inverse * kicked : inverse * (inverse * kicked);
    store(p + i, kicked);
    store(velocity + i, v);
    sum += kicked * v;
  });
  return sum.all();
}

double kick_and_square(double kick, const double* g, DiagonalInverse m, double* p, double* velocity, std::size_t n) {
  return (m.squared ? kick_and_square_by<true> : kick_and_square_by<false>)(kick, g, m.values, p, velocity, n);
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

bool join(const Halves& halves, double* rho, std::size_t n) {
  const Halves t = halves;  // whose pointers no store can change
  Sum whole[2], first[2], second[2];  // at the beginning and at the end
  in_fours(n, [&](auto width, std::size_t i) __attribute__((always_inline)) {
    using T = typename decltype(width)::Type;
    const T rho_first = load<T>(t.rho_first + i), rho_second = load<T>(t.rho_second + i);
    const T all = rho_first + rho_second;
    store(rho + i, all);
    const T begin_v = load<T>(t.begin_v + i), end_v = load<T>(t.end_v + i);
    whole[0] += begin_v * all;
    whole[1] += end_v * all;
    const T early = rho_first + load<T>(t.second_begin_p + i), late = rho_second + load<T>(t.first_end_p + i);
    first[0] += begin_v * early;
    first[1] += load<T>(t.second_begin_v + i) * early;
    second[0] += load<T>(t.first_end_v + i) * late;
    second[1] += end_v * late;
  });
  return whole[0].all() > 0 && whole[1].all() > 0 && first[0].all() > 0 && first[1].all() > 0 && second[0].all() > 0 &&
         second[1].all() > 0;
}

bool join_states(const double* p0, const double* v0, const double* p1, const double* v1, double* rho, std::size_t n) {
  Sum begin, end;
  in_fours(n, [&](auto width, std::size_t i) __attribute__((always_inline)) {
    using T = typename decltype(width)::Type;
    const T all = load<T>(p0 + i) + load<T>(p1 + i);
    store(rho + i, all);
    begin += load<T>(v0 + i) * all;
    end += load<T>(v1 + i) * all;
  });
  return begin.all() > 0 && end.all() > 0;
}

}  // namespace

extern const VectorKernels kVectorKernels = {
    .dot = dot,
    .axpy = axpy,
    .axpy_and_dot = axpy_and_dot,
    .kick_and_drift = kick_and_drift,
    .kick_and_square = kick_and_square,
    .kick_and_scale = kick_and_scale,
    .drift_scaled = drift_scaled,
    .scale_and_dot = scale_and_dot,
    .join = join,
    .join_states = join_states,
};

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::inference
