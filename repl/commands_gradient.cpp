// :grad, :check, :hessian, :tape.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "autodiff/tape/rewrite.h"
#include "autodiff/tape/tape.h"
#include "repl/commands.h"
#include "repl/gradient.h"
#include "repl/session.h"
#include "repl/show.h"

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

void grad(Session& session, std::string_view arguments) {
  const Differentiable f(session.evaluator(), arguments);
  const Differentiable::Gradient g = f.gradient(f.point());
  std::string out = fmt::format("value = {}\n", number_text(g.value));
  const std::size_t width = name_width(f.names());
  for (std::size_t i = 0; i < std::min(kMostRows, g.slopes.size()); ++i)
    out += fmt::format("  d/d {} = {}\n", padded(f.names()[i], width), number_text(g.slopes[i]));
  session.print(out + more_rows(g.slopes.size()));
}

void check(Session& session, std::string_view arguments) {
  const Differentiable f(session.evaluator(), arguments);
  const std::vector<double> tape = f.gradient(f.point()).slopes, numeric = f.differences(f.point());
  const std::size_t width = std::max<std::size_t>(name_width(f.names()), 8);
  std::string out = fmt::format("  {} {:>12} {:>12} {:>10}\n", padded("variable", width), "tape", "differences", "error");
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < tape.size(); ++i) {
    const double error = std::fabs(tape[i] - numeric[i]) / std::max({1.0, std::fabs(tape[i]), std::fabs(numeric[i])});
    const bool bad = !(error < 1e-6) && !(std::isnan(tape[i]) && std::isnan(numeric[i]));
    wrong += bad;
    if (i < kMostRows)
      out += fmt::format("  {} {:>12} {:>12} {:>10}{}\n", padded(f.names()[i], width), number_text(tape[i]),
                         number_text(numeric[i]), error < 1e-8 ? "< 1e-8" : fmt::format("{:.1e}", error), bad ? "  !" : "");
  }
  out += more_rows(tape.size());
  session.print(out + (wrong == 0 ? "The gradient agrees with finite differences.\n"
                                  : fmt::format("{} of {} slopes differ.\n", wrong, tape.size())));
  if (wrong > 0) throw failure("the gradient does not agree with finite differences");
}

void hessian(Session& session, std::string_view arguments) {
  const Differentiable f(session.evaluator(), arguments);
  const std::size_t n = f.names().size();
  if (n > 30) throw failure(fmt::format("{} variables are too many to show, 30 are not", n));
  std::vector<double> h = f.hessian(f.point());
  double largest = 0;
  for (const double v : h) largest = std::max(largest, std::fabs(v));
  for (double& v : h)  // differences of gradients are good to about ten digits
    if (std::fabs(v) < 1e-9 * largest) v = 0;
  const std::size_t width = name_width(f.names());
  std::string out = "  " + std::string(width, ' ');
  for (const std::string& name : f.names()) out += fmt::format(" {:>12}", name);
  out += "\n";
  for (std::size_t i = 0; i < n; ++i) {
    out += "  " + padded(f.names()[i], width);
    for (std::size_t j = 0; j < n; ++j) out += fmt::format(" {:>12}", fmt::format("{:.5g}", h[i * n + j]));
    out += "\n";
  }
  session.print(out);
}

std::string operations(const std::string& title, const ad::Trace& trace) {
  const ad::Tape tape{ad::Trace(trace)};
  std::string dump = tape.dump();
  constexpr std::size_t kMostLines = 60;
  std::size_t lines = 0, at = 0;
  while (at < dump.size() && lines < kMostLines) {
    at = std::min(dump.find('\n', at), dump.size() - 1) + 1;
    ++lines;
  }
  const bool cut = at < dump.size();
  dump.resize(at);
  return fmt::format("{}: {} op{}\n{}{}", title, tape.op_count(), tape.op_count() == 1 ? "" : "s", dump,
                     cut ? "…\n" : "");
}

void tape(Session& session, std::string_view arguments) {
  if (arguments.empty()) {
    LoadedModel& m = session.model();
    interp::InterpModel& model = m.model();
    model.set_rewrite(false);
    const std::string before = model.dump_tape(m.point(), {});
    model.set_rewrite(true);
    const std::string after = model.dump_tape(m.point(), {});
    const auto head = [](const std::string& text) {
      std::size_t at = 0;
      for (int lines = 0; lines < 40 && at != std::string::npos; ++lines) at = text.find('\n', at) == std::string::npos ? text.size() : text.find('\n', at) + 1;
      return at < text.size() ? text.substr(0, at) + "…\n" : text;
    };
    session.print("recorded:\n" + head(before) + "rewritten:\n" + head(after));
    return;
  }
  const Differentiable f(session.evaluator(), arguments);
  ad::Trace trace = f.record(f.point());
  const std::string recorded = operations("recorded", trace);
  ad::rewrite(trace);
  session.print(recorded + operations("rewritten", trace));
}

constexpr Command kTable[] = {
    {"grad", "EXPR", "value and gradient by the real variables in it", ":grad normal_lpdf(y | mu, sigma)", grad},
    {"check", "EXPR", "the gradient against finite differences", ":check normal_lpdf(y | mu, sigma)", check},
    {"hessian", "EXPR", "second derivatives", ":hessian normal_lpdf(y | mu, sigma)", hessian},
    {"tape", "[EXPR]", "recorded operations, before and after rewriting", ":tape square(x) + 1", tape},
};

}  // namespace

std::span<const Command> gradient_commands() {
  return kTable;
}

}  // namespace fermiac::repl
