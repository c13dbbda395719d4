#include "frontend/format/layout.h"

#include <algorithm>
#include <utility>

namespace fermiac::format {
namespace {

constexpr long kInfinity = 1'000'000'000;
constexpr int kMaxIndent = 68;

/// The rightmost column at which a line or a box may start.
long indent_limit(int margin) {
  return margin >= kMaxIndent ? kMaxIndent : std::max({margin - 10, margin / 2, 1});
}

}  // namespace

Layout::Layout(int margin) : margin_(margin), max_indent_(indent_limit(margin)), space_left_(margin) {
  open(Box::Hov);
}

// ---------------------------------------------------------------- input

void Layout::text(std::string_view text) {
  const long length = static_cast<long>(text.size());
  if (length == 0) return;
  texts_ += text;
  enqueue({.kind = Kind::Text, .size = length, .length = length}, true);
}

void Layout::newline() {
  enqueue({.kind = Kind::Newline, .size = 0, .length = 0}, true);
}

void Layout::brk(int blanks, int offset) {
  scan({.kind = Kind::Break, .size = -right_total_, .length = blanks, .blanks = blanks, .offset = offset}, true);
}

void Layout::open(Box kind, int indent) {
  ++depth_;
  scan({.kind = Kind::Open, .size = -right_total_, .length = 0, .box = kind, .offset = indent}, false);
}

void Layout::close() {
  enqueue({.kind = Kind::Close, .size = 0, .length = 0}, false);
  settle(true);
  settle(false);
  --depth_;
}

std::string Layout::finish() {
  while (depth_ > 0) close();
  right_total_ = kInfinity;
  advance();
  return std::move(out_);
}

void Layout::enqueue(const Token& token, bool advancing) {
  right_total_ += token.length;
  queue_.push_back(token);
  if (advancing) advance();
}

void Layout::scan(const Token& token, bool ends_break) {
  enqueue(token, false);
  if (ends_break) settle(true);
  scan_.push_back({right_total_, first_ + queue_.size() - head_ - 1});
}

/// The end of the last pending break (or box) is reached: its size is known now.
void Layout::settle(bool breaks) {
  if (scan_.empty()) return;
  const Scan top = scan_.back();
  if (top.total < left_total_ || top.token < first_) return scan_.clear();  // printed already
  Token& pending = token(top.token);
  if (breaks != (pending.kind == Kind::Break)) return;
  pending.size += right_total_;
  scan_.pop_back();
}

// ---------------------------------------------------------------- output

/// Prints whatever is decided: its size is known, or it fills the line already.
void Layout::advance() {
  for (; head_ < queue_.size(); ++head_, ++first_) {
    const Token& token = queue_[head_];
    if (token.size < 0 && right_total_ - left_total_ < space_left_) break;
    print(token, token.size < 0 ? kInfinity : token.size);
    left_total_ += token.length;
  }
  forget_printed();
}

void Layout::forget_printed() {
  constexpr std::size_t kMany = 1024;
  const bool all = head_ == queue_.size();
  if (!all && (head_ < kMany || head_ < queue_.size() / 2)) return;
  queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(head_));
  texts_.erase(0, text_head_);
  head_ = text_head_ = 0;
}

void Layout::print(const Token& token, long size) {
  switch (token.kind) {
    case Kind::Text:
      out_.append(texts_, text_head_, static_cast<std::size_t>(token.length));
      text_head_ += static_cast<std::size_t>(token.length);
      space_left_ -= token.length;
      at_line_start_ = false;
      break;
    case Kind::Break:
      return print_break(token, size);
    case Kind::Newline:
      return start_line(frames_.empty() ? margin_ : frames_.back().width, 0);
    case Kind::Open:
      return print_open(token, size);
    case Kind::Close:
      frames_.pop_back();
      break;
  }
}

void Layout::print_break(const Token& token, long size) {
  const Frame& box = frames_.back();
  bool breaks = false;
  if (!box.fits) switch (box.kind) {
      case Box::H:
        break;
      case Box::V:
      case Box::HV:
        breaks = true;
        break;
      case Box::Hov:
        breaks = size > space_left_;
        break;
      case Box::Pack:
        breaks = !at_line_start_ && (size > space_left_ || indent_ > margin_ - box.width + token.offset);
        break;
    }
  if (breaks) return start_line(box.width, token.offset);
  out_.append(static_cast<std::size_t>(token.blanks), ' ');
  space_left_ -= token.blanks;
}

void Layout::print_open(const Token& token, long size) {
  if (margin_ - space_left_ > max_indent_ && !frames_.empty()) {  // too far to the right for a box
    const Frame& around = frames_.back();
    if (around.width > space_left_ && !around.fits && around.kind != Box::H) start_line(around.width, 0);
  }
  frames_.push_back({token.box, token.box != Box::V && size <= space_left_, space_left_ - token.offset});
}

void Layout::start_line(long width, int offset) {
  indent_ = std::max(0L, std::min(max_indent_, margin_ - width + offset));
  space_left_ = margin_ - indent_;
  at_line_start_ = true;
  out_ += '\n';
  out_.append(static_cast<std::size_t>(indent_), ' ');
}

}  // namespace fermiac::format
