// How a command that cannot go on ends: what is wrong on standard error, and an exit status.
#pragma once

#include <cstdio>
#include <string>

#include "support/base/errors.h"

namespace fermiac::cli {

/// Status 1: the user's model, data or arguments are wrong, or the run failed. 2: wrong usage.
inline int refuse(const std::string& why, int status = 1) {
  std::fprintf(stderr, "fermiac: %s\n", why.c_str());
  return status;
}
/// The text about an invalid program is complete: rendered diagnostics.
inline int refuse(const InputError& error) {
  if (error.code != StatusCode::InvalidProgram) return refuse(std::string(error.what()));
  std::fputs(error.what(), stderr);
  return 1;
}

}  // namespace fermiac::cli
