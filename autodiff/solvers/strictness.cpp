#include "autodiff/solvers/strictness.h"

#include <algorithm>

namespace fermiac::ad {
namespace {

thread_local double factor_of_thread = 1;
constexpr double kLeast = 1e-14;  // below it steps change nothing but the rounding

}  // namespace

StricterSolvers::StricterSolvers(double factor) : before_(factor_of_thread) { factor_of_thread = factor; }
StricterSolvers::~StricterSolvers() { factor_of_thread = before_; }

double solver_tolerance(double of_program) {
  return factor_of_thread == 1 ? of_program : std::min(of_program, std::max(kLeast, of_program * factor_of_thread));
}

}  // namespace fermiac::ad
