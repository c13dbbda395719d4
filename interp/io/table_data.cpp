#include "interp/io/table_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "mir/ir/build.h"
#include "support/base/json.h"
#include "support/base/number_text.h"
#include "support/base/text.h"

namespace fermiac::interp {
namespace {

// ---------------------------------------------------------------- cells

std::string cell_json(std::string_view cell) {
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"", "null"}, {"NA", "null"}, {"<NA>", "null"}, {"TRUE", "1"}, {"FALSE", "0"},
      {"True", "1"}, {"False", "0"}, {"true", "1"},   {"false", "0"}};
  for (const auto& [word, json] : kWords)
    if (cell == word) return std::string(json);
  std::int64_t whole = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), whole);
  if (error == std::errc() && end == cell.data() + cell.size()) return std::to_string(whole);
  double x = 0;
  if (read_number(cell, &x) != NumberText::Number) return json_quote(cell);
  return std::isfinite(x) ? fmt::format("{}", x) : json_number(x);
}

// ---------------------------------------------------------------- columns

/// `x.12` and `x[12]` are the twelfth column of x; other names are no part of one.
struct ColumnName {
  std::string_view variable;
  std::size_t part = 0;  // 0: the whole variable
};

ColumnName column_name(std::string_view name) {
  const std::size_t at = name.find_first_of(".[");
  if (at == std::string_view::npos || at == 0) return {name};
  std::string_view number = name.substr(at + 1);
  if (name[at] == '[' && !number.ends_with(']')) return {name};
  if (name[at] == '[') number.remove_suffix(1);
  std::size_t part = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), part);
  if (error != std::errc() || end != number.data() + number.size() || part == 0) return {name};
  return {name.substr(0, at), part};
}

/// Columns of a table that are one variable.
struct Columns {
  const DelimitedText* table = nullptr;
  std::vector<std::size_t> at;
  bool parts = false;  // x.1, x.2, …
};

std::optional<Columns> columns_of(const DelimitedText& table, std::string_view variable) {
  Columns out{.table = &table, .at = {}};
  std::map<std::size_t, std::size_t> parts;
  for (std::size_t k = 0; k < table.columns().size(); ++k) {
    const ColumnName name = column_name(table.columns()[k]);
    if (name.variable != variable) continue;
    if (!parts.try_emplace(name.part, k).second)
      throw InputError(fmt::format("{}: two columns are called '{}'", table.name(), table.columns()[k]));
  }
  if (parts.empty()) return std::nullopt;
  if (parts.contains(0) && parts.size() > 1)
    throw InputError(fmt::format("{}: there is a column '{}' and a column '{}'", table.name(), variable,
                                table.columns()[std::next(parts.begin())->second]));
  out.parts = !parts.contains(0);
  for (const auto& [part, k] : parts) {
    if (out.parts && part != out.at.size() + 1)
      throw InputError(fmt::format("{}: the columns of '{}' have no number {}", table.name(), variable, out.at.size() + 1));
    out.at.push_back(k);
  }
  return out;
}

// ---------------------------------------------------------------- variables

/// Names of the int variables that are the declared sizes, outermost first; empty where a size is another expression.
std::vector<std::string> size_names(const mir::SizedType& type) {
  std::vector<std::string> out;
  for (const auto* list : {&type.array_dims, &type.sizes})
    for (const mir::ExprPtr& size : *list) {
      const auto* variable = std::get_if<mir::Var>(&size->node);
      out.push_back(variable ? variable->name : "");
    }
  return out;
}

class TableJoiner {
 public:
  TableJoiner(DataSource& data, const std::vector<const DelimitedText*>& tables, const mir::Program& program)
      : data_(data), tables_(tables), program_(program) {}

  std::vector<DerivedSize> join() {
    for (const mir::InputVar& input : program_.input_vars) find(input);
    for (const auto& [input, columns] : found_) derive_lengths(*input, columns);
    for (const mir::StmtPtr& stmt : program_.prepare_data) derive_bound(*stmt);
    for (const DelimitedText* table : tables_) add_table(*table);
    add_derived();
    return derived_;
  }

 private:
  void find(const mir::InputVar& input);
  void derive_lengths(const mir::InputVar& input, const Columns& columns);
  void derive(const std::string& size, std::size_t value, const std::string& reason);
  void derive_bound(const mir::Stmt& stmt);
  void add_table(const DelimitedText& table);
  void add_derived();
  bool open_int(const std::string& name) const;
  std::string values(const mir::InputVar& input, const Columns& columns) const;

  DataSource& data_;
  const std::vector<const DelimitedText*>& tables_;
  const mir::Program& program_;
  std::vector<std::pair<const mir::InputVar*, Columns>> found_;
  std::vector<DerivedSize> derived_;
  std::map<std::string, std::string> bounded_by_;  // a size that is a largest number: the column that said so first
};

void TableJoiner::find(const mir::InputVar& input) {
  const Columns* first = nullptr;
  for (const DelimitedText* table : tables_) {
    const auto columns = columns_of(*table, input.name);
    if (!columns) continue;
    const std::string other = first ? first->table->name() : data_.source_of(input.name);
    if (!other.empty())
      throw InputError(fmt::format("the variable '{}' is given twice: in {} and in {}", input.name, other, table->name()));
    first = &found_.emplace_back(&input, *columns).second;
  }
}

/// The program declares it as one int, and no file gives it.
bool TableJoiner::open_int(const std::string& name) const {
  const auto at = std::ranges::find(program_.input_vars, name, &mir::InputVar::name);
  return at != program_.input_vars.end() && at->type.base == BaseType::Int && at->type.array_dims.empty() && !data_.has(name);
}

void TableJoiner::derive(const std::string& size, std::size_t value, const std::string& reason) {
  const auto known = std::ranges::find(derived_, size, &DerivedSize::name);
  if (known == derived_.end()) return derived_.push_back({size, value, reason});
  if (known->value != value)
    throw InputError(fmt::format("'{}' would be {} ({}) and {} ({})", size, known->value, known->reason, value, reason));
}

void TableJoiner::derive_lengths(const mir::InputVar& input, const Columns& columns) {
  const std::vector<std::string> names = size_names(input.type);
  const DelimitedText& table = *columns.table;
  if (!names.empty() && open_int(names[0])) derive(names[0], table.rows(), "rows of " + table.name());
  if (names.size() == 2 && columns.parts && open_int(names[1]))
    derive(names[1], columns.at.size(), fmt::format("columns {} to {} of {}", table.columns()[columns.at.front()],
                                                    table.columns()[columns.at.back()], table.name()));
}

/// `array[N] int<upper=J> g` with a column g: J is its largest number.
void TableJoiner::derive_bound(const mir::Stmt& stmt) {
  const auto* call = std::get_if<mir::NRFunApp>(&stmt.node);
  const auto* check = call ? std::get_if<mir::CompilerInternal>(&call->fn) : nullptr;
  if (!check || check->fn != mir::Internal::FnCheck || check->transform.kind != mir::TransformKind::Upper) return;
  const mir::ExprPtr& bound = check->transform.first ? check->transform.first : check->transform.second;
  const auto* size = std::get_if<mir::Var>(&bound->node);
  const auto at = std::ranges::find(found_, check->var_name, [](const auto& f) { return f.first->name; });
  if (!size || at == found_.end() || at->first->type.base != BaseType::Int || !open_int(size->name)) return;
  const bool by_length = std::ranges::find(derived_, size->name, &DerivedSize::name) != derived_.end() && !bounded_by_.contains(size->name);
  if (by_length) return;
  const Columns& columns = at->second;
  double largest = 0;
  for (std::size_t i = 0; i < columns.table->rows(); ++i)
    for (const std::size_t k : columns.at) {
      double x = 0;
      if (read_number(columns.table->cell(i, k), &x) == NumberText::Number && std::isfinite(x)) largest = std::max(largest, x);
    }
  if (largest < 1 || largest > 2147483647.0) return;
  const auto value = static_cast<std::size_t>(largest);
  const std::string reason = fmt::format("largest {} of {}", check->var_name, columns.table->name());
  const auto known = std::ranges::find(derived_, size->name, &DerivedSize::name);
  if (known == derived_.end()) derived_.push_back({size->name, value, reason});
  else if (value > known->value) known->value = value, known->reason = reason;
  bounded_by_[size->name] = check->var_name;
}

/// Of texts that values() made, see JsonScan::map_lines.
std::vector<std::size_t> lines_of(const DelimitedText& table) {
  std::vector<std::size_t> out = {0};
  for (std::size_t i = 0; i < table.rows(); ++i) out.push_back(table.line(i));
  return out;
}

/// As JSON: one cell, a list of the rows, or a list of lists. Each row is a line, and so is what stands between two variables: messages
/// find the lines of the table by them.
std::string TableJoiner::values(const mir::InputVar& input, const Columns& columns) const {
  const DelimitedText& table = *columns.table;
  const std::size_t indexes = size_names(input.type).size();
  const bool one_row = table.rows() == 1 && indexes == (columns.parts ? 1 : 0);  // no list of rows
  const bool lists = !one_row && (columns.parts || indexes > 1);                 // a list for each row
  std::string rows;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    std::string cells;
    for (const std::size_t k : columns.at) cells += (cells.empty() ? "" : ",") + cell_json(table.cell(i, k));
    rows += fmt::format("{}\n{}", i > 0 ? "," : "", lists ? "[" + cells + "]" : cells);
  }
  return one_row && !columns.parts ? rows + "\n" : "[" + rows + "\n]";
}

void TableJoiner::add_table(const DelimitedText& table) {
  std::string text;
  JsonGroup members(text, JsonGroup::Kind::Object);
  for (const auto& [input, columns] : found_) {
    if (columns.table != &table) continue;
    const bool derived = std::ranges::find(derived_, input->name, &DerivedSize::name) != derived_.end();
    if (derived) continue;  // a column of the name of a size
    const bool scalar = size_names(input->type).empty();
    if (scalar && table.rows() != 1)
      throw InputError(fmt::format("{}: the column '{}' has {} rows, but the program declares one number of this name; give it in another file",
                                  table.name(), input->name, table.rows()));
    members.member(input->name) += values(*input, columns);
  }
  members.end();
  DataSource source = DataSource::parse(std::move(text), table.name());
  source.map_lines(lines_of(table));
  source.set_spare(variables_of(table));
  data_.join(std::move(source));
}

void TableJoiner::add_derived() {
  std::string text;
  JsonGroup members(text, JsonGroup::Kind::Object);
  for (const DerivedSize& d : derived_) members.member(d.name) += std::to_string(d.value);
  members.end();
  DataSource source = DataSource::parse(std::move(text), tables_.front()->name());
  source.hide_places();
  data_.join(std::move(source));
}

}  // namespace

std::vector<DerivedSize> join_tables(DataSource& data, const std::vector<const DelimitedText*>& tables, const mir::Program& program) {
  return TableJoiner(data, tables, program).join();
}

mir::Program program_of(const std::vector<const DelimitedText*>& tables) {
  mir::Program program;
  for (const DelimitedText* table : tables)
    for (const std::string& name : variables_of(*table)) {
      const std::size_t indexes = columns_of(*table, name)->parts ? 2 : 1;
      program.input_vars.push_back({.name = name, .span = {}, .type = {.base = BaseType::Real,
                                    .array_dims = std::vector<mir::ExprPtr>(indexes, mir::int_lit(0)), .sizes = {}, .slots = {}}});
    }
  return program;
}

std::string derived_text(const std::vector<DerivedSize>& sizes) {
  std::string out;
  for (const DerivedSize& d : sizes) out += fmt::format("{}{} = {} ({})", out.empty() ? "" : ", ", d.name, d.value, d.reason);
  return out;
}

std::vector<std::string> variables_of(const DelimitedText& table) {
  std::vector<std::string> out;
  for (const std::string_view column : table.columns()) {
    const std::string name(column_name(column).variable);
    if (std::ranges::find(out, name) == out.end()) out.push_back(name);
  }
  return out;
}

}  // namespace fermiac::interp
