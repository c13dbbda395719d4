// :model, :data, :params, :lp, :explain, :optimize, :device, :summary.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "frontend/ast/blocks.h"
#include "inference/methods/settings.h"
#include "inference/model/column_names.h"
#include "inference/output/csv.h"
#include "inference/output/posterior_table.h"
#include "interp/io/data_files.h"
#include "interp/io/print.h"
#include "mir/text/text.h"
#include "plugins/opencl/device.h"
#include "repl/session/commands.h"
#include "repl/session/session.h"
#include "repl/session/show.h"
#include "support/base/json.h"

namespace fermiac::repl {
namespace {

void model(Session& session, std::string_view arguments) {
  if (!arguments.empty()) return session.load_model_file(one_file(arguments, ":model loads the program in"));
  std::string text = session.model().text();
  session.print(text.ends_with('\n') ? text : text + "\n");
}

void new_model(Session& session, std::string_view) {
  session.new_model();
}

void reload(Session& session, std::string_view) {
  session.reload_model();
}

void edit(Session& session, std::string_view) {
  session.edit_model();
}

void save(Session& session, std::string_view arguments) {
  session.save_model(std::string(arguments));
}

void data(Session& session, std::string_view arguments) {
  session.bind_data(file_list(arguments));
}

// ---------------------------------------------------------------- :params

std::string transform_text(const mir::Transform& t) {
  using Kind = mir::TransformKind;
  const auto bound = [](const char* name, const mir::ExprPtr& e) { return fmt::format("{}={}", name, mir::to_pretty(*e)); };
  switch (t.kind) {
    case Kind::None: return "";
    case Kind::Lower: return bound("lower", t.first);
    case Kind::Upper: return bound("upper", t.first ? t.first : t.second);
    case Kind::LowerUpper: return bound("lower", t.first) + ", " + bound("upper", t.second);
    case Kind::Offset: return bound("offset", t.first);
    case Kind::Multiplier: return bound("multiplier", t.first ? t.first : t.second);
    case Kind::OffsetMultiplier: return bound("offset", t.first) + ", " + bound("multiplier", t.second);
    case Kind::Ordered: return "ordered";
    case Kind::PositiveOrdered: return "positive ordered";
    case Kind::Simplex: return "simplex";
    case Kind::UnitVector: return "unit vector";
    case Kind::SumToZeroVector:
    case Kind::SumToZeroMatrix: return "sums to zero";
    case Kind::CholeskyCorr: return "Cholesky factor of a correlation matrix";
    case Kind::CholeskyCov: return "Cholesky factor of a covariance matrix";
    case Kind::Correlation: return "correlation matrix";
    case Kind::Covariance: return "covariance matrix";
    case Kind::StochasticColumn: return "columns are simplexes";
    case Kind::StochasticRow: return "rows are simplexes";
  }
  return "";
}

void params(Session& session, std::string_view) {
  LoadedModel& m = session.model();
  const interp::InterpModel& bound = m.model();
  session.tell_older_data();
  std::string out = fmt::format("  {:<16} {:<24} {:>5}  {}\n", "name", "type", "free", "constraint");
  const auto& outputs = bound.outputs();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].block != mir::BlockKind::Parameters) continue;
    std::vector<std::string> free;
    const std::size_t n = outputs[i].held ? outputs[i].free_count() : outputs[i].unconstrained.elements();
    std::string line = fmt::format("  {:<16} {:<24} {:>5}  {}", outputs[i].name, outputs[i].type.str(), n,
                                   transform_text(bound.compiled().program.output_vars[i].transform));
    while (line.ends_with(' ')) line.pop_back();
    out += line + "\n";
  }
  out += fmt::format("{} unconstrained in all\n", bound.unconstrained_size());
  for (const mir::BlockKind block : {mir::BlockKind::TransformedParameters, mir::BlockKind::GeneratedQuantities}) {
    std::string list;
    for (const auto& output : outputs)
      if (output.block == block) list += (list.empty() ? "" : ", ") + output.name + " : " + output.type.str();
    if (!list.empty()) out += fmt::format("{}: {}\n", ast::block_name(block), list);
  }
  session.print(out);
}

// ---------------------------------------------------------------- :lp

constexpr std::string_view kConstants = "terms that depend on no parameter";

/// `mu = 1, tau = 2` (constrained), or `[0.1, 0.2]` (unconstrained).
void move_point(Session& session, std::string_view arguments) {
  LoadedModel& m = session.model();
  if (arguments.front() == '[') {
    std::vector<std::vector<double>> points;
    points = interp::parse_points(arguments, "the point");
    if (points.size() != 1 || points[0].size() != m.point().size())
      throw InputError(fmt::format("as many numbers as the model has unconstrained parameters were expected, which is {}", m.point().size()));
    m.point() = points[0];
    return;
  }
  std::string json;
  JsonGroup values(json, JsonGroup::Kind::Object);
  for (const std::string& assignment : split_arguments(arguments, ",")) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos)
      throw InputError(fmt::format("'{}' is neither NAME = VALUE nor a list of unconstrained values [a, b, …]", assignment));
    std::string name = assignment.substr(0, equals);
    std::erase(name, ' ');
    const auto& outputs = m.model().outputs();
    const auto parameter = std::ranges::find_if(outputs, [&](const auto& o) { return o.name == name && o.block == mir::BlockKind::Parameters; });
    if (parameter == outputs.end()) throw InputError(fmt::format("the model has no parameter '{}'", name));
    if (!parameter->written()) throw InputError(fmt::format("{} has the value that it was given (:conditioning shows it)", name));
    const Typed value = session.evaluator().evaluate(assignment.substr(equals + 1));
    values.member(name) += interp::json_text({}, value.value);
  }
  values.end();
  m.move_to(json);
}

std::vector<std::string> pretty(std::vector<std::string> names) {
  for (std::string& name : names) name = inference::pretty_name(name);
  return names;
}

std::string point_text(const LoadedModel& m, std::size_t width) {
  std::vector<std::string> names;
  std::vector<double> values;
  for (const auto& [name, value] : m.constrained_point()) names.push_back(name), values.push_back(value);
  return names.empty() ? std::string() : wrapped("at", grouped_numbers(names, values, {}), width);
}

/// What is marked of a statement whose elements do not simply count.
std::string weight_text(const Contribution& part) {
  if (part.least == part.most) return part.least == 1 ? std::string() : fmt::format("  weight {}", number_text(part.least));
  return fmt::format("  weights {} to {}", number_text(part.least), number_text(part.most));
}

/// One row per statement: line, text, value, and the slopes that are not zero.
std::string contributions_text(const Breakdown& b, const std::vector<std::string>& names, std::size_t width) {
  std::size_t text_width = b.constant != 0 ? columns_of(kConstants) : 0;
  for (const Contribution& part : b.parts) text_width = std::max(text_width, columns_of(part.text));
  std::string out;
  for (const Contribution& part : b.parts) {
    const std::string line = part.line == 0 ? std::string() : std::to_string(part.line);
    out += fmt::format("  {:>4}  {} {:>12}", line, padded(part.text, text_width), number_text(part.value)) + weight_text(part);
    const auto slopes = grouped_numbers(names, part.gradient, {.equals = " ", .digits = 4, .zeros = false});
    const std::size_t used = 2 + 4 + 2 + text_width + 1 + 12 + weight_text(part).size() + 2;
    if (!slopes.empty()) out += "  " + one_line(fmt::format("{}", fmt::join(slopes, ", ")), std::max<std::size_t>(width, used + 20) - used);
    out += "\n";
  }
  if (b.constant != 0) out += fmt::format("        {} {:>12}\n", padded(kConstants, text_width), number_text(b.constant));
  return out;
}

void lp(Session& session, std::string_view arguments) {
  LoadedModel& m = session.model();
  m.model();
  session.tell_older_data();
  if (!arguments.empty()) move_point(session, arguments);
  const Breakdown b = m.breakdown(session.evaluator());
  const std::size_t width = session.columns();
  const std::vector<std::string> names = pretty(m.model().unconstrained_names());
  std::string out = point_text(m, width) + contributions_text(b, names, width);
  const auto bad = std::ranges::find_if(b.parts, [](const Contribution& c) {
    return !std::isfinite(c.value) || std::ranges::any_of(c.gradient, [](double g) { return !std::isfinite(g); });
  });
  if (!b.error.empty()) {
    session.print(out);
    const std::string advice = m.model().refusal_advice(b.error);
    throw InputError(fmt::format("the density cannot be evaluated here: {}\n{}", b.error, advice));
  }
  out += fmt::format("lp = {}, with Jacobian and all constants\n", number_text(b.lp));
  if (!names.empty())
    out += wrapped("gradient on the unconstrained scale:", grouped_numbers(names, b.gradient, {.equals = " "}), width);
  if (bad != b.parts.end())
    out += fmt::format("The first statement that is not finite is in line {}: {}\n", bad->line, bad->text);
  session.print(out);
}

void explain(Session& session, std::string_view arguments) {
  const bool all = take_flag(arguments, "elements");
  if (!arguments.empty()) throw InputError(fmt::format("'{}' is not elements; :lp NAME = VALUE moves the point", arguments));
  const LoadedModel& m = session.model();
  m.model();
  session.tell_older_data();
  session.print(point_text(m, session.columns()) + m.explanation(session.evaluator(), all));
}

// ---------------------------------------------------------------- runs

void optimize(Session& session, std::string_view arguments) {
  inference::OptimizeOptions o;
  o.seed = session.next_seed();
  for (const std::string& option : split_arguments(arguments, " ,")) {
    if (option == "jacobian") o.jacobian = true;
    else if (option == "newton") o.algorithm = inference::OptimizeOptions::Algorithm::Newton;
    else throw InputError(fmt::format("'{}' is none of jacobian, newton", option));
  }
  session.model();
  session.tell_older_data();
  const LoadedModel::Optimum best = session.model().optimize(o, session.options().stop);
  std::string out = fmt::format("lp__ = {:.8g}\n", best.lp);
  for (const std::string& line : grouped_numbers(pretty(best.names), best.values, {})) out += line + "\n";
  session.print(out);
}

void summary(Session& session, std::string_view arguments) {
  const inference::ChainSet* draws = &session.some_draws().chains();
  session.tell_older_draws();
  const auto all = inference::summarise(*draws);
  std::string unknown;
  const auto columns = inference::select_columns(all, split_arguments(arguments, " ,"), &unknown);
  if (!columns) throw InputError(fmt::format("the draws have no '{}'{}", unknown, inference::similar_name(unknown, all)));
  const std::size_t width = session.columns();
  const inference::PosteriorStyle style{.width = width, .all = !arguments.empty(), .rest = ":summary {}"};
  const inference::Method* const method = inference::find_method(draws->method);
  if (method && method->output == inference::Method::Output::Draws)  // no chain that could disagree with another
    return session.print(inference::draws_table(*columns, style));
  session.display({.mime = "text/html",
                   .data = [&] { return inference::posterior_html(*columns, style); },
                   .text = inference::posterior_text(*draws, *columns, style)});
  if (arguments.empty()) {
    const std::string verdict = inference::verdict(inference::find_problems(*draws, all));
    session.print(inference::filled(with_options_of_session(verdict), width));
  }
}

/// Alone: what there is.
void device(Session& session, std::string_view arguments) {
  if (arguments.empty()) return session.print(device_table(list_devices()));
  session.model().use_device(std::string(arguments), session.evaluator());
  session.print(fmt::format("device: {}\n", session.model().device()));
}

constexpr Command kTable[] = {
    {"model", "[FILE]", "Load a Stan program; alone: show its text", ":model eight_schools.stan", model},
    {"reload", "", "Reload the model's file, with the data of the session", ":reload", reload},
    {"edit", "", "Edit the model in $VISUAL or $EDITOR and load the result", ":edit", edit},
    {"save", "FILE", "Save the model's text to a file, which becomes the model's file", ":save model.stan", save},
    {"clear-model", "", "Remove the model and its data", ":clear-model", new_model},
    {"data", "[FILE…]", "Bind data: JSON, tables, R dumps and variables of the session", ":data eight_schools.json", data},
    {"params", "", "List the parameters with types, sizes and constraints", ":params", params},
    {"lp", "[NAME = VALUE, … | [A, …]]", "Print the target by statement, with gradients", ":lp mu = 1, tau = 2", lp},
    {"explain", "[elements]", "Show each statement's contribution to the log density and gradient", ":explain", explain},
    {"optimize", "[jacobian] [newton]", "Find the mode and move the point of :lp there", ":optimize", optimize},
    {"device", "[CHOICE]", "Choose the device: none, auto, gpu, cpu or opencl:PLATFORM:DEVICE; alone: list devices", ":device gpu", device},
    {"summary", "[NAME…]", "Summarize all or some of the draws, with warnings", ":summary", summary},
};

}  // namespace

std::span<const Command> model_commands() {
  return kTable;
}

}  // namespace fermiac::repl
