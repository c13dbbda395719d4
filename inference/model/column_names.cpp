#include "inference/model/column_names.h"

namespace fermiac::inference {

std::string_view variable_of(std::string_view column) { return column.substr(0, column.find_first_of(".:")); }

std::string pretty_name(std::string_view csv_name) {
  std::string out;
  bool open = false;
  for (const char c : csv_name) {
    if (c == '.') {
      out += open ? ',' : '[';
      open = true;
    } else if (c == ':') {
      if (open) out += ']';
      open = false;
      out += '.';
    } else {
      out += c;
    }
  }
  return open ? out + ']' : out;
}

}  // namespace fermiac::inference
