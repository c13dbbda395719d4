#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "inference/output/csv.h"
#include "support/base/number_text.h"
#include "support/platform/descriptor.h"
#include "support/platform/threads.h"

namespace fermiac::inference {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferSize = 1 << 16;

std::string seconds(double s) {
  return format_number(std::round(s * 1000) / 1000, 6);
}

}  // namespace

Status TextFile::problem(int error, std::string_view more) const {
  return Status::failed("cannot write '" + path_ + "': " + std::strerror(error) + std::string(more));
}

TextFile::~TextFile() { static_cast<void>(close()); }

Status TextFile::open(const std::string& path, bool overwrite) {
  path_ = path;
  file_ = Descriptor(path, overwrite ? OpenMode::Create : OpenMode::CreateNew);
  const int why = errno;
  if (file_) {
    if (Status bad = lock(); !bad) return bad;
    created_ = true;
    return start_anew();
  }
  if (why == EEXIST) return Status::failed("'" + path + "' exists already and is left as it is");
  return Status::failed("cannot create '" + path + "': " + std::strerror(why));
}

Status TextFile::lock() {
  if (!is_regular(file_.get()) || try_lock(file_, Lock::Alone)) return {};
  static_cast<void>(file_.close());
  return Status::failed("another process writes '" + path_ + "'");
}

/// Not as it is opened: another process may be writing it.
Status TextFile::start_anew() const {
  const int error = is_regular(file_.get()) ? truncate_file(file_.get(), 0) : 0;
  return error == 0 ? Status{} : problem(error);
}

Status TextFile::reopen(const std::string& path, std::int64_t size) {
  path_ = path;
  file_ = Descriptor(path, OpenMode::Write);
  if (!file_) return Status::failed("cannot open '" + path + "': " + std::strerror(errno));
  if (Status bad = lock(); !bad) return bad;
  const auto end = static_cast<std::uint64_t>(size);
  int error = truncate_file(file_.get(), end);
  if (error == 0) error = move_to(file_.get(), end);
  if (error != 0) return problem(error);
  appended_ = whole_lines_ = size;
  return {};
}

void TextFile::append(std::string_view text) {
  if (!status_ || !file_) return;
  buffer_ += text;
  appended_ += static_cast<std::int64_t>(text.size());
  if (buffer_.size() >= kBufferSize) (void)flush();  // the error is kept and comes back from the next flush()
}

void TextFile::replace(std::int64_t offset, std::string_view text) {
  if (!flush() || !file_) return;
  const int error = write_all_at(file_.get(), static_cast<std::uint64_t>(offset), text).error;
  if (error != 0) status_ = problem(error);
}

Status TextFile::flush() {
  if (!status_) return status_;
  if (!file_) return {};
  const Transfer written = write_all(file_.get(), buffer_);
  if (written.error != 0) return cut_back(written);
  whole_lines_ += static_cast<std::int64_t>(buffer_.size());
  buffer_.clear();
  return {};
}

Status TextFile::cut_back(const Transfer& written) {
  const std::size_t newline = std::string_view(buffer_).substr(0, written.done).rfind('\n');
  if (newline != std::string::npos) whole_lines_ += static_cast<std::int64_t>(newline) + 1;
  const bool cut = truncate_file(file_.get(), static_cast<std::uint64_t>(whole_lines_)) == 0;
  buffer_.clear();
  status_ = problem(written.error, cut ? "; the lines written before are kept" : "; its last line may be incomplete");
  return status_;
}

Status TextFile::sync() {
  Status result = flush();
  if (result && file_) sync_data(file_.get());  // devices and pipes have no disk
  return result;
}

Status TextFile::close() {
  Status result = flush();
  const int error = file_.close();
  if (error == 0 || !result) return result;
  status_ = problem(error);
  return status_;
}

void TextFile::discard() {
  buffer_.clear();
  static_cast<void>(close());
  std::error_code ignored;
  if (created_ && fs::is_regular_file(fs::symlink_status(path_, ignored))) fs::remove(path_, ignored);
}

void CsvWriter::append_number(double value) {
  char text[kNumberRoom];
  line_.append(text, write_number(value, digits_, text));
}

/// Piece by piece, each as long as there is room for one more number.
void CsvWriter::append_numbers(std::span<const double> values, bool begin_line, std::string& out) const {
  constexpr std::size_t kPiece = 4096;
  char text[kPiece + kNumberRoom];
  char* end = text;
  for (const double value : values) {
    if (!std::exchange(begin_line, false)) end = std::copy(separator_.begin(), separator_.end(), end);
    end = write_number(value, digits_, end);
    if (end < text + kPiece - separator_.size()) continue;
    out.append(text, end);
    end = text;
  }
  out.append(text, end);
}

void CsvWriter::header(const std::vector<std::string>& names) {
  if (listener_) listener_->columns(table_, names);
  if (!file_.is_open()) return;
  line_.clear();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) line_ += ',';
    line_ += names[i];
  }
  line_ += '\n';
  file_.append(line_);
}

void CsvWriter::row(std::span<const double> first, std::span<const double> second, bool warmup) {
  if (listener_) listener_->row(table_, first, second, warmup);
  if (!file_.is_open()) return;
  line_.clear();
  append_numbers(first, true, line_);
  append_numbers(second, first.empty(), line_);
  line_ += '\n';
  file_.append(line_);
  if (first_row_end_ == 0) first_row_end_ = file_.appended();
}

std::string CsvWriter::lines(std::span<const double> values, std::size_t columns) const {
  std::string out;
  for (; !values.empty(); values = values.subspan(columns)) {
    append_numbers(values.first(columns), true, out);
    out.push_back('\n');
  }
  return out;
}

void CsvWriter::rows(std::span<const double> values, std::size_t columns, unsigned threads) {
  constexpr std::size_t kNumbers = 1 << 14;  // that are worth a thread's while
  const std::size_t piece = std::max<std::size_t>(1, kNumbers / std::max<std::size_t>(1, columns)) * columns;
  if (listener_ || !file_.is_open() || threads == 1 || values.size() <= piece) {
    for (; !values.empty(); values = values.subspan(columns)) row({}, values.first(columns));
    return;
  }
  std::vector<std::string> texts(4 * resolved_threads(threads));
  for (std::size_t first = 0; first < values.size(); first += texts.size() * piece) {
    run_parallel(threads, texts.size(), [&](std::size_t k) {
      const std::size_t from = std::min(values.size(), first + k * piece);
      texts[k] = lines(values.subspan(from, std::min(piece, values.size() - from)), columns);
    });
    if (first_row_end_ == 0) first_row_end_ = file_.appended() + static_cast<std::int64_t>(texts[0].find('\n')) + 1;
    for (const std::string& text : texts) file_.append(text);
  }
}

Status CsvWriter::reopen(const std::string& path, std::int64_t header_end, std::int64_t size) {
  if (size > header_end) first_row_end_ = size;
  return file_.reopen(path, size);
}

std::string CsvWriter::holding(std::string_view what) const {
  return std::string(what) + (path().empty() ? " is the last row" : " is in '" + path() + "'");
}

Status CsvWriter::end(Status run) {
  if (path().empty()) return run;
  Status closed = file_.close();
  const bool ended_early = !run;
  const bool closed_tells = run || (!closed && run.is_interrupted());  // that the run ended early is known
  Status result = closed_tells ? std::move(closed) : std::move(run);
  if ((ended_early || !result) && !has_rows() && !keeps_without_rows_) file_.discard();
  return result;
}

void CsvWriter::adaptation(double stepsize, const Metric& metric) {
  line_ = "# Adaptation terminated\n# Step size = ";
  append_number(stepsize);
  const std::size_t n = metric.size();
  const auto line_of = [&](std::span<const double> values) {
    line_ += "# ";
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) line_ += ", ";
      append_number(values[i]);
    }
    line_ += '\n';
  };
  switch (metric.kind()) {
    case MetricKind::Unit:
      line_ += "\n# No free parameters for unit metric\n";
      break;
    case MetricKind::Diag:
    case MetricKind::FisherDiag:
    case MetricKind::LowRank:  // its directions are in the metric file alone: readers of CmdStan's files expect one line
      line_ += "\n# Diagonal elements of inverse mass matrix:\n";
      line_of(metric.inverse());
      break;
    case MetricKind::Dense:
      line_ += "\n# Elements of inverse mass matrix:\n";
      for (std::size_t i = 0; i < n; ++i) line_of(metric.inverse().subspan(i * n, n));
      break;
  }
  file_.append(line_);
}

std::string elapsed_text(ElapsedTime time, std::string_view prefix) {
  const std::string p(prefix);
  return p + "\n" + p + " Elapsed Time: " + seconds(time.warmup) + " seconds (Warm-up)\n" + p + "               " +
         seconds(time.sampling) + " seconds (Sampling)\n" + p + "               " +
         seconds(time.warmup + time.sampling) + " seconds (Total)\n" + p + "\n";
}

void CsvWriter::elapsed(ElapsedTime time) {
  file_.append(elapsed_text(time, "# "));
}

}  // namespace fermiac::inference
