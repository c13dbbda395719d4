// From the command line's model and data to an interpreted model. Everything throws InputError; warnings go to standard error.
#pragma once

#include <memory>
#include <string>

#include "cli/fermiac/shared/commands.h"
#include "interp/model/conditioned_model.h"

namespace fermiac::cli {

/// Parsed, checked and prepared, without data.
std::shared_ptr<const interp::CompiledModel> load_program(const ModelArgs& args);
/// The data of the arguments for the program; sizes that follow from tables are told on standard error.
interp::DataSource open_data(const ModelArgs& args, const interp::CompiledModel& program, bool tell = true);
/// The program bound to its data under the conditioning of the arguments.
std::unique_ptr<interp::InterpModel> bind_model(const ModelArgs& args, const std::shared_ptr<const interp::CompiledModel>& program);
std::unique_ptr<interp::InterpModel> load_interp_model(const ModelArgs& args);
/// For commands that query sites: the model is conditioned even if options and data do not require it.
std::unique_ptr<interp::ConditionedModel> bind_conditioned_model(const ModelArgs& args, const std::shared_ptr<const interp::CompiledModel>& program);
std::unique_ptr<interp::ConditionedModel> load_conditioned_model(const ModelArgs& args);

/// Parsed, checked and lowered alone. `name`: of the model; empty: after the file.
std::shared_ptr<const interp::CompiledModel> lower_program(const ModelArgs& args, const std::string& name);

}  // namespace fermiac::cli
