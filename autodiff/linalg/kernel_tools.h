// What kernels share: views of operands, size checks, messages, and the derivation of a kernel from one function.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "autodiff/kernels/kernel.h"
#include "autodiff/linalg/dense.h"

namespace fermiac::ad {

using dense::Index;

// ---- operands

/// The operand's element as a matrix: a vector is a column, a row vector a row.
dense::View as_matrix(const KernelArg& a);
dense::View as_matrix(const Shape& s, const double* p);
inline Index size_of(const KernelArg& a) { return static_cast<Index>(a.shape.size()); }
/// Number k of a real or int operand.
inline double number(const KernelArg& a, Index k) { return a.v ? a.v[k] : a.i[k]; }
inline double scalar_of(const KernelArg& a) { return number(a, 0); }
/// Vectors, row vectors and one-dimensional arrays of scalars.
inline bool is_container(const KernelArg& a) { return !a.shape.is_scalar(); }

// ---- size errors

/// "multiply: Columns of m1 (3) and Rows of m2 (2) must match in size".
void check_sizes_match(std::string_view function, std::string_view a, Index size_a, std::string_view b, Index size_b);
void check_square(std::string_view function, std::string_view label, const Shape& s);
void check_nonempty(std::string_view function, std::string_view label, Index size);
/// Same shape up to vector/row vector/array; else an error that names both.
void check_same_size(const KernelCall& c, int i, int j, std::string_view label_i, std::string_view label_j);

// ---- domain errors

/// "f: label[3] is -1, but must be positive!" with the index left out when it is 0 (indexes count from 1).
[[noreturn]] void domain_error(std::string_view function, std::string_view label, Index index, double value,
                               std::string_view requirement);
[[noreturn]] void domain_error(std::string_view function, const std::string& text);  // no prefix when function is empty
/// "label[2,1]": an element of a matrix, indexes from 0.
std::string element_name(std::string_view label, Index row, Index col);

void check_not_nan(std::string_view function, std::string_view label, const KernelArg& a);
void check_finite(std::string_view function, std::string_view label, const KernelArg& a);
void check_positive(std::string_view function, std::string_view label, const KernelArg& a);
void check_positive_finite(std::string_view function, std::string_view label, const KernelArg& a);
void check_nonnegative(std::string_view function, std::string_view label, const KernelArg& a);
/// Symmetric to 1e-8. `a` is n x n.
void check_symmetric(std::string_view function, std::string_view label, const double* a, Index n);
/// Copies `a` to `l`, factors it; an error when it is not positive definite.
void factor_or_throw(std::string_view function, std::string_view label, const double* a, Index n, double* l);
/// A simplex whose sum is off by at most `tolerance`.
void check_simplex(std::string_view function, std::string_view label, const double* x, Index n, double tolerance = 1e-8);

/// Derivative of lgamma, x > 0.
double digamma(double x);

// ---- kernels from functions

/// A scalar by one function, which computes the value and, when `g` is not 0, adds g times the partials to the adjoints.
using ScalarFunction = double (*)(const KernelCall& c, double g);

template <ScalarFunction F>
struct OneFunctionForms {
  static void forward(const KernelCall& c) { *c.out = F(c, 0); }
  static void reverse(const KernelCall& c) {
    if (*c.out_a != 0) F(c, *c.out_a);
  }
  static double fused(const KernelCall& c) { return F(c, c.g); }
};

template <ScalarFunction F>
constexpr Kernel one_function(std::string_view name, Plan (*plan)(const KernelCall&)) {
  return {name, plan, OneFunctionForms<F>::forward, OneFunctionForms<F>::reverse, OneFunctionForms<F>::fused};
}
template <ScalarFunction F>
constexpr Kernel density(std::string_view name, Plan (*plan)(const KernelCall&)) {
  Kernel kernel = one_function<F>(name, plan);
  kernel.density = true;
  return kernel;
}

}  // namespace fermiac::ad

/// At the end of a family's file: exports its table; the registry lists the family.
#define FERMIAC_EXPORT_KERNELS(family, ...)                                \
  extern const Kernel family[];                                            \
  extern const std::size_t family##_size;                                  \
  constinit const Kernel family[] = {__VA_ARGS__};                         \
  constinit const std::size_t family##_size = sizeof(family) / sizeof(family[0]);
