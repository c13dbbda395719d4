#include "inference/approximate/kinks.h"

#include <algorithm>

#include "inference/model/column_names.h"
#include "support/base/text.h"

namespace fermiac::inference {
namespace {

constexpr double kSmallGradient = 1e-3;
constexpr double kModestGradient = 0.1;
constexpr double kHullTolerance = 1e-3;   // of the largest gradient
constexpr double kRadius = 1e-6;          // within which gradients count as those of one point, for parameters of size one
constexpr int kMostRounds = 30;
constexpr unsigned kBlock = 20;           // steps that must gain something together
constexpr double kProgress = 1e-11;       // of a log density of size one
constexpr std::size_t kMostGradients = 400;
constexpr std::size_t kMostDense = 500;   // parameters
constexpr std::size_t kMostNames = 5;

/// Convex combination of vectors with the least norm, by exchanging weight between pairs.
class LeastNorm {
 public:
  void add(const Vec& g) {
    Vec row;
    for (const Vec& other : vectors_) row.push_back(dot(other, g));
    row.push_back(dot(g, g));
    for (std::size_t i = 0; i + 1 < row.size(); ++i) products_[i].push_back(row[i]);
    products_.push_back(row);
    vectors_.push_back(g);
    weights_.push_back(weights_.empty() ? 1 : 0);
  }
  const std::vector<Vec>& vectors() const { return vectors_; }

  Vec find() {
    const std::size_t m = vectors_.size();
    Vec slopes(m);
    for (std::size_t i = 0; i < m; ++i) slopes[i] = dot(products_[i], weights_);
    for (int i = 0; i < kMostExchanges && exchange(slopes); ++i) {
    }
    Vec out(vectors_[0].size());
    for (std::size_t i = 0; i < m; ++i) axpy(weights_[i], vectors_[i], out);
    return out;
  }

 private:
  static constexpr int kMostExchanges = 20000;

  bool exchange(Vec& slopes) {
    std::size_t to = 0, from = slopes.size();
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      if (slopes[i] < slopes[to]) to = i;
      if (weights_[i] > 0 && (from == slopes.size() || slopes[i] > slopes[from])) from = i;
    }
    const double gap = slopes[from] - slopes[to];
    const double curvature = products_[to][to] + products_[from][from] - 2 * products_[to][from];
    if (!(gap > 1e-8 * (products_[from][from] + products_[to][to])) || !(curvature > 0)) return false;
    const double moved = std::min(weights_[from], gap / curvature);
    weights_[from] = moved == weights_[from] ? 0 : weights_[from] - moved;
    weights_[to] += moved;
    for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] += moved * (products_[i][to] - products_[i][from]);
    return true;
  }

  std::vector<Vec> vectors_, products_;
  Vec weights_;
};

class Settler {
 public:
  Settler(Target& target, ConstSpan q, unsigned iterations, double small_gain)
      : target_(target), small_gain_(small_gain), iterations_(iterations), q_(q.begin(), q.end()), grad_(q.size()), trial_(q.size()), trial_grad_(q.size()) {
    lp_ = target_.gradient(q_, grad_);
  }

  Ending settle(StepStatus status) {
    if (overflows()) return end(StepStatus::Unbounded);
    if (is_small()) return end(success(status));
    // Several kinks at different small distances look like one smooth top.
    bool smooth = is_smooth_top();
    if (smooth && norm(grad_) <= kModestGradient) return end(success(status));
    for (int round = 0; round < kMostRounds; ++round) {
      const StepStatus climbed = climb();
      if (climbed != StepStatus::Going) return end(climbed);
      if (overflows()) return end(StepStatus::Unbounded);
      if (is_small()) return end(success(status));
      const Found found = look_around();
      if (found == Found::Kink) return end(success(status));
      smooth = is_smooth_top();
      if (found == Found::Nothing) break;
    }
    if (smooth) return end(success(status));
    return end(target_.stopped() ? StepStatus::Stopped : StepStatus::LineSearchFailed);
  }

 private:
  enum class Found { Kink, WayUp, Nothing };

  static StepStatus success(StepStatus status) { return is_failure(status) ? StepStatus::ConvergedObjective : status; }
  Ending end(StepStatus status) { return {.status = status, .lp = lp_, .position = q_, .kinks = std::move(kinks_)}; }
  bool overflows() const { return !std::isfinite(norm(grad_)); }
  bool is_small() const { return norm(grad_) <= kSmallGradient; }
  double size() const { return std::max(1.0, std::fabs(lp_)); }
  double radius() const {
    double largest = 1;
    for (const double x : q_) largest = std::max(largest, std::fabs(x));
    return kRadius * largest;
  }

  /// Evaluates at q + t u.
  double evaluate(ConstSpan u, double t) {
    for (std::size_t i = 0; i < q_.size(); ++i) trial_[i] = q_[i] + t * u[i];
    const double lp = target_.gradient(trial_, trial_grad_);
    return std::isfinite(lp) && all_finite(trial_grad_) ? lp : -kInf;
  }
  void move(double lp) {
    q_.swap(trial_);
    grad_.swap(trial_grad_);
    lp_ = lp;
  }

  double slope_at(ConstSpan u, double t) { return evaluate(u, t) == -kInf ? -kInf : dot(trial_grad_, u); }

  /// Along the gradient, the slope falls to its half gradually and with hardly any gain: the top of a smooth density, as far as rounding
  /// and tolerances go.
  bool is_smooth_top() {
    const double slope = norm(grad_);
    Vec u = grad_;
    for (double& x : u) x /= slope;
    double low = 0, high = 0.1 * kRadius, low_slope = slope, high_slope = slope;
    while ((high_slope = slope_at(u, high)) >= 0.5 * slope) {
      low = high;
      low_slope = high_slope;
      if ((high *= 8) > 1) return false;
    }
    for (int i = 0; i < 6; ++i) {
      const double middle = 0.5 * (low + high), at = slope_at(u, middle);
      (at < 0.5 * slope ? high : low) = middle;
      (at < 0.5 * slope ? high_slope : low_slope) = at;
    }
    return slope * high <= small_gain_ * size() && low_slope - high_slope < 0.25 * slope;
  }

  /// BFGS with the weak Wolfe conditions until it stalls: Going.
  StepStatus climb() {
    QuasiNewton climber(target_, {.search = {.tol_obj = 0, .tol_rel_obj = 0, .tol_grad = 1e-8, .tol_rel_grad = 0, .tol_param = 0, .history_size = 20},
                                  .dense = q_.size() <= kMostDense, .weak = true});
    if (!climber.start(q_)) return StepStatus::Going;
    StepStatus out = StepStatus::Going;
    double before = climber.lp();
    while (out == StepStatus::Going && climber.step() == StepStatus::Going) {
      if (climber.iteration() % kBlock == 0 && !(climber.lp() - before > kProgress * size())) break;
      if (climber.iteration() % kBlock == 0) before = climber.lp();
      if (iterations_ == 0) out = StepStatus::MaxIterations;
      else if (climber.grows_without_bound()) out = StepStatus::Unbounded;
      else --iterations_;
    }
    copy(climber.position(), q_);
    lp_ = target_.gradient(q_, grad_);
    return target_.stopped() ? StepStatus::Stopped : out;
  }

  /// Adds gradients nearby until their hull contains (nearly) 0, or a direction goes up.
  Found look_around() {
    LeastNorm hull;
    hull.add(grad_);
    const double r = radius();
    double largest = norm(grad_);
    while (hull.vectors().size() < kMostGradients && !target_.stopped()) {
      Vec d = hull.find();
      const double length = norm(d);
      if (length <= std::max(kSmallGradient, kHullTolerance * largest)) return name_kinks(hull, r), Found::Kink;
      for (double& x : d) x /= length;
      const double lp = evaluate(d, r), slope = lp == -kInf ? -kInf : dot(trial_grad_, d);
      if (lp - lp_ > 0.1 * r * length) return go_up(d, r);
      if (!(slope < 0.5 * length)) return Found::Nothing;
      largest = std::max(largest, norm(trial_grad_));
      hull.add(trial_grad_);
    }
    return Found::Nothing;
  }

  Found go_up(const Vec& d, double r) {
    double best = lp_;
    Vec far(d);
    double reach = 0;
    for (double t = r; t <= 1; t *= 2) {
      const double lp = evaluate(d, t);
      if (!(lp > best)) break;
      best = lp;
      reach = t;
    }
    if (reach == 0) return Found::Nothing;
    move(evaluate(far, reach));
    return Found::WayUp;
  }

  /// The jump of element i of the gradient across q, from r on either side.
  double jump(std::size_t i, double r) {
    Vec unit(q_.size());
    unit[i] = 1;
    evaluate(unit, -r);
    const double below = trial_grad_[i];
    evaluate(unit, r);
    return below - trial_grad_[i];
  }

  /// How much each element differs between the gradients nearby.
  Vec spreads(const LeastNorm& hull) const {
    Vec low(q_.size(), kInf), high(q_.size(), -kInf);
    for (const Vec& g : hull.vectors())
      for (std::size_t i = 0; i < q_.size(); ++i) low[i] = std::min(low[i], g[i]), high[i] = std::max(high[i], g[i]);
    for (std::size_t i = 0; i < q_.size(); ++i) high[i] -= low[i];
    return high;
  }

  /// Parameters along whose axis the gradient jumps; where there is none, because kinks lie across the axes at different distances,
  /// those whose element of the gradient differs most.
  void name_kinks(const LeastNorm& hull, double r) {
    kinks_.clear();
    const Vec spread = spreads(hull);
    for (std::size_t i = 0; i < q_.size(); ++i) {
      if (spread[i] <= kSmallGradient) continue;
      const double wide = jump(i, 4 * r);
      if (wide > kSmallGradient && jump(i, r) > 0.5 * wide) kinks_.push_back(i);
    }
    if (!kinks_.empty() || is_smooth_top()) return;
    const double largest = *std::ranges::max_element(spread);
    for (std::size_t i = 0; i < q_.size(); ++i)
      if (spread[i] > 0.5 * largest) kinks_.push_back(i);
  }

  Target& target_;
  const double small_gain_;
  unsigned iterations_;
  Vec q_, grad_, trial_, trial_grad_;
  double lp_ = 0;
  std::vector<std::size_t> kinks_;
};

}  // namespace

Ending settle_climb(Target& target, ConstSpan q, StepStatus status, unsigned iterations, double small_gain) {
  return Settler(target, q, iterations, small_gain).settle(status);
}

std::string kink_names(const Model& model, const std::vector<std::size_t>& kinks) {
  const std::vector<std::string> names = model.unconstrained_names();
  std::vector<std::string> out;
  for (const std::size_t i : kinks) out.push_back(pretty_name(names[i]));
  return first_names(out, kMostNames);
}

std::string kink_text(const Model& model, const std::vector<std::size_t>& kinks) {
  if (kinks.empty()) return {};
  return "The density has a kink here in " + kink_names(model, kinks) + ": its gradient jumps there and is not 0.";
}

}  // namespace fermiac::inference
