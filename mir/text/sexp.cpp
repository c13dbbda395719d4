#include "mir/text/sexp.h"

#include "mir/text/boxes.h"

namespace fermiac::mir {
namespace {

constexpr std::string_view kQuoteTriggers = " ,()[]\";\\\n\t\r";

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + "\"";
}

std::string atom_text(const std::string& atom) {
  const bool plain = !atom.empty() && atom.find_first_of(kQuoteTriggers) == std::string::npos;
  return plain ? atom : quoted(atom);
}

// `after_atom`: the last character written belongs to an unquoted atom.
void write_compact(const Sexp& sexp, std::string& out, bool& after_atom) {
  if (!sexp.is_list) {
    const std::string text = atom_text(sexp.atom);
    const bool unquoted = text[0] != '"';
    if (after_atom && unquoted) out += ' ';
    out += text;
    after_atom = unquoted;
    return;
  }
  out += '(';
  after_atom = false;
  for (const Sexp& item : sexp.items) write_compact(item, out, after_atom);
  out += ')';
  after_atom = false;
}

void write_boxes(const Sexp& sexp, Boxes& out) {
  if (!sexp.is_list) {
    out.text(atom_text(sexp.atom));
    return;
  }
  out.open(Boxes::Kind::Pack, 1).text("(");
  for (std::size_t i = 0; i < sexp.items.size(); ++i) {
    if (i > 0) out.space();
    write_boxes(sexp.items[i], out);
  }
  out.text(")").close();
}

bool is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  SexpResult run() {
    Sexp value;
    if (!parse(value)) return {std::nullopt, error_};
    skip_blanks();
    if (at_ != text_.size())
      return {std::nullopt, "text after the end of the expression, at byte " + std::to_string(at_)};
    return {std::move(value), {}};
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  bool fail(std::string_view what) {
    if (error_.empty()) error_ = std::string(what) + ", at byte " + std::to_string(at_);
    return false;
  }

  bool parse(Sexp& out) {
    std::vector<std::vector<Sexp>> open;
    while (true) {
      skip_blanks();
      if (at_ >= text_.size()) return fail("the text ends inside an expression");
      Sexp item;
      if (text_[at_] == '(') {
        if (open.size() == kMaxNesting) return fail("too many open parentheses");
        ++at_;
        open.emplace_back();
        continue;
      }
      if (text_[at_] == ')') {
        if (open.empty()) return fail("a ) without its (");
        ++at_;
        item = Sexp::list(std::move(open.back()));
        open.pop_back();
      } else if (!(text_[at_] == '"' ? quoted_atom(item) : plain_atom(item))) {
        return false;
      }
      if (open.empty()) {
        out = std::move(item);
        return true;
      }
      open.back().push_back(std::move(item));
    }
  }

  bool plain_atom(Sexp& out) {
    const std::size_t start = at_;
    while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '(' && text_[at_] != ')' && text_[at_] != '"')
      ++at_;
    out = Sexp::of(text_.substr(start, at_ - start));
    return true;
  }

  bool quoted_atom(Sexp& out) {
    ++at_;
    std::string atom;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        ++at_;
        atom += text_[at_] == 'n' ? '\n' : text_[at_];
      } else {
        atom += text_[at_];
      }
    }
    if (at_ >= text_.size()) return fail("an unterminated string");
    ++at_;
    out = Sexp::of(atom);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
};

}  // namespace

std::string compact(const Sexp& sexp) {
  std::string out;
  bool after_atom = false;
  write_compact(sexp, out, after_atom);
  return out;
}

std::string readable(const Sexp& sexp) {
  Boxes out(90, 80);
  write_boxes(sexp, out);
  return out.render();
}

SexpResult parse_sexp(std::string_view text) {
  return Parser(text).run();
}

}  // namespace fermiac::mir
