// `fermiac sites`: what a program consists of.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/fermiac/load.h"
#include "cli/fermiac/questions.h"
#include "interp/model/conditioned_model.h"
#include "interp/questions/predict.h"
#include "interp/questions/site_list.h"
#include "support/json.h"
#include "support/output.h"

namespace fermiac::cli {
namespace {

using interp::SiteRow;

/// What `predict --prior` would say.
struct Generative {
  const interp::CompiledModel* program = nullptr;
  std::vector<interp::Reason> reasons;

  bool yes() const { return reasons.empty(); }
  LineColumn place(const interp::Reason& reason) const { return program->sources.line_column(reason.span.begin); }
  bool of(const SiteRow& row) const {
    const bool blamed = std::ranges::any_of(reasons, [&](const interp::Reason& r) {
      return !(r.span == Span{}) && place(r).line == row.line && place(r).column == row.column;
    });
    return row.kind == "density" && row.left != "derived" && !blamed;
  }
};

std::string generative_json(const Generative& generative) {
  std::string out;
  JsonGroup object(out, JsonGroup::Kind::Object);
  object.member("generative") += generative.yes() ? "true" : "false";
  if (!generative.yes()) {
    JsonGroup because(object.member("because"), JsonGroup::Kind::Array);
    for (const interp::Reason& reason : generative.reasons) {
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
  for (const interp::Reason& reason : generative.reasons) out += fmt::format("{:4}  {}\n", generative.place(reason).line, reason.text);
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

/// Whether a program is generative is a question about one with data: without, nothing is said.
int print_rows(const std::vector<SiteRow>& rows, const SitesArgs& args, const Generative* generative) {
  std::string out;
  if (args.format == "table") {
    out = table(rows);
    if (generative) out += generative_text(*generative);
  } else {
    for (const SiteRow& row : rows) out += row_json(row, generative) + "\n";
    if (generative) out += generative_json(*generative);
  }
  return write_output(out) ? 0 : 1;
}

Generative ask(const interp::CompiledModel& program, const ModelArgs& args) {
  const interp::DataSource data = open_data(args, program, false);
  const interp::Predictor predictor(program, data, read_conditioning(args.conditioning), {.prior = true, .what = {}, .only_ask = true}, &Stop::flag());
  return {&program, predictor.reasons()};
}

}  // namespace

int run_sites(const SitesArgs& args, Stop& stop) {
  ModelArgs given = args.model;
  given.always_conditioned = true;
  const auto program = load_program(given);
  if (!program) return 1;
  if (given.data.empty() && !args.names) {
    try {
      return print_rows(interp::site_rows(*interp::conditioned_program(*program, {})), args, nullptr);
    } catch (const interp::BindError& e) {
      std::fprintf(stderr, "fermiac: %s\n", e.what());
      return 1;
    }
  }
  const auto model = bind_model(given, program, stop);
  if (!model) return 1;
  if (args.names) return print_names(*model);
  try {
    const Generative generative = ask(*program, given);
    return print_rows(interp::site_rows(*model), args, &generative);
  } catch (const interp::BindError&) {  // sizes that would be drawn, say
    return print_rows(interp::site_rows(*model), args, nullptr);
  }
}

}  // namespace fermiac::cli
