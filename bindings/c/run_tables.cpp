#include "bindings/c/run_tables.h"

#include "support/platform/output.h"

namespace fermiac::capi {

RunTables::Table& RunTables::table_at(std::size_t index) {
  if (tables_.size() <= index) tables_.resize(index + 1);
  return tables_[index];
}

void RunTables::columns(std::size_t table, const std::vector<std::string>& names) {
  const std::lock_guard lock(mutex_);
  NameArray& columns = table_at(table).columns;
  columns.set(names);
  tell(callbacks_.columns, table, columns.data(), columns.size());
}

void RunTables::row(std::size_t table, std::span<const double> lead, std::span<const double> values, bool warmup) {
  const std::lock_guard lock(mutex_);
  row_.assign(lead.begin(), lead.end());
  row_.insert(row_.end(), values.begin(), values.end());
  Table& to = table_at(table);
  if (keep_ && !warmup) to.kept.insert(to.kept.end(), row_.begin(), row_.end());
  const fermiac_row row{sizeof(fermiac_row), table, to.rows++, warmup ? 1 : 0, row_.data(), row_.size()};
  tell(callbacks_.row, &row);
}

void RunTables::message(std::string_view text) {
  const std::lock_guard lock(mutex_);
  const std::string copy(text);
  tell(callbacks_.message, copy.c_str());
}

void RunTables::progress(std::size_t chain, unsigned done, unsigned total, bool warmup) {
  const std::lock_guard lock(mutex_);
  tell(callbacks_.progress, chain, done, total, warmup ? 1 : 0);
}

void RunTables::failed(std::string_view why) {
  const std::lock_guard lock(mutex_);
  error_ = why;
}

void RunTables::print(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (callbacks_.print) return tell(callbacks_.print, text.data(), text.size());
  write_output(text);
  flush_output();
}

}  // namespace fermiac::capi
