// Owners for the objects of the SUNDIALS library, and errors that cross its C code.
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <exception>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "support/base/memory.h"

namespace fermiac::ad::sundials {

/// What a function of the library allocated: null where there was no memory.
template <class T>
T* made(T* object) {
  if (object == nullptr) throw std::bad_alloc();
  return object;
}

class Context {
 public:
  Context() {
    SUNContext_Create(nullptr, &context_);
    made(context_);
  }
  ~Context() { SUNContext_Free(&context_); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  operator SUNContext() const { return context_; }

 private:
  SUNContext context_ = nullptr;
};

template <auto Free>
struct Deleter {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Vector = std::unique_ptr<_generic_N_Vector, Deleter<N_VDestroy>>;
using Matrix = std::unique_ptr<_generic_SUNMatrix, Deleter<SUNMatDestroy>>;
using LinearSolver = std::unique_ptr<_generic_SUNLinearSolver, Deleter<SUNLinSolFree>>;

inline const double* data(N_Vector v) { return NV_DATA_S(v); }
inline double* mutable_data(N_Vector v) { return NV_DATA_S(v); }

/// A vector with storage of its own.
inline Vector make_vector(std::size_t n, const Context& context) {
  memory_point(n * sizeof(double));
  Vector v(made(N_VNew_Serial(static_cast<sunindextype>(n), context)));
  N_VEnableFusedOps_Serial(v.get(), SUNTRUE);  // one call for all vectors of an array: there are many small ones
  return v;
}

/// A square matrix and what solves with it.
inline Matrix make_matrix(std::size_t n, const Context& context) {
  const auto size = static_cast<sunindextype>(n);
  memory_point(n * n * sizeof(double));
  return Matrix(made(SUNDenseMatrix(size, size, context)));
}
inline LinearSolver make_solver(const Vector& v, const Matrix& m, const Context& context) {
  return LinearSolver(made(SUNLinSol_Dense(v.get(), m.get(), context)));
}

/// Vectors as the array that sensitivity solvers take.
class VectorArray {
 public:
  VectorArray(std::size_t count, std::size_t n, const Context& context) {
    for (std::size_t i = 0; i < count; ++i) {
      owned_.push_back(make_vector(n, context));
      raw_.push_back(owned_.back().get());
      N_VConst(0, raw_.back());
    }
  }
  std::size_t size() const { return raw_.size(); }
  N_Vector* raw() { return raw_.data(); }
  double* operator[](std::size_t i) { return mutable_data(raw_[i]); }

 private:
  std::vector<Vector> owned_;
  std::vector<N_Vector> raw_;
};

/// What a callback threw: kept while C code unwinds by return values, thrown again behind it.
class Caught {
 public:
  template <class F>
  int run(F f) {
    try {
      f();
      return 0;
    } catch (...) {
      error_ = std::current_exception();
      return -1;
    }
  }
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  std::exception_ptr error_;
};

}  // namespace fermiac::ad::sundials
