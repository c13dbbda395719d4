// What the generated kernels are written with (OpenCL C 1.2). LANES is how many doubles a T has, GROUP the size of work groups.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// All groups are of this size. A compiler that knows gives each item more registers than one that reckons with the largest groups.
#define ITEMS __attribute__((reqd_work_group_size(GROUP, 1, 1)))

#if LANES == 1
typedef double T;
typedef int M;
#define TRUE 1
#define FALSE 0
#define NOT(m) (!(m))
#define LOAD(block, at) ((block)[at])
#define STORE(x, block, at) ((block)[at] = (x))
#define GATHER(block, from, index, at) ((block)[(from) + (index)[at]])
#define LIVE(i, n) ((i) < (n))
#define SUM(x) (x)
#define ANY(m) (m)
#else
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
typedef JOIN(double, LANES) T;
typedef JOIN(long, LANES) M;
#define TRUE ((M)(-1))
#define FALSE ((M)(0))
#define NOT(m) (~(m))
#define LOAD(block, at) JOIN(vload, LANES)(0, (block) + (at))
#define STORE(x, block, at) JOIN(vstore, LANES)(x, 0, (block) + (at))
#define G(block, from, index, at, k) (block)[(from) + (index)[(at) + k]]
#if LANES == 2
#define GATHER(block, from, index, at) ((T)(G(block, from, index, at, 0), G(block, from, index, at, 1)))
#define LANE_NUMBERS ((M)(0, 1))
#define SUM(x) ((x).s0 + (x).s1)
#elif LANES == 4
#define GATHER(block, from, index, at) ((T)(G(block, from, index, at, 0), G(block, from, index, at, 1), G(block, from, index, at, 2), G(block, from, index, at, 3)))
#define LANE_NUMBERS ((M)(0, 1, 2, 3))
#define SUM(x) (((x).s0 + (x).s1) + ((x).s2 + (x).s3))
#else
#define GATHER(block, from, index, at) ((T)(G(block, from, index, at, 0), G(block, from, index, at, 1), G(block, from, index, at, 2), G(block, from, index, at, 3), G(block, from, index, at, 4), G(block, from, index, at, 5), G(block, from, index, at, 6), G(block, from, index, at, 7)))
#define LANE_NUMBERS ((M)(0, 1, 2, 3, 4, 5, 6, 7))
#define SUM(x) ((((x).s0 + (x).s1) + ((x).s2 + (x).s3)) + (((x).s4 + (x).s5) + ((x).s6 + (x).s7)))
#endif
#define LIVE(i, n) (LANE_NUMBERS < (M)((long)(n) - (long)(i)))
#define ANY(m) any(m)
#endif

// ---- functions that drivers compute wrongly for eight lanes at once

/// PoCL 3.1 on AVX-512 lets a lane of pow and fmod depend on the other seven: 3^1 can be 3/4 there. Of four lanes they are right.
#if LANES == 8
#define IN_HALVES(name, f) T name(T x, T y) { return (T)(f(x.lo, y.lo), f(x.hi, y.hi)); }
#else
#define IN_HALVES(name, f) T name(T x, T y) { return f(x, y); }
#endif
IN_HALVES(power, pow)
IN_HALVES(remainder_of, fmod)
#undef IN_HALVES

// ---- special functions; the ranges that they hold in are those of symbols/symbol.cpp

/// log(1 + u) with the rounding error of 1 + u put back.
T log_1p(T u) {
  const T w = (T)(1.0) + u;
  const T y = log(w) + (u - (w - (T)(1.0))) / w;
  const M huge = (u > (T)(0x1.0p1000)) | (u <= (T)(-1.0)) | (u != u);
  return huge ? log(w) : y;
}
T log_1p_given(T u, T q) {
  const T w = (T)(1.0) + u;
  return log(w) + (u < (T)(0x1.0p1000) ? (u - (w - (T)(1.0))) * q : (T)(0.0));
}

/// lgamma(z) - ((z - 1/2) log z - z + log sqrt(2 pi)) for z >= 10, and its derivative.
T stirling_correction(T z) {
  const T u = (T)(1.0) / z;
  const T w = u * u;
  return u * (1.0 / 12 + w * (-1.0 / 360 + w * (1.0 / 1260 + w * (-1.0 / 1680 + w * (1.0 / 1188 + w * (-691.0 / 360360 + w * (1.0 / 156 + w * (-3617.0 / 122400))))))));
}
T stirling_slope(T z) {
  const T w = (T)(1.0) / (z * z);
  return -w * (1.0 / 12 + w * (-1.0 / 120 + w * (1.0 / 252 + w * (-1.0 / 240 + w * (1.0 / 132 + w * (-691.0 / 32760 + w * (1.0 / 12)))))));
}
/// Recurrence up to 10, then Stirling's series.
T log_gamma(T x) {
  T z = x, p = (T)(1.0);
  for (int k = 0; k < 10; ++k) {
    const M small = z < (T)(10.0);
    p = small ? p * z : p;
    z = small ? z + (T)(1.0) : z;
  }
  return (z - 0.5) * log(z) - z + 0.91893853320467274178 + stirling_correction(z) - log(p);
}
T digamma(T x) {
  T z = x, p = (T)(1.0), q = (T)(0.0);
  for (int k = 0; k < 10; ++k) {
    const M small = z < (T)(10.0);
    q = small ? q * z + p : q;
    p = small ? p * z : p;
    z = small ? z + (T)(1.0) : z;
  }
  return log(z) - 0.5 / z + stirling_slope(z) - q / p;
}
T trigamma(T x) {
  T z = x, shift = (T)(0.0);
  for (int k = 0; k < 12; ++k) {
    const M small = z < (T)(12.0);
    shift = small ? shift + 1.0 / (z * z) : shift;
    z = small ? z + (T)(1.0) : z;
  }
  const T u = 1.0 / z, w = u * u;
  return shift + u + 0.5 * w + u * w * (1.0 / 6 + w * (-1.0 / 30 + w * (1.0 / 42 + w * (-1.0 / 30 + w * (5.0 / 66 + w * (-691.0 / 2730 + w * (7.0 / 6)))))));
}
/// lgamma(z + n) - lgamma(z) and its derivative by n less that at 0, for z >= 10.
T log_gamma_difference(T z, T n) {
  return (z - 0.5) * log_1p(n / z) + n * (log(z + n) - 1.0) + stirling_correction(z + n) - stirling_correction(z);
}
T digamma_difference(T z, T n) {
  const T s = z + n;
  return log_1p(n / z) - 0.5 / s + 0.5 / z + stirling_slope(s) - stirling_slope(z);
}

// ---- error function: W. J. Cody, "Rational Chebyshev approximations for the error function", Math. Comp. 23 (1969)

T erf_small(T z) {
  const T num = (((1.85777706184603153e-1 * z + 3.16112374387056560e0) * z + 1.13864154151050156e2) * z + 3.77485237685302021e2) * z + 3.20937758913846947e3;
  const T den = (((z + 2.36012909523441209e1) * z + 2.44024637934444173e2) * z + 1.28261652607737228e3) * z + 2.84423683343917062e3;
  return num / den;
}
/// exp(y^2) erfc(y) for y >= 0.46875.
T erfcx(T x) {
  const M far = x > (T)(4.0);
  const T y = far ? (T)(4.0) : x;
  const T num = (((((((2.15311535474403846e-8 * y + 5.64188496988670089e-1) * y + 8.88314979438837594e0) * y + 6.61191906371416295e1) * y + 2.98635138197400131e2) * y + 8.81952221241769090e2) * y + 1.71204761263407058e3) * y + 2.05107837782607147e3) * y + 1.23033935479799725e3;
  const T den = (((((((y + 1.57449261107098347e1) * y + 1.17693950891312499e2) * y + 5.37181101862009858e2) * y + 1.62138957456669019e3) * y + 3.29079923573345963e3) * y + 4.36261909014324716e3) * y + 3.43936767414372164e3) * y + 1.23033935480374942e3;
  const T z = 1.0 / (x * x);
  const T num_far = ((((1.63153871373020978e-2 * z + 3.05326634961232344e-1) * z + 3.60344899949804439e-1) * z + 1.25781726111229246e-1) * z + 1.60837851487422766e-2) * z + 6.58749161529837803e-4;
  const T den_far = ((((z + 2.56852019228982242e0) * z + 1.87295284992346725e0) * z + 5.27905102951428412e-1) * z + 6.05183413124143191e-2) * z + 2.33520497626869185e-3;
  return far ? (5.6418958354775628695e-1 - z * num_far / den_far) / x : num / den;
}
/// exp(-y^2) without the error that rounding y^2 would bring.
T exp_minus_square(T y) {
  const T high = floor(y * 16.0) / 16.0;
  const T rest = (y - high) * (y + high);
  return exp(-high * high) * exp(-rest);
}
T erfc_tail(T y) {
  const T near = y > (T)(28.0) ? (T)(28.0) : y;
  return exp_minus_square(near) * erfcx(y);
}
T error_function(T x) {
  const T y = fabs(x);
  const M tail = y > (T)(0.46875);
  const T z = tail ? (T)(0.25) : x * x;
  const T far = (T)(1.0) - erfc_tail(tail ? y : (T)(0.46875));
  const T r = tail ? (x < (T)(0.0) ? -far : far) : x * erf_small(z);
  return x == x ? r : x;
}
T error_complement(T x) {
  const T y = fabs(x);
  const M tail = y > (T)(0.46875);
  const T z = tail ? (T)(0.25) : x * x;
  const T far = erfc_tail(tail ? y : (T)(0.46875));
  const T r = tail ? (x < (T)(0.0) ? 2.0 - far : far) : (T)(1.0) - x * erf_small(z);
  return x == x ? r : x;
}

/// log Phi(z), left of -0.66 without -z^2 / 2; and the derivative of log Phi.
T phi_part(T z, T e) {
  const T y = 0.70710678118654752440 * fabs(z);
  const T outside = y > (T)(0.46) ? y : (T)(0.46);
  const T scaled = erfcx(outside);
  const T small = y * y > (T)(0.25) ? (T)(0.25) : y * y;
  const T inner = 0.5 + 0.35355339059327376220 * z * erf_small(small);
  return z > (T)(0.66) ? 1.0 - 0.5 * e * scaled : (z < (T)(-0.66) ? 0.5 * scaled : inner);
}
T log_Phi_core(T z) {
  const T y = 0.70710678118654752440 * fabs(z);
  const T e = exp(-y * y);
  const T p = phi_part(z, e);
  const T tail = 0.5 * e * erfcx(y > (T)(0.46) ? y : (T)(0.46));
  return log(p) + (z > (T)(0.66) ? ((1.0 - p) - tail) / p : (T)(0.0));
}
T log_Phi_slope(T z) {
  const T y = 0.70710678118654752440 * fabs(z);
  const T e = exp(-y * y);
  const T p = phi_part(z, e);
  return z < (T)(-0.66) ? 0.39894228040143267794 / p : 0.39894228040143267794 * e / p;
}

// ---- sums in a fixed order

/// The first of a group adds up what all of it have, by halves, and writes it.
void add_up(double mine, __local double* room, __global double* to) {
#if GROUP == 1
  *to = mine;
#else
  const uint me = get_local_id(0);
  room[me] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint reach = GROUP / 2; reach > 0; reach /= 2) {
    if (me < reach) room[me] += room[me + reach];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (me == 0) *to = room[0];
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
}

/// out[k] = the sum of D[from + place] over the places of piece k, which lie between bounds[k] and bounds[k + 1].
__kernel ITEMS void scatter(__global double* D, __global const uint* I, uint from, uint places, uint bounds, uint out, uint pieces) {
  const uint k = get_global_id(0);
  if (k >= pieces) return;
  double sum = 0.0;
  for (uint i = I[bounds + k]; i < I[bounds + k + 1]; ++i) sum += D[from + I[places + i]];
  D[out + k] = sum;
}

/// The same with a group for each piece, for long ones.
__kernel ITEMS void scatter_long(__global double* D, __global const uint* I, uint from, uint places, uint bounds, uint out) {
  __local double room[GROUP];
  const uint k = get_group_id(0), end = I[bounds + k + 1];
  double sum = 0.0;
  for (uint i = I[bounds + k] + get_local_id(0); i < end; i += GROUP) sum += D[from + I[places + i]];
  add_up(sum, room, D + out + k);
}

/// D[to + column] = the sum over the groups of D[from + group * columns + column]; a group for each column.
__kernel ITEMS void sum_parts(__global double* D, uint from, uint columns, uint groups, uint to) {
  __local double room[GROUP];
  double sum = 0.0;
  for (uint g = get_local_id(0); g < groups; g += GROUP) sum += D[from + g * columns + (uint)get_group_id(0)];
  add_up(sum, room, D + to + get_group_id(0));
}

/// One column of a matrix of n rows times a vector, or a part of its rows: the group's number is column * parts + part.
__kernel ITEMS void columns(__global const double* C, __global double* D, uint n, uint chunk, uint parts, uint matrix, uint from, uint out) {
  const uint group = get_group_id(0), column = group / parts, begin = group % parts * chunk;
  const uint end = min(n, begin + chunk);
  __local double room[GROUP];
  T sum = (T)(0.0);
  for (uint i = begin + (uint)get_local_id(0) * LANES; i < end; i += GROUP * LANES)
    sum += LIVE(i, end) ? LOAD(C, matrix + column * n + i) * LOAD(D, from + i) : (T)(0.0);
  add_up(SUM(sum), room, D + out + group);
}
