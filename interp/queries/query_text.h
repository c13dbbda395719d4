// The text of a query: `prob mu > 0, tau <= 2 | y`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interp/model/conditioned_model.h"

namespace fermiac::interp {

enum class Relation : std::uint8_t {
  Equal,    // =: the density at the value
  Same,     // ==
  Differs,  // !=
  Less,
  AtMost,
  Above,
  AtLeast,
  Holds     // a condition as a whole: `a > 1 || b > 2`
};

/// `name`, `name = value`, `expression <= value`, or a condition.
struct QueryItem {
  Relation relation = Relation::Equal;
  std::string name;    // the left side as written, of a condition all of it
  std::string value;   // as written; empty: none
  bool is_element = false;  // the left side is a name with indexes and slots, not another expression
};

struct Query {
  bool exponential = false;            // `prob`
  std::vector<QueryItem> events, given;
};

/// Throws InputError: `query, column 12: expected a value, found '='`. A `logprob` compares with `==` over draws only.
Query read_query(std::string_view text, bool over_draws = false);

/// `mu <= 2`, as written.
std::string text_of(const QueryItem& item);

// How probable the values of missing ints are, as JSON lines.

/// A line for each int that is summed out: its values and their probabilities, the mean over the points. Throws InputError.
std::string marginals_json(const ConditionedModel& model, const std::vector<std::vector<double>>& points);

/// The same as a table: `z[1]  1: 0.993  2: 0.007`.
std::string marginals_table(const ConditionedModel& model, const std::vector<std::vector<double>>& points);

}  // namespace fermiac::interp
