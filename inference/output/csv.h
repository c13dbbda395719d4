// Draws on disk in CmdStan's CSV layout: the writer that every method uses, and the reader for summary, check and
// methods that start from earlier draws.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inference/mcmc/metric.h"
#include "inference/model/column_names.h"
#include "support/base/status.h"
#include "inference/model/run_listener.h"
#include "support/base/elapsed.h"
#include "support/platform/descriptor.h"

namespace fermiac::inference {

/// A file that grows: buffers, reports the first failure, and never leaves half a line behind. While it is open no other process
/// opens it so.
class TextFile {
 public:
  TextFile() = default;
  ~TextFile();
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  /// Creates `path`. Without `overwrite` an existing file is an error and stays untouched, as
  /// does one that another process has open.
  Status open(const std::string& path, bool overwrite);
  /// An existing file, cut to its first `size` bytes.
  Status reopen(const std::string& path, std::int64_t size);
  void append(std::string_view text);
  /// flush(), and waits until it is on the disk.
  Status sync();
  /// Puts a text in the place of another of that length which was appended.
  void replace(std::int64_t offset, std::string_view text);
  /// Hands everything to the operating system. After a failure (disk full, say) the file is cut back to its last whole
  /// line, and every later call returns the same error.
  Status flush();
  Status close();
  /// After a failure nothing more is written.
  bool failed() const { return !status_; }
  /// Bytes appended, and bytes up to the end of the last line known to be on the disk.
  std::int64_t appended() const { return appended_; }
  std::int64_t kept() const { return whole_lines_; }
  /// Closes and deletes it. Devices and the like stay.
  void discard();
  bool is_open() const { return static_cast<bool>(file_); }
  const std::string& path() const { return path_; }

 private:
  Status lock();
  Status start_anew() const;
  /// After a write that ended early.
  Status cut_back(const Transfer& written);
  Status problem(int error, std::string_view more = {}) const;
  std::string path_, buffer_;
  Status status_;  // of the first failed write
  Descriptor file_;
  bool created_ = false;  // by us, or emptied
  std::int64_t appended_ = 0, whole_lines_ = 0;
};

class CsvWriter {
 public:
  /// `sig_figs` significant digits, 1 to 18.
  explicit CsvWriter(int sig_figs, std::string_view separator = ",") : digits_(sig_figs), separator_(separator) {}
  Status open(const std::string& path, bool overwrite) { return file_.open(path, overwrite); }
  /// Goes on behind the first `size` bytes of a file, of which the header line ends at `header_end`.
  Status reopen(const std::string& path, std::int64_t header_end, std::int64_t size);

  void raw(std::string_view text) { file_.append(text); }
  void replace(std::int64_t offset, std::string_view text) { file_.replace(offset, text); }
  void header(const std::vector<std::string>& names);
  /// One row: the sampler's columns, then the model's.
  void row(std::span<const double> first, std::span<const double> second, bool warmup = false);
  /// Rows of `columns` numbers each, one after the other; their text is made by several threads (0: as many as the machine has).
  void rows(std::span<const double> values, std::size_t columns, unsigned threads);
  void adaptation(double stepsize, const Metric& metric);
  void elapsed(ElapsedTime time);
  Status flush() { return file_.flush(); }
  Status sync() { return file_.sync(); }
  Status close() { return file_.close(); }
  bool failed() const { return file_.failed(); }
  /// Bytes up to the end of the last line that flush() wrote.
  std::int64_t kept() const { return file_.kept(); }
  /// After flush() or close(): at least one row is in the file.
  bool has_rows() const { return first_row_end_ > 0 && file_.kept() >= first_row_end_; }
  /// Closes the file of a run that ended like `run`. The error that says most. After an error a file without a row is
  /// deleted: it is of no use, unless clients expect it (keep_without_rows()).
  Status end(Status run);
  void keep_without_rows() { keeps_without_rows_ = true; }
  const std::string& path() const { return file_.path(); }
  /// `WHAT is in 'PATH'`, or where no file is open, `WHAT is the last row`.
  std::string holding(std::string_view what) const;
  /// Columns and rows go to the listener too, as those of table `table`; it may be null.
  void tell(RunListener* listener, std::size_t table) {
    listener_ = listener;
    table_ = table;
  }

 private:
  void append_number(double value);
  void append_numbers(std::span<const double> values, bool begin_line, std::string& out) const;
  std::string lines(std::span<const double> values, std::size_t columns) const;
  TextFile file_;
  int digits_;
  std::string separator_, line_;
  std::int64_t first_row_end_ = 0;
  bool keeps_without_rows_ = false;
  RunListener* listener_ = nullptr;
  std::size_t table_ = 0;
};

/// The elapsed-time block, each line starting with `prefix`.
std::string elapsed_text(ElapsedTime time, std::string_view prefix);

/// A CSV file as read back.
struct CsvDraws {
  std::string path;
  /// Configuration in file order; keys are paths such as `sample.adapt.delta`, values without the (Default) mark.
  std::vector<std::pair<std::string, std::string>> config;
  std::vector<std::string> names;
  std::vector<double> values;  // row-major
  std::size_t rows = 0;
  std::size_t warmup_rows = 0;  // the first rows of `values`, from a run that saved its warm-up
  bool adapted = false;         // the file has the block that ends the warm-up
  double stepsize = 0;
  std::string metric_kind;  // diag_e, dense_e, unit_e or empty
  std::vector<double> inverse_metric;
  bool has_elapsed = false;
  ElapsedTime elapsed;
  bool truncated = false;  // the last line was incomplete and is left out

  /// Rows after the warm-up that the run was to write, as its configuration says; npos if that does not say.
  std::size_t rows_expected() const;
  /// The run that wrote the file did not end, or the file lost its end: `'m_1.csv' is cut short: 312 of 1000 draws`.
  /// Empty if nothing is known to be missing.
  std::string what_is_missing() const;

  std::size_t columns() const { return names.size(); }
  double at(std::size_t row, std::size_t column) const { return values[row * names.size() + column]; }
  /// Index of a column, or npos.
  std::size_t column(std::string_view name) const;
  /// Value of the entry whose path is `key` or ends in `.key`; empty if there is none.
  std::string_view setting(std::string_view key) const;
  double number(std::string_view key, double otherwise) const;
  /// Relative error of the values, by the digits that its configuration names.
  double rounding() const;
};
/// The same where nothing is said of digits: streams print six.
inline constexpr double kPrintedRounding = 0.5e-5;
/// Errors name the file, the line and what is wrong with it.
Status read_csv(const std::string& path, CsvDraws* out);

}  // namespace fermiac::inference
