// Files whose names are like one that is not there, for messages.
#pragma once

#include <string>

namespace fermiac {

/// `; did you mean 'line.stan'?`: a file of the same folder whose name is `path`'s with an ending, or a few letters from it. Empty where
/// there is none.
std::string similar_file(const std::string& path);

}  // namespace fermiac
