#include "interp/queries/explain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "inference/model/column_names.h"
#include "inference/output/csv.h"
#include "interp/queries/trace.h"
#include "support/base/text.h"
#include "support/base/json.h"
#include "support/base/text_table.h"

namespace fermiac::interp {
namespace {

constexpr std::size_t kWidest = 48;       // of a statement or a name
constexpr std::size_t kMostNumbers = 10;  // of a point

// ---------------------------------------------------------------- tables

std::string number_text(double x) { return std::isnan(x) ? "nan" : fmt::format("{:.5g}", x); }  // of no sign

struct Shown {
  std::string line;  // empty: no statement
  std::string text;
};

Shown shown(const ConditionedModel& model, const std::shared_ptr<const mir::Site>& site, const std::string& what) {
  if (!site) return {{}, one_line(what, kWidest)};
  return {std::to_string(model.conditioned().place(*site).line), one_line(model.compiled().sources().text(site->span), kWidest)};
}

/// `3.1`, `[1, 2]`, `(100 numbers)`
std::string value_text(const Value& value);

/// `(0.5, [1, 2])`, an array of them in brackets.
std::string tuple_text(const Value& value) {
  std::string out;
  for (const Value& part : value.values()) out += (out.empty() ? "" : ", ") + value_text(part);
  return value.kind() == Value::Kind::Tuple ? "(" + out + ")" : "[" + out + "]";
}

std::string value_text(const Value& value) {
  if (value.kind() == Value::Kind::Real) return fmt::format("{:.4g}", value.as_real());
  if (value.kind() == Value::Kind::Tuple || value.kind() == Value::Kind::Tuples) return tuple_text(value);
  if (value.kind() != Value::Kind::Reals) return value_json(value);
  const std::uint32_t n = value.shape().scalars();
  if (n > kMostNumbers) return fmt::format("({} numbers)", n);
  std::string out;
  for (std::uint32_t k = 0; k < n; ++k) out += fmt::format("{}{:.4g}", k > 0 ? ", " : "", value.real_data()[k]);
  return "[" + out + "]";
}

class Names {
 public:
  explicit Names(const ConditionedModel& model) : names_(model.unconstrained_names()) {}
  const std::string& of(const Pull& pull) const { return names_[pull.parameter]; }
  std::string text(const Contribution& share) const {
    std::string out;
    for (const Pull& pull : share.pulls)
      if (!std::isnan(pull.gradient)) out += fmt::format("{}{} {:+.3g}", out.empty() ? "" : ", ", inference::pretty_name(of(pull)), pull.gradient);
    return out;
  }

 private:
  std::vector<std::string> names_;
};

std::string norm_text(const Contribution& share) { return share.has_gradient ? number_text(share.norm) : ""; }

void add_line(TextTable& table, const ConditionedModel& model, const Names& names, const ExplainedLine& line) {
  const Shown place = shown(model, line.site, line.what);
  table.add({place.line, place.text, number_text(line.share.lp), norm_text(line.share), names.text(line.share)});
  for (const ExplainedElement& e : line.largest)
    table.add({"", "  " + one_line(e.name, kWidest - 2), number_text(e.share.lp), norm_text(e.share), names.text(e.share)});
  if (const std::size_t more = line.elements - line.largest.size(); line.elements > 1 && more > 0)
    table.add({"", fmt::format("  … and {} more", more), "", "", ""});
}

/// Of JSON: a number in few digits, all else as it is.
std::string short_text(const std::string& json) {
  double x = 0;
  const auto [end, error] = std::from_chars(json.data(), json.data() + json.size(), x);
  return error == std::errc() && end == json.data() + json.size() ? fmt::format("{:.6g}", x) : json;
}

std::string operands_text(const std::vector<std::pair<std::string, std::string>>& operands) {
  std::string out;
  for (const auto& [name, value] : operands) out += (out.empty() ? "" : ", ") + (name.empty() ? "" : name + " = ") + short_text(value);
  std::erase(out, '"');  // numbers that are not finite are texts in JSON
  return out;
}

std::string statement_at(const ConditionedModel& model, ad::Site site) {
  const Span span = model.compiled().code->sites[index_of(site)];
  return one_line(model.compiled().sources().text(span), kWidest);
}

/// `y[1] = 3.2; arguments of uniform: alpha = 0, beta = 0.3`: names of arguments may be names of parameters too.
std::string evaluated_with(const BadElement& e) {
  if (e.arguments.empty()) return {};
  const auto rest = std::vector(e.arguments.begin() + 1, e.arguments.end());
  return operands_text({e.arguments.front()}) + (rest.empty() ? "" : "; arguments of " + e.site->distribution + ": " + operands_text(rest));
}

std::string element_heading(const BadElement& e) {
  const std::string what = e.site->distribution.empty() ? "the term" : e.site->distribution;
  return e.name.empty() ? what : what + " of " + e.name;
}

}  // namespace

std::string problem_text(const ConditionedModel& model, const Explanation& x) {
  std::string out;  // in the order of the evaluation
  if (x.bad_value)
    out += fmt::format("the first value that is not finite: {}({}) is {}: {}{}\n", x.bad_value->function, operands_text(x.bad_value->operands),
                       number_text(x.bad_value->value), statement_at(model, x.bad_value->site), model.compiled().place(x.bad_value->site));
  if (x.bad_element) {
    const std::string with = evaluated_with(*x.bad_element);
    out += fmt::format("{} {}{}{}\n", element_heading(*x.bad_element), x.status ? "is not finite" : "cannot be evaluated",
                       with.empty() ? "" : ": " + with, model.conditioned().place_text(*x.bad_element->site));
  }
  if (!x.status) out += "the point is refused: " + x.status.message + "\n";
  return out;
}

std::string point_text(const ConditionedModel& model, std::span<const double> theta) {
  const std::vector<Value> values = model.parameter_values(theta);
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i) out += fmt::format("{}{} = {}", i > 0 ? ", " : "at ", model.outputs()[i].name, value_text(values[i]));
  return values.empty() ? out : out + "\n";
}

std::string explanation_text(const ConditionedModel& model, const Explanation& x) {
  const Names names(model);
  std::string out = problem_text(model, x);
  if (x.lines.empty()) return out.empty() ? "the program adds nothing to target\n" : out;
  TextTable table({"line", "-statement", "adds", "gradient", "-pulls most on"});
  for (const ExplainedLine& line : x.lines) add_line(table, model, names, line);
  table.add({"", x.status ? "target" : "up to there", number_text(x.target.lp), norm_text(x.target), names.text(x.target)});
  return out + table.text();
}

std::string differences_text(const ConditionedModel& model, const LineDifferences& differences) {
  TextTable table({"line", "-statement", "divergent", "others", "sd", "difference / sd"});
  for (const LineDifference& d : differences.lines) {
    const Shown place = shown(model, d.site, d.what);
    table.add({place.line, place.text, number_text(d.mean_chosen), number_text(d.mean_others), number_text(d.sd_others),
               fmt::format("{:+.2f}", d.difference)});
  }
  return table.text();
}

namespace {

const ExplainedLine* same_line(const Explanation& x, const ExplainedLine& line) {
  for (const ExplainedLine& other : x.lines)
    if (other.site == line.site && other.what == line.what) return &other;
  return nullptr;
}

double change_of(const ExplainedLine& there, const ExplainedLine* before) { return there.share.lp - (before ? before->share.lp : 0); }

}  // namespace

std::string change_text(const ConditionedModel& model, const Explanation& before, const Explanation& there) {
  const auto size = [&](const ExplainedLine& line) {
    const double change = change_of(line, same_line(before, line));
    return std::isfinite(change) ? std::abs(change) : std::numeric_limits<double>::infinity();
  };
  std::vector<ExplainedLine> lines = there.lines;
  std::ranges::stable_sort(lines, std::greater<>(), size);
  TextTable table({"line", "-statement", "before", "there", "change", "gradient before", "-pulling most on"});
  const Names names(model);
  for (const ExplainedLine& line : lines) {
    const Shown place = shown(model, line.site, line.what);
    const ExplainedLine* was = same_line(before, line);
    table.add({place.line, place.text, was ? number_text(was->share.lp) : "", number_text(line.share.lp),
               fmt::format("{:+.5g}", change_of(line, was)), was ? norm_text(was->share) : "", was ? names.text(was->share) : ""});
  }
  return problem_text(model, there) + table.text();
}

// ---------------------------------------------------------------- JSON

namespace {

using Kind = JsonGroup::Kind;

void put_place(JsonGroup& object, const ConditionedModel& model, const std::shared_ptr<const mir::Site>& site, const std::string& what) {
  if (!site) {
    object.member("what") += json_quote(what);
    return;
  }
  const SitePlace place = model.conditioned().place(*site);
  object.member("line") += std::to_string(place.line);
  object.member("column") += std::to_string(place.column);
  object.member("statement") += json_quote(on_one_line(model.compiled().sources().text(site->span)));
}

void put_share(JsonGroup& object, const Names& names, const Contribution& share) {
  object.member("lp") += json_number(share.lp);
  if (!share.has_gradient) return;
  object.member("gradient") += json_number(share.norm);
  JsonGroup pulls(object.member("pulls"), Kind::Object);
  for (const Pull& pull : share.pulls) pulls.member(names.of(pull)) += json_number(pull.gradient);
  pulls.end();
}

using Operand = std::pair<std::string, std::string>;

/// `is_json`: as the values of numbers are; else they are texts.
void put_operand(std::string& out, const Operand& operand, bool is_json) {
  JsonGroup object(out, Kind::Object);
  if (!operand.first.empty()) object.member("name") += json_quote(operand.first);
  object.member("value") += is_json ? operand.second : json_quote(operand.second);
  object.end();
}

void put_operands(std::string& out, std::span<const Operand> operands, bool is_json) {
  JsonGroup list(out, Kind::Array);
  for (const Operand& operand : operands) put_operand(list.item(), operand, is_json);
  list.end();
}

}  // namespace

std::string explanation_json(const ConditionedModel& model, std::span<const double> theta, const Explanation& x) {
  const Names names(model);
  std::string out;
  JsonGroup all(out, Kind::Object);
  JsonGroup point(all.member("point"), Kind::Object);
  const std::vector<Value> values = model.parameter_values(theta);
  for (std::size_t i = 0; i < values.size(); ++i) point.member(model.outputs()[i].name) += value_json(values[i]);
  point.end();
  if (!x.status) all.member("refused") += json_quote(x.status.message);
  put_share(all, names, x.target);
  if (x.bad_value) {
    JsonGroup bad(all.member("first_not_finite"), Kind::Object);
    bad.member("function") += json_quote(x.bad_value->function);
    bad.member("value") += json_number(x.bad_value->value);
    const Span span = model.compiled().code->sites[index_of(x.bad_value->site)];
    const SitePlace place = model.compiled().sources().line_column(span.begin);
    bad.member("line") += std::to_string(place.line);
    bad.member("column") += std::to_string(place.column);
    bad.member("statement") += json_quote(on_one_line(model.compiled().sources().text(span)));
    put_operands(bad.member("operands"), x.bad_value->operands, false);
    bad.end();
  }
  if (x.bad_element) {
    JsonGroup bad(all.member("element_not_finite"), Kind::Object);
    put_place(bad, model, x.bad_element->site, {});
    bad.member("name") += json_quote(x.bad_element->name);
    if (const auto& all_of = x.bad_element->arguments; !all_of.empty()) {
      put_operand(bad.member("variate"), all_of.front(), true);
      put_operands(bad.member("arguments"), std::span(all_of).subspan(1), true);
    }
    bad.end();
  }
  JsonGroup lines(all.member("lines"), Kind::Array);
  for (const ExplainedLine& line : x.lines) {
    JsonGroup object(lines.item(), Kind::Object);
    put_place(object, model, line.site, line.what);
    if (!line.role.empty()) object.member("role") += json_quote(line.role);
    put_share(object, names, line.share);
    if (!line.largest.empty()) {
      JsonGroup elements(object.member("elements"), Kind::Array);
      for (const ExplainedElement& e : line.largest) {
        JsonGroup element(elements.item(), Kind::Object);
        element.member("name") += json_quote(e.name);
        put_share(element, names, e.share);
        element.end();
      }
      elements.end();
    }
    object.end();
  }
  lines.end();
  all.end();
  return out + "\n";
}

std::string differences_json(const ConditionedModel& model, const LineDifferences& differences) {
  std::string out;
  JsonGroup all(out, Kind::Object);
  all.member("divergent") += std::to_string(differences.chosen);
  all.member("others") += std::to_string(differences.others);
  JsonGroup lines(all.member("lines"), Kind::Array);
  for (const LineDifference& d : differences.lines) {
    JsonGroup line(lines.item(), Kind::Object);
    put_place(line, model, d.site, d.what);
    line.member("divergent") += json_number(d.mean_chosen);
    line.member("others") += json_number(d.mean_others);
    line.member("sd") += json_number(d.sd_others);
    line.member("difference") += json_number(d.difference);
    line.end();
  }
  lines.end();
  all.end();
  return out + "\n";
}

}  // namespace fermiac::interp
