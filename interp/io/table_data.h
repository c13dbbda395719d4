// Columns of a table as the data of a program, and the sizes that follow from how the program declares them.
#pragma once

#include <string>
#include <vector>

#include "interp/io/data.h"
#include "mir/ir/ir.h"
#include "support/base/delimited_text.h"

namespace fermiac::interp {

/// One size or number that no file gives: `N`, 434, `rows of survey.csv`.
struct DerivedSize {
  std::string name;
  std::size_t value = 0;
  std::string reason;
};

/// The variables that `program` declares and `tables` have columns for, joined to `data`.
/// - A column `x` is an array or vector `x` with an element for each row, a table of one row gives scalars too.
/// - Columns `x.1`, `x.2`, … (or `x[1]`, …) are a matrix or an array of two indexes, rows first.
/// - Cells are numbers, TRUE and FALSE; NA and nothing at all are missing (`null`).
/// - An int `N` that no file gives and that is the declared length of such an `x` is the number of rows (or of columns `x.k`); one
///   that is the declared upper bound of an int column is the column's largest number.
/// Returns what was derived. Throws InputError where two files have a variable, two columns disagree about a size, columns are
/// missing in between, or a column of many rows stands for one number.
std::vector<DerivedSize> join_tables(DataSource& data, const std::vector<const DelimitedText*>& tables, const mir::Program& program);

/// `N = 434 (rows of survey.csv), J = 85 (largest county in survey.csv)`.
std::string derived_text(const std::vector<DerivedSize>& sizes);

/// A program that declares what the tables have, for those who have none yet.
mir::Program program_of(const std::vector<const DelimitedText*>& tables);

/// Names of the columns as variables, `x` of `x.1` and `x[1]` too.
std::vector<std::string> variables_of(const DelimitedText& table);

}  // namespace fermiac::interp
