// The programs under test.
#pragma once

#include <string>
#include <vector>

namespace fermiac::testing {

using Words = std::vector<std::string>;

inline const std::string kFermiac = FERMIAC_BINARY_DIR "/bin/fermiac", kStanc = FERMIAC_BINARY_DIR "/bin/stanc";

}  // namespace fermiac::testing
