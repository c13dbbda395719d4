// From the command line's model and data to an interpreted model, with every failure told once on standard error.
#pragma once

#include <memory>
#include <string>

#include "cli/fermiac/shared/commands.h"
#include "cli/fermiac/shared/stop.h"
#include "interp/model/conditioned_model.h"

namespace fermiac::cli {

/// Parsed, checked and prepared, without data; messages go to standard error. Null if there were errors.
std::shared_ptr<const interp::CompiledModel> load_program(const ModelArgs& args);
/// The data of the arguments for the program; sizes that follow from tables are told on standard error. Throws DataError.
interp::DataSource open_data(const ModelArgs& args, const interp::CompiledModel& program, bool tell = true);
/// What is wrong with the data, with a hint where none were given.
std::string data_problem(const ModelArgs& args, const interp::DataError& error);
/// The program bound to its data under the conditioning of the arguments; null after the reason was printed.
std::unique_ptr<interp::InterpModel> bind_model(const ModelArgs& args, const std::shared_ptr<const interp::CompiledModel>& program,
                                                const Stop& stop);
/// The model bound to its data; null after the reason was printed to standard error.
std::unique_ptr<interp::InterpModel> load_interp_model(const ModelArgs& args, const Stop& stop);
/// For commands that query sites: the model is conditioned even if options and data do not require it.
std::unique_ptr<interp::ConditionedModel> bind_conditioned_model(const ModelArgs& args, const std::shared_ptr<const interp::CompiledModel>& program,
                                                                 const Stop& stop);
std::unique_ptr<interp::ConditionedModel> load_conditioned_model(const ModelArgs& args, const Stop& stop);

/// Parsed, checked and lowered alone. `name`: of the model; empty: after the file. Null after the reason was printed.
std::shared_ptr<const interp::CompiledModel> lower_program(const ModelArgs& args, const std::string& name);

}  // namespace fermiac::cli
