// Probabilities of what a program says: `logprob y | theta = [1, 2]`.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interp/model/conditioned_model.h"
#include "interp/queries/query_text.h"

namespace fermiac::interp {

struct Answer {
  double value = 0;                    // log probability, or its exponential
  std::optional<double> mcse;          // of `value`, over draws; NaN where the draws do not show it
  std::size_t draws = 0;
  std::vector<std::string> remarks;    // declared bounds that cut a distribution
};

/// `{"logprob": …}` with a newline.
std::string answer_json(const Query& query, const Answer& answer);

/// What a query is asked of.
struct QueryPoints {
  std::vector<std::vector<double>> points;  // free values, one for each draw, chain by chain; or a single point
  std::vector<std::size_t> lengths;         // draws of each chain
  std::vector<double> holds;                // by draw: 1 where what the query asks of the draws themselves holds, else 0; empty: nothing is
  std::vector<double> given;                // the same of what it is asked given; empty: all draws
  bool parameters_known = false;            // the points are draws
};

/// The mean of exp(log_values) over draws, of which those count where `given` (see QueryPoints) is 1, with its Monte Carlo error by the
/// effective sample size. Throws InputError where none counts.
Answer mean_over_draws(const std::vector<double>& log_values, const std::vector<std::size_t>& lengths, const std::vector<double>& given, bool exponential);

/// `conditioning` is that of the run; values of the query are added to it. Values are JSON. Throws InputError.
class Questioner {
 public:
  Questioner(const CompiledModel& plain, const DataSource& data, Conditioning conditioning) : plain_(plain), data_(data), conditioning_(std::move(conditioning)) {}

  /// The model in which the query's values are known. What is asked for by an interval keeps the value that it has.
  std::unique_ptr<ConditionedModel> model(const Query& query) const;
  /// Events are elements (QueryItem::is_element). An interval has the probability of its distribution between the declared bounds. With
  /// `normalized` a density is divided by the probability of these bounds.
  Answer answer(const ConditionedModel& model, const Query& query, const QueryPoints& at, bool normalized) const;

 private:
  std::unique_ptr<ConditionedModel> conditioned_on(const Query& query, const std::map<std::string, std::string>& further) const;

  const CompiledModel& plain_;
  const DataSource& data_;
  Conditioning conditioning_;
};

}  // namespace fermiac::interp
