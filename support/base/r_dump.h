// Data as R's dump() writes them, read into the JSON that everything else here reads.
#pragma once

#include <string>
#include <string_view>

#include "support/base/status.h"

namespace fermiac {

/// `x <- c(1, 2)` becomes `{"x":[1,2]}`. Understood: numbers, `1:3`, `c(…)`, `integer(n)`, `double(n)`, and
/// `structure(…, .Dim = …)`, whose numbers come column by column. Other values (text, logicals, factors, names, lists, NULL) become
/// strings: readers skip them if the program does not declare the variable, and name it if it does. After a failure, which says what is wrong and
/// in which line, `json` is unspecified.
Status r_dump_to_json(std::string_view text, std::string* json);

}  // namespace fermiac
