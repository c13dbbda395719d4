// Names of models, as the reference compiler makes them from paths.
#pragma once

#include <string>
#include <string_view>

namespace fermiac {

/// `path` without `.stan` or `.stanfunctions`.
std::string without_program_suffix(const std::string& path);
/// Name of the model that a path, or what was given as a name, stands for: `a/eight-schools.stan` is `eight_schools_model`,
/// `2pl.stan` is `_2pl_model`, since names of C++ begin with letters, and `given` is `given`.
std::string model_name(const std::string& source);
/// The name of a program's file as names of others begin: `my model` of `a/my model.stan` is `my_model`.
std::string plain_name_of_file(const std::string& path);
/// What `model_name` made longer, for names of files: `2pl` of `_2pl_model`.
std::string bare_model_name(std::string_view name);

}  // namespace fermiac
