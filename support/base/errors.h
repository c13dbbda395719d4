// Failures of evaluation. Kernels and the evaluator throw them; the Model boundary turns them into EvalStatus values.
// The three classes are the language's: a bad value, a bad size, a bad index.
#pragma once

#include <stdexcept>
#include <string>

namespace fermiac::ad {

/// Base of all recoverable failures: the point is rejected, sampling goes on.
struct EvalError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct DomainError : EvalError {  // a value outside its domain; also reject()
  using EvalError::EvalError;
};
struct SizeError : EvalError {  // sizes that do not fit together
  using EvalError::EvalError;
};
struct IndexError : EvalError {  // an index out of range
  using EvalError::EvalError;
};
/// fatal_error() and functions that do not exist: no other point can mend it.
struct FatalError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace fermiac::ad
