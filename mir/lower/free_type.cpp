// Sizes of what a constrained variable has as free numbers.
#include <utility>

#include "mir/ir/build.h"
#include "mir/lower/lower.h"

namespace fermiac::mir {
namespace {

ExprPtr minus_one(const ExprPtr& size) {
  return int_op(Builtin::Minus, size, int_lit(1));
}

// Pairs below the diagonal: (K * (K - 1)) / 2.
ExprPtr below_diagonal(const ExprPtr& size) {
  return int_op(Builtin::Divide, int_op(Builtin::Times, size, minus_one(size)), int_lit(2));
}

ExprPtr cholesky_cov_size(const ExprPtr& rows, const ExprPtr& columns) {
  ExprPtr square = int_op(Builtin::Plus, below_diagonal(columns), columns);
  return int_op(Builtin::Plus, std::move(square), int_op(Builtin::Times, int_op(Builtin::Minus, rows, columns), columns));
}

SizedType as_free_vector(const SizedType& type, ExprPtr size) {
  SizedType out = sized_vector(BaseType::Vector, std::move(size));
  out.array_dims = type.array_dims;
  return out;
}

}  // namespace

SizedType free_type(const SizedType& type, TransformKind transform) {
  using Kind = TransformKind;
  SizedType out = type;
  switch (transform) {
    case Kind::Simplex:
    case Kind::SumToZeroVector:
    case Kind::StochasticColumn:
      out.sizes[0] = minus_one(type.sizes[0]);
      return out;
    case Kind::StochasticRow:
      out.sizes[1] = minus_one(type.sizes[1]);
      return out;
    case Kind::SumToZeroMatrix:
      out.sizes = {minus_one(type.sizes[0]), minus_one(type.sizes[1])};
      return out;
    case Kind::Correlation:
    case Kind::CholeskyCorr:
      return as_free_vector(type, below_diagonal(type.sizes[0]));
    case Kind::Covariance:
      return as_free_vector(type, int_op(Builtin::Plus, type.sizes[0], below_diagonal(type.sizes[0])));
    case Kind::CholeskyCov:
      return as_free_vector(type, cholesky_cov_size(type.sizes[0], type.sizes[1]));
    default:
      return out;
  }
}

}  // namespace fermiac::mir
