// Stan expressions in which a program's functions and data may stand.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "cli/fermiac/shared/commands.h"
#include "interp/model/interp_model.h"
#include "repl/session/evaluator.h"

namespace fermiac::cli {

class ProgramScope {
 public:
  ProgramScope(const ModelArgs& args, const interp::CompiledModel& program) : args_(args), program_(program), evaluator_(1, nullptr, program.compilation->shared_sources()) {}

  repl::Evaluator& evaluator() { return evaluator_; }
  /// Runs `work`, which uses the evaluator, on a stack that is large enough for the program's functions.
  void evaluating(const std::function<void()>& work);
  /// From now on data and transformed data that occur in `text` are variables, except `others`, and the
  /// program's functions can be called. Call within evaluating(). Throws
  /// InputError where the data do not suit the program.
  void bring_in(const std::string& text, const std::set<std::string>& others = {});
  /// A value as JSON, of JSON or of an expression. Throws InputError.
  std::string json(const std::string& name, const std::string& text);
  /// The program bound to its data under the conditioning of the options.
  const interp::InterpModel& model();

 private:
  const ModelArgs& args_;
  const interp::CompiledModel& program_;
  repl::Evaluator evaluator_;
  std::unique_ptr<interp::InterpModel> model_;
  bool has_functions_ = false;
};

}  // namespace fermiac::cli
