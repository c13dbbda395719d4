// Answers across the border of a library, which no exception may cross.
#pragma once

namespace fermiac::capi {

/// body(), or `otherwise` where it throws: for questions that have no error.
template <class Result, class Body>
Result or_else(Result otherwise, Body body) noexcept {
  try {
    return body();
  } catch (...) {
    return otherwise;
  }
}

}  // namespace fermiac::capi
