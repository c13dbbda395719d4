#include "autodiff/tape/device/matrix_functions.h"

#include <algorithm>

namespace fermiac::ad::device {

std::span<const MatrixFunction> covariance_functions();
std::span<const MatrixFunction> factor_functions();
std::span<const MatrixFunction> division_functions();
std::span<const MatrixFunction> normal_functions();
std::span<const MatrixFunction> product_functions();

const MatrixFunction* find_matrix_function(std::string_view kernel) {
  for (const auto& functions : {covariance_functions(), factor_functions(), division_functions(), normal_functions(), product_functions()}) {
    const auto found = std::ranges::find(functions, kernel, &MatrixFunction::kernel);
    if (found != functions.end()) return &*found;
  }
  return nullptr;
}

}  // namespace fermiac::ad::device
