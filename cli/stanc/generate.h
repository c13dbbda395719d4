// Random data and initial values that fit a program's declarations: `--debug-generate-data`, `--debug-generate-inits`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/ast/ast.h"
#include "support/base/errors.h"

namespace fermiac::stanc {

/// A value as JSON has it. Vectors, matrices and complex numbers are lists, tuples are lists that print as objects.
struct Value {
  enum class Kind : std::uint8_t { Int, Real, List, Tuple } kind = Kind::Int;
  long integer = 0;
  double real = 0;
  std::vector<Value> items;

  double number() const { return kind == Kind::Int ? static_cast<double>(integer) : real; }
};

using Values = std::map<std::string, Value>;

/// Reads an object of numbers, lists and tuples. Throws InputError with the place in the text.
Values read_values(const std::string& json);

/// Values for all data of the program, or for its parameters: given ones are kept. Throws ProgramError at an expression that cannot be
/// evaluated; if a value is missing, at the whole size or bound.
std::string generate_json(const ast::Program& program, Values given, bool parameters);

}  // namespace fermiac::stanc
