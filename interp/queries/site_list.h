// What a program consists of: one row for each of its sites.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interp/model/conditioned_model.h"

namespace fermiac::interp {

struct SiteRow {
  std::size_t number = 0;
  std::uint32_t line = 0, column = 0;
  std::string statement;               // on one line
  std::string_view kind;               // density, censored, term
  std::string variable;                // that the left side names; empty if none, or several
  std::string_view left;               // parameter, data, missing, constant, derived, mixed; empty for terms
  std::string_view role;               // prior, likelihood, unclear, mixed
  std::string distribution;
  std::optional<std::size_t> elements; // with data: how many were met
};

/// Of a program alone: what is random given what, by variables.
std::vector<SiteRow> site_rows(const CompiledModel& program);
/// Of a conditioned model, by the numbers that are met.
std::vector<SiteRow> site_rows(const ConditionedModel& model);

}  // namespace fermiac::interp
