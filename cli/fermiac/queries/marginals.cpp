// `fermiac discrete-marginals`: marginal probabilities of missing integers.

#include "cli/fermiac/shared/file_sums.h"
#include "cli/fermiac/shared/given_points.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/questions.h"
#include "cli/fermiac/shared/refuse.h"
#include "interp/queries/query_text.h"
#include "support/platform/output.h"

namespace fermiac::cli {
namespace {

using Points = std::vector<std::vector<double>>;

Points points_of(const interp::ConditionedModel& model, const PointArgs& args) {
  require_point(model, args, "discrete-marginals");
  if (!args.at.empty()) return {point_in(model, args.at)};
  Points out = draws_in(model, args.draws);
  if (args.draws.empty() && model.unconstrained_size() == 0) out.emplace_back();
  if (out.empty()) throw InputError("there are no draws");
  return out;
}

}  // namespace

int run_marginals(const MarginalsArgs& args) {
  ModelArgs given = args.model;
  given.prints_to_errors = true;  // standard output is data
  const auto model = load_conditioned_model(given);
  warn_of_other_data(args.point.draws, args.model.data);
  return write_output(interp::marginals_json(*model, points_of(*model, args.point))) ? 0 : 1;
}

}  // namespace fermiac::cli
