#include "interp/queries/data_arrays.h"

#include <set>
#include <string>

#include "interp/model/conditioned_model.h"
#include "interp/queries/site_list.h"

namespace fermiac::interp {
namespace {

/// Names on the left of sites; none where the program has statements that no site can be made of.
std::set<std::string> observed_names(const CompiledModel& program) {
  std::set<std::string> out;
  try {
    for (const SiteRow& row : program.sites ? site_rows(program) : site_rows(*conditioned_program(program, {})))
      if (row.left != "parameter") out.insert(row.variable);
  } catch (const InputError&) {
  }
  return out;
}

/// Numbers in the order of nested lists. A number that is missing is NaN.
inference::DataArray array_of(const std::string& name, const ExpectedType& type, const Value& value, bool whole) {
  inference::DataArray out{.name = name, .shape = {type.array_dims.begin(), type.array_dims.end()}, .values = {}};
  std::vector<double> reals;
  if (value.kind() == Value::Kind::Int) reals = {static_cast<double>(value.as_int())};
  else if (value.kind() == Value::Kind::Real) reals = {value.as_real()};
  else if (value.kind() == Value::Kind::Ints) reals.assign(value.int_data().begin(), value.int_data().end());
  else reals.assign(value.real_data().data(), value.real_data().data() + value.real_data().size());
  if (whole) out.values = std::vector<std::int64_t>(reals.begin(), reals.end());
  else out.values = std::move(reals);
  return out;
}

}  // namespace

std::vector<inference::DataArray> data_arrays(const CompiledModel& program, const DataSource& data) {
  const std::set<std::string> observed = observed_names(program);
  std::vector<inference::DataArray> out;
  for (const mir::InputVar& input : program.program.input_vars) {
    const std::optional<ExpectedType> type = data.has(input.name) ? data.undeclared_type(input.name) : std::nullopt;
    if (!type) continue;
    MissingNumbers missing;
    const Value value = data.read(input.name, *type, &missing);
    const bool whole = type->base == BaseType::Int && input.type.base == BaseType::Int;
    out.push_back(array_of(input.name, *type, value, whole));
    out.back().observed = observed.contains(input.name);
  }
  return out;
}

}  // namespace fermiac::interp
