#include "cli/fermiac/shared/program_scope.h"

#include <filesystem>
#include <map>
#include <utility>

#include "cli/fermiac/options/conditioning_options.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/stop.h"
#include "frontend/parse/parse.h"
#include "interp/model/conditioned_model.h"
#include "support/base/text_file.h"

namespace fermiac::cli {
namespace {

/// Of data and transformed data.
std::map<std::string, Type> data_types(const mir::Program& program) {
  std::map<std::string, Type> out;
  for (const mir::InputVar& input : program.input_vars) out.insert_or_assign(input.name, input.type.type());
  for (const mir::StmtPtr& stmt : program.prepare_data)
    if (const auto* decl = std::get_if<mir::Decl>(&stmt->node)) {
      const auto* sized = std::get_if<mir::SizedType>(&decl->type);
      out.insert_or_assign(decl->id, sized ? sized->type() : std::get<Type>(decl->type));
    }
  return out;
}

}  // namespace

const interp::InterpModel& ProgramScope::model() {
  if (!model_) {
    const std::shared_ptr<const interp::CompiledModel> plain(std::shared_ptr<void>(), &program_);  // the caller keeps it
    model_ = interp::bound_model(plain, open_data(args_, program_, false), read_conditioning(args_.conditioning), 0, PrintSink(), &Stop::flag());
  }
  return *model_;
}

void ProgramScope::define_functions() {
  if (std::exchange(has_functions_, true) || program_.program.functions.empty()) return;
  TextFile file = read_text_file(args_.model, true);
  SourceMap& sources = evaluator_.sources();
  const std::uint32_t number = sources.add(args_.model, std::move(file.text));
  ParseOptions options{.include_paths = args_.include_paths, .include_rule = args_.include_rule, .tallest = evaluator_.tallest()};
  const std::string folder = std::filesystem::path(args_.model).parent_path().string();
  options.include_paths.push_back(folder.empty() ? "." : folder);
  Diagnostics ignored;  // the program was compiled before
  if (auto parsed = parse_program(sources, number, options, ignored); parsed && !parsed->functions.empty())
    evaluator_.define(std::move(parsed->functions));
}

void ProgramScope::bring_in(const std::string& text, const std::set<std::string>& others) {
  define_functions();
  for (const auto& [name, type] : data_types(program_.program)) {
    if (text.find(name) == std::string::npos || others.contains(name) || evaluator_.find(name)) continue;
    const auto slot = program_.code->global_slots.find(name);
    if (slot == program_.code->global_slots.end()) continue;
    const interp::InterpModel& bound = model();
    const auto of_model = bound.compiled().code->global_slots.find(name);
    if (of_model == bound.compiled().code->global_slots.end()) continue;
    const interp::Value& value = bound.globals()[of_model->second];
    if (!value.is_none()) evaluator_.set(name, {type, value});
  }
}

std::string ProgramScope::json(const std::string& name, const std::string& text) {
  if (is_json(text)) return text;
  return value_text(name, [&] {
    bring_in(text);
    return evaluator_.evaluate(text).value;
  });
}

}  // namespace fermiac::cli
