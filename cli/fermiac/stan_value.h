// Values on the command line: JSON, or Stan expressions.
#pragma once

#include <string>

namespace fermiac::cli {

/// What `text` stands for, as JSON: the text itself if it is JSON, else the value of the Stan expression. `name` is whose value it is,
/// for errors. Throws DataError.
std::string json_of_value(const std::string& name, const std::string& text);

}  // namespace fermiac::cli
