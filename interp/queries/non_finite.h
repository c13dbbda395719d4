// Where in a recording the first number came up that is not finite, and what it was made of.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "autodiff/tape/ir/trace.h"
#include "interp/value/value.h"

namespace fermiac::interp {

/// What the numbers of a recording are called: those that variables have. A number has the name that it got first.
class RefNames {
 public:
  /// `tau`, `x[2,1]`.
  void add(const std::string& variable, const Value& value);
  /// Empty where it has none.
  std::string_view of(Ref r) const;

 private:
  std::unordered_map<Ref, std::string> names_;
};

struct BadValue {
  ad::Site site{};
  std::string function;                                        // `log`, `divide`
  double value = 0;
  std::vector<std::pair<std::string, std::string>> operands;  // name, or empty; the number, what it was made of, or the beginning of a list
};

/// The first result that is not finite. Nothing where all are.
std::optional<BadValue> first_bad_value(const ad::Trace& trace, const RefNames& names);

}  // namespace fermiac::interp
