// Compares results and gradients of ours with those of a case.
#pragma once

#include <string>
#include <vector>

#include "tests/conformance/oracle_case.h"

namespace fermiac::selfcheck::oracle {

/// Number k of the file's result is factor[k] times number from[k] of ours: where a result is unique only up to signs
/// of columns or the order of elements.
struct Alignment {
  std::vector<std::size_t> from;
  std::vector<double> factor;

  explicit Alignment(std::size_t n);
  std::vector<double> apply(const std::vector<double>& ours) const;
};

struct Match {
  bool ok = false;
  bool gradient = false;             // those are comparable, by the weights
  std::vector<double> weights = {};  // of our numbers in the sum of which the file has the gradient
};

Match match_result(const FunctionCase& c, const Value& ours, Rules& rules);
/// A result that is one number. In vector loops absolute errors of rounding are allowed.
enum class Form { Scalar, Lanes };
bool match_number(const FunctionCase& c, double ours, Form form, Rules& rules);
bool same_form(const Value& ours, const Value& theirs);

/// `ours` are the derivatives by all entries of the differentiated arguments. Empty, or what differs.
std::string gradient_difference(const FunctionCase& c, const std::vector<double>& ours, Form form, Rules& rules);

}  // namespace fermiac::selfcheck::oracle
