// The ways in which a call can be evaluated. Each compares with the file what it gives, and says what differs; nothing
// where all agrees. Every instruction set is another process: FERMIAC_ISA.
#pragma once

#include <string>
#include <vector>

#include "autodiff/tape/ir/trace.h"
#include "tests/conformance/oracle_case.h"
#include "tests/conformance/oracle_match.h"

namespace fermiac::selfcheck::oracle {

class Ways {
 public:
  Ways(const FunctionCase& c, Rules& rules);

  /// What differs in the first way that does not agree with the file.
  std::string first_difference();
  /// The same where the file has an error.
  std::string first_without_error();

 private:
  std::string plainly();
  std::string recorded();
  /// What the recording added to target, and the sum of the sizes of its terms.
  struct Sum {
    double value, scale;
  };
  std::string replayed(const ad::Trace& trace, Sum recorded, double tol, Form form);
  std::string rewritten_too(ad::Trace trace, Sum recorded, Form form);
  std::string into_target();
  std::string without_tape();
  std::string without_tape_into_target();
  std::string in_lanes();
  std::string along_differences();

  bool compares_gradient(const std::vector<double>& value) const;
  double sum_at(const std::vector<double>& theta) const;
  std::vector<double> direction() const;

  const FunctionCase& c_;
  Rules& rules_;
  std::vector<double> theta_;
  std::vector<Value> parameters_;
  Match match_;
  std::vector<double> gradient_;  // of the replay as recorded
};

/// What happens instead of an error when the call is made plainly; empty when one is raised.
std::string plain_result(const FunctionCase& c, Rules& rules);

}  // namespace fermiac::selfcheck::oracle
