// Names that functions, distributions and constants have in other languages: R, Python, BUGS and JAGS.
#pragma once

#include <string_view>

namespace fermiac::check {

struct ForeignName {
  std::string_view name;
  std::string_view hint;   // a sentence
  std::string_view now{};  // what may stand in its place, if that is all there is to change
};

/// Null if the name is none of them.
const ForeignName* foreign_function(std::string_view name);
const ForeignName* foreign_distribution(std::string_view name);
const ForeignName* foreign_constant(std::string_view name);

}  // namespace fermiac::check
