// One call in every way there is: plainly, recorded, replayed (as recorded and rewritten) at the point of the recording
// and elsewhere, and evaluated without a tape.
#pragma once

#include <optional>
#include <string>

#include "tests/fuzz/calls/call.h"

namespace fermiac::fuzz {

/// What is wrong: an exception that is none of ours, or two ways that do not agree. Nothing if all is well.
std::optional<std::string> first_fault(const Call& call);

}  // namespace fermiac::fuzz
