// Data as arrays, for files that keep them beside draws.
#pragma once

#include <vector>

#include "inference/output/inference_data.h"
#include "interp/io/data.h"
#include "interp/model/interp_model.h"

namespace fermiac::interp {

/// The program's data of numbers, whole ones where the program declares ints; a variable is observed if a statement says how it is
/// distributed. Tuples and complex numbers are left out. Throws InputError.
std::vector<inference::DataArray> data_arrays(const CompiledModel& program, const DataSource& data);

}  // namespace fermiac::interp
