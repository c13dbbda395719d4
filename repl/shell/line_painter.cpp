#include "repl/shell/line_painter.h"

#include <fmt/format.h>

#include <algorithm>

namespace fermiac::repl {

int columns_of_character(char32_t c) {
  struct Range {
    char32_t first, last;
  };
  static constexpr Range kZero[] = {
      {0x300, 0x36f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
  static constexpr Range kWide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},  {0xac00, 0xd7a3},
                                    {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},  {0xffe0, 0xffe6},
                                    {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
  const auto in = [c](const auto& ranges) {
    return std::ranges::any_of(ranges, [c](const Range& r) { return c >= r.first && c <= r.last; });
  };
  if (in(kZero)) return 0;
  return in(kWide) ? 2 : 1;
}

namespace {

/// Lays characters out in rows. Every row is text with its colours, complete in itself.
class Layout {
 public:
  explicit Layout(int columns) : columns_(std::max(columns, 2)) { rows.emplace_back(); }

  struct Row {
    std::string text;
    int width = 0;
  };
  std::vector<Row> rows;
  std::size_t cursor_row = 0;
  int cursor_column = 0;

  void mark_cursor() {
    wrap(1);  // the cursor stands on a cell of its own
    cursor_row = rows.size() - 1;
    cursor_column = rows.back().width;
  }
  void raw(std::string_view codes) { rows.back().text += codes; }
  void put(std::string_view character, int width, Ink ink) {
    wrap(width);
    if (ink != ink_) raw(ink_code(ink));
    ink_ = ink;
    rows.back().text += character;
    rows.back().width += width;
  }
  void new_row() {
    if (ink_ != Ink::Plain) raw(ink_code(Ink::Plain));
    rows.emplace_back();
    if (ink_ != Ink::Plain) raw(ink_code(ink_));
  }
  void finish() {
    if (ink_ != Ink::Plain) raw(ink_code(Ink::Plain));
    ink_ = Ink::Plain;
  }

 private:
  void wrap(int width) {
    if (rows.back().width + width > columns_) new_row();
  }
  int columns_;
  Ink ink_ = Ink::Plain;
};

/// Length of the UTF-8 character that starts here; 1 for a byte that starts none.
std::size_t character_length(std::string_view text, char32_t* code) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  *code = byte(0);
  const std::size_t n = byte(0) < 0x80 ? 1 : byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : byte(0) >= 0xc0 ? 2 : 1;
  if (n == 1 || n > text.size()) return 1;
  char32_t c = byte(0) & (0x7f >> n);
  for (std::size_t i = 1; i < n; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 1;
    c = c << 6 | (byte(i) & 0x3f);
  }
  *code = c;
  return n;
}

void put_character(Layout& layout, std::string_view character, char32_t code, Ink ink) {
  constexpr int kTab = 8;
  if (code == '\n') return layout.new_row();
  if (code == '\t') {
    for (int n = kTab - layout.rows.back().width % kTab; n-- > 0;) layout.put(" ", 1, ink);
  } else if (code < 0x20 || code == 0x7f) {
    layout.put("^", 1, ink);
    layout.put(std::string(1, static_cast<char>(code ^ 0x40)), 1, ink);
  } else if (character.size() == 1 && code >= 0x80) {
    layout.put("?", 1, Ink::Wrong);  // no UTF-8
  } else {
    layout.put(character, columns_of_character(code), ink);
  }
}

void put_prompt(Layout& layout, std::string_view prompt) {
  while (!prompt.empty()) {
    if (prompt.front() == '\001') {
      const std::size_t end = std::min(prompt.find('\002'), prompt.size());
      layout.raw(prompt.substr(1, end - 1));
      prompt.remove_prefix(std::min(end + 1, prompt.size()));
      continue;
    }
    char32_t code = 0;
    const std::size_t n = character_length(prompt, &code);
    put_character(layout, prompt.substr(0, n), code, Ink::Plain);
    prompt.remove_prefix(n);
  }
}

void put_text(Layout& layout, std::string_view text, const std::vector<Ink>& inks, std::size_t cursor) {
  for (std::size_t i = 0; i < text.size();) {
    char32_t code = 0;
    const std::size_t n = character_length(text.substr(i), &code);
    if (cursor >= i && cursor < i + n) layout.mark_cursor();
    put_character(layout, text.substr(i, n), code, inks[i]);
    i += n;
  }
  if (cursor >= text.size()) layout.mark_cursor();
  layout.finish();
}

std::string up(std::size_t rows) {
  return rows > 0 ? fmt::format("\x1b[{}A", rows) : std::string();
}

}  // namespace

/// From the cursor to the start of the first row. The terminal may be narrower than it was: long rows are broken then.
std::string LinePainter::home(int columns) const {
  std::size_t above = 0;
  for (std::size_t i = 0; i < row_; ++i) above += static_cast<std::size_t>(std::max(widths_[i] - 1, 0) / columns) + 1;
  above += static_cast<std::size_t>(column_ / columns);
  return up(above) + "\r";
}

std::string LinePainter::draw(std::string_view prompt, std::string_view text, const std::vector<Ink>& inks,
                              std::size_t cursor, ScreenSize size) {
  Layout layout(size.columns);
  put_prompt(layout, prompt);
  put_text(layout, text, inks, cursor);
  // Of an input higher than the screen the part around the cursor is shown.
  const std::size_t height = static_cast<std::size_t>(std::max(size.rows, 1));
  const std::size_t first = layout.cursor_row < height ? 0 : layout.cursor_row - height + 1;
  const std::size_t last = std::min(layout.rows.size(), first + height);
  std::string out = home(std::max(size.columns, 1)) + "\x1b[J";
  widths_.clear();
  for (std::size_t i = first; i < last; ++i) {
    out += (i > first ? "\r\n" : "") + layout.rows[i].text;
    widths_.push_back(layout.rows[i].width);
  }
  row_ = layout.cursor_row - first;
  column_ = layout.cursor_column;
  out += up(last - first - 1 - row_) + "\r";
  if (column_ > 0) out += fmt::format("\x1b[{}C", column_);
  return out;
}

std::string LinePainter::leave() {
  std::string out;
  const std::size_t below = widths_.empty() ? 0 : widths_.size() - 1 - row_;
  if (below > 0) out += fmt::format("\x1b[{}B", below);
  forget();
  return out + "\r\n";
}

}  // namespace fermiac::repl
