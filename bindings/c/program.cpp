// Programs: from text and options to a handle with diagnostics.
#include "bindings/c/program.h"

#include <fmt/format.h>

#include <algorithm>

#include "bindings/c/failure.h"
#include "bindings/c/option_reader.h"
#include "bindings/c/structs.h"
#include "bindings/shared/or_else.h"
#include "interp/model/function_call.h"
#include "support/base/json.h"
#include "support/base/model_name.h"
#include "support/base/render.h"
#include "support/base/text_file.h"
#include "support/platform/stack.h"

using namespace fermiac;
using namespace fermiac::capi;

namespace {

std::string model_of(const std::string& file) { return model_name(without_program_suffix(file) + ".stan"); }

bool is_name(const std::string& name) { return plain_name_of_file(name) == name; }

CompileOptions compile_options(std::string text, const char* options, std::string file, std::string& name) {
  CompileOptions source{.text = std::move(text), .path = std::move(file), .all_errors = true};
  OptionReader reader(options, "a program");
  inference::OptionRows rows;
  rows.text("file", source.path, "", "TEXT");
  rows.text("name", name, "", "TEXT");
  rows.files("include-paths", source.include_paths, "");
  rows.choice<IncludeRule>("include", source.include_rule,
                           {{"anywhere", IncludeRule::Anywhere}, {"confined", IncludeRule::Confined}, {"none", IncludeRule::None}}, "");
  rows.choice<mir::OptLevel>("level", source.level,
                             {{"O0", mir::OptLevel::O0}, {"O1", mir::OptLevel::O1}, {"Oexperimental", mir::OptLevel::Oexperimental}}, "");
  reader.read(rows);
  reader.refuse_rest();
  if (!name.empty() && !is_name(name)) OptionReader::refuse("name", json_quote(name), "letters, digits and underscores");
  if (name.empty()) name = source.path.empty() ? "model" : plain_name_of_file(source.path);
  source.name = model_of(name);
  if (source.path.empty()) source.path = name;
  return source;
}

DiagnosticText text_of(const SourceMap& sources, const Report& report) {
  static constexpr const char* kIds[] = {
#define FERMIAC_DIAGNOSTIC(id, name) #id,
#include "support/base/diagnostics.def"
#undef FERMIAC_DIAGNOSTIC
  };
  return {.id = kIds[static_cast<std::size_t>(report.id)],
          .name = std::string(diag_name(report.id)),
          .message = report.message,
          .text = render(sources, report),
          .severity = report.kind == DiagKind::Warning ? FERMIAC_SEVERITY_WARNING : FERMIAC_SEVERITY_ERROR,
          .place = place_of(sources, report.span)};
}

std::string json_of(const std::vector<DiagnosticText>& diagnostics) {
  std::string out;
  JsonGroup list(out, JsonGroup::Kind::Array);
  for (const DiagnosticText& d : diagnostics) {
    JsonGroup object(list.item(), JsonGroup::Kind::Object);
    object.member("id") += json_quote(d.id);
    object.member("name") += json_quote(d.name);
    object.member("severity") += d.severity == FERMIAC_SEVERITY_ERROR ? "\"error\"" : "\"warning\"";
    object.member("message") += json_quote(d.message);
    object.member("text") += json_quote(d.text);
    if (d.place) append_json(*d.place, object.member("place"));
    object.end();
  }
  list.end();
  return out;
}

std::string errors_text(const std::vector<DiagnosticText>& diagnostics) {
  std::string out;
  for (const DiagnosticText& d : diagnostics)
    if (d.severity == FERMIAC_SEVERITY_ERROR) out += d.text;
  return out;
}

std::string info_of(Compilation& compilation) {
  std::string out;
  on_large_stack([&](int) { out = compilation.info(); });
  return out;
}

std::string functions_of(const interp::CompiledModel& compiled) {
  return json_list(interp::function_signatures(compiled));
}

}  // namespace

fermiac_program::fermiac_program(std::string text, const char* options, std::string file)
    : compiled(interp::compile_model(compile_options(std::move(text), options, std::move(file), name))) {
  for (const Report& report : compiled->diagnostics.reports()) diagnostics.push_back(text_of(compiled->sources(), report));
  for (DiagnosticText& d : diagnostics)
    if (d.place) d.c_place = c_place(*d.place);
  diagnostics_json = json_of(diagnostics);
}

const std::shared_ptr<const interp::CompiledModel>& fermiac_program::checked() const {
  if (!ok()) throw InputError(StatusCode::InvalidProgram, "the program does not compile:\n" + errors_text(diagnostics));
  return compiled;
}

fermiac_program* fermiac_program_create(const char* text, const char* options, fermiac_error** error) {
  fermiac_program* out = nullptr;
  at_border(error, [&] {
    std::string copy(&given(text, "text"));
    if (copy.size() > kLongestProgram) throw InputError(StatusCode::InvalidProgram, "the program is longer than 64 MiB");
    out = new fermiac_program(std::move(copy), options, "");
  });
  return out;
}

fermiac_program* fermiac_program_open(const char* path, const char* options, fermiac_error** error) {
  fermiac_program* out = nullptr;
  at_border(error, [&] {
    TextFile file = read_text_file(&given(path, "path"), true);
    if (file.state != TextFile::State::Read) throw InputError(StatusCode::InvalidProgram, file.problem);
    out = new fermiac_program(std::move(file.text), options, path);
  });
  return out;
}

void fermiac_program_free(fermiac_program* program) {
  delete program;
}

int fermiac_program_ok(const fermiac_program* program) {
  return program && program->ok() ? 1 : 0;
}

const char* fermiac_program_name(const fermiac_program* program) {
  return program ? program->name.c_str() : nullptr;
}

size_t fermiac_program_diagnostic_count(const fermiac_program* program) {
  return program ? program->diagnostics.size() : 0;
}

fermiac_status fermiac_program_diagnostic(const fermiac_program* program, size_t index, fermiac_diagnostic* out,
                                          fermiac_error** error) {
  return at_border(error, [&] {
    const auto& all = given(program, "program").diagnostics;
    if (index >= all.size())
      throw InputError(StatusCode::InvalidArgument, fmt::format("index is {}, but there are {} diagnostics", index, all.size()));
    const DiagnosticText& d = all[index];
    fill_struct(fermiac_diagnostic{0, d.id.c_str(), d.name.c_str(), d.severity, d.message.c_str(), d.text.c_str(),
                                   d.place ? &d.c_place : nullptr},
                out, "diagnostic");
  });
}

const char* fermiac_program_diagnostics_json(const fermiac_program* program) {
  return program ? program->diagnostics_json.c_str() : nullptr;
}

const char* fermiac_program_info_json(const fermiac_program* program) {
  return or_else<const char*>(nullptr, [&] {
    const fermiac_program& p = given(program, "program");
    p.checked();
    return p.info.made_by([&] { return info_of(*p.compiled->compilation); }).c_str();
  });
}

const char* fermiac_program_functions_json(const fermiac_program* program) {
  return or_else<const char*>(nullptr, [&] {
    const fermiac_program& p = given(program, "program");
    return p.functions.made_by([&] { return functions_of(*p.checked()); }).c_str();
  });
}
