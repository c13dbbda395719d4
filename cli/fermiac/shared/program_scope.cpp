#include "cli/fermiac/shared/program_scope.h"

#include <map>
#include <utility>

#include "cli/fermiac/options/conditioning_options.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/stop.h"
#include "interp/model/conditioned_model.h"
#include "support/base/memory.h"
#include "support/platform/stack.h"

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

void ProgramScope::evaluating(const std::function<void()>& work) {
  on_large_stack([&, most = ad::memory_limit()](int height) {  // on a thread of its own
    const ad::MemoryScope limited(most);
    evaluator_.set_tallest(height);
    work();
  });
}

void ProgramScope::bring_in(const std::string& text, const std::set<std::string>& others) {
  if (!std::exchange(has_functions_, true)) evaluator_.define(*program_.compilation);
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
  std::string out;
  evaluating([&] {
    out = value_text(name, [&] {
      bring_in(text);
      return evaluator_.evaluate(text).value;
    });
  });
  return out;
}

}  // namespace fermiac::cli
