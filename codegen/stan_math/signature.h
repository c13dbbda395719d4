// The C++ signature of a function of the program.
//
// An argument of a scalar or container type that may carry derivatives is a template parameter with a constraint on it;
// plain ints, reals and arrays that are marked data have a fixed type. The function's own scalar, in which it computes,
// is the type that the scalars of all arguments promote to.
#pragma once

#include <string>
#include <vector>

#include "mir/ir/ir.h"

namespace fermiac::codegen::stan_math {

class Signature {
 public:
  /// `mixes_target`: the scalar of target is among those of the arguments.
  Signature(const mir::Function& function, bool mixes_target);

  struct Parameter {
    std::string name;     // in the body
    std::string type;     // without const and &
    bool to_ref = false;  // a container that may come as an expression
  };
  const std::vector<Parameter>& parameters() const { return parameters_; }

  /// `template <typename T0__, stan::require_all_t<…>* = nullptr>`, or empty; without the default where the function
  /// was declared before. A function object has the flag of a density as a parameter of its own.
  std::string head(bool first, bool with_flag = true) const;
  /// The type of the result.
  std::string result() const;
  /// `local_scalar_t__` of the body.
  const std::string& scalar() const { return scalar_; }
  /// What the language does not name: generator or target, and the stream.
  std::vector<std::string> extra_parameters() const;
  std::vector<std::string> extra_arguments() const;
  /// `propto__`, `jacobian__` or empty.
  std::string flag() const;

 private:
  void constrain(const std::string& cpp_type, const Type& type);
  void promote(const std::string& cpp_type, const Type& type);

  const mir::Function& function_;
  std::vector<Parameter> parameters_;
  std::vector<std::string> template_parameters_, constraints_, scalars_;
  std::string scalar_;
};

}  // namespace fermiac::codegen::stan_math
