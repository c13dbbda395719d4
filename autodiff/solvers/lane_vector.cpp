#include "autodiff/solvers/lane_vector.h"

#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "autodiff/kernels/isa.h"
#include "autodiff/solvers/sundials.h"

namespace fermiac::ad {
FERMIAC_DECLARE_FOR_ISAS(extern const LaneLoops lane_loop_table;)

const LaneLoops& lane_loops() {
  static const LaneLoops& table = FERMIAC_FOR_ACTIVE_ISA(lane_loop_table);
  return table;
}

namespace sundials {
namespace {

/// Most systems have one to eight equations: CVODES calls the functions below some thirty times a step, on one vector of this size.
constexpr std::size_t kSmall = 8;

struct Content {
  std::size_t rows, made_with, lanes;  // lanes when it was made, and now
  std::size_t padded;                  // size, to a multiple of 8
  std::vector<double> x;

  Content(std::size_t r, std::size_t l) : rows(r), made_with(l), lanes(l), padded(whole_lanes()), x(padded) {}
  std::size_t size() const { return rows * lanes; }
  std::size_t whole_lanes() const { return (size() + 7) / 8 * 8; }
  void take_shape(const Content& from) {
    if (lanes != from.lanes) [[unlikely]] {
      lanes = from.lanes;
      padded = whole_lanes();
    }
    make_room(padded);
  }
  void begin_anew() {
    lanes = made_with;
    padded = whole_lanes();
  }
  /// Zeros behind the end: an operand that was made for states may be lent to sensitivities, which are more numbers.
  void make_room(std::size_t n) {
    if (x.size() < n) [[unlikely]] x.resize(n);
  }
};
Content& content(N_Vector v) {
  return *static_cast<Content*>(v->content);
}

void destroy(N_Vector v) {
  if (v == nullptr) return;
  delete &content(v);
  v->content = nullptr;
  N_VFreeEmpty(v);
}
N_Vector clone(N_Vector v) {
  N_Vector copy = N_VNewEmpty(v->sunctx);
  if (copy == nullptr) return nullptr;
  N_VCopyOps(v, copy);
  try {
    copy->content = new Content(content(v).rows, content(v).made_with);
  } catch (const std::bad_alloc&) {  // C code is above
    N_VFreeEmpty(copy);
    return nullptr;
  }
  return copy;
}
sunindextype length(N_Vector v) {
  return static_cast<sunindextype>(content(v).size());
}
N_Vector_ID id(N_Vector) {
  return SUNDIALS_NVEC_CUSTOM;
}

// ---- element by element: the result takes the shape of the operand

/// All numbers of a small vector, wherever it lies.
using Small [[gnu::vector_size(8 * kSmall), gnu::aligned(alignof(double)), gnu::may_alias]] = double;
const Small& small(const double* x) { return *reinterpret_cast<const Small*>(x); }
Small& small(double* x) { return *reinterpret_cast<Small*>(x); }

void linear_sum(double a, N_Vector x, double b, N_Vector y, N_Vector z) {
  const std::size_t n = content(x).padded;
  content(z).take_shape(content(x));
  content(y).make_room(n);
  const double *const px = content(x).x.data(), *const py = content(y).x.data();
  double* const pz = content(z).x.data();
  if (n == kSmall) small(pz) = a * small(px) + b * small(py);
  else lane_loops().linear_sum(n, a, px, b, py, pz);
}
/// No operand brings a shape: CVODES lends a vector for states to sensitivities now and then, and begins anew with
/// this.
void constant(double c, N_Vector z) {
  content(z).begin_anew();
  std::fill(content(z).x.begin(), content(z).x.end(), c);
}
template <auto Loop>
void binary(N_Vector x, N_Vector y, N_Vector z) {
  content(z).take_shape(content(x));
  content(y).make_room(content(x).padded);
  (lane_loops().*Loop)(content(x).padded, lane_data(x), lane_data(y), lane_data(z));
}
template <auto Loop>
void unary(N_Vector x, N_Vector z) {
  content(z).take_shape(content(x));
  (lane_loops().*Loop)(content(x).padded, lane_data(x), lane_data(z));
}
void affine(double a, N_Vector x, double b, N_Vector z) {
  const std::size_t n = content(x).padded;
  content(z).take_shape(content(x));
  const double* const px = content(x).x.data();
  double* const pz = content(z).x.data();
  if (n == kSmall) small(pz) = a * small(px) + b;
  else lane_loops().affine(n, a, px, b, pz);
}
void scale(double a, N_Vector x, N_Vector z) {
  affine(a, x, 0, z);
}
void add_constant(N_Vector x, double b, N_Vector z) {
  affine(1, x, b, z);
}

// ---- norms

double largest(N_Vector v) {
  double m = 0;
  for (std::size_t i = 0; i < content(v).size(); ++i) m = std::max(m, std::abs(lane_data(v)[i]));
  return m;
}
double smallest(N_Vector v) {
  return *std::min_element(lane_data(v), lane_data(v) + content(v).size());
}
double squared(double x) { return x * x; }

double weighted_norm(N_Vector v, N_Vector w) {
  const Content& c = content(v);
  content(w).make_room(c.padded);
  double sum = 0;
  if (c.lanes > 1)
    sum = lane_loops().weighted_square(c.rows, c.lanes, lane_data(v), lane_data(w));
  else
    for (std::size_t i = 0; i < c.rows; ++i) sum += squared(lane_data(v)[i] * lane_data(w)[i]);
  return std::sqrt(sum / static_cast<double>(c.rows));
}

// ---- the linear solver

struct Factors {
  std::vector<std::size_t> swaps;  // row exchanged with row k at step k
};
Factors& factors(SUNLinearSolver s) {
  return *static_cast<Factors*>(s->content);
}

/// In place. The number of the column without a pivot, from 1, or 0.
int factor(SUNLinearSolver s, SUNMatrix matrix) {
  double** a = SM_COLS_D(matrix);
  std::vector<std::size_t>& swaps = factors(s).swaps;
  const std::size_t n = swaps.size();
  for (std::size_t k = 0; k < n; ++k) {
    const auto bigger = [](double x, double y) { return std::abs(x) < std::abs(y); };
    const std::size_t p = swaps[k] = static_cast<std::size_t>(std::max_element(a[k] + k, a[k] + n, bigger) - a[k]);
    if (a[k][p] == 0) return static_cast<int>(k) + 1;
    if (p != k)
      for (std::size_t j = 0; j < n; ++j) std::swap(a[j][k], a[j][p]);
    for (std::size_t i = k + 1; i < n; ++i) a[k][i] /= a[k][k];
    for (std::size_t j = k + 1; j < n; ++j)
      for (std::size_t i = k + 1; i < n; ++i) a[j][i] -= a[j][k] * a[k][i];
  }
  return 0;
}

/// Row i of the left sides loses c times row k.
void subtract_row(double* x, std::size_t lanes, std::size_t i, double c, std::size_t k) {
  for (std::size_t l = 0; l < lanes; ++l) x[i * lanes + l] -= c * x[k * lanes + l];
}
int solve(SUNLinearSolver s, SUNMatrix matrix, N_Vector out, N_Vector in, double) {
  scale(1, in, out);
  double** a = SM_COLS_D(matrix);
  double* x = lane_data(out);
  const std::vector<std::size_t>& swaps = factors(s).swaps;
  const std::size_t n = swaps.size(), lanes = content(out).lanes;
  for (std::size_t k = 0; k < n; ++k)
    if (swaps[k] != k) std::swap_ranges(x + k * lanes, x + (k + 1) * lanes, x + swaps[k] * lanes);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = k + 1; i < n; ++i) subtract_row(x, lanes, i, a[k][i], k);
  for (std::size_t k = n; k-- > 0;) {
    const double inverse = 1 / a[k][k];
    for (std::size_t l = 0; l < lanes; ++l) x[k * lanes + l] *= inverse;
    for (std::size_t i = 0; i < k; ++i) subtract_row(x, lanes, i, a[k][i], k);
  }
  return 0;
}
SUNLinearSolver_Type type(SUNLinearSolver) {
  return SUNLINEARSOLVER_DIRECT;
}
SUNLinearSolver_ID solver_id(SUNLinearSolver) {
  return SUNLINEARSOLVER_CUSTOM;
}
int initialize(SUNLinearSolver) {
  return 0;
}
int free_solver(SUNLinearSolver s) {
  if (s == nullptr) return 0;
  delete &factors(s);
  s->content = nullptr;
  SUNLinSolFreeEmpty(s);
  return 0;
}

}  // namespace

double* lane_data(N_Vector v) {
  return content(v).x.data();
}

N_Vector new_lane_vector(std::size_t rows, std::size_t lanes, SUNContext context) {
  N_Vector v = made(N_VNewEmpty(context));
  v->content = new Content(rows, lanes);
  N_Vector_Ops ops = v->ops;
  ops->nvgetvectorid = id;
  ops->nvclone = clone;
  ops->nvdestroy = destroy;
  ops->nvgetarraypointer = lane_data;
  ops->nvgetlength = length;
  ops->nvlinearsum = linear_sum;
  ops->nvconst = constant;
  ops->nvprod = binary<&LaneLoops::product>;
  ops->nvdiv = binary<&LaneLoops::quotient>;
  ops->nvscale = scale;
  ops->nvabs = unary<&LaneLoops::absolute>;
  ops->nvinv = unary<&LaneLoops::inverse>;
  ops->nvaddconst = add_constant;
  ops->nvmaxnorm = largest;
  ops->nvwrmsnorm = weighted_norm;
  ops->nvmin = smallest;
  return v;
}

SUNLinearSolver new_lane_solver(std::size_t rows, SUNContext context) {
  SUNLinearSolver s = made(SUNLinSolNewEmpty(context));
  s->content = new Factors{std::vector<std::size_t>(rows)};
  s->ops->gettype = type;
  s->ops->getid = solver_id;
  s->ops->initialize = initialize;
  s->ops->setup = factor;
  s->ops->solve = solve;
  s->ops->free = free_solver;
  return s;
}

}  // namespace sundials
}  // namespace fermiac::ad
