// The checks are written in the terms of the interpreter, whose functions they call.
#pragma once

namespace fermiac::interp {}

namespace fermiac::selfcheck {
using namespace interp;
}
