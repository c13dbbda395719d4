// Keywords of constrained types.
#pragma once

#include <string_view>

#include "frontend/ast/ast.h"

namespace fermiac::ast {

/// The keyword of a type whose constraint is part of it, such as `simplex`; empty for other kinds.
inline std::string_view constrained_type_word(TransformKind kind) {
  using K = TransformKind;
  switch (kind) {
    case K::Ordered: return "ordered";
    case K::PositiveOrdered: return "positive_ordered";
    case K::Simplex: return "simplex";
    case K::UnitVector: return "unit_vector";
    case K::SumToZeroVector: return "sum_to_zero_vector";
    case K::SumToZeroMatrix: return "sum_to_zero_matrix";
    case K::CholeskyCorr: return "cholesky_factor_corr";
    case K::CholeskyCov: return "cholesky_factor_cov";
    case K::Correlation: return "corr_matrix";
    case K::Covariance: return "cov_matrix";
    case K::StochasticColumn: return "column_stochastic_matrix";
    case K::StochasticRow: return "row_stochastic_matrix";
    default: return "";
  }
}

}  // namespace fermiac::ast
