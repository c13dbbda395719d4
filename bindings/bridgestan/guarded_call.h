// Exceptions stop here: they become messages for a caller that knows only C.
#pragma once

#include <exception>
#include <string_view>

#include "bindings/shared/call_threads.h"
#include "inference/model/model.h"
#include "support/base/errors.h"

namespace fermiac::capi {

/// Puts `FUNCTION() failed with exception: WHAT` where the caller wants it, as text that free() takes.
void set_error(char** error_msg, std::string_view function, std::string_view what) noexcept;

/// Runs body(); 0, or -1 and the message.
template <class Body>
int guarded_call(std::string_view function, char** error_msg, Body body) noexcept {
  try {
    const ad::PieceScope pieces(call_threads());
    body();
    return 0;
  } catch (const std::exception& e) {
    set_error(error_msg, function, e.what());
  } catch (...) {
    set_error(error_msg, function, "unknown exception");
  }
  return -1;
}

inline void require(const EvalStatus& status) {
  if (!status) throw StatusError(status.kind, status.message);
}

}  // namespace fermiac::capi
