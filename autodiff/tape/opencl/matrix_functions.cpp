#include "autodiff/tape/opencl/matrix_functions.h"

namespace fermiac::ad::device {

std::span<const MatrixFunction> covariance_functions();
std::span<const MatrixFunction> factor_functions();
std::span<const MatrixFunction> division_functions();
std::span<const MatrixFunction> normal_functions();
std::span<const MatrixFunction> product_functions();

std::vector<const MatrixFunction*> matrix_functions_of(const TapeView& tape, const TapeCall& call) {
  std::vector<const MatrixFunction*> out;
  for (const auto& functions : {covariance_functions(), factor_functions(), division_functions(), normal_functions(), product_functions()})
    for (const MatrixFunction& f : functions)
      if (f.kernel == call.kernel->name && f.fits(tape, call)) out.push_back(&f);
  return out;
}

}  // namespace fermiac::ad::device
