// The exceptions. Input that cannot be used is an InputError. Kernels and the evaluator throw EvalError where another point may do and
// FatalError where none will; the Model boundary turns both into EvalStatus values. A request to stop is ad::Interrupted
// (support/base/interrupted.h), and every other std::exception is a bug.
#pragma once

#include <stdexcept>
#include <string>

#include "support/base/source.h"
#include "support/base/status.h"

namespace fermiac {

/// A Status that is thrown.
struct StatusError : std::runtime_error {
  StatusError(StatusCode code_, const std::string& message) : std::runtime_error(message), code(code_) {}
  StatusCode code;
};
/// Data, a file, a program or an argument cannot be used. The message says what, where, and what was expected.
struct InputError : StatusError {
  using StatusError::StatusError;
  explicit InputError(const std::string& message) : StatusError(StatusCode::InvalidData, message) {}
};
/// A statement or expression cannot be used. The message does not name the place.
struct ProgramError : InputError {
  ProgramError(Span span_, const std::string& message) : InputError(StatusCode::InvalidProgram, message), span(span_) {}
  Span span;
};

}  // namespace fermiac

namespace fermiac::ad {

/// Base of all recoverable failures: the point is rejected, sampling goes on. The three classes below are the language's.
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
