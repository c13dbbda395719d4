// Places of statements as messages at run time name them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/base/source.h"

namespace fermiac::codegen {

class Locations {
 public:
  explicit Locations(const SourceMap& sources) : sources_(sources) {}

  /// The number of a place, in order of first use; entry 0 belongs to no statement.
  std::size_t number(Span span);
  /// ` (in 'f.stan', line 3, column 2 to column 9)`, by number.
  const std::vector<std::string>& table() const { return table_; }

 private:
  struct Less {
    bool operator()(const Span& a, const Span& b) const {
      return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
    }
  };
  const SourceMap& sources_;
  std::map<Span, std::size_t, Less> numbers_;
  std::vector<std::string> table_{" (found before start of program)"};
};

}  // namespace fermiac::codegen
