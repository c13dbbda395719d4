#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>

#include "inference/config.h"
#include "inference/csv.h"

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
  fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (overwrite ? O_TRUNC : O_EXCL), 0666);
  created_ = fd_ >= 0;
  if (created_) return {};
  const int why = errno;
  if (why == EEXIST) return Result::fail("'" + path + "' exists already and is left as it is");
  return Result::fail("cannot create '" + path + "': " + std::strerror(why));
}

void TextFile::append(std::string_view text) {
  if (!error_.empty() || fd_ < 0) return;
  buffer_ += text;
  appended_ += static_cast<std::int64_t>(text.size());
  if (buffer_.size() >= kBufferSize) (void)flush();  // the error is kept and comes back from the next flush()
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

namespace {

constexpr double kPowers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};

/// The `digits` leading digits of a number >= 1e-4 as an integer, and the exponent of the first; false where rounding
/// errors could change the last digit.
bool leading_digits(double a, int digits, std::uint64_t* number, int* exponent) {
  int e = static_cast<int>(std::floor(std::ilogb(a) * 0.30103));  // too small by one at most
  const auto most = static_cast<std::uint64_t>(kPowers[digits]);
  for (int attempt = 0; attempt < 2; ++attempt, ++e) {
    const int shift = digits - 1 - e;
    const double scaled = shift >= 0 ? a * kPowers[shift] : a / kPowers[-shift];
    std::uint64_t n = static_cast<std::uint64_t>(scaled);
    if (n >= most) continue;
    const double rest = scaled - static_cast<double>(n);
    if (std::fabs(rest - 0.5) < 1e-3) return false;
    if (rest > 0.5 && ++n == most) n /= 10, ++e;
    *number = n;
    *exponent = e;
    return true;
  }
  return false;
}

/// Like std::to_chars in its general format, several times faster; null where that has to do it: numbers that need an
/// exponent, many digits, ties.
char* write_plain(double value, int digits, char* out) {
  const double a = std::fabs(value);
  if (digits > 10 || !(a >= 1e-4) || a >= kPowers[digits] / 2) return nullptr;
  std::uint64_t number = 0;
  int exponent = 0;
  if (!leading_digits(a, digits, &number, &exponent)) return nullptr;
  char text[16];
  for (int i = digits; i-- > 0; number /= 10) text[i] = static_cast<char>('0' + number % 10);
  int used = digits;
  while (used > 1 && text[used - 1] == '0') --used;
  if (std::signbit(value)) *out++ = '-';
  if (exponent < 0) {
    *out++ = '0';
    *out++ = '.';
    for (int i = exponent; i < -1; ++i) *out++ = '0';
    return std::copy_n(text, used, out);
  }
  const int whole = exponent + 1;
  out = std::copy_n(text, whole, out);  // zeros that were cut off at the end are still there
  if (used <= whole) return out;
  *out++ = '.';
  return std::copy(text + whole, text + used, out);
}

}  // namespace

void CsvWriter::append_number(double value) {
  if (std::isnan(value)) {
    line_ += "nan";  // never -nan
    return;
  }
  char buffer[64];
  char* end = write_plain(value, digits_, buffer);
  if (!end) end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits_).ptr;
  line_.append(buffer, end);
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
  for (const std::span<const double> part : {first, second})
    for (const double value : part) {
      if (!line_.empty()) line_ += separator_;
      append_number(value);
    }
  line_ += '\n';
  file_.append(line_);
  if (first_row_end_ == 0) first_row_end_ = file_.appended();
}

std::string CsvWriter::holding(std::string_view what) const {
  return std::string(what) + (path().empty() ? " is the last row" : " is in '" + path() + "'");
}

Result CsvWriter::end(Result run) {
  if (path().empty()) return run;
  Result closed = file_.close();
  const bool closed_tells = run || (!closed && run.error.starts_with(kInterrupted));  // that the run ended early is known
  Result result = closed_tells ? std::move(closed) : std::move(run);
  if (!result && !has_rows()) file_.discard();
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
