// A fixture that runs programs in a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/shared/child_process.h"
#include "tests/shared/own_folder.h"

namespace fermiac::testing {

class RunsPrograms : public InOwnFolder {
 protected:
  ChildEnd runs(const Words& words, int status = 0) const {
    const ChildEnd e = run_child({.command = words, .patience = 120});
    EXPECT_EQ(e.status, status) << e.out << e.err;
    return e;
  }
  /// It ends with this status, and says why.
  void refuses(const Words& words, const std::string& why, int status = 1) const {
    const ChildEnd e = runs(words, status);
    EXPECT_NE(e.err.find(why), std::string::npos) << e.err;
  }
};

}  // namespace fermiac::testing
