// Points at which a command looks at a model, from files on the constrained scale.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/fermiac/shared/questions.h"
#include "interp/model/interp_model.h"

namespace fermiac::cli {

/// Free values of the parameters in a JSON text; `source` names it in messages. Throws InputError.
std::vector<double> point_of(const interp::InterpModel& model, std::string_view json, const std::string& source);
/// The same of a file.
std::vector<double> point_in(const interp::InterpModel& model, const std::string& json_file);
/// Throws InputError unless --at or --draws is given or the model has no parameters. `command` is the name in the message.
void require_point(const interp::InterpModel& model, const PointArgs& point, std::string_view command);
/// The same of every draw of some files, or of the run in a folder, and of how many chains. Throws InputError.
std::vector<std::vector<double>> draws_in(const interp::InterpModel& model, const std::vector<std::string>& files, std::size_t* chains = nullptr);

}  // namespace fermiac::cli
