#include "frontend/format/format.h"
#include <algorithm>

#include "frontend/format/layout.h"

namespace fermiac::format {

std::string wrap_sexp(std::string_view sexp, int margin) {
  Layout out(margin);
  for (std::size_t i = 0; i < sexp.size();) {
    const char c = sexp[i];
    if (c == '(' || c == ')' || c == ' ') {
      if (c == '(') out.open(Box::Hov, 1);
      c == ' ' ? out.brk() : out.text(sexp.substr(i, 1));
      if (c == ')') out.close();
      ++i;
      continue;
    }
    const bool quoted = c == '"';
    const std::size_t stop = quoted ? sexp.find('"', i + 1) + 1 : sexp.find_first_of(" ()", i);
    const std::size_t end = std::min(stop == 0 ? sexp.size() : stop, sexp.size());
    out.text(sexp.substr(i, end - i));
    i = end;
  }
  return out.finish();
}

}  // namespace fermiac::format
