// One thread's evaluations of a TangentProgram, which become machine code when there are many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "autodiff/solvers/tangent_code.h"
#include "autodiff/solvers/tangents.h"

namespace fermiac::ad {

class TangentRun {
 public:
  explicit TangentRun(std::unique_ptr<const TangentProgram> program);
  std::size_t tangent_rows() const { return program_->tangent_rows(); }
  /// Results and, with lanes, their tangents at x [inputs]. Tangents [tangent_rows() * lanes] begin with the directions. False when a
  /// guard or a domain rule fails. Allocates nothing unless it makes code.
  bool run(const double* x, double* tangents, std::size_t lanes, double* out, double* rows);

 private:
  /// Code is made for each number of lanes that there is.
  struct Form {
    std::size_t lanes = 0;
    std::uint32_t runs_left = 0;  // until it is made; 0: there is code, or none can be made
    std::unique_ptr<const TangentCode> code;
  };
  Form& form(std::size_t lanes);
  const TangentCode* code(std::size_t lanes);
  bool sweep(double* tangents, std::size_t lanes, double* out, double* rows);

  std::unique_ptr<const TangentProgram> program_;
  std::vector<double> values_;
  std::vector<Form> forms_;
};

}  // namespace fermiac::ad
