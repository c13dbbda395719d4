// A function of a program called by its name, with arguments and result as JSON: for whoever knows the program, but not the
// language's values.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "inference/model/model.h"
#include "interp/exec/runs/code.h"
#include "interp/model/compiled_model.h"

namespace fermiac::interp {

struct FunctionCall {
  /// `f`, or where several functions have the name and the arguments do not tell which, `f(int, array[] real)`.
  std::string_view name;
  /// A JSON array with a value for each argument, or an object with their names. As data files hold them; sizes are taken
  /// from the lists, those of elements from the first element.
  std::string_view arguments;
  Rng* rng = nullptr;                       // for functions that end in _rng, which need one
  const PrintSink* print = nullptr;         // null: standard output
  const std::atomic<bool>* stop = nullptr;  // ends the call
};

/// `f(int n, vector x) => real`, one for each function of the program that can be called.
std::vector<std::string> function_signatures(const CompiledModel& compiled);

/// The result as data files hold values, `null` where the function gives none. Densities keep all constants. Where several
/// functions take the arguments, the one that takes most of them as integers is called. Throws InputError
/// if no function, or more than one, fits the name and the arguments; how the call ended is the status.
EvalStatus call_function(const CompiledModel& compiled, const FunctionCall& call, std::string* result);

}  // namespace fermiac::interp
