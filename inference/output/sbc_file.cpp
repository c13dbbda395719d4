#include "inference/output/sbc_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "inference/output/output.h"
#include "support/base/json.h"

namespace fermiac::inference {
namespace {

constexpr std::string_view kSeed = "# seed = ", kDraws = "# draws = ", kHeader = "simulation,quantity,truth,rank,ess,divergences\n";

template <class T>
bool number_in(std::string_view text, T* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size();
}
/// As CSV files of draws have it.
bool real_in(std::string_view text, double* out) {
  if (text == "nan") return *out = std::numeric_limits<double>::quiet_NaN(), true;
  return number_in(text, out);
}
std::string real_text(double x) {
  return std::isfinite(x) ? json_number(x) : fmt::format("{}", x);
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find(',', at), line.size());
    out.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

class Reader {
 public:
  Reader(const std::string& path, std::string_view text, SbcFileText* out) : path_(path), text_(text), out_(out) {}

  Status read() {
    std::string_view line;
    while (next(&line))
      if (!take(line)) return Status::failed(fmt::format("'{}', line {}: '{}' is not what fermiac sbc writes", path_, number_, line));
    // The last one may lack rows.
    if (rows_.size() == expected() && !rows_.empty()) keep();
    return {};
  }

 private:
  /// A line that ends; without its end.
  bool next(std::string_view* line) {
    const std::size_t end = text_.find('\n', at_);
    if (end == std::string_view::npos) return false;
    *line = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++number_;
    return true;
  }
  bool take(std::string_view line) {
    if (line.starts_with(kSeed)) return number_in(line.substr(kSeed.size()), &out_->seed);
    if (line.starts_with(kDraws)) return number_in(line.substr(kDraws.size()), &out_->draws);
    if (line.starts_with('#')) return true;
    if (line == kHeader.substr(0, kHeader.size() - 1)) return out_->whole = static_cast<std::int64_t>(at_), true;
    return take_row(fields_of(line));
  }
  bool take_row(const std::vector<std::string_view>& f) {
    SbcRow row;
    std::size_t simulation = 0;
    if (f.size() != 6 || !number_in(f[0], &simulation) || !real_in(f[2], &row.truth) || !number_in(f[3], &row.rank) ||
        !real_in(f[4], &row.ess) || !number_in(f[5], &row.divergences) || row.rank > out_->draws)
      return false;
    if (simulation != out_->simulations.size() + 1) {
      if (rows_.empty() || rows_.size() != expected() || simulation != out_->simulations.size() + 2) return false;
      keep();
    }
    row.quantity = f[1];
    rows_.push_back(row);
    end_ = at_;
    return true;
  }
  /// As many as the first has.
  std::size_t expected() const { return out_->simulations.empty() ? rows_.size() : out_->simulations[0].size(); }
  void keep() {
    out_->simulations.push_back(std::move(rows_));
    rows_.clear();
    out_->whole = static_cast<std::int64_t>(end_);
  }

  const std::string& path_;
  std::string_view text_;
  SbcFileText* out_;
  std::size_t at_ = 0, end_ = 0, number_ = 0;
  std::vector<SbcRow> rows_;
};

}  // namespace

Status read_sbc_file(const std::string& path, bool* is_one, SbcFileText* out) {
  std::string text;
  if (Status bad = read_text_file(path, &text); !bad) return bad;
  *is_one = text.starts_with(kSbcMark);
  return *is_one ? Reader(path, text, out).read() : Status{};
}

Status SbcFile::open(const SbcOptions& options, std::uint64_t seed, SbcResult* out) {
  if (options.file.empty()) return {};
  if (options.resume) return resume(options, seed, out);
  if (Status bad = file_.open(options.file, false); !bad) return bad;
  file_.append(fmt::format("{}{}{}\n{}{}\n{}", kSbcMark, kSeed, seed, kDraws, options.draws, kHeader));
  return file_.flush();
}

Status SbcFile::resume(const SbcOptions& options, std::uint64_t seed, SbcResult* out) {
  SbcFileText found;
  bool is_one = false;
  if (Status bad = read_sbc_file(options.file, &is_one, &found); !bad) return bad;
  if (!is_one) return Status::failed(fmt::format("'{}' is no file of fermiac sbc", options.file));
  if (found.seed != seed || found.draws != options.draws)
    return Status::failed(fmt::format("'{}' has ranks among {} draws with seed {}, not among {} with seed {}", options.file, found.draws,
                                    found.seed, options.draws, seed));
  for (const std::vector<SbcRow>& rows : found.simulations)
    if (out->simulations < options.simulations) out->add(rows, options.draws);
  return file_.reopen(options.file, found.whole);
}

Status SbcFile::append(std::size_t simulation, const std::vector<SbcRow>& rows) {
  if (!file_.is_open()) return {};
  for (const SbcRow& row : rows)
    file_.append(fmt::format("{},{},{},{},{},{}\n", simulation + 1, row.quantity, real_text(row.truth), row.rank, real_text(row.ess), row.divergences));
  return file_.flush();
}

}  // namespace fermiac::inference
