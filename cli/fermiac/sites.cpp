// `fermiac sites`: what a program consists of.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/fermiac/load.h"
#include "cli/fermiac/questions.h"
#include "interp/model/conditioned_model.h"
#include "interp/questions/site_list.h"
#include "support/json.h"
#include "support/output.h"

namespace fermiac::cli {
namespace {

using interp::SiteRow;

std::string row_json(const SiteRow& row) {
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

int print_names(const interp::InterpModel& model) {
  std::string out;
  JsonGroup object(out, JsonGroup::Kind::Object);
  object.member("unconstrained") += std::to_string(model.unconstrained_size());
  JsonGroup names(object.member("names"), JsonGroup::Kind::Array);
  for (const std::string& name : model.names_of_free_numbers()) names.item() += json_quote(name);
  names.end();
  object.end();
  return write_output(out + "\n") ? 0 : 1;
}

int print_rows(const std::vector<SiteRow>& rows, const SitesArgs& args) {
  std::string out;
  if (args.format == "table") out = table(rows);
  else
    for (const SiteRow& row : rows) out += row_json(row) + "\n";
  return write_output(out) ? 0 : 1;
}

}  // namespace

int run_sites(const SitesArgs& args, Stop& stop) {
  ModelArgs given = args.model;
  given.always_conditioned = true;
  const auto program = load_program(given);
  if (!program) return 1;
  if (given.data.empty() && !args.names) {
    try {
      return print_rows(interp::site_rows(*interp::conditioned_program(*program, {})), args);
    } catch (const interp::BindError& e) {
      std::fprintf(stderr, "fermiac: %s\n", e.what());
      return 1;
    }
  }
  const auto model = bind_model(given, program, stop);
  if (!model) return 1;
  return args.names ? print_names(*model) : print_rows(interp::site_rows(*model), args);
}

}  // namespace fermiac::cli
