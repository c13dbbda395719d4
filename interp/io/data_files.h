// Data from files of several kinds, joined: JSON, R dumps (`.R`, `.r`, `.Rdump`, `.dump`, `.data.R`) and tables (`.csv`, `.tsv`).
// Points on the unconstrained scale from JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interp/io/data.h"
#include "interp/io/table_data.h"
#include "mir/ir/ir.h"

namespace fermiac::interp {

/// What kind of file the end of the name says: small and capital letters are the same.
enum class DataFormat : std::uint8_t { Json, RDump, Table };
DataFormat data_format(const std::string& path);

/// Reads `paths` for `program`; no file at all gives no variables. Receives what followed for sizes in `derived`. Throws InputError: a
/// file cannot be read, or two of them give the same variable.
/// Without a program all columns of tables are variables.
DataSource open_data_files(const std::vector<std::string>& paths, const mir::Program* program, std::vector<DerivedSize>* derived);

/// Throws InputError with line and column. One flat array of numbers is one point.
std::vector<std::vector<double>> parse_points(std::string_view text, std::string_view source);

}  // namespace fermiac::interp
