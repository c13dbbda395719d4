// What a run in progress gives its caller: callbacks one at a time, and rows kept for the end.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "bindings/c/fermiac.h"
#include "bindings/c/names.h"
#include "inference/model/run_listener.h"

namespace fermiac::capi {

class RunTables final : public inference::RunListener {
 public:
  /// Sets `stop`, which outlives it, where a callback wants the end.
  RunTables(const fermiac_run_callbacks& callbacks, std::atomic<bool>& stop) : callbacks_(callbacks), stop_(stop) {}

  struct Table {
    NameArray columns;
    std::size_t rows = 0;      // that were told of
    std::vector<double> kept;  // after the warm-up, row by row
  };

  void keep_rows(bool keep) { keep_ = keep; }
  void columns(std::size_t table, const std::vector<std::string>& names) override;
  void row(std::size_t table, std::span<const double> lead, std::span<const double> values, bool warmup) override;
  void message(std::string_view text) override;
  void progress(std::size_t chain, unsigned done, unsigned total, bool warmup) override;
  void failed(std::string_view why) override;
  /// What the program prints.
  void print(std::string_view text);

  /// Once the run is over.
  std::vector<Table>& tables() { return tables_; }
  const std::vector<Table>& tables() const { return tables_; }
  const std::string& error() const { return error_; }

 private:
  /// Calls the callback, if there is one.
  template <class... Parameters, class... Args>
  void tell(int (*callback)(void*, Parameters...), Args... args) {
    if (callback && callback(callbacks_.user_data, args...) != 0) stop_ = true;
  }
  Table& table_at(std::size_t index);

  const fermiac_run_callbacks callbacks_;
  std::atomic<bool>& stop_;
  std::mutex mutex_;
  bool keep_ = true;
  std::vector<Table> tables_;
  std::vector<double> row_;  // on its way
  std::string error_;
};

}  // namespace fermiac::capi
