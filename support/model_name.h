// Names that the path of a program gives.
#pragma once

#include <string>

namespace fermiac {

/// Name of the model that stanc's `--name` or the path gives: `dir/a-b.stan` is a_b_model, `2.stan` _2_model, `-` stdin; what has no suffix
/// of a program is a name already. The rules are stanc's, so that emitted C++ and bundles have the same.
std::string model_name(const std::string& source);
/// The file name with `_` for all but letters and digits, and without the suffix `.stan`: what names files and folders.
std::string plain_name_of_file(const std::string& path);
/// The file that C++ goes to if no other is named.
std::string default_cpp_output(const std::string& model);

}  // namespace fermiac
