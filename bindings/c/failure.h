// Failures on their way to the caller: thrown inside of the library, kept in a fermiac_error at its border.
#pragma once

#include "bindings/c/fermiac.h"
#include "inference/model/model.h"
#include "support/base/errors.h"

namespace fermiac::capi {

/// Throws a StatusError where an evaluation did not end well. `fatal`: what a failure that no other point can mend is called.
void require(const EvalStatus& status, StatusCode fatal = StatusCode::Fatal);

/// Sets *error to what the exception that is being handled says; its status.
fermiac_status catch_failure(fermiac_error** error) noexcept;

/// Runs body(), which throws. An exception becomes an error, otherwise *error is null.
template <class Body>
fermiac_status at_border(fermiac_error** error, Body body) noexcept {
  if (error) *error = nullptr;
  try {
    body();
    return FERMIAC_OK;
  } catch (...) {
    return catch_failure(error);
  }
}

}  // namespace fermiac::capi
