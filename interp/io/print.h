// Text of values: as `print` writes them, and as JSON.
#pragma once

#include <string>

#include "interp/functions/functions.h"
#include "interp/value/value.h"

namespace fermiac::interp {

/// As `print` writes it: 6 significant digits, `[a,b]`, `[[a,b],[c,d]]`, tuples `(a,b)`, complex numbers `(re,im)`.
/// Numbers that carry derivatives show what they hold at the recording point.
std::string print_text(const CallContext& context, const Value& value);

/// As data files hold it: matrices as lists of rows, complex numbers as pairs, tuples as objects.
std::string json_text(const CallContext& context, const Value& value);

}  // namespace fermiac::interp
