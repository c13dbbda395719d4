// Which lines of a text were replaced.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "repl/session/program_text.h"

namespace fermiac::repl {
namespace {

using Lines = std::vector<std::string_view>;
constexpr std::size_t kMostCells = 16'000'000;

Lines lines_of(std::string_view text) {
  Lines out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// Lengths of the longest common subsequences of all pairs of suffixes.
class Common {
 public:
  Common(const Lines& a, const Lines& b) : width_(b.size() + 1), cells_((a.size() + 1) * width_) {
    for (std::size_t i = a.size(); i-- > 0;)
      for (std::size_t j = b.size(); j-- > 0;)
        cells_[i * width_ + j] = a[i] == b[j] ? of(i + 1, j + 1) + 1 : std::max(of(i + 1, j), of(i, j + 1));
  }
  std::uint32_t of(std::size_t i, std::size_t j) const { return cells_[i * width_ + j]; }

 private:
  std::size_t width_;
  std::vector<std::uint32_t> cells_;
};

class Changes {
 public:
  explicit Changes(const Lines& before) : before_(before) {}

  /// The lines from `first` to `last` of the old text against the new ones.
  std::string compare(std::size_t first, std::size_t last, const Lines& fresh) {
    const Lines old(before_.begin() + static_cast<std::ptrdiff_t>(first), before_.begin() + static_cast<std::ptrdiff_t>(last));
    if ((old.size() + 1) * (fresh.size() + 1) > kMostCells) return replace_all(first, old, fresh);
    const Common common(old, fresh);
    std::size_t i = 0, j = 0;
    while (i < old.size() || j < fresh.size()) {
      if (i < old.size() && j < fresh.size() && old[i] == fresh[j]) ++i, ++j, open_ = false;
      else if (j == fresh.size() || (i < old.size() && common.of(i + 1, j) >= common.of(i, j + 1))) add('-', old[i], first + i), ++i;
      else add('+', fresh[j], first + i), ++j;
    }
    return std::move(out_);
  }

 private:
  std::string replace_all(std::size_t first, const Lines& old, const Lines& fresh) {
    for (const std::string_view line : old) add('-', line, first);
    for (const std::string_view line : fresh) add('+', line, first);
    return std::move(out_);
  }

  void add(char mark, std::string_view line, std::size_t at) {
    if (!open_) heading(at);
    open_ = true;
    out_ += mark;
    if (!line.empty()) out_.append(" ").append(line);
    out_ += '\n';
  }

  /// The last line without indentation before this one, once.
  void heading(std::size_t at) {
    while (at > 0 && (before_[at - 1].empty() || before_[at - 1].front() == ' ' || before_[at - 1].front() == '}')) --at;
    if (at == 0 || at == heading_) return;
    heading_ = at;
    out_.append("  ").append(before_[at - 1]).append("\n");
  }

  const Lines& before_;
  std::string out_;
  std::size_t heading_ = 0;
  bool open_ = false;  // the line before is part of the same group
};

}  // namespace

std::string line_changes(std::string_view before, std::string_view after) {
  const Lines old = lines_of(before), fresh = lines_of(after);
  const std::size_t least = std::min(old.size(), fresh.size());
  std::size_t head = 0, tail = 0;
  while (head < least && old[head] == fresh[head]) ++head;
  while (tail < least - head && old[old.size() - 1 - tail] == fresh[fresh.size() - 1 - tail]) ++tail;
  const Lines middle(fresh.begin() + static_cast<std::ptrdiff_t>(head), fresh.end() - static_cast<std::ptrdiff_t>(tail));
  return Changes(old).compare(head, old.size() - tail, middle);
}

}  // namespace fermiac::repl
