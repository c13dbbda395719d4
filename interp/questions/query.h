// Probabilities of what a program says: `logprob y | theta = [1, 2]`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interp/model/interp_model.h"

namespace fermiac::interp {

/// `name`, `name = value`, `name <= value`, `name > value`.
struct QueryItem {
  enum class Relation : std::uint8_t { Equal, AtMost, Above } relation = Relation::Equal;
  std::string name;
  std::string value;   // as written; empty: none
};

struct Query {
  bool exponential = false;            // `prob`
  std::vector<QueryItem> events, given;
};

/// Throws DataError: `query, column 12: expected a value, found '='`.
Query read_query(std::string_view text);

struct Answer {
  double value = 0;                    // log probability, or its exponential
  std::optional<double> mcse;          // of the logarithm, over draws
  std::size_t draws = 0;
  std::vector<std::string> remarks;    // declared bounds that cut a distribution
};

/// `{"logprob": …}` with a newline.
std::string answer_json(const Query& query, const Answer& answer);

/// `conditioning` is that of the run; values of the query are added to it. `value_json` makes JSON of a value as written.
/// `draws`: CSV files from which parameters take their values; the answer is the log of the mean probability.
/// Throws DataError and BindError.
class Questioner {
 public:
  Questioner(const CompiledModel& plain, const DataSource& data, Conditioning conditioning) : plain_(plain), data_(data), conditioning_(std::move(conditioning)) {}

  /// The model in which the query's values are known.
  std::unique_ptr<InterpModel> model(const Query& query) const;
  /// At one point of that model; of parameters that are free nothing may be asked unless `parameters_known`.
  Answer answer(const InterpModel& model, const Query& query, const std::vector<std::vector<double>>& points, bool parameters_known,
                bool normalised) const;

 private:
  const CompiledModel& plain_;
  const DataSource& data_;
  Conditioning conditioning_;
};

}  // namespace fermiac::interp
