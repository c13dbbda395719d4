// :plot, :sample, :hist, :trace, :pairs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "inference/model/column_names.h"
#include "inference/output/csv.h"
#include "repl/session/commands.h"
#include "repl/session/distribution.h"
#include "repl/session/draws.h"
#include "repl/session/plot.h"
#include "repl/session/program_text.h"
#include "repl/session/session.h"
#include "repl/session/show.h"

namespace fermiac::repl {
namespace {

// ---------------------------------------------------------------- :plot

constexpr int kGrid = 241;

/// What is left of a line behind the labels of the axis.
int plot_columns(const Session& session) {
  constexpr int kLabels = 14, kWidest = 120;  // two dots a column, as many as there are points
  return std::clamp(static_cast<int>(session.columns()) - kLabels, 16, session.options().terminal ? kWidest : kPlotColumns);
}

void show(Session& session, const Picture& picture) {
  session.display({.mime = "image/svg+xml", .data = [&] { return picture_svg(picture); }, .text = picture_text(picture, plot_columns(session))});
}

void show_histogram(Session& session, const std::vector<double>& values) {
  const std::optional<Picture> picture = histogram(values, plot_columns(session));
  if (picture) show(session, *picture);
  session.print((picture ? "" : "no finite values\n") + summary_of(values));
}

std::string end_text(double x) {
  return std::isinf(x) ? (x > 0 ? "∞" : "-∞") : fmt::format("{:.4g}", x);
}

std::string facts_text(const DistributionFacts& f) {
  const double scale = f.quantile(.95) - f.quantile(.05);
  // Close to 0 between negative and positive values a number is 0 up to the accuracy of the quadrature.
  const double zero = (f.low < 0 && f.high > 0 ? 2e-6 : 1e-10) * scale;
  const auto text = [&](double x) { return fmt::format("{:.4g}", std::fabs(x) < zero ? 0.0 : x); };
  const auto moment = [&](const std::optional<double>& m) { return m ? text(*m) : std::string("undefined"); };
  std::string out = fmt::format("  mean {}   sd {}   support {} to {}\n  quantiles", moment(f.mean), moment(f.sd),
                                end_text(f.low), end_text(f.high));
  for (const double p : {0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975})
    out += fmt::format("  {:g}% {}", 100 * p, text(f.quantile(p)));
  out += "\n";
  if (!(std::fabs(f.total - 1) < 1e-3))
    out += fmt::format("  The {} to {:.4g}, not to 1.\n", f.discrete ? "masses sum" : "density integrates", f.total);
  return out;
}

Range shown(const DistributionFacts& f) {
  Range x{f.quantile(.001), f.quantile(.999)};
  // Heavy tails would leave a spike.
  if (x.high - x.low > 8 * (f.quantile(.95) - f.quantile(.05))) x = {f.quantile(.025), f.quantile(.975)};
  // An end of the support that is close by belongs to the picture.
  const double close = 0.1 * (x.high - x.low);
  return {x.low - f.low < close ? f.low : x.low, f.high - x.high < close ? f.high : x.high};
}

void plot_distribution(Session& session, const DistributionCall& call) {
  Distribution distribution(session.evaluator(), call);
  const DistributionFacts facts = distribution.explore();
  const Range x = shown(facts);
  Points points;
  double most = 0;
  if (facts.discrete) {
    const double step = std::max(1.0, std::floor((x.high - x.low) / 240));
    for (double v = x.low; v <= x.high; v += step) points.emplace_back(v, std::exp(distribution.log_density(v)));
    for (const auto& [v, p] : points) most = std::max(most, p);
    show(session, {.kind = Picture::Kind::Bars, .curves = {std::move(points)}, .x = x, .y = {0, most}});
    return session.print(facts_text(facts));
  }
  for (int i = 0; i < kGrid; ++i) {
    const double v = x.low + (x.high - x.low) * i / (kGrid - 1);
    points.emplace_back(v, std::exp(distribution.log_density(v)));
  }
  // A density that rises without bound is cut off.
  std::vector<double> heights;
  for (auto& [v, p] : points) heights.push_back(std::isfinite(p) ? p : 0);
  std::sort(heights.begin(), heights.end());
  most = heights.back();
  if (const double usual = heights[kGrid - 4]; most > 4 * usual) most = usual;
  for (auto& [v, p] : points)
    if (std::isnan(p)) p = 0;
    else p = std::min(p, most);
  show(session, {.kind = Picture::Kind::Area, .curves = {std::move(points)}, .x = x, .y = {0, most}});
  session.print(facts_text(facts));
}

/// `:plot EXPR of x` with x running from -5 to 5, or `:plot EXPR, LOW, HIGH`.
void plot_expression(Session& session, std::string_view arguments) {
  std::vector<std::string> parts = split_arguments(arguments, ",");
  Evaluator& e = session.evaluator();
  Range x{-5, 5};
  if (parts.size() != 1 && parts.size() != 3) throw InputError("what? :plot normal(0, 1), or :plot EXPRESSION OF x, LOW, HIGH");
  const auto number = [&](const std::string& text) {
    const Typed v = e.evaluate(text);
    if (v.value.is_int()) return static_cast<double>(v.value.as_int());
    if (!v.type.is(BaseType::Real)) throw InputError("the range of x is given by two numbers");
    return v.value.as_real();
  };
  if (parts.size() == 3) x = {number(parts[1]), number(parts[2])};
  if (!(x.low < x.high)) throw InputError("the range of x is empty");
  const std::optional<Typed> before = e.find("x") ? std::optional(*e.find("x")) : std::nullopt;
  struct Restore {
    Evaluator& e;
    const std::optional<Typed>& before;
    ~Restore() {
      if (before) e.set("x", *before);
      else e.forget("x");
    }
  } const restore{e, before};
  e.set("x", {BaseType::Real, interp::Value(x.low)});
  ast::ExprPtr expr = e.parse_expression(parts[0]);
  const Type type = e.check(*expr);
  if (!type.is_number())
    throw InputError(fmt::format("a curve needs an expression of type real, this one has type {}", type.str()));
  const Evaluator::Prepared prepared = e.prepare(e.lower(std::move(expr)));
  Points points;
  std::optional<InputError> first_error;
  Range y{INFINITY, -INFINITY};
  for (int i = 0; i < kGrid; ++i) {
    const double at = x.low + (x.high - x.low) * i / (kGrid - 1);
    e.set("x", {BaseType::Real, interp::Value(at)});
    double value = std::nan("");
    try {
      const interp::Value v = e.run(prepared).result;
      value = v.is_int() ? v.as_int() : v.as_real();
    } catch (const InputError& failed) {
      if (!first_error) first_error = failed;
    }
    if (std::isfinite(value)) y = {std::min(y.low, value), std::max(y.high, value)};
    points.emplace_back(at, value);
  }
  if (!(y.low <= y.high)) throw first_error.value_or(InputError("the expression is finite nowhere in this range"));
  show(session, {.kind = Picture::Kind::Lines, .curves = {std::move(points)}, .x = x, .y = y});
}

void plot(Session& session, std::string_view arguments) {
  if (const auto call = parse_distribution(session.evaluator(), arguments)) return plot_distribution(session, *call);
  plot_expression(session, arguments);
}

// ---------------------------------------------------------------- :sample

std::vector<double> numbers_of(const interp::Value& v) {
  std::vector<double> out;
  switch (v.kind()) {
    case interp::Value::Kind::Int: out.push_back(v.as_int()); break;
    case interp::Value::Kind::Real: out.push_back(v.as_real()); break;
    case interp::Value::Kind::Ints: out.assign(v.int_data().begin(), v.int_data().end()); break;
    case interp::Value::Kind::Reals: out.assign(v.real_data().data(), v.real_data().data() + v.real_data().size()); break;
    default: break;
  }
  return out;
}

void sample_distribution(Session& session, const DistributionCall& call, std::size_t n) {
  const std::vector<Typed> draws = draw(session.evaluator(), call, n);
  const std::size_t width = numbers_of(draws.front().value).size();
  std::vector<std::vector<double>> columns(width);
  for (const Typed& d : draws) {
    const std::vector<double> x = numbers_of(d.value);
    for (std::size_t k = 0; k < width; ++k) columns[k].push_back(x[k]);
  }
  if (width == 1) return show_histogram(session, columns[0]);
  std::string out = fmt::format("{} draws of {}\n  {:>7} {:>10} {:>10} {:>10} {:>10} {:>10}\n", n,
                                shape_text(draws.front().type, draws.front().value), "element", "mean", "sd", "5%", "50%", "95%");
  for (std::size_t k = 0; k < width; ++k) {
    std::sort(columns[k].begin(), columns[k].end());
    const Moments m = moments(columns[k]);
    out += fmt::format("  {:>7} {:>10.4g} {:>10.4g} {:>10.4g} {:>10.4g} {:>10.4g}\n", k + 1, m.mean, m.sd,
                       quantile(columns[k], .05), quantile(columns[k], .5), quantile(columns[k], .95));
  }
  session.print(out);
}

void sample(Session& session, std::string_view arguments) {
  const auto call = parse_distribution(session.evaluator(), arguments);
  if (!call) return sample_model(session, arguments);
  const std::string_view rest = arguments.substr(arguments.find_last_of(')') + 1);
  std::size_t n = 1000;
  if (rest.find_first_not_of(' ') != std::string_view::npos) {
    const Typed count = session.evaluator().evaluate(rest);
    if (!count.value.is_int() || count.value.as_int() < 1) throw InputError("how many draws? a positive int was expected");
    n = static_cast<std::size_t>(count.value.as_int());
  }
  if (n > 10'000'000) throw InputError("at most 10000000 draws");
  sample_distribution(session, *call, n);
}

// ---------------------------------------------------------------- :hist, :trace, :pairs

std::string first_element(const inference::ChainSet& draws, std::string_view name) {
  for (const std::string& column : draws.names)
    if (const std::string pretty = inference::pretty_name(column); pretty.starts_with(std::string(name) + "[")) return pretty;
  return {};
}

[[noreturn]] void refuse_elements(std::string_view what, const std::string& example, std::size_t elements) {
  throw InputError(fmt::format("the draws of {} have {} elements: name one of them, as {} does", what, elements, example));
}

/// A column of the draws by its name.
std::optional<std::size_t> column_named(const inference::ChainSet& draws, std::string_view name) {
  for (std::size_t i = 0; i < draws.names.size(); ++i)
    if (draws.names[i] == name || inference::pretty_name(draws.names[i]) == name) return i;
  std::size_t elements = 0;
  for (const std::string& column : draws.names) elements += inference::pretty_name(column).starts_with(std::string(name) + "[");
  if (elements > 0) refuse_elements(name, first_element(draws, name), elements);
  return std::nullopt;
}

/// The chains of a quantity of the draws, a column or an expression at every draw; nothing if the text is about no draws.
std::vector<std::vector<double>> chains_of(Session& session, std::string_view text) {
  const Draws* draws = session.draws();
  if (!draws) return {};
  if (const auto column = column_named(draws->chains(), text)) {
    session.tell_older_draws();
    return draws->chains().column(*column);
  }
  Evaluator& e = session.evaluator();
  DrawScope scope(e, *draws, text);
  if (!scope.mentions_any()) return {};
  session.tell_older_draws();
  const DrawnExpression drawn = over_draws(e, *draws, scope, e.parse_expression(text), text);
  if (drawn.chains.names.size() != 1) refuse_elements(text, fmt::format("({})[1]", text), drawn.chains.names.size());
  return drawn.chains.column(0);
}

std::vector<double> pooled(const std::vector<std::vector<double>>& chains) {
  std::vector<double> out;
  for (const auto& chain : chains) out.insert(out.end(), chain.begin(), chain.end());
  return out;
}

void hist(Session& session, std::string_view arguments) {
  std::vector<double> values = pooled(chains_of(session, arguments));
  if (values.empty()) values = numbers_of(session.evaluator().evaluate(arguments).value);
  if (values.empty()) throw InputError("there are no numbers in it");
  show_histogram(session, values);
}

void trace(Session& session, std::string_view arguments) {
  std::vector<std::vector<double>> chains = chains_of(session, arguments);
  if (chains.empty()) {
    if (!session.evaluator().find(std::string(arguments))) session.some_draws();
    chains.push_back(numbers_of(session.evaluator().evaluate(arguments).value));
  }
  const std::optional<Picture> picture = trace_picture(chains);
  if (!picture) throw InputError("there are no finite numbers in it");
  show(session, *picture);
}

/// `mu, tau`, or `mu tau` of two names.
void pairs(Session& session, std::string_view arguments) {
  std::vector<std::string> parts = split_arguments(arguments, ",");
  if (parts.size() == 1) parts = split_arguments(arguments, " ");
  if (parts.size() != 2) throw InputError("two quantities are expected, with a comma between them: :pairs mu, log(tau)");
  std::array<std::vector<double>, 2> values;
  for (std::size_t i = 0; i < 2; ++i) {
    parts[i] = trimmed(parts[i]);
    values[i] = pooled(chains_of(session, parts[i]));
    if (values[i].empty()) values[i] = numbers_of(session.evaluator().evaluate(parts[i]).value);
  }
  if (values[0].size() != values[1].size())
    throw InputError(fmt::format("{} has {} numbers, {} has {}", parts[0], values[0].size(), parts[1], values[1].size()));
  Points points;
  for (std::size_t i = 0; i < values[0].size(); ++i) points.emplace_back(values[0][i], values[1][i]);
  const std::optional<Picture> picture = dots(std::move(points));
  if (!picture) throw InputError("there are no finite numbers in it");
  session.print(fmt::format("{} against {}\n", parts[1], parts[0]));
  show(session, *picture);
}

constexpr Command kTable[] = {
    {"plot", "DIST(…) | EXPR, LOW, HIGH", "Plot the density or mass of a distribution, or a curve over x", ":plot normal(0, 1)", plot},
    {"sample", "[DIST(…) N | chains=4 …]", "Draw from a distribution, or sample the model with NUTS", ":sample normal(0, 1) 1000", sample},
    {"hist", "NAME | EXPR", "Plot a histogram of draws, or of the elements of a container", ":hist mu", hist},
    {"traceplot", "NAME | EXPR", "Plot draws, or the elements of a container, in order", ":traceplot mu", trace},
    {"pairs", "EXPR, EXPR", "Plot the draws of two quantities against each other", ":pairs mu, log(tau)", pairs},
};

}  // namespace

std::span<const Command> picture_commands() {
  return kTable;
}

}  // namespace fermiac::repl
