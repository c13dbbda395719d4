#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>

#include "inference/output/csv.h"
#include "support/base/json_scan.h"
#include "support/base/number_text.h"
#include "support/base/text.h"
#include "support/base/text_file.h"

namespace fermiac::inference {
namespace {

std::string_view trim(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r')) s.remove_suffix(1);
  return s;
}

NumberText parse(std::string_view text, double* out) {
  text = trim(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  return read_number(text, out);
}

bool parse_number(std::string_view text, double* out) {
  return parse(text, out) == NumberText::Number;
}

std::string not_a_number(std::string_view text) {
  double ignored = 0;
  const bool large = parse(text, &ignored) == NumberText::TooLarge;
  return "'" + shown(text) + (large ? "' is too large for a number" : "' is not a number");
}

/// Comma-separated numbers appended to `out`; the number of fields, or npos where one is not a number.
std::size_t parse_row(std::string_view line, std::vector<double>* out, std::string_view* bad) {
  std::size_t fields = 0;
  while (true) {
    double number = 0;
    const char *const begin = line.data(), *const end = begin + line.size();
    if (const char* behind = read_short_number(begin, end, &number); behind && behind != end && *behind == ',') {
      out->push_back(number);
      ++fields;
      line.remove_prefix(static_cast<std::size_t>(behind + 1 - begin));
      continue;
    }
    const std::size_t comma = line.find(',');
    const std::string_view field = line.substr(0, comma);
    double value = 0;
    if (!parse_number(field, &value)) {
      *bad = trim(field);
      return npos;
    }
    out->push_back(value);
    ++fields;
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

/// End of the first field of a line: its comma, or the end of the line. Commas within quotes do not end a field.
std::size_t field_end(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == ',' && !quoted) return i;
  }
  return line.size();
}

/// `th[1,2].3` as CSV headers of CmdStan spell it: `th.1.2:3`. Other names are returned as they are.
std::string without_brackets(std::string_view name) {
  std::string out;
  bool inside = false, after = false;
  for (const char c : name) {
    if (c == '[' && !inside) inside = true, out += '.';
    else if (c == ']' && inside) inside = false;
    else if (inside && c == ',') out += '.';
    else if (inside && c == ' ') continue;
    else if (after && c == '.') out += ':';
    else out += c;
    after = c == ']';
  }
  return inside ? std::string(name) : out;
}

/// Name of a column: quotes removed, indices in brackets written with dots.
std::string column_name(std::string_view field) {
  if (field.size() >= 2 && field.front() == '"' && field.back() == '"') field = trim(field.substr(1, field.size() - 2));
  return field.find('[') == std::string_view::npos ? std::string(field) : without_brackets(field);
}

/// Names of variables begin with a letter, so `inf` and `nan` are names; a number of a row of draws is not.
bool begins_number(std::string_view name) {
  double number = 0;
  return std::string_view("+-.0123456789").find(name.front()) != std::string_view::npos && parse_number(name, &number);
}

std::size_t indent_of(std::string_view s) {
  std::size_t i = 0;
  while (i < s.size() && s[i] == ' ') ++i;
  return i;
}

class Reader {
 public:
  explicit Reader(CsvDraws* out) : out_(*out) {}

  Status line(std::string_view text, bool complete) {
    if (++number_ == 1 && text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    if (text.find('\0') != std::string_view::npos) return fail("found a zero byte: this is not a file of draws");
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    if (text.empty()) return {};
    if (text.front() == '#') {
      comment(text.substr(1));
      return {};
    }
    if (out_.names.empty()) return header(text, complete);
    return draw(text, complete);
  }

 private:
  Status fail(const std::string& why) const {
    return Status::failed(out_.path + ":" + std::to_string(number_) + ": " + why);
  }

  Status header(std::string_view text, bool complete) {
    while (true) {
      const std::size_t end = field_end(text);
      const std::string_view field = trim(text.substr(0, end));
      std::string name = column_name(field);
      const bool is_code = field.find_first_of("{};") != std::string_view::npos;  // a program, or JSON
      if (name.empty() || is_code || begins_number(name))
        return fail("expected the header line with the names of the columns, found '" + std::string(field) + "'");
      if (!seen_.insert(name).second) return fail("two columns are named '" + name + "'");
      out_.names.push_back(std::move(name));
      if (end == text.size()) return complete ? Status{} : fail("the header line is cut short");
      text.remove_prefix(end + 1);
    }
  }

  Status draw(std::string_view text, bool complete) {
    if (!complete) {
      out_.truncated = true;  // its last number may have lost digits
      return {};
    }
    std::string_view bad;
    const std::size_t before = out_.values.size();
    const std::size_t fields = parse_row(text, &out_.values, &bad);
    if (fields == out_.names.size()) {
      ++out_.rows;
      return {};
    }
    out_.values.resize(before);
    if (fields == npos) return fail(not_a_number(bad));
    return fail("found " + std::to_string(fields) + " values, expected " + std::to_string(out_.names.size()));
  }

  void comment(std::string_view text) {
    if (text.starts_with(' ')) text.remove_prefix(1);
    if (metric_lines(text)) return;
    const std::string_view bare = trim(text);
    if (bare == "Adaptation terminated") {
      out_.adapted = true;
      out_.warmup_rows = out_.rows;
    } else if (bare.starts_with("Step size = ")) {
      parse_number(bare.substr(12), &out_.stepsize);
    } else if (bare == "Diagonal elements of inverse mass matrix:") {
      out_.metric_kind = "diag_e";
      in_metric_ = true;
    } else if (bare == "Elements of inverse mass matrix:") {
      out_.metric_kind = "dense_e";
      in_metric_ = true;
    } else if (bare == "No free parameters for unit metric") {
      out_.metric_kind = "unit_e";
    } else if (bare.find(" seconds (") != std::string_view::npos) {
      elapsed(bare);
    } else if (out_.names.empty()) {
      setting(text);
    }
  }

  bool metric_lines(std::string_view text) {
    if (!in_metric_) return false;
    std::vector<double> row;
    std::string_view bad;
    if (parse_row(text, &row, &bad) == npos) {
      in_metric_ = false;
      return false;
    }
    out_.inverse_metric.insert(out_.inverse_metric.end(), row.begin(), row.end());
    return true;
  }

  void elapsed(std::string_view bare) {
    if (bare.starts_with("Elapsed Time:")) bare = trim(bare.substr(13));
    double value = 0;
    if (!parse_number(bare.substr(0, bare.find(' ')), &value)) return;
    out_.has_elapsed = true;
    if (bare.ends_with("(Warm-up)")) out_.elapsed.warmup = value;
    if (bare.ends_with("(Sampling)")) out_.elapsed.sampling = value;
  }

  void setting(std::string_view text) {
    const std::size_t level = indent_of(text) / 2;
    const std::string_view bare = trim(text);
    if (bare.empty()) return;
    const std::size_t equals = bare.find(" =");
    path_.resize(std::min(path_.size(), level));
    while (path_.size() < level) path_.emplace_back();
    path_.emplace_back(bare.substr(0, equals));
    if (equals == std::string_view::npos) return;
    std::string_view value = trim(bare.substr(equals + 2));
    if (value.ends_with("(Default)")) value = trim(value.substr(0, value.size() - 9));
    std::string key;
    for (const std::string& part : path_) {
      if (part.empty()) continue;
      if (!key.empty()) key += '.';
      key += part;
    }
    out_.config.emplace_back(std::move(key), std::string(value));
  }

  CsvDraws& out_;
  std::set<std::string> seen_;  // names of columns
  std::vector<std::string> path_;
  std::size_t number_ = 0;
  bool in_metric_ = false;
};

struct FileCloser {
  void operator()(std::FILE* f) const { std::fclose(f); }
};

}  // namespace

std::size_t CsvDraws::column(std::string_view name) const {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return i;
  return npos;
}

std::string_view CsvDraws::setting(std::string_view key) const {
  for (const auto& [full, value] : config)
    if (full == key || (full.size() > key.size() && full.ends_with(key) && full[full.size() - key.size() - 1] == '.'))
      return value;
  return {};
}

double CsvDraws::number(std::string_view key, double otherwise) const {
  double value = 0;
  return parse_number(setting(key), &value) ? value : otherwise;
}

double CsvDraws::rounding() const {
  const double digits = number("sig_figs", -1);
  return digits >= 1 && digits <= 18 ? 0.5 * std::pow(10, 1 - digits) : kPrintedRounding;
}

namespace {

/// A whole number of the configuration; npos if there is none.
std::size_t count_in(const CsvDraws& draws, std::string_view key) {
  const double value = draws.number(key, -1);
  return value >= 0 && value <= 4294967295.0 ? static_cast<std::size_t>(value) : npos;
}

/// Of `iterations`, every thin-th is written, beginning with the first.
std::size_t thinned(const CsvDraws& draws, std::size_t iterations) {
  const std::size_t thin = count_in(draws, "thin");
  return iterations == npos || thin == 0 || thin == npos ? iterations : (iterations + thin - 1) / thin;
}

bool is_true(std::string_view value) {
  return value == "1" || value == "true";
}

/// Without the line that ends it, a saved warm-up that was cut short would look like draws.
void find_warmup(CsvDraws& draws) {
  if (draws.adapted || !is_true(draws.setting("save_warmup")) || draws.setting("algorithm") == "fixed_param") return;
  const std::size_t warmup = thinned(draws, count_in(draws, "num_warmup"));
  if (warmup != npos) draws.warmup_rows = std::min(draws.rows, warmup);
}

}  // namespace

std::size_t CsvDraws::rows_expected() const {
  if (const std::size_t n = count_in(*this, "num_samples"); n != npos) return thinned(*this, n);
  if (const std::size_t n = count_in(*this, "output_samples"); n != npos) return n + 1;  // and the mean
  return count_in(*this, "laplace.draws");
}

std::string CsvDraws::what_is_missing() const {
  const std::size_t expected = rows_expected(), there = rows - warmup_rows;
  const std::string file = "'" + path + "' is cut short: ";
  if (expected != npos && there < expected)
    return file + std::to_string(there) + " of " + std::to_string(expected) + " draws";
  return truncated ? file + "its last line is incomplete and left out" : "";
}

Status read_csv(const std::string& path, CsvDraws* out) {
  *out = {};
  out->path = path;
  const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
  if (!file) return Status::failed("cannot open '" + path + "': " + std::strerror(errno));
  Reader reader(out);
  bool any = false;
  std::string pending;
  std::vector<char> chunk(1 << 18);
  while (const std::size_t got = std::fread(chunk.data(), 1, chunk.size(), file.get())) {
    std::string_view rest(chunk.data(), got);
    any = true;
    if (pending.empty() && rest.find('\n') == std::string_view::npos && rest.front() == '\0')
      return reader.line(rest, false);  // nor will it end
    for (std::size_t end; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1)) {
      const std::string_view line = rest.substr(0, end);
      if (!pending.empty()) pending += line;
      if (Status bad = reader.line(pending.empty() ? line : pending, true); !bad) return bad;
      pending.clear();
    }
    pending += rest;
  }
  if (std::ferror(file.get())) return Status::failed("cannot read '" + path + "': " + std::strerror(errno));
  if (Status bad = reader.line(pending, false); !bad) return bad;
  find_warmup(*out);
  if (!any) return Status::failed("'" + path + "' is empty");
  if (out->names.empty()) return Status::failed("'" + path + "' has no header line: it is not a file of draws");
  return {};
}

}  // namespace fermiac::inference
