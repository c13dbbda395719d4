#include "inference/approximate/start.h"

#include <algorithm>

#include "inference/approximate/pathfinder.h"

namespace fermiac::inference {
namespace {

constexpr unsigned kPaths = 4;
constexpr int kTries = 5;      // random points for each path, of which the best is taken
constexpr double kSpread = 2;  // of the starting points, in units of the approximation's

PathfinderOptions path_options() {
  PathfinderOptions o;
  o.max_lbfgs_iters = 100;
  o.num_draws = o.num_elbo_draws = 3;
  o.search.tol_rel_obj = 1e9;  // the bulk is to be reached, not the mode's last digit
  return o;
}

/// One of the paths, with probabilities proportional to exp(elbo).
std::size_t choose(const std::vector<PathDraws>& paths, Rng& rng) {
  double best = -kInf, sum = 0;
  for (const PathDraws& path : paths) best = std::max(best, path.elbo);
  for (const PathDraws& path : paths) sum += std::exp(path.elbo - best);
  double left = rng.uniform() * sum;
  for (std::size_t i = 0; i < paths.size(); ++i)
    if ((left -= std::exp(paths[i].elbo - best)) < 0) return i;
  return paths.size() - 1;
}

/// The best of a few random points. False if the search is to end.
bool draw_candidate(const InitSpec& spec, Target& target, Rng& rng, Span theta) {
  Vec trial(theta.size());
  std::string ignored;
  double best = -kInf;
  for (int i = 0; i < kTries; ++i) {
    if (!find_initial_point(spec, target, rng, trial, &ignored)) break;
    const double lp = target.value(trial);
    if (!(lp > best)) continue;
    best = lp;
    copy(trial, theta);
  }
  return best > -kInf;
}

bool usable(Target& target, ConstSpan theta, Span gradient) {
  return std::isfinite(target.gradient(theta, gradient)) && all_finite(gradient);
}

/// A point of the path further from its middle than the draw, or the draw itself. False if neither has a density.
bool take_point(const PathDraws& path, Target& target, Span theta) {
  Vec gradient(theta.size());
  for (const double spread : {kSpread, 1.0})
    for (const Vec& point : path.points) {
      for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = path.mean[i] + spread * (point[i] - path.mean[i]);
      if (usable(target, theta, gradient)) return true;
    }
  return false;
}

}  // namespace

std::string search_start(const InitSpec& spec, Target& target, Rng& rng, Span theta) {
  const std::uint64_t before = target.evaluations();
  const Vec first(theta.begin(), theta.end());
  Vec from = first;
  std::vector<PathDraws> paths;
  for (unsigned i = 0; i < kPaths && !target.stopped(); ++i) {
    if (!draw_candidate(spec, target, rng, from)) break;
    PathDraws path = pathfinder_path(target, target, path_options(), from, rng);
    if (path.error.empty() && std::isfinite(path.elbo)) paths.push_back(std::move(path));
  }
  const std::size_t found = paths.size();
  bool taken = false;
  while (!taken && !paths.empty() && !target.stopped()) {
    const std::size_t at = choose(paths, rng);
    taken = take_point(paths[at], target, theta);
    if (!taken) paths.erase(paths.begin() + static_cast<std::ptrdiff_t>(at));
  }
  if (!taken) copy(first, theta);
  target.rejects().clear();  // of points that no chain has seen
  return "Start: " + std::string(taken ? "" : "a random point; ") + std::to_string(found) + " of " + std::to_string(kPaths) +
         " paths, " + std::to_string(target.evaluations() - before) + " evaluations of the density\n";
}

Status typical_point(const Model& model, std::uint64_t seed, const std::atomic<bool>* stop, Vec* theta) {
  Target target(model, {}, stop);
  Rng rng(seed);
  const InitSpec random;
  std::string tried;
  theta->assign(model.unconstrained_size(), 0);
  if (Status bad = find_initial_point(random, target, rng, *theta, &tried); !bad) return bad;
  if (!theta->empty()) search_start(random, target, rng, *theta);
  return target.ended();
}

}  // namespace fermiac::inference
