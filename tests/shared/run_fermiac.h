// Runs the program as a user does, for tests that look at its messages and exit status.
#pragma once

#include <string>

#include "tests/shared/shell.h"

namespace fermiac::testing {

/// `arguments` and `environment` (`NAME=VALUE `) go through the shell; standard input is empty.
inline ProgramRun run_fermiac(const std::string& arguments, const std::string& environment = {}) {
  return shell(environment + std::string(FERMIAC_BINARY_DIR) + "/bin/fermiac " + arguments);
}

}  // namespace fermiac::testing
