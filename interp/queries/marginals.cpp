// How probable the values of missing ints are, as JSON lines.
#include <fmt/format.h>

#include "interp/model/unknown_draws.h"
#include "interp/queries/query_text.h"
#include "support/base/json.h"
#include "support/base/json_scan.h"

namespace fermiac::interp {
namespace {

/// The mean over the points.
UnknownMarginals mean_marginals(const ConditionedModel& model, const std::vector<std::vector<double>>& points) {
  UnknownMarginals mean;
  const double share = 1.0 / static_cast<double>(points.size());
  for (const std::vector<double>& theta : points) {
    UnknownMarginals here;
    if (const EvalStatus status = unknown_marginals(model.context(), theta, &here); !status) throw InputError(status.message);
    if (mean.unknowns.empty()) {
      mean.unknowns = here.unknowns;
      for (const auto& probability : here.probability) mean.probability.emplace_back(probability.size(), 0.0);
    }
    for (std::size_t i = 0; i < mean.probability.size(); ++i)
      for (std::size_t k = 0; k < mean.probability[i].size(); ++k) mean.probability[i][k] += share * here.probability[i][k];
  }
  return mean;
}

std::string line_json(const Conditioned& c, const UnknownInt& unknown, const std::vector<double>& probability) {
  std::string out;
  JsonGroup object(out, JsonGroup::Kind::Object);
  object.member("name") += json_quote(c.numbers().text({&unknown.number, 1}));
  JsonGroup values(object.member("values"), JsonGroup::Kind::Array);
  for (std::size_t k = 0; k < probability.size(); ++k) values.item() += std::to_string(unknown.low + static_cast<std::int64_t>(k));
  values.end();
  object.member("probability") += json_list(probability);
  object.end();
  return out + "\n";
}

std::string table_line(const Conditioned& c, const UnknownInt& unknown, const std::vector<double>& probability) {
  std::string out = c.numbers().text({&unknown.number, 1});
  for (std::size_t k = 0; k < probability.size(); ++k) out += fmt::format("  {}: {:.4g}", unknown.low + static_cast<std::int64_t>(k), probability[k]);
  return out + "\n";
}

/// `line(conditioned, int, probabilities)` of each.
template <class Line>
std::string lines(const ConditionedModel& model, const std::vector<std::vector<double>>& points, Line line) {
  const Conditioned& c = model.conditioned();
  if (c.unknowns().empty()) throw InputError("no int of the data is missing, so there is nothing to sum out");
  const UnknownMarginals mean = mean_marginals(model, points);
  std::string out;
  for (std::size_t i = 0; i < mean.unknowns.size(); ++i) out += line(c, c.unknowns()[mean.unknowns[i]], mean.probability[i]);
  return out;
}

}  // namespace

std::string marginals_json(const ConditionedModel& model, const std::vector<std::vector<double>>& points) {
  return lines(model, points, line_json);
}

std::string marginals_table(const ConditionedModel& model, const std::vector<std::vector<double>>& points) {
  return lines(model, points, table_line);
}

}  // namespace fermiac::interp
