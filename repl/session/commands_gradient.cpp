// :grad, :check-gradient, :hessian, :tape.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>

#include "autodiff/solvers/strictness.h"
#include "autodiff/tape/replay/tape.h"
#include "autodiff/tape/rewrite/rewrite.h"
#include "repl/session/commands.h"
#include "repl/session/gradient.h"
#include "repl/session/session.h"
#include "repl/session/show.h"

namespace fermiac::repl {
namespace {

constexpr std::size_t kMostRows = 40;

std::size_t name_width(const std::vector<std::string>& names) {
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name.size());
  return width;
}

std::string more_rows(std::size_t n) {
  return n > kMostRows ? fmt::format("  … and {} more\n", n - kMostRows) : std::string();
}

/// Of an expression, or of the model where there is none.
std::unique_ptr<const RealFunction> function_of(Session& session, std::string_view text) {
  if (!text.empty()) return std::make_unique<Differentiable>(session.evaluator(), text);
  const LoadedModel& model = session.model();
  if (model.model().unconstrained_size() == 0) throw InputError("the model has no parameters");
  session.tell_older_data();
  return std::make_unique<ModelTarget>(model, session.evaluator());
}

void grad(Session& session, std::string_view arguments) {
  const auto function = function_of(session, arguments);
  const RealFunction& f = *function;
  const RealFunction::Gradient g = f.gradient(f.point());
  std::string out = fmt::format("value = {}\n", number_text(g.value));
  const std::size_t width = name_width(f.names());
  for (std::size_t i = 0; i < std::min(kMostRows, g.slopes.size()); ++i)
    out += fmt::format("  d/d {} = {}\n", padded(f.names()[i], width), number_text(g.slopes[i]));
  session.print(out + more_rows(g.slopes.size()));
}

/// The slope against differences, quick ones first.
inference::Judged judged(const RealFunction& f, std::size_t i, double slope) {
  const inference::DifferenceSlope quick = f.difference(f.point(), i, inference::kQuickSteps);
  const double tolerance = 1e-6 * std::max({1.0, std::fabs(slope), std::fabs(quick.slope)});
  if (agrees(slope, quick, tolerance) || (std::isnan(slope) && std::isnan(quick.slope))) return {inference::Judgement::Difference, quick.slope};
  return inference::judge(
      slope, tolerance, [&] { return f.difference(f.point(), i, inference::kAllSteps); },
      [] { return std::make_shared<ad::StricterSolvers>(inference::kStricter); }, [&] { return f.gradient(f.point()).slopes[i]; });
}

void check(Session& session, std::string_view arguments) {
  const auto function = function_of(session, arguments);
  const RealFunction& f = *function;
  const std::vector<double> tape = f.gradient(f.point()).slopes;
  const std::size_t width = std::max<std::size_t>(name_width(f.names()), 8);
  std::string out = fmt::format("  {} {:>12} {:>12} {:>10}\n", padded("variable", width), "tape", "differences", "error");
  std::size_t wrong = 0, solver = 0;
  for (std::size_t i = 0; i < tape.size(); ++i) {
    const auto [judgement, numeric] = judged(f, i, tape[i]);
    const double error = std::fabs(tape[i] - numeric) / std::max({1.0, std::fabs(tape[i]), std::fabs(numeric)});
    wrong += judgement == inference::Judgement::Slope;
    solver += judgement == inference::Judgement::Solver;
    if (i < kMostRows)
      out += fmt::format("  {} {:>12} {:>12} {:>10}{}\n", padded(f.names()[i], width), number_text(tape[i]), number_text(numeric),
                         error < 1e-8 ? "< 1e-8" : fmt::format("{:.1e}", error), judgement == inference::Judgement::Slope ? "  !" : "");
  }
  out += more_rows(tape.size());
  if (solver > 0) out += fmt::format("{} of {} slopes differ by what the tolerances of solvers leave: where these are smaller, they come together.\n", solver, tape.size());
  session.print(out + (wrong == 0 ? "The gradient agrees with finite differences.\n"
                                  : fmt::format("{} of {} slopes differ.\n", wrong, tape.size())));
  if (wrong > 0) throw InputError("the gradient does not agree with finite differences");
}

void hessian(Session& session, std::string_view arguments) {
  const auto function = function_of(session, arguments);
  const RealFunction& f = *function;
  const std::size_t n = f.names().size();
  if (n > 30) throw InputError(fmt::format("{} variables are too many to show, 30 are not", n));
  const RealFunction::Hessian found = f.hessian(f.point());
  std::vector<double> h = found.values;
  double largest = 0;
  for (const double v : h) largest = std::max(largest, std::fabs(v));
  for (double& v : h)  // differences of gradients are good to about ten digits
    if (!found.why_inexact.empty() && std::fabs(v) < 1e-9 * largest) v = 0;
  const std::size_t width = name_width(f.names());
  std::string out = "  " + std::string(width, ' ');
  for (const std::string& name : f.names()) out += fmt::format(" {:>12}", name);
  out += "\n";
  for (std::size_t i = 0; i < n; ++i) {
    out += "  " + padded(f.names()[i], width);
    for (std::size_t j = 0; j < n; ++j) out += fmt::format(" {:>12}", fmt::format("{:.5g}", h[i * n + j]));
    out += "\n";
  }
  if (!found.why_inexact.empty()) out += fmt::format("(By differences of gradients: {}.)\n", found.why_inexact);
  session.print(out);
}

/// The lines of a dump, with a line for every source place in front of the ops that come from it.
std::string with_places(const std::string& dump, const std::function<std::string(ad::Site)>& place) {
  constexpr std::size_t kMostLines = 60;
  std::string out;
  unsigned last = 0;
  std::size_t lines = 0;
  for (std::size_t at = 0; at < dump.size(); ++lines) {
    if (lines == kMostLines) return out + "…\n";
    const std::size_t end = std::min(dump.find('\n', at), dump.size());
    std::string line = dump.substr(at, end - at);
    at = end + 1;
    unsigned op = 0, site = 0;
    int read = 0;
    if (std::sscanf(line.c_str(), "%u site %u %n", &op, &site, &read) == 2 && read > 0) {
      if (lines == 0 || site != last) out += place(ad::Site{site});
      last = site;
      line = fmt::format("  {:>6}  {}", op, line.substr(static_cast<std::size_t>(read)));
    }
    out += line + "\n";
  }
  return out;
}

std::string operations(const std::string& title, const std::string& dump, std::size_t count,
                       const std::function<std::string(ad::Site)>& place) {
  return fmt::format("{}: {} op{}\n{}", title, count, count == 1 ? "" : "s", with_places(dump, place));
}

std::string operations(const std::string& title, const ad::Trace& trace) {
  const ad::Tape tape{ad::Trace(trace)};
  return operations(title, tape.dump(), tape.op_count(), [](ad::Site) { return std::string(); });
}

void model_tape(Session& session) {
  LoadedModel& m = session.model();
  const interp::InterpModel& model = m.model();
  session.tell_older_data();
  const auto place = [&](ad::Site site) { return m.statement_text(site, session.columns()); };
  const auto dump = [&](const char* title, bool rewrite) {
    interp::EvaluationSettings settings = model.settings();
    settings.rewrite = rewrite;
    const std::string text = model.with_settings(std::move(settings))->dump_tape(m.point(), {});
    const auto ops = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    return operations(title, text, ops, place);
  };
  const std::string recorded = dump("recorded", false);
  session.print(recorded + dump("rewritten", true));
}

void tape(Session& session, std::string_view arguments) {
  if (arguments.empty()) return model_tape(session);
  const Differentiable f(session.evaluator(), arguments);
  ad::Trace trace = f.record(f.point());
  const std::string recorded = operations("recorded", trace);
  ad::rewrite(trace);
  session.print(recorded + operations("rewritten", trace));
}

constexpr Command kTable[] = {
    {"grad", "[EXPR]", "Print value and gradient of an expression, or of the model's target", ":grad normal_lpdf(y | mu, sigma)", grad},
    {"check-gradient", "[EXPR]", "Compare the gradient with finite differences", ":check-gradient normal_lpdf(y | mu, sigma)", check},
    {"hessian", "[EXPR]", "Print the second derivatives", ":hessian normal_lpdf(y | mu, sigma)", hessian},
    {"tape", "[EXPR]", "Print the recorded operations, before and after rewriting", ":tape square(x) + 1", tape},
};

}  // namespace

std::span<const Command> gradient_commands() {
  return kTable;
}

}  // namespace fermiac::repl
