// A header of its own: few files need it, while support/base/errors.h is included nearly everywhere.
#pragma once

#include "support/base/errors.h"

namespace fermiac::ad {

/// Whoever waits for the result no longer wants it.
struct Interrupted : FatalError {
  Interrupted() : FatalError("interrupted") {}
};

}  // namespace fermiac::ad
