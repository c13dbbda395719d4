// `fermiac marginals`: how probable the values of missing ints are.
#include <cstdio>

#include "cli/fermiac/given_points.h"
#include "cli/fermiac/load.h"
#include "cli/fermiac/questions.h"
#include "interp/model/unknown_draws.h"
#include "support/json.h"
#include "support/output.h"

namespace fermiac::cli {
namespace {

using Points = std::vector<std::vector<double>>;

Points points_of(const interp::InterpModel& model, const PointArgs& args) {
  if (!args.at.empty()) return {point_in(model, args.at)};
  Points out;
  for (const std::string& file : args.draws)
    for (std::vector<double>& theta : draws_in(model, file)) out.push_back(std::move(theta));
  if (args.draws.empty() && model.unconstrained_size() == 0) out.emplace_back();
  if (out.empty()) throw DataError(args.draws.empty() ? "where? --at P.json or --draws FILES" : "there are no draws");
  return out;
}

/// The mean over the points.
interp::UnknownMarginals mean_marginals(const interp::InterpModel& model, const Points& points) {
  interp::UnknownMarginals mean;
  const double share = 1.0 / static_cast<double>(points.size());
  for (const std::vector<double>& theta : points) {
    interp::UnknownMarginals here;
    if (const EvalStatus status = interp::unknown_marginals(model, theta, &here); !status) throw DataError(status.message);
    if (mean.unknowns.empty()) {
      mean.unknowns = here.unknowns;
      for (const auto& probability : here.probability) mean.probability.emplace_back(probability.size(), 0.0);
    }
    for (std::size_t i = 0; i < mean.probability.size(); ++i)
      for (std::size_t k = 0; k < mean.probability[i].size(); ++k) mean.probability[i][k] += share * here.probability[i][k];
  }
  return mean;
}

std::string line_json(const interp::Conditioned& c, const interp::UnknownInt& unknown, const std::vector<double>& probability) {
  std::string out;
  JsonGroup object(out, JsonGroup::Kind::Object);
  object.member("name") += json_quote(c.numbers().text({&unknown.number, 1}));
  JsonGroup values(object.member("values"), JsonGroup::Kind::Array);
  for (std::size_t k = 0; k < probability.size(); ++k) values.item() += std::to_string(unknown.low + static_cast<std::int64_t>(k));
  values.end();
  JsonGroup numbers(object.member("probability"), JsonGroup::Kind::Array);
  for (const double p : probability) numbers.item() += json_number(p);
  numbers.end();
  object.end();
  return out + "\n";
}

bool print_marginals(const interp::InterpModel& model, const PointArgs& point) {
  const interp::Conditioned& c = *model.conditioned();
  if (c.unknowns().empty()) throw DataError("no int of the data is missing, so there is nothing to sum out");
  const interp::UnknownMarginals mean = mean_marginals(model, points_of(model, point));
  std::string out;
  for (std::size_t i = 0; i < mean.unknowns.size(); ++i) out += line_json(c, c.unknowns()[mean.unknowns[i]], mean.probability[i]);
  return write_output(out);
}

}  // namespace

int run_marginals(const MarginalsArgs& args, Stop& stop) {
  ModelArgs given = args.model;
  given.always_conditioned = true;
  const auto model = load_interp_model(given, stop);
  if (!model) return 1;
  try {
    return print_marginals(*model, args.point) ? 0 : 1;
  } catch (const DataError& e) {
    std::fprintf(stderr, "fermiac: %s\n", e.what());
    return 1;
  }
}

}  // namespace fermiac::cli
