#include "interp/model/model_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <sstream>

#include "autodiff/linalg/eigen.h"
#include "frontend/check/annotations.h"
#include "inference/model/column_names.h"
#include "interp/model/conditioned_model.h"
#include "interp/model/layout.h"
#include "interp/model/refusal_advice.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "support/base/stop.h"

namespace fermiac::interp {
namespace {

using Point = std::vector<double>;

constexpr int kPoints = 6;
constexpr double kSmall = 0.1, kLarge = 10;  // a scale of 1 is what sampling and default priors expect
constexpr double kFarthest = 1e60;           // on a ray along one coordinate
constexpr double kFarthestTilted = 1e8;      // on others: their direction has an error
constexpr double kFarthestLog = 300;         // where a coordinate is the logarithm of a parameter: squares are finite
constexpr double kDeep = 1000;               // nats below the largest density on the ray: nothing is out there
constexpr double kAsHeavy = 1e-3;            // of a density that falls as 1/x, from one distance to the next
constexpr std::size_t kTailWork = 500'000,
                      kFewestTails = 50;  // each runs a program that grows with the number of all
constexpr std::size_t kMostTilted = 100;   // parameters of a model whose Hessian is looked at
constexpr double kLeastWeight = 0.05;      // of a coordinate in a direction that is told
constexpr double kConstant = 1e-9;         // a column that varies less, relative to its mean, is constant up to rounding
constexpr double kScaleRatio = 1000;
constexpr double kAdjointTolerance = 1e-6;  // relative to the largest entry of the gradient

// ---------------------------------------------------------------- watching statements

/// A program that prints what its target statements see. Every line starts with the number of a row.
struct Watched {
  struct Row {
    Span span;
    std::string kind;  // "argument"; empty: target after the statement
  };
  mir::Program program;
  std::vector<Row> rows;
};

mir::StmtPtr print_value(std::size_t row, const mir::ExprPtr& value, Span span) {
  return mir::internal_stmt({.fn = mir::Internal::FnPrint},
                            {mir::int_lit(static_cast<int>(row)), mir::str_lit(" "), value}, span);
}

bool is_watched_argument(const mir::Expr& e) {
  return !e.ad.any() && e.type.is_number();
}

const mir::FunApp* density_call(const mir::TargetPE& term) {
  const mir::FunApp* call = mir::as_call(*term.value);
  const auto* fn = call ? std::get_if<mir::StanLib>(&call->fn) : nullptr;
  return fn && (fn->suffix == Suffix::Lpdf || fn->suffix == Suffix::Lpmf) ? call : nullptr;
}

/// Real variables among `locals` that an expression reads, by name.
void collect_locals(const mir::ExprPtr& expr, const std::set<std::string>& locals, std::map<std::string, mir::ExprPtr>& out) {
  mir::each_subexpr(*expr, [&](const mir::Expr& e) {
    const mir::Var* variable = mir::as_var(e);
    if (variable && locals.contains(variable->name) && e.type.base() != BaseType::Int && e.type.base() != BaseType::Tuple)
      out.try_emplace(variable->name, std::make_shared<const mir::Expr>(e));
  });
}

mir::StmtPtr watched(const mir::StmtPtr& stmt, std::vector<Watched::Row>& rows) {
  const auto* term = std::get_if<mir::TargetPE>(&stmt->node);
  if (!term) return stmt;
  std::vector<mir::StmtPtr> out;
  if (const mir::FunApp* call = density_call(*term))
    for (std::size_t i = 1; i < call->args.size(); ++i)
      if (is_watched_argument(*call->args[i])) {
        out.push_back(print_value(rows.size(), call->args[i], stmt->span));
        rows.push_back({call->args[i]->span, "argument"});
      }
  out.push_back(stmt);
  const mir::FunctionKind target = mir::StanLib{.fn = Builtin::target, .suffix = Suffix::Target};
  out.push_back(print_value(rows.size(),
                            mir::make_expr(mir::FunApp{target, {}}, BaseType::Real, {.autodiff = true, .slots = {}}),
                            stmt->span));
  rows.push_back({stmt->span, ""});
  return mir::slist(std::move(out), stmt->span);
}

/// What else a program prints before a statement, or after it.
using Watching = mir::StmtPtr (*)(const mir::StmtPtr& stmt, const std::set<std::string>& locals, std::vector<Watched::Row>& rows);

mir::StmtPtr watched_statement(const mir::StmtPtr& stmt, const std::set<std::string>&, std::vector<Watched::Row>& rows) { return watched(stmt, rows); }

mir::StmtPtr watched_locals(const mir::StmtPtr& stmt, const std::set<std::string>& locals, std::vector<Watched::Row>& rows) {
  const auto* term = std::get_if<mir::TargetPE>(&stmt->node);
  if (!term) return stmt;
  std::map<std::string, mir::ExprPtr> read;
  collect_locals(term->value, locals, read);
  std::vector<mir::StmtPtr> out;
  for (const auto& [name, variable] : read) {
    out.push_back(print_value(rows.size(), variable, stmt->span));
    rows.push_back({stmt->span, name});
  }
  out.push_back(stmt);
  return mir::slist(std::move(out), stmt->span);
}

/// Variables that log_prob declares, except parameters.
std::set<std::string> locals_of(const mir::Program& program) {
  std::set<std::string> out;
  for (const mir::StmtPtr& top : program.log_prob)
    mir::each_substmt(*top, [&](const mir::Stmt& s) {
      if (const auto* decl = std::get_if<mir::Decl>(&s.node)) out.insert(decl->id);
    });
  for (const mir::OutputVar& output : program.output_vars)
    if (output.block == mir::BlockKind::Parameters) out.erase(output.name);
  return out;
}

Watched watch(const mir::Program& program, Watching watching) {
  Watched out{program, {}};
  const std::set<std::string> locals = locals_of(program);
  out.program.log_prob =
      mir::rewrite(out.program.log_prob, [&](const mir::StmtPtr& stmt) { return watching(stmt, locals, out.rows); });
  return out;
}

// ---------------------------------------------------------------- the checks

class ModelCheck {
 public:
  ModelCheck(const std::shared_ptr<const CompiledModel>& compiled, const DataSource& data, const Conditioning& conditioning, const std::atomic<bool>* stop)
      : compiled_(compiled), data_(data), conditioning_(conditioning), stop_(stop), own_(bound(compiled)), model_(*own_) {
    Rng rng(1);
    for (int k = 0; k < kPoints; ++k) {
      Point theta(model_.unconstrained_size());
      if (k > 0) std::ranges::generate(theta, [&] { return 2 * rng.uniform() - 1; });
      points_.push_back(std::move(theta));
    }
    owners_ = find_owners();
  }

  std::vector<ModelFinding> run() {
    using Check = void (ModelCheck::*)();
    for (const Check check : {&ModelCheck::watch_statements, &ModelCheck::unfinished_values, &ModelCheck::dead_parameters,
                              &ModelCheck::heavy_tails, &ModelCheck::data_scales, &ModelCheck::adjoints}) {
      (this->*check)();
      ad::stop_if(stop_);  // what was found is not all
    }
    return std::move(findings_);
  }

 private:
  std::unique_ptr<InterpModel> bound(const std::shared_ptr<const CompiledModel>& compiled, PrintSink print = [](std::string_view) {}) const {
    return bound_model(compiled, data_, conditioning_, 1, std::move(print), stop_);
  }
  void found(Span span, std::string text) { findings_.push_back({span, std::move(text)}); }

  /// By unconstrained coordinate: the parameter that it belongs to.
  std::vector<const mir::OutputVar*> find_owners() const {
    std::map<std::string, const mir::OutputVar*> declared;
    for (const mir::OutputVar& output : model_.compiled().program.output_vars) declared[output.name] = &output;
    std::vector<const mir::OutputVar*> out;
    for (const Output& output : model_.outputs())
      if (output.block == mir::BlockKind::Parameters)
        out.insert(out.end(), coordinates(output), declared.at(output.name));
    return out;
  }
  static std::size_t coordinates(const Output& output) { return output.free_count(); }

  // ---- statements

  /// The first term of the density that is not finite, and at how many points.
  struct NotFinite {
    int points = 0;
    std::string what;
  };

  void watch_statements() {
    Watched watched = watch(compiled_->program, watched_statement);
    std::string lines;
    const auto own = bound(copy_of(std::move(watched.program)), [&](std::string_view text) { lines += text; });
    const InterpModel& model = *own;
    std::map<std::size_t, double> constants;
    std::map<std::size_t, NotFinite> broken;
    for (const Point& theta : points_) {
      lines.clear();
      double lp = 0;
      const EvalStatus status = model.log_density_plain(theta, true, &lp);
      if (!status) refusals_.insert_or_assign(status.message, refusals_[status.message] + 1);
      read(lines, watched.rows, constants, broken);
    }
    for (const auto& [row, value] : constants) unscaled(watched.rows[row], value);
    for (const auto& [row, value] : broken)
      not_finite(watched.rows[row].span, value);
    if (std::ranges::any_of(refusals_, [](const auto& r) { return r.first.find("nan") != std::string::npos; })) unassigned_values();
    for (const auto& [message, count] : refusals_)
      findings_.push_back({{}, fmt::format("At {} of {} typical points the model refuses: {}", count, kPoints, with_advice(message)), count == kPoints});
  }

  void not_finite(const Span& span, const NotFinite& value) {
    const bool everywhere = value.points == kPoints;
    const std::string where = everywhere ? fmt::format("each of {} typical points: a run will hardly find a start", kPoints) : "a typical point";
    findings_.push_back({span, fmt::format("This statement makes the log density {} at {}.", value.what, where), everywhere});
  }

  std::string with_advice(const std::string& message) const {
    const std::string advice = refusal_advice(*compiled_, message);
    return advice.empty() ? message : message + ". " + advice;
  }

  std::shared_ptr<const CompiledModel> copy_of(mir::Program program) const {
    auto copy = std::make_shared<CompiledModel>();
    copy->compilation = compiled_->compilation;
    copy->program = std::move(program);
    copy->code = prepare(copy->program);
    return copy;
  }

  /// Locals and transformed parameters that are not a number where a density reads them.
  void unassigned_values() {
    Watched watched = watch(compiled_->program, watched_locals);
    std::string lines;
    const auto model = bound(copy_of(std::move(watched.program)), [&](std::string_view text) { lines += text; });
    double lp = 0;
    if (model->log_density_plain(points_[1], true, &lp)) return;
    std::set<std::string> named;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) {
      char* end = nullptr;
      const std::size_t row = std::strtoul(line.c_str(), &end, 10);
      if (end == line.c_str() || row >= watched.rows.size()) continue;
      const std::string values(end);
      const std::size_t at = values.find("nan");
      if (at == std::string::npos || !named.insert(watched.rows[row].kind).second) continue;
      const bool list = values.find('[') != std::string::npos && values.find("[[") == std::string::npos;
      const std::string element = list ? fmt::format("[{}]", 1 + std::count(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), ',')) : "";
      found(watched.rows[row].span, fmt::format("{}{} has no value here (it is NaN): it is not assigned before this statement, or is computed from something that is not.",
                                                watched.rows[row].kind, element));
    }
  }

  static void read(const std::string& text, const std::vector<Watched::Row>& rows,
                   std::map<std::size_t, double>& constants, std::map<std::size_t, NotFinite>& broken) {
    std::istringstream in(text);
    bool finite = true;
    for (std::string line; std::getline(in, line);) {
      char* end = nullptr;
      const std::size_t row = std::strtoul(line.c_str(), &end, 10);
      if (end == line.c_str() || row >= rows.size()) continue;  // the model's own output
      const double value = std::strtod(end, nullptr);
      if (rows[row].kind.empty()) {
        if (finite && !std::isfinite(value))
          ++broken.try_emplace(row, NotFinite{0, std::isnan(value) ? "undefined" : value > 0 ? "infinite" : "minus infinity"}).first->second.points;
        finite = finite && std::isfinite(value);
      } else if (double& worst = constants.try_emplace(row, value).first->second; distance(value) > distance(worst)) {
        worst = value;
      }
    }
  }

  /// How far from 1, as a factor. Zero is nobody's scale.
  static double distance(double x) { return x == 0 || !std::isfinite(x) ? 0 : std::fabs(std::log(std::fabs(x))); }

  void unscaled(const Watched::Row& row, double value) {
    const double size = std::fabs(value);
    if (size == 0 || (size >= kSmall && size <= kLarge)) return;
    found(row.span,
          fmt::format("Argument {} of a distribution is {} with these data. Scales far from 1 suggest that the model "
                      "is not scaled; a change of units often helps.",
                      compiled_->sources().text(row.span), value));
  }

  void unfinished_values() {
    const auto names = model_.names(true, false);
    Point values(names.size());
    Rng rng(1);
    std::map<std::string, int> bad;
    for (const Point& theta : points_) {
      if (!model_.workspace()->write_array(theta, true, false, rng, values)) continue;
      for (std::size_t i = 0; i < names.size(); ++i)
        if (!std::isfinite(values[i])) ++bad[std::string(inference::variable_of(names[i]))];
    }
    for (const mir::OutputVar& output : compiled_->program.output_vars)
      if (bad.contains(output.name))
        found(output.span, fmt::format("Values of {} are not finite at typical points.", output.name));
  }

  // ---- parameters

  void dead_parameters() {
    const std::size_t n = model_.unconstrained_size();
    std::vector<bool> moves(n);
    int evaluated = 0;
    const auto workspace = model_.workspace();
    for (const Point& theta : points_) {
      double lp = 0;
      Point gradient(n);
      if (!workspace->log_density_gradient(theta, {.propto = false, .jacobian = false}, &lp, gradient)) continue;
      ++evaluated;
      for (std::size_t i = 0; i < n; ++i) moves[i] = moves[i] || gradient[i] != 0;
    }
    if (evaluated < 2) return;
    std::map<const mir::OutputVar*, std::pair<std::size_t, std::size_t>> still;  // of how many
    for (std::size_t i = 0; i < n; ++i) {
      auto& [count, total] = still[owners_[i]];
      count += moves[i] ? 0 : 1;
      ++total;
    }
    for (const auto& [parameter, counts] : still)
      if (parameter && counts.first > 0)
        found(
            parameter->span,
            fmt::format("The density does not depend on {}{} at any of {} points: its gradient is zero.",
                        counts.first < counts.second ? fmt::format("{} of {} elements of ", counts.first, counts.second)
                                                     : "parameter ",
                        parameter->name, evaluated));
  }

  double density_on(const Point& base, const Point& direction, double x) const {
    Point theta = base;
    for (std::size_t i = 0; i < theta.size(); ++i) theta[i] += x * direction[i];
    double lp = 0;
    return model_.log_density_plain(theta, true, &lp) ? lp : std::nan("");
  }

  /// A density that falls no faster than 1/|x| cannot be integrated. It must do so from each of two points in general
  /// position: from a point where all effects of a group are equal, say, a hierarchy has an endless ridge of no volume.
  bool grows(const Point& direction, double sign, double farthest) const {
    return std::ranges::all_of(std::span(points_).subspan(1, 2), [&](const Point& base) { return is_heavy(base, direction, sign, farthest); });
  }
  bool is_log(std::size_t i) const {
    using Kind = mir::TransformKind;
    const Kind kind = owners_[i]->transform.kind;
    return kind != Kind::None && kind != Kind::Offset && kind != Kind::Multiplier && kind != Kind::OffsetMultiplier && kind != Kind::SumToZeroVector && kind != Kind::SumToZeroMatrix;
  }
  double farthest_tilted(const Point& direction) const {
    for (std::size_t i = 0; i < direction.size(); ++i)
      if (std::fabs(direction[i]) > 1e-6 && is_log(i)) return kFarthestLog;
    return kFarthestTilted;
  }
  bool grows(std::size_t i, double sign) const {
    Point axis(model_.unconstrained_size());
    axis[i] = 1;
    return grows(axis, sign, is_log(i) ? kFarthestLog : kFarthest);
  }

  /// The distance doubles (farther out it grows faster) until the density is as good as 0, or cannot be evaluated: the scale of the
  /// model, whatever it is, is passed on the way. What counts is the fall at the end, of the density times the distance.
  bool is_heavy(const Point& base, const Point& direction, double sign, double farthest) const {
    double before = density_on(base, direction, sign), most = before;
    int heavy = 0, steps = 0;
    for (double x = 2, factor = 2; x <= farthest; x *= factor, ++steps) {
      const double mass = density_on(base, direction, sign * x) + std::log(x);
      if (mass == -std::numeric_limits<double>::infinity()) return false;
      if (!std::isfinite(mass)) break;  // numbers overflow, or the program rejects
      most = std::max(most, mass);
      if (mass < most - kDeep) return false;
      heavy = mass - before > -kAsHeavy ? heavy + 1 : 0;
      before = mass;
      if (x > 1e4) factor = 8;
    }
    constexpr int kFewest = 5;
    return steps >= kFewest && heavy >= 3;
  }

  /// Tilted directions in which the density does not bend down: eigenvectors of the Hessian at a point.
  std::vector<Point> flat_directions() const {
    const std::size_t n = model_.unconstrained_size();
    std::vector<Point> out;
    Eigen::MatrixXd curvature(n, n);
    if (n < 2 || n > kMostTilted || !negative_hessian(points_[1], &curvature)) return out;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solved(curvature);
    if (solved.info() != Eigen::Success) return out;
    const double steepest = solved.eigenvalues().cwiseAbs().maxCoeff();
    for (Eigen::Index k = 0; k < solved.eigenvalues().size(); ++k)
      if (solved.eigenvalues()[k] < 1e-6 * steepest) {
        Eigen::VectorXd v = solved.eigenvectors().col(k);
        for (const double distance : {1e2, 1e4, 1e6}) straighten(solved, steepest, distance, v);
        out.emplace_back(v.data(), v.data() + v.size());
      }
    return out;
  }

  /// Takes out of a flat direction what the gradient shows of steep ones at a distance, where errors of the Hessian have grown.
  void straighten(const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>& solved, double steepest, double distance, Eigen::VectorXd& v) const {
    const auto n = points_[1].size();
    Point away = points_[1], here(n), there(n);
    for (std::size_t i = 0; i < n; ++i) away[i] += distance * v[static_cast<Eigen::Index>(i)];
    const auto workspace = model_.workspace();
    double lp = 0;
    if (!workspace->log_density_gradient(points_[1], {}, &lp, here) || !workspace->log_density_gradient(away, {}, &lp, there)) return;
    Eigen::VectorXd change(static_cast<Eigen::Index>(n));  // the negative Hessian times v
    for (std::size_t i = 0; i < n; ++i) change[static_cast<Eigen::Index>(i)] = (here[i] - there[i]) / distance;
    if (!change.allFinite() || change.norm() > 1e-3 * steepest) return;  // not straight at all
    for (Eigen::Index k = 0; k < solved.eigenvalues().size(); ++k) {
      const double curvature = solved.eigenvalues()[k];
      if (curvature > 1e-3 * steepest) v -= solved.eigenvectors().col(k).dot(change) / curvature * solved.eigenvectors().col(k);
    }
  }

  bool negative_hessian(const Point& at, Eigen::MatrixXd* out) const {
    constexpr double kStep = 1e-4;
    const std::size_t n = at.size();
    const auto workspace = model_.workspace();
    for (std::size_t i = 0; i < n; ++i) {
      Point up = at, down = at, above(n), below(n);
      up[i] += kStep, down[i] -= kStep;
      double lp = 0;
      if (!workspace->log_density_gradient(up, {}, &lp, above) || !workspace->log_density_gradient(down, {}, &lp, below)) return false;
      for (std::size_t j = 0; j < n; ++j)
        (*out)(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)) = (below[j] - above[j]) / (2 * kStep);
    }
    *out = 0.5 * (*out + out->transpose()).eval();
    return out->allFinite();
  }

  /// `a (0.71), b (-0.71)`: the coordinates that move most.
  std::string weights_text(const Point& direction) const {
    const std::vector<std::string> names = model_.unconstrained_names();
    std::vector<std::size_t> order(direction.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>{}, [&](std::size_t i) { return std::fabs(direction[i]); });
    std::string out;
    for (std::size_t k = 0; k < std::min<std::size_t>(order.size(), 6) && std::fabs(direction[order[k]]) > kLeastWeight; ++k)
      out += fmt::format("{}{} ({:.2g})", k > 0 ? ", " : "", names[order[k]], direction[order[k]]);
    return out;
  }

  void tilted_tails() {
    for (const Point& direction : flat_directions()) {
      std::size_t moving = 0;
      bool news = false;
      for (std::size_t i = 0; i < direction.size(); ++i) {
        if (std::fabs(direction[i]) <= kLeastWeight) continue;
        ++moving;
        news = news || !std::ranges::count(improper_, owners_[i]);
      }
      const double farthest = farthest_tilted(direction);
      if (moving < 2 || !news || !(grows(direction, 1, farthest) || grows(direction, -1, farthest))) continue;
      found({}, fmt::format("The density hardly falls where parameters move together, in the direction {}, as far out as {:g}: the "
                            "posterior may be improper. Is a prior missing?", weights_text(direction), farthest));
    }
  }

  void heavy_tails() {
    axis_tails();
    tilted_tails();
  }

  void axis_tails() {
    const mir::OutputVar* reported = nullptr;
    const std::size_t tried = std::min(owners_.size(), kFewestTails + kTailWork / (owners_.size() + 1));
    for (std::size_t i = 0; i < tried; ++i) {
      const mir::OutputVar* parameter = owners_[i];
      if (parameter == reported) continue;
      const bool up = grows(i, 1), down = grows(i, -1);
      if (!up && !down) continue;
      reported = parameter;
      improper_.push_back(parameter);
      found(parameter->span,
            fmt::format(
                "The density hardly falls as {} {} without limit: its posterior may be improper. Is a prior missing?",
                parameter->name,
                up && down ? "grows and falls"
                : up       ? "grows"
                           : "moves to its lower end"));
    }
    if (tried < owners_.size())
      found({}, fmt::format("Whether the density falls far out was tried along the first {} of {} coordinates only.",
                            tried, owners_.size()));
  }

  // ---- data

  struct Column {
    std::string name;
    double sd;
  };

  static double deviation(const double* x, std::size_t n) {
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < n; ++i) mean += x[i] / static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) square += (x[i] - mean) * (x[i] - mean);
    const double sd = std::sqrt(square / static_cast<double>(n));
    return sd > kConstant * std::fabs(mean) ? sd : 0;
  }

  void add_columns(const mir::InputVar& input, std::vector<Column>& out) const {
    const auto& slots = model_.compiled().code->global_slots;
    const auto slot = slots.find(input.name);
    if (slot == slots.end()) return;
    const Value& value = model_.globals()[slot->second];
    if (value.kind() != Value::Kind::Reals) return;
    const auto& numbers = value.real_data();
    const bool matrix = input.type.type().is(BaseType::Matrix);
    const std::size_t rows = matrix ? value.shape().rows : numbers.size();
    for (std::size_t first = 0, k = 1; rows > 1 && first + rows <= numbers.size(); first += rows, ++k)
      out.push_back(
          {matrix ? fmt::format("{}[, {}]", input.name, k) : input.name, deviation(numbers.data() + first, rows)});
  }

  void data_scales() {
    std::vector<Column> columns;
    for (const mir::InputVar& input : compiled_->program.input_vars) add_columns(input, columns);
    std::erase_if(columns, [](const Column& c) { return !(c.sd > 0) || !std::isfinite(c.sd); });  // constant: an intercept
    if (columns.size() < 2) return;
    const auto [least, most] = std::ranges::minmax_element(columns, {}, &Column::sd);
    if (most->sd / least->sd < kScaleRatio) return;
    found({}, fmt::format(
                  "Data are on very different scales: {} has standard deviation {:.3g}, {} has {:.3g}. Scaling them "
                  "makes priors easier to choose and sampling faster.",
                  most->name, most->sd, least->name, least->sd));
  }

  // ---- adjoints of user functions

  std::vector<Point> gradients(const InterpModel& model) const {
    std::vector<Point> out;
    const auto workspace = model.workspace();
    for (const Point& theta : points_) {
      double lp = 0;
      Point gradient(theta.size());
      if (!workspace->log_density_gradient(theta, {.propto = false, .jacobian = true}, &lp, gradient)) gradient.clear();
      out.push_back(std::move(gradient));
    }
    return out;
  }

  std::vector<Point> gradients_without(std::size_t function, const std::string& annotation) const {
    mir::Program program = compiled_->program;
    std::erase(program.functions[function].annotations, annotation);
    return gradients(*bound(copy_of(std::move(program))));
  }

  struct Disagreement {
    int points = 0;
    std::size_t entry = 0;
    double with = 0, without = 0;  // where they differ most
  };

  static Disagreement compared(const std::vector<Point>& with, const std::vector<Point>& without) {
    Disagreement out;
    for (std::size_t k = 0; k < with.size(); ++k) {
      if (with[k].empty() || without[k].empty()) continue;
      double scale = 1;
      for (const double g : without[k]) scale = std::max(scale, std::fabs(g));
      bool differs = false;
      for (std::size_t i = 0; i < with[k].size(); ++i) {
        const double difference = std::fabs(with[k][i] - without[k][i]);
        if (difference <= kAdjointTolerance * scale) continue;
        differs = true;
        if (difference > std::fabs(out.with - out.without)) out = {out.points, i, with[k][i], without[k][i]};
      }
      out.points += differs ? 1 : 0;
    }
    return out;
  }

  /// The density with the annotation against the density without: the arguments are those of the model's own calls.
  void adjoints() {
    for (std::size_t i = 0; i < compiled_->program.functions.size(); ++i) {
      const mir::Function& function = compiled_->program.functions[i];
      for (const std::string& annotation : function.annotations) {
        if (check::annotation_name(annotation) != "grad_adj_jac") continue;
        const Disagreement d = compared(gradients(model_), gradients_without(i, annotation));
        if (d.points == 0) continue;
        const mir::OutputVar* parameter = owners_[d.entry];
        found(
            function.span,
            fmt::format("With @{} the gradient differs from that of automatic differentiation at {} of {} points: for "
                        "{} it is {} instead of {}. Does {} return the product of the adjoint and the Jacobian?",
                        annotation, d.points, points_.size(), parameter ? parameter->name : "a parameter", d.with,
                        d.without, function.name));
      }
    }
  }

  std::shared_ptr<const CompiledModel> compiled_;
  const DataSource& data_;
  const Conditioning& conditioning_;
  const std::atomic<bool>* stop_;
  std::unique_ptr<InterpModel> own_;
  const InterpModel& model_;
  std::vector<const mir::OutputVar*> owners_;
  std::vector<Point> points_;
  std::map<std::string, int> refusals_;
  std::vector<const mir::OutputVar*> improper_;  // alone
  std::vector<ModelFinding> findings_;
};

}  // namespace

std::vector<ModelFinding> check_model(const std::shared_ptr<const CompiledModel>& compiled, const DataSource& data,
                                      const Conditioning& conditioning, const std::atomic<bool>* stop) {
  std::vector<ModelFinding> out = site_findings(*compiled, data, conditioning, stop);
  for (ModelFinding& finding : ModelCheck(compiled, data, conditioning, stop).run()) out.push_back(std::move(finding));
  return out;
}

}  // namespace fermiac::interp
