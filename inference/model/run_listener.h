// What a run tells a program that has started it, in place of streams and of files that nobody asked for.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fermiac::inference {

/// Calls come from any thread of the run, several at a time. To end the run the listener sets its stop flag.
class RunListener {
 public:
  virtual ~RunListener() = default;
  /// Table `table` will have these columns: before its first row. Tables are counted from 0: one for each chain, for the
  /// results of a method, and behind them for each single path or file.
  virtual void columns(std::size_t table, const std::vector<std::string>& names) = 0;
  /// A row of the table in two parts, that of the method and that of the model.
  virtual void row(std::size_t table, std::span<const double> lead, std::span<const double> values, bool warmup) = 0;
  /// One or more lines, each with its end.
  virtual void message(std::string_view text) = 0;
  /// `done` of `total` iterations of a chain, as often as the options' `refresh` says.
  virtual void progress(std::size_t chain, unsigned done, unsigned total, bool warmup) = 0;
  /// Why the run failed or was ended; at most once.
  virtual void failed(std::string_view why) = 0;
};

}  // namespace fermiac::inference
