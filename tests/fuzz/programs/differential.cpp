#include "tests/fuzz/programs/differential.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include "autodiff/tape/rewrite/rewrite.h"
#include "interp/model/interp_model.h"
#include "mir/analysis/verify.h"
#include "mir/lower/lower.h"
#include "mir/passes/pass.h"
#include "support/base/render.h"

namespace fermiac::fuzz {
namespace {

using interp::CompiledModel;
using interp::InterpModel;
using Compiled = std::shared_ptr<const CompiledModel>;
using Point = std::vector<double>;

constexpr int kPoints = 4;

/// Thrown by the first check that fails.
struct Found {
  Difference difference;
};

Point point(std::size_t n, int k) {
  Point theta(n);
  for (std::size_t i = 0; i < n; ++i) theta[i] = 0.8 * std::sin(1 + 0.7 * static_cast<double>(i) + 1.3 * k) + 0.05 * k;
  return theta;
}

double largest(const Point& v) {
  double m = 0;
  for (const double x : v) m = std::max(m, std::fabs(x));
  return m;
}

bool close(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::fabs(a - b) <= tolerance;
}

struct Evaluation {
  EvalStatus::Kind kind = EvalStatus::Kind::Ok;
  std::string message;
  double lp = 0;
  Point gradient;
  bool finite() const {
    return kind == EvalStatus::Kind::Ok && std::isfinite(lp) &&
           std::ranges::all_of(gradient, [](double g) { return std::isfinite(g); });
  }
};

struct Bound {
  std::unique_ptr<InterpModel> model;
  std::shared_ptr<std::string> printed = std::make_shared<std::string>();
};

Compiled compiled(const std::string& source) {
  auto out = interp::compile_model({.text = source, .path = "fuzz.stan", .name = "fuzz_model", .include_paths = {}});
  if (!*out) throw Found{{"compile", render_errors(out->sources(), out->diagnostics)}};
  return out;
}

using Stop = std::atomic<bool>;

Bound bound(const Compiled& code, const std::string& data, const std::string& check, const Stop* stop = nullptr) {
  Bound out;
  try {
    out.model = std::make_unique<InterpModel>(
        code, interp::DataSource::parse(data, "data"), 1,
        [sink = out.printed](std::string_view text) { *sink += text; }, stop);
  } catch (const InputError& e) {
    throw Found{{check + ": bind", e.what()}};
  }
  return out;
}

/// The same program and data, evaluated under other settings.
Bound under(const Bound& bound, interp::EvaluationSettings settings) { return {bound.model->with_settings(std::move(settings)), bound.printed}; }

Evaluation plain(const Bound& bound, const Point& theta) {
  Evaluation e;
  const EvalStatus status = bound.model->log_density_plain(theta, true, &e.lp);
  e.kind = status.kind, e.message = status.message;
  return e;
}

Evaluation on_tape(ModelWorkspace& workspace, const Point& theta, bool propto) {
  Evaluation e{.gradient = Point(theta.size())};
  const EvalStatus status =
      workspace.log_density_gradient(theta, {.propto = propto, .jacobian = true}, &e.lp, e.gradient);
  e.kind = status.kind, e.message = status.message;
  return e;
}

std::vector<Evaluation> on_tape(const Bound& bound, const std::vector<Point>& points, bool propto = false) {
  const auto workspace = bound.model->workspace();
  std::vector<Evaluation> out;
  for (const Point& theta : points) out.push_back(on_tape(*workspace, theta, propto));
  return out;
}

void same_status(const std::string& check, const Evaluation& got, const Evaluation& expected) {
  if (got.kind == expected.kind) return;
  throw Found{{check + ": status", fmt::format("status {} ({}) instead of {} ({})", static_cast<int>(got.kind),
                                               got.message, static_cast<int>(expected.kind), expected.message)}};
}

void same_lp(const std::string& check, const Evaluation& got, const Evaluation& expected, double tolerance, int k) {
  same_status(check, got, expected);
  if (got.kind == EvalStatus::Kind::Ok && !close(got.lp, expected.lp, tolerance))
    throw Found{{check + ": lp", fmt::format("{} instead of {} at point {}", got.lp, expected.lp, k)}};
}

void same_gradient(const std::string& check, const Evaluation& got, const Evaluation& expected, double tolerance,
                   int k) {
  if (got.kind != EvalStatus::Kind::Ok || !expected.finite()) return;
  for (std::size_t i = 0; i < expected.gradient.size(); ++i)
    if (!close(got.gradient[i], expected.gradient[i], tolerance))
      throw Found{{check + ": gradient", fmt::format("entry {} is {} instead of {} at point {}", i, got.gradient[i],
                                                     expected.gradient[i], k)}};
}

struct Noise {
  double lp = 0, gradient = 0;

  void include(const Noise& other) {
    lp = std::max(lp, other.lp);
    gradient = std::max(gradient, other.gradient);
  }
};

/// What the program is expected to give at the points, and how much of it is rounding.
struct Expected {
  std::vector<Point> points;
  std::vector<Evaluation> plain, tape;
  std::vector<Noise> tolerance;
};

std::vector<std::string> passes_but(const std::string& name) {
  std::vector<std::string> names;
  for (const ad::RewritePass& pass : ad::rewrite_passes())
    if (pass.name != name) names.emplace_back(pass.name);
  return names;
}

Noise distance(const Evaluation& a, const Evaluation& b) {
  if (!a.finite() || !b.finite()) return {};
  Noise out{std::fabs(a.lp - b.lp), 0};
  for (std::size_t i = 0; i < a.gradient.size(); ++i)
    out.gradient = std::max(out.gradient, std::fabs(a.gradient[i] - b.gradient[i]));
  return out;
}

/// Rounding errors in sums with cancellation show when the point moves by a few units in the last place.
Noise noise_nearby(ModelWorkspace& workspace, const Point& theta, const Evaluation& here) {
  const double ulp = std::numeric_limits<double>::epsilon();
  Noise noise;
  for (const double factor : {1 - 3 * ulp, 1 + 4 * ulp, 1 - 11 * ulp}) {
    Point moved = theta;
    for (double& x : moved) x *= factor;
    noise.include(distance(on_tape(workspace, moved, false), here));
  }
  return noise;
}

/// What is left of values at equal distances in their sixth differences, where smooth functions vanish, scaled to the
/// error of one value (Moré, Wild, "Estimating computational noise", SIAM J. Sci. Comput. 33, 2011). The lower
/// quartile, so that a kink between two of the places does not count as noise.
double difference_noise(std::vector<double> values) {
  constexpr int kOrder = 6;
  for (int order = 0; order < kOrder; ++order) {
    for (std::size_t i = 0; i + 1 < values.size(); ++i) values[i] = values[i + 1] - values[i];
    values.pop_back();
  }
  for (double& v : values) v = std::fabs(v);
  const auto quartile = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 4);
  std::ranges::nth_element(values, quartile);
  return *quartile * std::sqrt(720.0 * 720.0 / 479001600.0);  // (6!)^2 / 12!
}

/// Rounding that does not change when the point moves by a few units in the last place: 1 - inv_logit(30) has lost most
/// of its digits, and loses others only a good way off. What better conditioned expressions give differs by that much.
Noise noise_around(ModelWorkspace& workspace, const Point& theta) {
  constexpr int kPlaces = 16;
  constexpr double kStep = 2e-4;
  std::vector<double> lps;
  std::vector<std::vector<double>> gradients(theta.size());
  for (int place = 0; place < kPlaces; ++place) {
    Point moved = theta;
    for (double& x : moved) x *= 1 + kStep * (place - kPlaces / 2);
    const Evaluation there = on_tape(workspace, moved, false);
    if (!there.finite()) return {};
    lps.push_back(there.lp);
    for (std::size_t i = 0; i < theta.size(); ++i) gradients[i].push_back(there.gradient[i]);
  }
  Noise noise{difference_noise(lps), 0};
  for (const std::vector<double>& g : gradients) noise.gradient = std::max(noise.gradient, difference_noise(g));
  return noise;
}

/// What generated quantities give.
struct Written {
  EvalStatus::Kind kind;
  std::string message;
  Point values;
};

struct Reference {
  const GeneratedProgram& program;
  Compiled original;
  Expected expected;
  std::vector<Written> written;
  std::vector<Point> written_noise;
  std::string printed;
  const Stop* stop = nullptr;
};

/// Every operation of this thread rounds in another direction as long as it lives.
class Rounding {
 public:
  explicit Rounding(int direction) { std::fesetround(direction); }
  ~Rounding() { std::fesetround(FE_TONEAREST); }
  Rounding(const Rounding&) = delete;
  Rounding& operator=(const Rounding&) = delete;
};

constexpr int kDirections[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

/// Where rounding decides whether the density is finite (log of 1 - inv_logit(37)), nothing is expected of its value.
Noise effect_of_rounding(const Evaluation& there, const Evaluation& here) {
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  return there.finite() == here.finite() ? distance(there, here) : Noise{kUnknown, kUnknown};
}

/// Rounding of the text as written, terms without parameters and numbers that it spells out included: all of it once
/// more with other directions of rounding (Kahan, "How futile are mindless assessments of roundoff in floating-point
/// computation?", 2006, section 8).
std::vector<Noise> noise_of_directions(const Reference& reference, const Expected& e) {
  std::vector<Noise> out(e.points.size());
  for (const int direction : kDirections) {
    const Rounding rounding(direction);
    const Bound again = under(bound(reference.original, reference.program.data, "rounding", reference.stop), {.rewrite = false});
    const std::vector<Evaluation> there = on_tape(again, e.points);
    for (std::size_t k = 0; k < out.size(); ++k) out[k].include(effect_of_rounding(there[k], e.tape[k]));
  }
  return out;
}

void measure_noise(const Reference& reference, const Bound& raw, Expected& e) {
  e.tolerance = noise_of_directions(reference, e);
  for (std::size_t k = 0; k < e.points.size(); ++k) {
    const auto workspace = raw.model->workspace();
    Noise& noise = e.tolerance[k];
    noise.include(noise_nearby(*workspace, e.points[k], e.tape[k]));
    noise.include(noise_around(*workspace, e.points[k]));
    noise.lp = 1e-11 * std::max(1.0, std::fabs(e.plain[k].lp)) + 100 * noise.lp;
    noise.gradient = 1e-10 * std::max(1.0, largest(e.tape[k].gradient)) + 100 * noise.gradient;
  }
}

Expected expectation(const Reference& reference, const Bound& bound) {
  Expected e;
  for (int k = 0; k < kPoints; ++k) e.points.push_back(point(bound.model->unconstrained_size(), k));
  for (const Point& theta : e.points) e.plain.push_back(plain(bound, theta));
  const Bound raw = under(bound, {.rewrite = false});
  e.tape = on_tape(raw, e.points);
  measure_noise(reference, raw, e);
  for (std::size_t k = 0; k < e.points.size(); ++k)
    same_lp("tape as recorded", e.tape[k], e.plain[k], e.tolerance[k].lp, static_cast<int>(k));
  return e;
}

/// `slack`: what better conditioned expressions may differ by, relative to the values.
void compare(const std::string& check, const std::vector<Evaluation>& got, const Expected& e, double slack = 0) {
  for (std::size_t k = 0; k < e.points.size(); ++k) {
    const Evaluation &lp = e.plain[k], &gradient = e.tape[k];
    same_lp(check, got[k], lp, e.tolerance[k].lp + slack * std::fabs(lp.lp), static_cast<int>(k));
    same_gradient(check, got[k], gradient, e.tolerance[k].gradient + slack * largest(gradient.gradient), static_cast<int>(k));
  }
}

void check_dropped(const std::string& check, const Bound& bound, const Expected& e) {
  const std::vector<Evaluation> dropped = on_tape(bound, e.points, true);
  for (std::size_t k = 0; k < e.points.size(); ++k) {
    same_status(check, dropped[k], e.tape[k]);
    same_gradient(check, dropped[k], e.tape[k], e.tolerance[k].gradient, static_cast<int>(k));
  }
}

void check_rewrites(const Bound& bound, const Expected& e) {
  for (const ad::RewritePass& pass : ad::rewrite_passes()) {
    const std::string name(pass.name);
    compare("only " + name, on_tape(under(bound, {.skipped_passes = passes_but(name)}), e.points), e);
    compare("without " + name, on_tape(under(bound, {.skipped_passes = {name}}), e.points), e);
  }
  compare("all rewrites", on_tape(bound, e.points), e);
  check_dropped("propto", bound, e);
  compare("tiles", on_tape(under(bound, {.short_tiles = true}), e.points), e);
}

/// Whatever can be there, and tiles for chains of it. Its elementary functions are others.
void check_device(const Bound& bound, const Expected& e, const std::shared_ptr<ad::device::DeviceUse>& device) {
  constexpr double kSlack = 1e-10;
  for (const bool tiles : {false, true})
    compare("device", on_tape(under(bound, {.short_tiles = tiles, .device = device}), e.points), e, kSlack);
}

void check_direct(const Bound& bound, const Expected& e) {
  const Bound direct = under(bound, {.tapes = false});
  compare("without tape", on_tape(direct, e.points), e);
  check_dropped("without tape, propto", direct, e);
}

/// Fourth-order difference; NaN where the density is not smooth enough for one.
double slope(const Bound& bound, Point theta, std::size_t i, double h) {
  const double x = theta[i];
  const auto at = [&](double shift) {
    theta[i] = x + shift;
    const Evaluation e = plain(bound, theta);
    return e.kind == EvalStatus::Kind::Ok ? e.lp : std::nan("");
  };
  return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
}

void check_differences(const Bound& bound, const Expected& e) {
  for (const std::size_t k : {0u, 2u}) {
    if (!e.tape[k].finite()) continue;
    const double scale = std::max(1.0, largest(e.tape[k].gradient));
    for (std::size_t i = 0; i < e.points[k].size(); ++i) {
      const double coarse = slope(bound, e.points[k], i, 1e-3), fine = slope(bound, e.points[k], i, 2e-4);
      const double tolerance = 1e-6 * scale + 1e4 * e.tolerance[k].lp + 4 * std::fabs(coarse - fine);
      if (!std::isfinite(fine) || std::fabs(coarse - fine) > 1e-4 * scale) continue;  // a kink or a jump near by
      if (!close(e.tape[k].gradient[i], fine, tolerance))
        throw Found{{"differences", fmt::format("gradient entry {} is {}, differences give {} at point {}", i,
                                                e.tape[k].gradient[i], fine, k)}};
    }
  }
}

// ---------------------------------------------------------------- middle end

Written written(ModelWorkspace& workspace, const Point& theta, std::size_t columns) {
  Written out{EvalStatus::Kind::Ok, "", Point(columns)};
  Rng rng(7);
  const EvalStatus status = workspace.write_array(theta, true, true, rng, out.values);
  out.kind = status.kind, out.message = status.message;
  return out;
}

/// By nodes: a workspace's first draw.
Written written(const Bound& bound, const Point& theta) {
  return written(*bound.model->workspace(), theta, bound.model->names(true, true).size());
}

/// `noise`: null for exact passes. Others may differ by `slack` relative to the value, or to 1 where that is more.
void same_written(const std::string& check, const Written& got, const Written& expected, const Point* noise,
                  double slack = 1e-8) {
  if (got.kind != expected.kind)
    throw Found{{check + ": write status", got.message + " instead of " + expected.message}};
  if (got.kind != EvalStatus::Kind::Ok) return;
  for (std::size_t i = 0; i < got.values.size(); ++i) {
    const double tolerance = noise ? slack * std::max(1.0, std::fabs(expected.values[i])) + 100 * (*noise)[i] : 0;
    if (!close(got.values[i], expected.values[i], tolerance))
      throw Found{
          {check + ": written", fmt::format("value {} is {} instead of {}", i, got.values[i], expected.values[i])}};
  }
}

using Transformation = std::function<bool(mir::Program&)>;  // true: exact

void check_program(const std::string& check, const Reference& reference, const Transformation& transform, bool tape) {
  auto copy = std::make_shared<CompiledModel>();
  copy->compilation = reference.original->compilation;
  copy->program = reference.original->program;
  const bool exact = transform(copy->program);
  if (const auto broken = mir::verify(copy->program)) throw Found{{check + ": verify", *broken}};
  try {
    copy->code = interp::prepare(copy->program);
  } catch (const ProgramError& e) {
    throw Found{{check + ": prepare", e.what()}};
  }
  const Bound now = bound(copy, reference.program.data, check, reference.stop);
  const Expected& e = reference.expected;
  for (std::size_t k = 0; k < e.points.size(); ++k) {
    same_lp(check, plain(now, e.points[k]), e.plain[k], exact ? 0 : e.tolerance[k].lp + 1e-9 * std::fabs(e.plain[k].lp),
            static_cast<int>(k));
    same_written(check, written(now, e.points[k]), reference.written[k], exact ? nullptr : &reference.written_noise[k]);
  }
  if (exact && *now.printed != reference.printed)
    throw Found{{check + ": print", *now.printed + "instead of\n" + reference.printed}};
  if (tape) compare(check + " on the tape", on_tape(now, e.points), e, 1e-9);
}

void check_back_end(const mir::Program& lowered, mir::OptLevel level) {
  mir::Program program = mir::transform_for_backend(mir::Program(lowered));
  mir::PassContext context{.keep_draws = true};
  mir::optimise(program, level, context, [](const mir::Step& step, const mir::Program& now) {
    if (const auto broken = mir::verify(now))
      throw Found{{"back end: verify", std::string(step.pass->name) + ": " + *broken}};
  });
}

/// How far rounding in other directions takes what is written. Draws that jump are no rounding.
Point written_noise(const Reference& reference, const Point& theta, const Written& here) {
  Point noise(here.values.size());
  for (const int direction : kDirections) {
    const Rounding rounding(direction);
    const Bound again = bound(reference.original, reference.program.data, "rounding", reference.stop);
    const Written there = written(again, theta);
    if (there.kind != here.kind) continue;
    for (std::size_t i = 0; i < noise.size(); ++i) {
      const double moved = std::fabs(there.values[i] - here.values[i]);
      if (moved < 1e-3 * std::fabs(here.values[i])) noise[i] = std::max(noise[i], moved);
    }
  }
  return noise;
}

void check_middle_end(Reference& reference, const Bound& bound) {
  for (const Point& theta : reference.expected.points) {
    plain(bound, theta);
    reference.written.push_back(written(bound, theta));
    reference.written_noise.push_back(written_noise(reference, theta, reference.written.back()));
  }
  reference.printed = *bound.printed;
  for (const mir::Pass* pass : mir::all_passes())
    check_program(
        "pass " + std::string(pass->name), reference,
        [&](mir::Program& program) {
          mir::PassContext context{.keep_draws = true};
          pass->run(program, context);
          return pass->exact;
        },
        false);
  for (const mir::OptLevel level : {mir::OptLevel::O1, mir::OptLevel::Oexperimental}) {
    check_program(
        level == mir::OptLevel::O1 ? "O1" : "Oexperimental", reference,
        [&](mir::Program& program) {
          mir::PassContext context{.keep_draws = true};
          mir::optimise(program, level, context, [](const mir::Step& step, const mir::Program& now) {
            if (const auto broken = mir::verify(now))
              throw Found{{"level: verify", std::string(step.pass->name) + ": " + *broken}};
          });
          return false;
        },
        true);
    check_back_end(reference.original->program, level);
  }
}

// ---------------------------------------------------------------- draws by a tape

/// Many draws of one workspace, which records them after the first ones.
void check_draws(const std::string& check, const Reference& reference, const Bound& bound, bool exact) {
  const auto workspace = bound.model->workspace();
  const std::size_t columns = bound.model->names(true, true).size();
  bound.printed->clear();
  for (int round = 0; round < 3; ++round)
    for (std::size_t k = 0; k < reference.expected.points.size(); ++k) {
      const Written got = written(*workspace, reference.expected.points[k], columns);
      same_written(check, got, reference.written[k], exact ? nullptr : &reference.written_noise[k], 1e-12);
      if (got.message != reference.written[k].message)
        throw Found{{check + ": message", got.message + " instead of " + reference.written[k].message}};
    }
}

void check_draws(const Reference& reference, const Bound& bound) {
  check_draws("draws by nodes", reference, under(bound, {.tapes = false}), true);
  const std::string printed = *bound.printed;
  for (const bool rewritten : {false, true}) {
    const std::string check = rewritten ? "draws by a tape" : "draws by a tape as recorded";
    check_draws(check, reference, under(bound, {.rewrite = rewritten}), false);  // short containers are recorded number by number
    if (*bound.printed != printed) throw Found{{check + ": print", *bound.printed + "instead of\n" + printed}};
  }
}

void check_all(const GeneratedProgram& program, const CheckOptions& options, const Stop& stop) {
  Reference reference{program, compiled(program.source), {}, {}, {}, {}, &stop};
  const Bound original = bound(reference.original, program.data, "plain", &stop);
  reference.expected = expectation(reference, original);
  if (options.differences) check_differences(original, reference.expected);
  if (options.tape) check_rewrites(original, reference.expected);
  if (options.device) check_device(original, reference.expected, options.device);
  if (options.tape) check_direct(original, reference.expected);
  if (!options.middle_end) return;
  const Bound again = bound(reference.original, program.data, "plain", &stop);
  check_middle_end(reference, again);
  check_draws(reference, again);
}

/// Sets `stop` when the time is over; evaluators look at it in every round of a loop.
class Alarm {
 public:
  Alarm(double seconds, Stop& stop) {
    if (seconds <= 0) return;
    thread_ = std::jthread([this, seconds, &stop](const std::stop_token& token) {
      std::unique_lock lock(mutex_);
      const auto limit = std::chrono::duration<double>(seconds);
      if (!done_.wait_for(lock, token, limit, [] { return false; }) && !token.stop_requested()) stop = true;
    });
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any done_;
  std::jthread thread_;  // last: it ends before what it uses
};

}  // namespace

std::optional<Difference> first_difference(const GeneratedProgram& program, const CheckOptions& options) {
  Stop stop = false;
  const Alarm alarm(options.seconds, stop);
  std::optional<Difference> out;
  try {
    check_all(program, options, stop);
  } catch (const Found& found) {
    out = found.difference;
  } catch (const std::exception& e) {
    out = Difference{"exception", e.what()};
  }
  if (stop) return std::nullopt;
  return out;
}

std::string replayed(const GeneratedProgram& program) {
  std::string out;
  try {
    const Bound model = bound(compiled(program.source), program.data, "replay");
    std::vector<Point> points;
    for (int k = 0; k < kPoints; ++k) points.push_back(point(model.model->unconstrained_size(), k));
    for (const Evaluation& e : on_tape(model, points)) {
      out += fmt::format("{} {:a}", static_cast<int>(e.kind), e.lp);
      for (const double g : e.gradient) out += fmt::format(" {:a}", g);
      out += "\n";
    }
  } catch (const Found&) {
  }
  return out;
}

}  // namespace fermiac::fuzz
