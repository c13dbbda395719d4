#include "interp/queries/line_differences.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "interp/queries/trace.h"

namespace fermiac::interp {
namespace {

constexpr double kRounding = 1e-12;  // relative: what varies less is constant

/// Count, mean and squares of deviations of numbers that come one by one; zeros ahead of the first are told by their count.
struct Moments {
  double n = 0, mean = 0, squares = 0;
  void add(double x) {
    n += 1;
    const double d = x - mean;
    mean += d / n;
    squares += d * (x - mean);
  }
  double sd() const { return n > 1 ? std::sqrt(squares / (n - 1)) : 0; }
};

struct Line {
  std::shared_ptr<const mir::Site> site;
  std::string what;
  double here = 0;  // at the draw at hand
  Moments chosen, others;
};

double standardised(const Line& line, double sd) {
  const double distance = line.chosen.mean - line.others.mean;
  const double size = std::max(std::abs(line.chosen.mean), std::abs(line.others.mean));
  if (!(std::abs(distance) > kRounding * size)) return std::isnan(distance) ? distance : 0;
  return sd > kRounding * size ? distance / sd : std::copysign(std::numeric_limits<double>::infinity(), distance);
}

class LineComparison {
 public:
  void add(const ConditionedModel& model, const Trace& trace, bool chosen) {
    for (auto& [number, line] : lines_) line.here = 0;
    for (const TracedElement& e : trace.elements)
      if (e.weight != 0) at(e.site->number, e.site, {}).here += e.weight * e.lp;
    for (std::size_t k = 0; k < trace.components.size(); ++k)
      at(kNoSite + k, nullptr, summed_out(model, trace.components[k])).here += trace.components[k].lp;
    if (trace.jacobian != 0) at(kNoSite - 1, nullptr, "log Jacobian of the constraints").here += trace.jacobian;
    ++(chosen ? chosen_ : others_);
    for (auto& [number, line] : lines_) (chosen ? line.chosen : line.others).add(line.here);
  }

  std::vector<LineDifference> differences() const {
    std::vector<LineDifference> out;
    for (const auto& [number, line] : lines_) {
      const double sd = line.others.sd();
      out.push_back({line.site, line.what, line.chosen.mean, line.others.mean, sd, standardised(line, sd)});
    }
    const auto size = [](const LineDifference& d) { return std::isnan(d.difference) ? std::numeric_limits<double>::infinity() : std::abs(d.difference); };
    std::ranges::stable_sort(out, std::greater<>(), size);
    return out;
  }

  std::size_t chosen() const { return chosen_; }
  std::size_t others() const { return others_; }

 private:
  static constexpr std::size_t kNoSite = std::size_t{1} << 40;  // above the numbers of all sites

  static std::string summed_out(const ConditionedModel& model, const TracedComponent& c) {
    return model.conditioned().numbers().text(c.unknown) + " summed out";
  }

  /// A line that no draw before had added 0 to each.
  Line& at(std::size_t number, const std::shared_ptr<const mir::Site>& site, std::string what) {
    const auto [found, fresh] = lines_.try_emplace(number);
    if (!fresh) return found->second;
    Line& line = found->second;
    line.site = site;
    line.what = std::move(what);
    line.chosen.n = static_cast<double>(chosen_);
    line.others.n = static_cast<double>(others_);
    return line;
  }

  std::map<std::size_t, Line> lines_;
  std::size_t chosen_ = 0, others_ = 0;
};

}  // namespace

EvalStatus line_differences(const ConditionedModel& model, const std::vector<std::vector<double>>& draws, const std::vector<bool>& is_chosen,
                            LineDifferences* out) {
  *out = {};
  LineComparison comparison;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    Trace at_draw;
    EvalStatus status = trace(model, draws[i], true, false, &at_draw);
    if (status.kind == EvalStatus::Kind::Fatal || status.kind == EvalStatus::Kind::Interrupted) return status;
    if (status) comparison.add(model, at_draw, is_chosen[i]);
    else ++out->failed;
  }
  out->lines = comparison.differences();
  out->chosen = comparison.chosen();
  out->others = comparison.others();
  return {};
}

}  // namespace fermiac::interp
