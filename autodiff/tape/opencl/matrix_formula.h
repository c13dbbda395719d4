// Matrices whose elements are formulas of numbers and of the elements of other matrices, square(a) * exp(-D / r), for what the device does
// with them: one kernel for the values, one for the adjoints of what they are made of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "autodiff/tape/opencl/matrix_functions.h"

namespace fermiac::ad::device {

/// Steps are Values of n² elements, of which the last is the result; a Source of the kinds Scalar and Vector names an operand.
struct MatrixFormula {
  std::vector<Step> steps;
  std::vector<TapeCallOperand> operands;  // numbers, and square matrices: constant ones, or results of placed calls
  Shape out;
  std::uint32_t out_place = 0;
};

/// A shared quantity of a step (symbols::MapFormula) that depends on numbers alone: the host computes it.
struct SharedNumber {
  const symbols::MapFormula* map = nullptr;
  int number = 0;
  std::vector<std::uint32_t> operands;    // by operand of the map: which of the formula; 0 for matrices
  Keep keep;
};

/// The kernels `values` (numbers, matrices, result, order, rows) and `adjoints` (numbers, matrices, adjoints of the result, those of each
/// matrix with derivatives, sums by group for each such number, order, rows). Numbers: all that are operands, then shared ones.
struct MatrixFormulaText {
  std::string source;
  std::vector<SharedNumber> shared;
};
/// Throws symbols::NoFormula where a step calls what only the host has.
MatrixFormulaText write_formula(const MatrixFormula& formula);

/// What the device does with them; every PlacedCall that has a formula has this function.
const MatrixFunction& formula_function();
Work work_of(const MatrixFormula& formula);

}  // namespace fermiac::ad::device
