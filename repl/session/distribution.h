// A distribution of one number, explored through its density alone: support, moments, quantiles.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repl/session/evaluator.h"

namespace fermiac::repl {

/// `normal(0, 1)`: a distribution with its arguments, as text.
struct DistributionCall {
  std::string name;
  std::string arguments;
  bool discrete = false;
};
/// Nothing if the text is no call of a distribution, built in or defined in the session.
std::optional<DistributionCall> parse_distribution(Evaluator& evaluator, std::string_view text);

struct DistributionFacts {
  bool discrete = false;
  double total = 0;                 // of the density over its support: 1 unless something is wrong
  double low = 0, high = 0;         // support
  std::optional<double> mean, sd;   // absent: they do not exist
  std::vector<std::pair<double, double>> quantiles;  // probability, value
  double quantile(double p) const;
};

class Distribution {
 public:
  /// A session variable while the object lives; nobody would name one of theirs so.
  static constexpr const char* kVariate = "variate_of_the_density";

  Distribution(Evaluator& evaluator, DistributionCall call);
  ~Distribution();
  Distribution(const Distribution&) = delete;
  Distribution& operator=(const Distribution&) = delete;

  /// Log density; NaN where it is not defined.
  double log_density(double x);
  DistributionFacts explore();
  bool discrete() const { return call_.discrete; }

 private:
  struct Start {
    double centre, scale;
  };
  Start start();
  void explore_continuous(Start start, DistributionFacts& facts);
  void explore_discrete(Start start, DistributionFacts& facts);
  double density(double x);

  Evaluator& evaluator_;
  DistributionCall call_;
  Evaluator::Prepared density_;
  double lowest_ = -INFINITY, highest_ = INFINITY;  // of a density that repeats itself: one period
};

/// Draws `n` times; each draw is one value.
std::vector<Typed> draw(Evaluator& evaluator, const DistributionCall& call, std::size_t n);

}  // namespace fermiac::repl
