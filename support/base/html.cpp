// Text as HTML shows it.
#include "support/base/encodings.h"

namespace fermiac {

std::string html_escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '&') out += "&amp;";
    else out += c;
  }
  return out;
}

}  // namespace fermiac
