// Literals of containers: values put behind each other. `recorder` may be null where nothing carries derivatives.
#pragma once

#include <vector>

#include "interp/value/value.h"

namespace fermiac::ad {
class Recorder;
}

namespace fermiac::interp {

/// `{a, b, …}`. Throws SizeError where the shapes differ.
Value join_array(std::vector<Value> items, ad::Recorder* recorder);
/// `[a, b, …]`: a row vector of scalars, or a matrix of rows.
Value join_row(std::vector<Value> items, bool matrix, bool complex, ad::Recorder* recorder);

}  // namespace fermiac::interp
