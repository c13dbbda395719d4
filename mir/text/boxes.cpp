#include "mir/text/boxes.h"

#include <algorithm>

namespace fermiac::mir {

Boxes& Boxes::text(std::string_view text) {
  Token token{.kind = TokenKind::Text};
  token.text = text;
  tokens_.push_back(std::move(token));
  return *this;
}
Boxes& Boxes::open(Kind kind, int indent) {
  tokens_.push_back({.kind = TokenKind::Open, .box = kind, .offset = indent});
  return *this;
}
Boxes& Boxes::close() {
  tokens_.push_back({.kind = TokenKind::Close});
  return *this;
}
Boxes& Boxes::hint(int blanks, int offset) {
  tokens_.push_back({.kind = TokenKind::Hint, .blanks = blanks, .offset = offset});
  return *this;
}
Boxes& Boxes::newline() {
  tokens_.push_back({.kind = TokenKind::Newline});
  return *this;
}

// A piece that would reach the margin exactly does not fit: the engine decides as soon as the line is full.
// One sweep: a hint's size ends at the next hint of its box or at the box's end, a box's size at its end.
void Boxes::measure() {
  struct Open {
    std::size_t box;
    std::size_t hint;  // the last hint, or the box itself if there is none yet
  };
  std::vector<long> start(tokens_.size());
  std::vector<Open> open;
  long total = 0;
  const auto end_hint = [&](Open& frame) {
    if (frame.hint != frame.box) tokens_[frame.hint].size = total - start[frame.hint];
  };
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    Token& token = tokens_[i];
    start[i] = total;
    if (token.kind == TokenKind::Text) total += static_cast<long>(token.text.size());
    if (token.kind == TokenKind::Open) open.push_back({i, i});
    if (token.kind == TokenKind::Hint) {
      if (!open.empty()) {
        end_hint(open.back());
        open.back().hint = i;
      }
      total += token.blanks;
    }
    if (token.kind == TokenKind::Close && !open.empty()) {
      end_hint(open.back());
      tokens_[open.back().box].size = total - start[open.back().box];
      open.pop_back();
    }
  }
}

void Boxes::break_line(int width, int offset) {
  const int indent = std::min(max_indent_, margin_ - width + offset);
  left_ = margin_ - indent;
  out_ += '\n';
  out_.append(static_cast<std::size_t>(std::max(indent, 0)), ' ');
}

void Boxes::force_break() {
  if (frames_.empty()) return;
  const Frame& top = frames_.back();
  if (top.width > left_ && !top.fits && top.kind != Kind::Horizontal) break_line(top.width, 0);
}

void Boxes::start_box(const Token& token) {
  if (margin_ - left_ > max_indent_) force_break();  // no box starts so far to the right
  const bool fits = token.box != Kind::Vertical && token.size < left_;
  frames_.push_back({token.box, fits, left_ - token.offset});
}

void Boxes::take_hint(const Token& token) {
  bool breaks = false;
  if (!frames_.empty() && !frames_.back().fits) switch (frames_.back().kind) {
      case Kind::Horizontal:
        break;
      case Kind::Vertical:
      case Kind::All:
        breaks = true;
        break;
      case Kind::Pack:
        breaks = token.size >= left_;
        break;
    }
  if (breaks) return break_line(frames_.back().width, token.offset);
  out_.append(static_cast<std::size_t>(token.blanks), ' ');
  left_ -= token.blanks;
}

std::string Boxes::render() {
  measure();
  out_.clear();
  left_ = margin_;
  for (const Token& token : tokens_) switch (token.kind) {
      case TokenKind::Text:
        out_ += token.text;
        left_ -= static_cast<int>(token.text.size());
        break;
      case TokenKind::Open:
        start_box(token);
        break;
      case TokenKind::Close:
        frames_.pop_back();
        break;
      case TokenKind::Hint:
        take_hint(token);
        break;
      case TokenKind::Newline:
        if (!frames_.empty()) break_line(frames_.back().width, 0);
        break;
    }
  return std::move(out_);
}

}  // namespace fermiac::mir
