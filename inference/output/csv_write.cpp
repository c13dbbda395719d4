#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include "inference/model/parallel.h"
#include "inference/output/csv.h"
#include "support/base/number_text.h"

namespace fermiac::inference {
namespace {

constexpr std::size_t kBufferSize = 1 << 16;

std::string seconds(double s) {
  return format_number(std::round(s * 1000) / 1000, 6);
}

}  // namespace

TextFile::~TextFile() {
  if (fd_ >= 0) (void)close();
}

Result TextFile::open(const std::string& path, bool overwrite) {
  path_ = path;
  fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (overwrite ? 0 : O_EXCL), 0666);
  if (fd_ >= 0) {
    if (Result bad = lock(); !bad) return bad;
    created_ = true;
    return start_anew();
  }
  const int why = errno;
  if (why == EEXIST) return Result::fail("'" + path + "' exists already and is left as it is");
  return Result::fail("cannot create '" + path + "': " + std::strerror(why));
}

Result TextFile::lock() {
  struct stat info {};
  if (fstat(fd_, &info) != 0 || !S_ISREG(info.st_mode) || flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return {};
  ::close(std::exchange(fd_, -1));
  return Result::fail("another process writes '" + path_ + "'");
}

/// Not as it is opened: another process may be writing it.
Result TextFile::start_anew() const {
  struct stat info {};
  if (fstat(fd_, &info) != 0 || !S_ISREG(info.st_mode) || ::ftruncate(fd_, 0) == 0) return {};
  return Result::fail("cannot write '" + path_ + "': " + std::strerror(errno));
}

Result TextFile::reopen(const std::string& path, std::int64_t size) {
  path_ = path;
  fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd_ < 0) return Result::fail("cannot open '" + path + "': " + std::strerror(errno));
  if (Result bad = lock(); !bad) return bad;
  if (::ftruncate(fd_, size) != 0 || ::lseek(fd_, size, SEEK_SET) != size)
    return Result::fail("cannot write '" + path + "': " + std::strerror(errno));
  appended_ = whole_lines_ = size;
  return {};
}

void TextFile::append(std::string_view text) {
  if (!error_.empty() || fd_ < 0) return;
  buffer_ += text;
  appended_ += static_cast<std::int64_t>(text.size());
  if (buffer_.size() >= kBufferSize) (void)flush();  // the error is kept and comes back from the next flush()
}

void TextFile::replace(std::int64_t offset, std::string_view text) {
  if (!flush() || fd_ < 0) return;
  while (!text.empty()) {
    const ssize_t n = ::pwrite(fd_, text.data(), text.size(), offset);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      error_ = "cannot write '" + path_ + "': " + std::strerror(n < 0 ? errno : ENOSPC);
      return;
    }
    text.remove_prefix(static_cast<std::size_t>(n));
    offset += n;
  }
}

Result TextFile::flush() {
  if (!error_.empty()) return Result::fail(error_);
  if (fd_ < 0) return {};
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t n = ::write(fd_, buffer_.data() + done, buffer_.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int why = n < 0 ? errno : ENOSPC;
      const std::size_t newline = std::string_view(buffer_).substr(0, done).rfind('\n');
      if (newline != std::string::npos) whole_lines_ += static_cast<std::int64_t>(newline) + 1;
      const bool cut = ::ftruncate(fd_, whole_lines_) == 0;
      error_ = "cannot write '" + path_ + "': " + std::strerror(why) +
               (cut ? "; the lines written before are kept" : "; its last line may be incomplete");
      buffer_.clear();
      return Result::fail(error_);
    }
    done += static_cast<std::size_t>(n);
  }
  whole_lines_ += static_cast<std::int64_t>(buffer_.size());
  buffer_.clear();
  return {};
}

Result TextFile::sync() {
  Result result = flush();
  if (result && fd_ >= 0) ::fdatasync(fd_);  // devices and pipes have no disk
  return result;
}

Result TextFile::close() {
  Result result = flush();
  if (fd_ >= 0 && ::close(fd_) != 0 && result)
    result = Result::fail(error_ = "cannot write '" + path_ + "': " + std::strerror(errno));
  fd_ = -1;
  return result;
}

void TextFile::discard() {
  buffer_.clear();
  static_cast<void>(close());
  struct stat info {};
  if (created_ && lstat(path_.c_str(), &info) == 0 && S_ISREG(info.st_mode)) unlink(path_.c_str());
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

Result CsvWriter::reopen(const std::string& path, std::int64_t header_end, std::int64_t size) {
  if (size > header_end) first_row_end_ = size;
  return file_.reopen(path, size);
}

std::string CsvWriter::holding(std::string_view what) const {
  return std::string(what) + (path().empty() ? " is the last row" : " is in '" + path() + "'");
}

Result CsvWriter::end(Result run) {
  if (path().empty()) return run;
  Result closed = file_.close();
  const bool ended_early = !run;
  const bool closed_tells = run || (!closed && run.error.starts_with(kInterrupted));  // that the run ended early is known
  Result result = closed_tells ? std::move(closed) : std::move(run);
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
