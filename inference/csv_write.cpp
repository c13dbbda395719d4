#include <fcntl.h>
#include <unistd.h>

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
  if (fd_ >= 0) return {};
  const int why = errno;
  if (why == EEXIST) return Result::fail("'" + path + "' exists already and is left as it is");
  return Result::fail("cannot create '" + path + "': " + std::strerror(why));
}

void TextFile::append(std::string_view text) {
  if (!error_.empty()) return;
  buffer_ += text;
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
    result = Result::fail("cannot write '" + path_ + "': " + std::strerror(errno));
  fd_ = -1;
  return result;
}

void CsvWriter::append_number(double value) {
  if (std::isnan(value)) {
    line_ += "nan";  // never -nan
    return;
  }
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits_);
  line_.append(buffer, end.ptr);
}

void CsvWriter::header(const std::vector<std::string>& names) {
  line_.clear();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) line_ += ',';
    line_ += names[i];
  }
  line_ += '\n';
  file_.append(line_);
}

void CsvWriter::row(std::span<const double> first, std::span<const double> second) {
  line_.clear();
  for (const std::span<const double> part : {first, second})
    for (const double value : part) {
      if (!line_.empty()) line_ += separator_;
      append_number(value);
    }
  line_ += '\n';
  file_.append(line_);
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
