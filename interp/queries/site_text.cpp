#include "interp/queries/site_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/base/json.h"

namespace fermiac::interp {

namespace {

/// Nothing is drawn of a tuple.
bool is_tuple(const mir::Program& program, const std::string& name) {
  return std::ranges::any_of(program.input_vars, [&](const mir::InputVar& v) { return v.name == name && v.type.base == BaseType::Tuple; }) ||
         std::ranges::any_of(program.output_vars, [&](const mir::OutputVar& v) { return v.name == name && v.constrained.base == BaseType::Tuple; });
}

}  // namespace

bool Generative::of(const SiteRow& row) const {
  const bool blamed = std::ranges::any_of(reasons, [&](const Reason& r) {
    return !(r.span == Span{}) && place(r).line == row.line && place(r).column == row.column;
  });
  return row.kind == "density" && row.left != "derived" && !blamed && !is_tuple(program->program, row.variable);
}

Generative ask_generative(const CompiledModel& program, const DataSource& data, const Conditioning& conditioning,
                          const std::atomic<bool>* stop) {
  const Predictor predictor(program, data, conditioning, {.prior = true, .what = {}, .only_ask = true}, stop);
  return {&program, predictor.reasons()};
}

namespace {

std::string generative_json(const Generative& generative) {
  std::string out;
  JsonGroup object(out, JsonGroup::Kind::Object);
  object.member("generative") += generative.yes() ? "true" : "false";
  if (!generative.yes()) {
    JsonGroup because(object.member("because"), JsonGroup::Kind::Array);
    for (const Reason& reason : generative.reasons) {
      JsonGroup one(because.item(), JsonGroup::Kind::Object);
      one.member("text") += json_quote(reason.text);
      one.member("line") += std::to_string(generative.place(reason).line);
      one.member("column") += std::to_string(generative.place(reason).column);
      one.end();
    }
    because.end();
  }
  object.end();
  return out + "\n";
}

std::string generative_text(const Generative& generative) {
  if (generative.yes()) return "the program is generative: predict --prior draws from it\n";
  std::string out = "the program cannot be drawn from:\n";
  for (const Reason& reason : generative.reasons) out += fmt::format("{:4}  {}\n", generative.place(reason).line, reason.text);
  return out;
}

std::string row_json(const SiteRow& row, const Generative* generative) {
  std::string out;
  JsonGroup object(out, JsonGroup::Kind::Object);
  const auto text = [&](const char* name, std::string_view value) {
    if (!value.empty()) object.member(name) += json_quote(value);
  };
  object.member("site") += std::to_string(row.number);
  object.member("line") += std::to_string(row.line);
  object.member("column") += std::to_string(row.column);
  text("statement", row.statement);
  text("kind", row.kind);
  text("variable", row.variable);
  text("left", row.left);
  text("role", row.role);
  text("distribution", row.distribution);
  if (row.elements) object.member("elements") += std::to_string(*row.elements);
  if (generative) object.member("generative") += generative->of(row) ? "true" : "false";
  object.end();
  return out;
}

std::string elements_text(const SiteRow& row) {
  if (!row.elements || *row.elements == 1) return {};
  return fmt::format("{} elements", *row.elements);
}

std::string table(const std::vector<SiteRow>& rows) {
  std::size_t width = 0;
  for (const SiteRow& row : rows) width = std::max(width, std::min<std::size_t>(row.statement.size(), 60));
  std::string out;
  for (const SiteRow& row : rows) {
    std::string line = fmt::format("{:4}  {:{}}  {:10}  {:9}  {}", row.line, row.statement, width, row.role, row.left, elements_text(row));
    while (line.ends_with(' ')) line.pop_back();
    out += line + "\n";
  }
  return out;
}

}  // namespace

std::string sites_table(const std::vector<SiteRow>& rows, const Generative* generative) {
  return table(rows) + (generative ? generative_text(*generative) : std::string());
}

std::string sites_json(const std::vector<SiteRow>& rows, const Generative* generative) {
  std::string out;
  for (const SiteRow& row : rows) out += row_json(row, generative) + "\n";
  return generative ? out + generative_json(*generative) : out;
}

}  // namespace fermiac::interp
